"""The project at an earlier moment: a named snapshot, a date, or words such as last Friday."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

import numpy as np

from annotator.errors import UserError
from annotator.project.judging import checked
from annotator.project.project import Project
from annotator.project.views import Change
from annotator.storage.ledger import events
from annotator.storage.reads import arrays, holdings, states
from annotator.text.counts import counted
from annotator.text.times import DAYS, in_words

DAY = re.compile(
    rf"(?:(today|yesterday)|(?:last )?({'|'.join(DAYS)})(?:[a-z]*day)?)(?: (?:at )?(\d?\d:\d\d))?"
)
AGO = re.compile(r"(\d+) (minute|hour|day|week)s? ago")
LAST_MINUTE = time(23, 59)


@dataclass(frozen=True, slots=True)
class SnapshotView:
    """A named state of the project: when it was taken, by whom, the ledger head then, and what it held."""

    name: str
    time: int
    annotator: str
    head: str
    judgments: int
    systems: tuple[str, ...]


def take_snapshot(project: Project, name: str) -> Change:
    """Name the state of judgments, gold answers and runs, so that scores can be compared with it later.

    Raises UserError for a name that a snapshot has already: it stands for one state. Raises DamagedError.
    """
    checked(name, "name")
    if not name.strip():
        raise UserError("A snapshot needs a name.")
    project.store.prove()
    with project.store.writing() as db:
        if name in holdings.snapshots(db):
            raise UserError(f"There is a snapshot {name!r} already; choose another name.")
        value: dict[str, Any] = {
            "head": events.head(db),
            "judgments": int(np.count_nonzero(arrays.judgments(db).grade >= 0)),
            "runs": {run.name: run.digest for run in holdings.runs(db)},
        }
        event = project.store.record(project.annotator, "snapshot", (name,), value, how="snapshot")
        assert event is not None
        after = {**value, "time": event.time, "annotator": project.annotator}
    return Change("snapshot", after=after, said=f"Snapshot {name}")


def snapshots(project: Project) -> list[SnapshotView]:
    """Return the snapshots, oldest first."""
    with project.store.reading() as db:
        return [
            SnapshotView(name, when, who, value["head"], value["judgments"], tuple(sorted(value["runs"])))
            for name, value, when, who in states.snapshots(db)
        ]


def written_out(text: str, snapshots: Collection[str] = (), now: datetime | None = None) -> str:
    """Return the date, time and zone of a moment told in words; the name of a snapshot stays as it is.

    What names no zone is this computer's time, and a day without a time is its last minute.
    Raises UserError for what is neither.

    >>> written_out("last Friday", now=datetime(2026, 11, 22, 18, 30))[:16]
    '2026-11-20 23:59'
    >>> written_out("2 hours ago", now=datetime(2026, 11, 22, 18, 30))[:16]
    '2026-11-22 16:30'
    """
    if text in snapshots:
        return text
    now = (now or datetime.now()).astimezone().replace(second=0, microsecond=0)
    words = " ".join(text.lower().split())
    try:
        if ago := AGO.fullmatch(words):
            clock_now = now if ago[2] in ("minute", "hour") else now.replace(tzinfo=None)
            when = clock_now - timedelta(**{f"{ago[2]}s": int(ago[1])})
        elif named := DAY.fullmatch(words):
            today, weekday, clock = named.groups()
            back = (now.weekday() - DAYS.index(weekday) - 1) % 7 + 1 if weekday else today == "yesterday"
            at = time.fromisoformat(f"{clock:0>5}") if clock else LAST_MINUTE
            when = datetime.combine(now.date() - timedelta(days=back), at)
        else:
            when = datetime.fromisoformat(text)
            if len(text) == len("2026-11-20"):
                when = datetime.combine(when, LAST_MINUTE)
        return when.astimezone().isoformat(" ", "auto" if when.second or when.microsecond else "minutes")
    except (ValueError, OverflowError, OSError):
        raise UserError(
            f"{text!r} is neither a snapshot nor a moment; write last Friday, yesterday 14:00, 2 hours ago, "
            "2026-11-20 or 2026-11-20 17:30."
        ) from None


def backwards(state: states.State) -> tuple[str, ...]:
    """Return the sentence about what an earlier state leaves out of the middle of the ledger, if it does."""
    if state.late is None:
        return ()
    first = in_words(datetime.fromtimestamp(state.late.time / 1000).astimezone().isoformat(" ", "minutes"))
    many = counted(state.late.count, "event was", "events were")
    said = (
        f"Recorded times run backwards here: {many} recorded after that moment and left out, though others "
        f"behind count; the first is {state.late.annotator}'s of {first}. That comes of copies that were "
        "merged, or of a clock that was wrong."
    )
    return (said,)


def milliseconds(text: str) -> int:
    """Return a moment as UTC ms; without seconds it is the end of its minute.

    >>> milliseconds("1970-01-01T00:00:01+00:00")
    1000
    >>> milliseconds("1970-01-01 00:01+00:00")
    119999
    """
    moment = written_out(text)
    whole = timedelta(milliseconds=59_999 if len(moment) == len("2026-11-20 23:59+01:00") else 0)
    return round((datetime.fromisoformat(moment) + whole).timestamp() * 1000)
