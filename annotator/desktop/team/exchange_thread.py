"""The thread that asks a carrier beside the work, and lets slices of what has come be taken in.

Nothing waits for a carrier but this thread, which is left alone when the project is closed: a folder of
another computer can keep who reads it waiting for minutes.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject

from annotator.desktop.worker import Worker
from annotator.errors import Stopped, UserError
from annotator.project.project import Project
from annotator.project.sharing import SAFE, Exchange, Exchanged, saying
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.storage.ledger.arrivals import Arrived

LOOK_SECONDS = 20.0
"""So long at most the carrier is not asked, where it tells of nothing itself."""

SLICE_SECONDS = 0.1
"""So long the thread waits at once, so that it ends soon after it is asked to."""

ROOM_SECONDS = 0.02
"""So long after a key is stored there is room for a step of an exchange: the next key does not come yet."""

QUIET_SECONDS = 0.5
"""There is room, too, once no key was stored for so long: who reads does not press the next one just now."""

BREATH_SECONDS = 0.15
"""A long step begins once nothing was asked of the storage thread for so long."""

FAILED = "The exchange failed ({error}) and is tried again. What you did is safe in your own project."


class Standing(NamedTuple):
    """What is known of the sharing: where, what was exchanged and is left, why the last try failed.

    It `takes` where what others did arrived in that try, also if what was done here could not go.
    """

    address: str
    exchanged: Exchanged = Exchanged()
    trouble: str = ""
    takes: bool = False

    @property
    def behind(self) -> str:
        """What is not handed over, empty where all is."""
        return f"{self.exchanged.behind:,} not handed over" if self.exchanged.behind else ""


class Exchanging(threading.Thread):
    """Exchanges until it is asked to end; `told(Standing)` and `took(events)` are called in the window's.

    `heard` is when it last went on, by the monotonic clock. Set `wanted` once something was done here that
    is to be handed over soon, and `at_once` to try also where the carrier did not answer. Each step begins
    where there is room between two keys, which `stored` tells.
    """

    def __init__(
        self,
        project: Project,
        worker: Worker,
        owner: QObject,
        standing: Standing,
        told: Callable[[Standing], object],
        took: "Callable[[list[Arrived]], object]",
    ) -> None:
        super().__init__(name="team", daemon=True)
        self.standing = standing
        self.heard = time.monotonic()
        self.wanted, self.at_once, self._taken, self._over = (threading.Event() for _ in range(4))
        self._taken.set()
        self._project = project
        self._worker = worker
        self._owner = owner
        self._told = told
        self._took = took
        self._one: Exchange | None = None
        self._stored, self._room = time.monotonic() - QUIET_SECONDS, threading.Event()
        self._faults = set[type[Exception]]()

    def stored(self) -> None:
        """A key was just stored, and the window has shown it."""
        self._stored = time.monotonic()
        self._room.set()

    def ask_to_end(self) -> None:
        """End soon, handing over what is left, if the carrier answers."""
        self._over.set()

    def leave_place(self) -> None:
        """End soon, noting nothing more of what is under way: the project goes on at another place."""
        self._over.set()
        if self._one is not None:
            self._one.give_up()

    def run(self) -> None:
        """Exchange again and again, and say after each try how it stands."""
        while not self._over.is_set():
            try:
                self._try()
            except Stopped:
                break
            standing = self.standing
            if not self._over.is_set():
                self._worker.post(self._owner, partial(self._told, standing))
            self._rest(None if standing.trouble else self._one)
        if self._one is not None and self._taken.is_set() and not self.standing.trouble:
            with suppress(UserError):  # else it is handed over when the project is next open
                if self.wanted.is_set() and self._one.record.carrier:
                    self._one.hand_over()
                self._one.note()
            self._one.carrier.close()

    def _try(self) -> None:
        """Exchange once and note how it went. Raises Stopped."""
        self.wanted.clear()
        self.at_once.clear()
        takes, trouble, watch = False, "", Watch(should_stop=self._asked)
        try:
            self._wait_for_room()
            self._one = one = self._one or Exchange(self._project)
            with saying(SAFE):
                self._take_all(one, watch)
                takes = True
                self._wait_for_room()
                one.hand_over(watch)
        except Stopped:
            self.wanted.set()
            raise
        except UserError as error:
            trouble = str(error)
        except Exception as error:  # noqa: BLE001 - a thread that ended would look like one that works
            trouble = FAILED.format(error=f"{type(error).__name__}: {error}")
            if self._one is not None:
                self._one.carrier.close()
            self._one = None
            if type(error) not in self._faults:
                self._faults.add(type(error))
                self._worker.post(self._owner, partial(self._worker.failed.emit, error))
        self.standing = self.standing._replace(trouble=trouble, takes=takes)
        self._wait_for_room()
        with suppress(UserError):
            if self._one is not None:
                self.standing = self.standing._replace(exchanged=self._one.outcome())

    def _wait_for_room(self) -> None:
        """Wait until a key was just stored, or none was for a while: no key waits for what begins then."""
        self._room.clear()
        while ROOM_SECONDS < (ago := time.monotonic() - self._stored) < QUIET_SECONDS and not self._asked():
            self._room.wait(min(SLICE_SECONDS, QUIET_SECONDS - ago))

    def _between(self) -> bool:
        """Say whether to stop, between two small steps, once what is submitted is stored."""
        self._worker.give_way()
        return self._asked()

    def _asked(self) -> bool:
        """Say whether to stop; who asks is at work, and waits for nothing."""
        self.heard = time.monotonic()
        return self._over.is_set()

    def _take_all(self, one: Exchange, watch: Watch) -> None:
        watch.look()
        one.look(Watch(should_stop=self._between))
        left = 0
        while one.ready:
            watch.look()
            one.prepare(watch=Watch(should_stop=self._between))
            if one.ready == left:
                self._wait_for_breath()
            else:
                self._wait_for_room()
            left = one.ready
            self._take(one)

    def _wait_for_breath(self) -> None:
        """Wait, with a step that something went before, until the page has all that it reads behind a key."""
        while not (self._worker.at_rest(BREATH_SECONDS) or self._asked()):
            time.sleep(BREATH_SECONDS / 10)

    def _take(self, one: Exchange) -> None:
        """Let some events be taken in where all is stored, and wait for that.

        A grade that is given meanwhile goes first: they are taken in anew behind it.
        """
        failed: list[Exception] = []
        self._taken.clear()

        def take() -> "list[Arrived]":
            try:
                return one.take(watch=Watch(should_stop=self._worker.waited_for))
            except Stopped:
                return []
            except Exception as error:
                failed.append(error)
                raise
            finally:
                self._taken.set()

        self._worker.submit(self._owner, take, self._took, lambda _: None)
        while not self._taken.wait(SLICE_SECONDS):
            if self._asked():
                raise Stopped
        if failed:
            raise failed[0]

    def _rest(self, one: Exchange | None) -> None:
        """Wait until something has come, something was done here, or it is time to look."""
        began, heard = time.monotonic(), False
        pause = one.carrier.pause if one else LOOK_SECONDS
        while not (self._asked() or self.at_once.is_set()):
            rested = time.monotonic() - began
            if rested >= LOOK_SECONDS or (rested >= pause and (heard or self.wanted.is_set())):
                return
            if one is None or heard:
                time.sleep(SLICE_SECONDS)
                continue
            try:
                heard = one.carrier.wait(SLICE_SECONDS)
            except UserError:
                return
