"""What carries a shared project from one copy to another: a place that holds named bytes, and nothing more.

A carrier understands none of what it holds. It has two shelves. On `segments` each name is one run of the
events of one session, on `contents` one part of what imports brought, or what lists such parts; what the
names say, and how bytes prove that they are what their name says, stands in `annotator/project/segments.py`.
Nothing on a shelf is ever changed: each name is written once, by whoever recorded the events.

What a carrier must do:

- `names` tells what is there now, as far as it has arrived: it may lack what others wrote a moment or a week
  ago, in any order, and what was there may be missing. Each name comes with a mark that differs whenever the
  bytes do (size and time of a file, a checksum, a row's version): what was read under the same mark is not
  read again. Names that do not begin like one of ours are left out of no use to anybody, and may be listed.
- `later` tells what may have come since `names` or `later` was last asked, also if that was told already, or
  None where only the whole listing tells that: of many names few are new.
- `read` returns the bytes under a name as they are now, None where nothing is there (any more). They may be
  cut short or altered: the reader finds out, says so by name and waits. It must not return more than `LIMIT`
  bytes, and raises CarrierError for a name that holds more.
- `append` writes bytes under a new name: all of them at once or nothing, for everybody who reads meanwhile,
  also when the program is killed or the computer loses power; once it returns they are there to stay. It
  never replaces: where the name is taken by the same bytes it does nothing, by others it raises TakenError.
- `wait` returns True as soon as the carrier tells that something has come, False after so many seconds in
  which it told nothing; one that never tells lets the time pass. Waiting only spares asking too often: what
  is there is found by `names`.
- `pause` is how many seconds to leave between two exchanges: where each name is a file that some service
  copies, what people do in the meantime should travel together.
- `where` says where a shelf is, to a person who looks for a name on it.
- All but that may be called from any thread, by one thread at a time. Each raises SilentError, with a
  sentence that says what is the matter, when the place does not answer or refuses; nothing is lost by that,
  everything is asked again at the next exchange. So a carrier keeps no state that it could not find again.

It needs no clock, no lock, no order and no listing that is complete.
"""

from typing import Literal, Protocol

from annotator.errors import UserError

Shelf = Literal["segments", "contents"]

SHELVES: tuple[Shelf, ...] = ("segments", "contents")

LIMIT = 64_000_000
"""No name holds more bytes."""


class CarrierError(UserError):
    """The carrier does not answer, or not as it should; what the project holds is safe."""


class SilentError(CarrierError):
    """The carrier does not answer, or refuses; it may answer later."""


class TakenError(CarrierError):
    """Other bytes stand under a name already."""


class Carrier(Protocol):
    """A place that a project is shared through; see the module. `address` is what names it to a person."""

    @property
    def address(self) -> str:
        """What opens it again, without any password."""

    @property
    def pause(self) -> float:
        """So many seconds to leave between two exchanges."""

    def where(self, shelf: Shelf) -> str:
        """Return where a shelf is."""

    def names(self, shelf: Shelf) -> dict[str, str]:
        """Return the names on a shelf, each with the mark of its bytes."""

    def later(self, shelf: Shelf) -> dict[str, str] | None:
        """Return what may have come since the last listing, None where it cannot be told."""

    def read(self, shelf: Shelf, name: str) -> bytes | None:
        """Return what stands under a name now, None where nothing does."""

    def append(self, shelf: Shelf, name: str, data: bytes) -> None:
        """Write bytes under a name that is free, as a whole."""

    def wait(self, seconds: float) -> bool:
        """Tell whether something has come, after so long at most."""

    def close(self) -> None:
        """Let go of what is held open; closing twice is fine."""
