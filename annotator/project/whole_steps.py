"""What has to be taken in together: between two steps the program may end, and the file is to be sound then.

What was recorded with an import, or with taking it back, makes the texts what these state. Of an import that
was taken back before it was handed over there may be too little left to be what it states.
"""

from collections.abc import Mapping, Sequence

from annotator.storage.content.standing import WITH_IMPORTS
from annotator.storage.ledger.arrivals import Arrived
from annotator.storage.ledger.events import Event


def goes_on(event: Arrived | Event, then: Arrived | Event) -> bool:
    """Tell whether the event behind another of one session was recorded in one transaction with an import."""
    return event.time == then.time and event.how in WITH_IMPORTS and then.how in WITH_IMPORTS


def needs(ready: Sequence[Arrived]) -> dict[str, list[str]]:
    """Return the hashes of events -> those of the later ones, of all that are ready, that go with them."""
    found: dict[str, list[str]] = {}
    behind: dict[str, Arrived] = {}
    backs: dict[str, str] = {}
    for one in reversed(ready):
        then = behind.get(one.session)
        if then is not None and goes_on(one, then):
            found.setdefault(one.hash, []).append(then.hash)
        if one.task == "import" and one.undoes:
            backs[one.undoes] = one.hash
        elif one.task == "import" and one.identity in backs:
            found.setdefault(one.hash, []).append(backs[one.identity])
        behind[one.session] = one
    return found


def first(ready: Sequence[Arrived], most: int, needs: Mapping[str, Sequence[str]]) -> list[Arrived]:
    """Return the first events that are ready, and more where they need what comes later."""
    some: list[Arrived] = []
    needed: set[str] = set()
    for one in ready:
        if len(some) >= most and not needed:
            break
        some.append(one)
        needed.discard(one.hash)
        needed.update(needs.get(one.hash, ()))
    return some
