"""What the project shows and what its verbs return: frozen values for panels, commands and notebooks.

`key` is a project's internal whole number, never shown; `id` is the external one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from annotator.records import AnnotatorKind, GoldAnswer, State
from annotator.tasks import TOGETHER

Order = Literal["batches", "by query", "by pool depth", "disagreements", "my earlier ones"]


@dataclass(frozen=True, slots=True)
class SystemView:
    """One system and its current run."""

    key: int
    name: str
    source: str
    queries: int
    rows: int
    imported: int


@dataclass(frozen=True, slots=True)
class AnnotatorView:
    """One annotator and how far they are; `decided` counts grades, skips and can't-tells."""

    name: str
    kind: AnnotatorKind
    graded: int
    decided: int
    lead: bool = False


@dataclass(frozen=True, slots=True)
class Contents:
    """What a project holds, counted; `queue` are the keys of the queries assigned to the annotator."""

    name: str
    queries: int
    documents: int
    answers: int
    gold: int
    pool: int
    decided: int
    systems: tuple[SystemView, ...] = ()
    annotators: tuple[AnnotatorView, ...] = ()
    tags: tuple[str, ...] = ()
    queue: frozenset[int] = frozenset()
    queue_pool: int = 0
    queue_decided: int = 0
    judged_by: tuple[str, ...] = ()
    """What candidates can be judged by beside the grades, as the aspects of the project."""
    beside: Mapping[int, int] = field(default_factory=dict)
    """How many candidates the queries (keys) have that are finished for who never grades: `decided`, too."""
    practising: bool = False
    """Whether the annotator practises, and so the pool is that of practice queries alone."""
    clock: int = 0
    """The ledger's clock when it was counted: what was stored later (`Change.clock`) is not in it."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which queries and candidates are offered; empty means all. Chips of the Grade page set these."""

    states: tuple[str, ...] = ()
    """`unjudged`, `skipped`, `cannot_tell`, or the name of a mark."""
    grades: tuple[int, ...] = ()
    tags: tuple[str, ...] = ()
    system: str | None = None
    depth: int | None = None
    text: str = ""
    order: Order = "batches"
    assigned: bool = False
    """Only what is assigned to the annotator, where anything is."""
    pairs: frozenset[tuple[int, int]] = frozenset()
    """These candidates (query and candidate) while they are undecided, such as a block of draws."""
    called: str = ""
    """What the pairs are, in words."""

    @property
    def narrow(self) -> bool:
        """Whether something is chosen beside the order and one's own queue."""
        return self != Filters(order=self.order, assigned=self.assigned)

    @property
    def revisit(self) -> bool:
        """Whether certain candidates are asked for: by a state, a grade, the order, or one by one."""
        judged = set(self.states) - {"unjudged"} or self.grades or self.pairs
        return bool(judged) or self.order in ("disagreements", "my earlier ones")

    def ask_for(self, judgment: "JudgmentView") -> bool:
        """Say whether states, grades or one's own earlier ones are asked for and this is one of them."""
        if self.order == "my earlier ones" and not (self.states or self.grades):
            return judgment.state is not None
        known = {judgment.state or "unjudged", *judgment.marks}
        return not known.isdisjoint(self.states) or judgment.grade in self.grades


@dataclass(frozen=True, slots=True)
class QueryRow:
    """One line of the query list, seen by the current annotator."""

    key: int
    id: str
    text: str
    decided: int
    pool: int
    tags: tuple[str, ...] = ()
    revealed: bool = False
    practice: bool = False

    @property
    def title(self) -> str:
        """What it is called: its text, or its id where an import brought none."""
        return self.text or self.id


@dataclass(frozen=True, slots=True)
class JudgmentView:
    """The current annotator's judgment of one candidate; `state` None is unjudged.

    `marks` are those that stand beside it, by name (`GRADE.marks`).
    """

    state: State | None = None
    grade: int | None = None
    reason: str = ""
    marks: Mapping[str, bool | str] = field(default_factory=dict)
    how: str = ""
    """How it was given, where nobody decided on it alone (`WITH_OTHERS`)."""
    quick: bool = False
    time: int | None = None
    milliseconds: int | None = None


UNJUDGED = JudgmentView()


Written = tuple[str, str]
"""A text, and what it is written in where its candidate says so, as `html`, else ""."""


def written_in(fields: Mapping[str, object]) -> str:
    """Return what the text of a candidate with these fields is said to be written in, "" where nothing is."""
    return str(fields.get("format", ""))


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that is asked of a candidate beside the grade: under a task, what its subject ends in.

    `values` are what its levels are called, the lowest first.
    """

    task: str
    ending: tuple[str, ...]
    title: str
    meaning: str
    values: tuple[str, ...]
    passage: str = ""
    """What it is asked against, as the passage that a sentence cites: its first 20,000 characters."""
    format: str = ""
    """What the passage is written in where its document says so, as `html`."""


EMPTY_ANSWER = "(empty answer)"
"""What a predicted answer without words is called."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Where one system put a candidate."""

    system: str
    rank: int
    score: float | None


@dataclass(frozen=True, slots=True)
class CandidateView:
    """One candidate of a query as the annotator may see it: `places` is empty while blind."""

    key: int
    id: str
    kind: Literal["document", "answer"]
    title: str
    judgment: JudgmentView = UNJUDGED
    places: tuple[Placed, ...] = ()
    fields: Mapping[str, object] = field(default_factory=dict)
    text: str = ""
    """The answer's text; for a document its first 20,000 characters (see `browse.full_text`)."""
    length: int = 0
    passage: str = ""
    start: int | None = None
    end: int | None = None
    others: tuple[tuple[str, int], ...] = ()
    """Who else gave which grade; empty while blind, and unless the project shows annotators each other's."""
    said: Mapping[tuple[str, ...], int] = field(default_factory=dict)
    """What the annotator said beside the grade: levels by task and what the subject ends in."""
    questions: tuple[Asked, ...] = ()
    """What is asked of it alone beside the grade: whether what it cites supports its sentences."""
    missing: tuple[str, ...] = ()
    """The ids of the passages that it cites and whose text the project does not have."""


@dataclass(frozen=True, slots=True)
class QueryView:
    """One query with everything the Grade page shows, seen by the current annotator."""

    key: int
    id: str
    text: str
    tags: tuple[str, ...]
    guidelines: str
    fields: Mapping[str, object]
    note: str
    difficulty: str
    gold: tuple[GoldAnswer, ...]
    unanswerable: bool
    candidates: tuple[CandidateView, ...]
    revealed: bool
    """True once the query is finished or unblinded: ranks, scores and systems may be seen."""
    asked: frozenset[int] = frozenset()
    """The keys of the candidates in dispute, where the order asks for them."""
    unblinded: bool = False
    again: bool = False
    """True when one's own earlier candidates are asked again: the grades of the first time are not told."""
    practice: bool = False
    """Whether it is for practice, and so counts in nothing."""
    learning: bool = False
    """Whether the annotator practises on it: what stands is not what they said before."""
    questions: tuple[Asked, ...] = ()
    """What is asked of each of its candidates beside the grade."""
    grades: bool = True
    """Whether the annotator grades at all, practice aside."""
    preferred: tuple[tuple[str, bool], ...] = ()
    """For who does not, the task of every two answers side by side, and whether it is said of them."""
    language: str = "en"
    """The code of the language of the texts, by whose stems its words are found in them."""

    @property
    def title(self) -> str:
        """What it is called: its text, or its id where an import brought none."""
        return self.text or self.id

    def asked_of(self, candidate: CandidateView) -> tuple[Asked, ...]:
        """Return what is asked of one candidate beside the grade."""
        return (*self.questions, *candidate.questions)

    @property
    def decided(self) -> int:
        """How many candidates have a grade, a skip or a can't tell."""
        return sum(one.judgment.state is not None for one in self.candidates)

    @property
    def complete(self) -> bool:
        """Whether there are candidates and none is unjudged."""
        return 0 < self.decided == len(self.candidates)


@dataclass(frozen=True, slots=True)
class QueryPanel:
    """One query's scores under one system, for the side panel: asked for only once they may be seen.

    `values` are (measure, score), None where the measure does not apply. `gained[r]` and `ideal[r]` are the
    cumulated gain of the ranking and of the ideal ordering after rank r + 1. `ideal_ordering` lists
    (candidate's id or answer, grade), best first.
    """

    query: int
    system: str
    systems: tuple[str, ...]
    values: tuple[tuple[str, float | None], ...]
    gained: tuple[float, ...] = ()
    ideal: tuple[float, ...] = ()
    ideal_ordering: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """A query and a candidate, by their keys and their external ids."""

    query: int
    candidate: int
    query_id: str
    candidate_id: str


@dataclass(frozen=True, slots=True)
class Change:
    """What one verb changed: one event's subject before and after, for the views that refresh from it.

    `kind` is the event's task (`grade`, `gold`, `query`, `setting`, `unblind`, `lead`, `assignment`,
    `import`), `system`, `proof` once a large file was found sound, or `arrived` for what others judged. Of
    what was given `together`, `before` and `after` are the judgments by candidate.
    `query` and `candidate` are keys, None where the change is not about one.
    """

    kind: str
    query: int | None = None
    candidate: int | None = None
    before: object = None
    after: object = None
    undoes: bool = False
    ending: tuple[str, ...] = ()
    """What the subject says after query and candidate, as the name of an aspect."""
    said: str = ""
    """A sentence for the status line, such as "Undone: grade 3 of doc-7"."""
    clock: int = 0
    """The ledger's clock at the event of a judgment, 0 where nothing was stored."""

    @property
    def judgments(self) -> Mapping[int, JudgmentView]:
        """The judgments that it left behind, by candidate; empty where it is about none."""
        return self._by_candidate(self.after)

    @property
    def more_decided(self) -> int:
        """How many more candidates are decided on; fewer are below 0."""
        return self._more(lambda one: one.state is not None)

    @property
    def more_together(self) -> int:
        """How many more grades there are that were not given on their own."""
        return self._more(lambda one: bool(one.how))

    def _more(self, test: Callable[[JudgmentView], bool]) -> int:
        before, after = (
            sum(map(test, self._by_candidate(side).values())) for side in (self.before, self.after)
        )
        return after - before

    def _by_candidate(self, side: object) -> Mapping[int, JudgmentView]:
        if isinstance(side, JudgmentView) and self.candidate is not None:
            return {self.candidate: side}
        return side if self.kind == TOGETHER.name and isinstance(side, Mapping) else {}


@dataclass(frozen=True, slots=True)
class RecentGrade:
    """One of the last grades, shown in the strip and correctable there."""

    query: int
    candidate: int
    query_id: str
    label: str
    judgment: JudgmentView


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One event as a person reads it."""

    time: int
    annotator: str
    task: str
    said: str
    milliseconds: int | None
    blind: bool
    query_id: str | None = None
    candidate_id: str | None = None
    undone: bool = False
    identity: str = ""
    answer: str = ""
    """The text of the predicted answer, if the candidate is one."""
