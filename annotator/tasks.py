"""What people can say, task by task: declared here, read by the ledger, the pages and the evaluator.

An event names its task, its subject and a value (JSON). A new task is a new declaration: the project file
already has room for it.

A task that people *judge* by, each for themselves, on a few levels, is declared with `own`, `levels` and
`stated`, and listed in `JUDGED`. Its subject begins with the query and the candidate in front and says more
after them; its value says `grade`, the level, beside whatever else. That declaration is all that the rest
needs: `judging.say` records one; undo, history, check, merge, dump and recovery serve it; what settles
disagreements about it is the task `settling(task)`, which is declared with it; every `State` holds what is
said under it (`State.said`); and `judged_by.by(state, name)` returns a state in which its levels stand where
the grades stand, so that coefficients, what to settle, combining, as-of and scores come from the code that
serves grades. What it still asks for is the page on which it is said, and measures of its own, if it has any.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from annotator.errors import NewerError, UserError
from annotator.grades import GRADES

CombiningRule = Literal["median", "upper-median", "latest", "mean", "majority", "max", "min"]


class Mark(NamedTuple):
    """What may stand beside a decision: a switch, or words that are typed or selected.

    `name` is its part of the value, its command and its icon; `words` and `key` are the command's. `said`
    names it in a history, `chip` among the filters (empty: no filter); `drawn` puts its icon on the card.
    """

    name: str
    words: str
    key: str
    given: Literal["switch", "text", "selection"]
    said: str
    chip: str = ""
    drawn: bool = True


class Task(NamedTuple):
    """One kind of thing that is said, and how it is stored, given, combined and evaluated.

    `subject` names the parts of the subject, external ids or names: what it is about, and so what is shown.
    `own`: everybody has a value of their own; else it is the project's. `kept`: the newest value about a
    subject stands; else each event stands for itself. `undone`: undo takes it back.

    `levels` are the numbers that its part `grade` may have and `keys` what gives each of them. A new decision
    replaces the parts `decision`; `marks` stand beside it. `combine` is the rule that makes one grade of
    several annotators' unless a project chooses another. `measures` is what a measure that reads it `needs`.
    `words` are what its levels are called, in their order, where it says so itself. `settles` names the task
    whose disagreements it settles. `stated`: every state of the project holds its values.
    """

    name: str
    title: str
    subject: tuple[str, ...]
    own: bool = False
    kept: bool = True
    undone: bool = False
    levels: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()
    decision: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    combine: CombiningRule = "median"
    measures: str = ""
    words: tuple[str, ...] = ()
    settles: str = ""
    stated: bool = False


PAIR = ("query", "candidate")

GRADE = Task(
    name="grade",
    title="grade",
    subject=PAIR,
    own=True,
    undone=True,
    levels=GRADES,
    keys=tuple(map(str, GRADES)),
    decision=("state", "grade", "reason", "how"),
    marks=(
        Mark("flag", "Flag the candidate", "F", "switch", "flagged", "Flagged"),
        Mark("note", "Note on the candidate", "M", "text", "note", "With a note"),
        Mark("rationale", "The selected words are the rationale", "R", "selection", "rationale", drawn=False),
    ),
    combine="median",
    measures="grades",
)
"""Grading a candidate of a query from 0 to 5: the first task."""

TOGETHER = Task("together", "grades given together", ("query",), own=True, kept=False, undone=True)
"""One action that gives several candidates a grade without a decision on each; undo takes it back whole.

Its value names the grade, the candidates, and how it was given. The grades are events behind it that say
the same `how`, and so do their values, until somebody decides anew.
"""

WITH_OTHERS = {
    "rest": "given with the rest",
    "duplicate": "given with a near-duplicate",
    "repeat": "taken away to practise again",
}
"""How a grade was given, or taken away, that was not on its own, with the words for it."""

GOLD = Task("gold", "gold answers", ("query",), undone=True, measures="answers")

LEAD = Task("lead", "role of lead", (), own=True, undone=True)
"""What somebody says of themselves alone, so that nobody makes another one a lead."""

ASSIGNMENT = Task("assignment", "assignment", (), undone=True)
"""Who judges which queries: one value for the whole project."""
PRACTICE = Task("practice", "practice query", ("query",), undone=True)
"""What beginners grade first and no score counts: what was judged before is what they compare with."""

READY = Task("ready", "real work begun", (), own=True, undone=True)
"""What somebody says who has practised, and begins with what counts."""

RATING = Task(
    name="rating",
    title="rating",
    subject=(*PAIR, "aspect"),
    own=True,
    undone=True,
    levels=GRADES,
    stated=True,
)
"""What somebody says of a candidate under an aspect of the project (`project/aspects.py`): one of its values.

The level is the place of the value, 0 for the lowest; `as` has its words as they were then.
"""

ADJUDICATION = Task("adjudication", "adjudicated grade", PAIR, undone=True, levels=GRADES, settles=GRADE.name)

NUGGET = Task("nugget", "nugget", ("query", "nugget"), undone=True, stated=True)
"""What a good answer to a query says: its text, whether that is vital or okay, what it was merged into."""

SUPPORT = Task(
    name="support",
    title="support of a nugget",
    subject=(*PAIR, "nugget"),
    own=True,
    undone=True,
    levels=(0, 1, 2),
    measures="nuggets",
    words=("not", "partial", "support"),
    stated=True,
)
"""Whether a candidate says what a nugget says: nuggetizer's `not_support`, `partial_support`, `support`."""

CITATION = Task(
    name="citation",
    title="support of a sentence",
    subject=(*PAIR, "sentence", "candidate"),
    own=True,
    undone=True,
    levels=(0, 1, 2),
    measures="citations",
    words=("no support", "partial support", "full support"),
    stated=True,
)
"""Whether a passage that a sentence of a generated answer cites supports that sentence (arXiv:2504.15205).

The sentence is named by where it begins and ends in the answer's text, in code points: `0-25`.
"""

PREFERENCE = Task(
    name="preference",
    title="preference",
    subject=("query", "candidate", "candidate"),
    own=True,
    undone=True,
    levels=(0, 1, 2),
    words=("first", "equal", "second"),
    stated=True,
)
"""Which of two answers to a query is better: the first, the second, or neither of them.

The first is the one whose id sorts first, so that a pair is one subject whoever stood where; the value's
`left` has the id of the one that stood on the left.
"""

JUDGED = (RATING, SUPPORT, CITATION, PREFERENCE)
"""What people judge by beside grades: everybody for themselves, on a few levels."""


def settling(task: Task) -> Task:
    """Return the task that settles what people say differently under another one."""
    name, title = f"settled_{task.name}", f"settled {task.title}"
    return Task(name, title, task.subject, undone=True, levels=task.levels, settles=task.name, stated=True)


TASKS = {
    one.name: one
    for one in (
        GRADE,
        TOGETHER,
        GOLD,
        Task("query", "note", ("query",), undone=True),
        ADJUDICATION,
        NUGGET,
        *JUDGED,
        *map(settling, JUDGED),
        Task("repeat", "grade when asked again", PAIR, own=True, kept=False, undone=True, levels=GRADES),
        Task("unblind", "unblinding", ("query",), own=True),
        LEAD,
        ASSIGNMENT,
        PRACTICE,
        READY,
        Task("setting", "setting", ("name",), undone=True),
        Task("snapshot", "snapshot", ("name",)),
        Task("plan", "plan", ("name", "digest")),
        Task("block", "closed block", ("plan", "digest", "number")),
        Task("text", "text", ("set", "id")),
        Task("import", "import", ("name",), kept=False),
        Task("session", "session", (), kept=False),
    )
}
"""By name. The last three are the program's own: a replaced text, an import, the opening of a session."""

STATED = tuple(name for name, one in TASKS.items() if one.stated)
"""The tasks whose values stand in every state of a project."""

SETTLING = tuple(name for name, one in TASKS.items() if one.settles)
"""The tasks by which disagreements are settled."""


def declared(name: str) -> Task:
    """Return the task with this name; raises NewerError for one that this program does not know."""
    if name not in TASKS:
        raise NewerError(
            f"This project holds something that a newer version of Annotator recorded ({name}). It was not "
            "changed; open it with the newer version."
        )
    return TASKS[name]


def checked_level(task: str, grade: object) -> int:
    """Return a grade; raises UserError for what is none of the levels of a task."""
    levels = declared(task).levels
    if type(grade) is not int or grade not in levels:
        raise UserError(f"{grade!r} is not a grade; grades go from {levels[0]} to {levels[-1]}.")
    return grade


def parts(task: str, subject: Sequence[str]) -> dict[str, str]:
    """Return what a subject names, by part; of several of one name the first.

    >>> parts("grade", ("q1", "d1"))["candidate"]
    'd1'
    """
    return dict(reversed([*zip(declared(task).subject, subject, strict=True)]))


def about(part: str) -> dict[str, list[int]]:
    """Return where in their subjects the tasks name a `query` or a `candidate`, by task.

    >>> about("candidate")["grade"]
    [1]
    """
    places = {
        name: [at for at, one in enumerate(task.subject) if one == part] for name, task in TASKS.items()
    }
    return {name: at for name, at in places.items() if at}
