"""What an import only repeats: grades that its annotator has already, of which it says nothing new.

At the place of the import they would beat, in a merge, what somebody changed without knowing of it. So they
count at the place of the import that gave them first: what is repeated of each stands in an event of its own,
which names both imports, and is still there once the first one is taken back. A grade that was given by hand
is never taken back, so nothing is kept of its repetition.
"""

import sqlite3

import numpy as np

from annotator.storage.ledger import event_fold
from annotator.storage.reads.arrays import Ints
from annotator.watch import Watch

SAME_PAIR = "j.annotator = ? AND j.query = i.query AND j.candidate = i.candidate"

OTHERWISE = (
    "(j.grade IS NOT i.grade OR EXISTS (SELECT 1 FROM json_each(j.beside) WHERE key <> 'milliseconds'))"
)
"""That an annotator's judgment `j` is not just the imported grade `i`."""


def held(db: sqlite3.Connection, event: int, who: int) -> tuple[int, int]:
    """Count the judgments of a new import, given by its key, that `who` has: all, and those that differ."""
    there, other = db.execute(
        f"SELECT count(*), count(*) FILTER (WHERE {OTHERWISE}) FROM imported i CROSS JOIN judgment j "
        f"ON {SAME_PAIR} WHERE i.event = ?",
        (who, event),
    ).fetchone()
    return there, other


def set_apart(db: sqlite3.Connection, event: int, who: int, watch: Watch) -> dict[int, Ints]:
    """Take what `who` says already out of the judgments of a new import, given by its key.

    Returned is what earlier imports gave of it, by the key of the first: query, candidate and grade.
    """
    _, query, candidate, _, grade = event_fold.imported_rows(db, event, who)
    held = event_fold.fold(db, whose=who, watch=watch).winners
    _, mine, theirs = np.intersect1d(query << 32 | candidate, held[1] << 32 | held[2], True, True)
    same = held[4, theirs] == grade[mine]
    givers, rows = held[3, theirs[same]], np.stack([query, candidate, grade])[:, mine[same]]
    db.execute(
        "DELETE FROM imported AS i WHERE i.event = ? AND EXISTS (SELECT 1 FROM judgment j "
        f"WHERE {SAME_PAIR} AND NOT {OTHERWISE})",
        (event, who),
    )
    places = event_fold.places(db)
    firsts = np.array([places.get(one, one) for one in givers.tolist()], np.int64)
    return {first: rows[:, firsts == first] for first in np.unique(firsts).tolist()}
