"""A project as everybody uses it: the window, the command line and notebooks call these verbs.

Calls are plain and blocking. A verb that changes something is one transaction and returns what changed; it
belongs to the thread that opened the project. What only reads may be called from any thread.
"""

import getpass
from collections.abc import Container, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from annotator.errors import DamagedError
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult
from annotator.metrics.answer_explaining import AnswerExplanation
from annotator.metrics.explaining import Explanation
from annotator.project import (
    asking,
    blindness,
    evaluating,
    evidence,
    explaining,
    history,
    importing,
    judging,
    panel,
    repeating,
    settings,
    undoing,
)
from annotator.project.importing import ImportChoices, ImportPlan
from annotator.project.state import state_of
from annotator.project.views import (
    AnnotatorView,
    Change,
    Contents,
    Evidence,
    Filters,
    HistoryLine,
    Order,
    QueryPanel,
    QueryRow,
    QueryView,
    RecentGrade,
)
from annotator.records import GoldList
from annotator.storage.asking import full_text
from annotator.storage.current import query_key
from annotator.storage.past import State
from annotator.storage.store import Store
from annotator.tasks import GRADE, checked_level
from annotator.watch import UNWATCHED, Watch


class Project:
    """One open project. `key` arguments are the numbers that the views carry."""

    def __init__(self, store: Store, annotator: str | None = None) -> None:
        self.store = store
        self._annotator = annotator or whoever_this_is()

    @classmethod
    def create(cls, path: Path, name: str, annotator: str | None = None) -> Self:
        """Make a new project file and open it; refuses to replace a file."""
        project = cls(Store.create(path), annotator)
        settings.set_setting(project.store, project.annotator, "name", judging.checked(name, "name"), "new")
        return project

    @classmethod
    def open(
        cls,
        path: Path,
        annotator: str | None = None,
        read_only: bool = False,
        watch: Watch = UNWATCHED,
    ) -> Self:
        """Open and prove a project file; raises a ProjectError that says what to do, and Stopped.

        One that is not what was recorded goes on for reading only, and `damage` says why.
        """
        store = Store.open(path, read_only=read_only)
        try:
            with suppress(DamagedError):
                store.prove(watch=watch)
            if store.damage:
                store.stop_writing()
            return cls(store, annotator)
        except BaseException:
            store.close()
            raise

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """The project's file."""
        return self.store.path

    @property
    def upgraded(self) -> str:
        """What was done to a file of an earlier version when it was opened, in words; empty for others."""
        copy = self.store.copy_as_it_was
        said = "This project was made by an earlier version of Annotator; it was brought up to date."
        return f"{said} A copy as it was lies in {copy}." if copy else ""

    @property
    def read_only(self) -> bool:
        """Whether nothing can be changed."""
        return self.store.read_only

    @property
    def damage(self) -> tuple[str, ...]:
        """What is wrong with the file, a sentence each; then nothing is written, and no score is computed."""
        return self.store.damage

    def proved(self) -> Self:
        """Return the project; raises DamagedError, and closes the file, when it is not what was recorded."""
        if self.damage:
            self.close()
        self.store.prove()
        return self

    def stop_writing(self, damage: Sequence[str]) -> None:
        """Go on for reading only: the file turned out not to be sound, for these reasons."""
        self.store.stop_writing(damage)

    # Annotators

    @property
    def annotator(self) -> str:
        """Whose grades are shown and given."""
        return self._annotator

    def use_annotator(self, name: str) -> None:
        """Go on as another person; raises UserError for a name that cannot be stored or is no person's."""
        self._annotator = settings.checked_annotator(self.store, name)

    def annotators(self) -> tuple[AnnotatorView, ...]:
        """Return everybody who has judged something, people, models and imports."""
        with self.store.reading() as db:
            return tuple(asking.annotator_views(db))

    # Reading

    def contents(self) -> Contents:
        """Return what the project holds, counted."""
        return asking.contents(self.store, self._annotator)

    def query_keys(self, filters: Filters = Filters()) -> NDArray[np.int64]:
        """Return the keys of the queries that the filters let through, in their order."""
        return asking.query_keys(self.store, self._annotator, filters)

    def query_rows(self, keys: Sequence[int] | NDArray[np.int64]) -> list[QueryRow]:
        """Return some lines of the query list."""
        return asking.query_rows(self.store, self._annotator, [int(key) for key in keys])

    def query(self, key: int, order: Order = "batches") -> QueryView:
        """Return one query with its pool as the annotator may see it."""
        return asking.query(self.store, self._annotator, int(key), order)

    def full_text(self, candidate: int) -> str:
        """Return the whole text of a candidate."""
        with self.store.reading() as db:
            return full_text(db, int(candidate))

    def key_of(self, query_id: str) -> int:
        """Return the key of a query by its external id."""
        with self.store.reading() as db:
            return query_key(db, query_id)

    def recent(self, count: int = 10) -> list[RecentGrade]:
        """Return the annotator's last decisions, newest first."""
        return history.recent(self.store, self._annotator, count)

    def history(
        self, query: int | None = None, candidate: int | None = None, limit: int = 200, as_seen: bool = False
    ) -> list[HistoryLine]:
        """Return the newest events first: of a pair, of a query, or of the whole project.

        `as_seen` keeps from a blind annotator what others judged.
        """
        lines = history.history(self.store, query, candidate, limit)
        return blindness.as_seen(self.store, self._annotator, lines) if as_seen else lines

    def setting(self, name: str, default: Any = None) -> Any:
        """Return a setting; what nobody set is the default given, or the project's own."""
        with self.store.reading() as db:
            return settings.setting(db, name, default)

    def usual_options(self, options: Options = Options(), said: Container[str] = ()) -> Options:
        """Return options in which what nobody `said` is what the project's settings and contents ask for."""
        return settings.usual_options(self.store, self.contents(), options, said)

    # Judging

    def set_grade(
        self, query: int, candidate: int, grade: int, *, milliseconds: int | None = None, how: str = "key"
    ) -> Change:
        """Grade a candidate; raises UserError for a number that is not on the scale of 0 to 5."""
        decision = {"state": "graded", "grade": checked_level(GRADE.name, grade)}
        return judging.judge(self.store, self._annotator, query, candidate, decision, milliseconds, how)

    def skip(
        self, query: int, candidate: int, *, milliseconds: int | None = None, how: str = "key"
    ) -> Change:
        """Pass over a candidate."""
        decision = {"state": "skipped"}
        return judging.judge(self.store, self._annotator, query, candidate, decision, milliseconds, how)

    def cannot_tell(
        self,
        query: int,
        candidate: int,
        reason: str = "",
        *,
        milliseconds: int | None = None,
        how: str = "key",
    ) -> Change:
        """Say that one cannot tell, and why; it never counts as 0."""
        decision = {"state": "cannot_tell", "reason": reason}
        return judging.judge(self.store, self._annotator, query, candidate, decision, milliseconds, how)

    def clear(self, query: int, candidate: int, *, how: str = "key") -> Change:
        """Take a grade or state away."""
        return judging.judge(self.store, self._annotator, query, candidate, {}, None, how)

    def set_mark(self, query: int, candidate: int, mark: str, value: bool | str) -> Change:
        """Put a mark (of `GRADE.marks`) beside the decision; False or no words take it away."""
        return judging.set_mark(self.store, self._annotator, query, candidate, mark, value)

    def set_gold(self, query: int, answers: GoldList) -> Change:
        """Replace the gold answers of a query, or mark it unanswerable."""
        return judging.set_gold(self.store, self._annotator, query, answers)

    def set_query_note(self, query: int, text: str) -> Change:
        """Write a note about a query."""
        return judging.set_query_part(self.store, self._annotator, query, {"note": text})

    def set_difficulty(self, query: int, text: str) -> Change:
        """Say how hard a query is to judge."""
        return judging.set_query_part(self.store, self._annotator, query, {"difficulty": text})

    def unblind(self, query: int) -> Change:
        """Show ranks, scores and systems of a query before it is complete; this is recorded."""
        return blindness.unblind(self.store, self._annotator, query)

    def next_again(self, query: int | None = None) -> QueryView | None:
        """Return one's own earlier candidates that are asked again now: of one query, None when none are."""
        return repeating.next_again(self.store, self._annotator, query)

    def grade_again(
        self, query: int, candidate: int, grade: int, *, milliseconds: int | None = None, how: str = "key"
    ) -> Change:
        """Grade a candidate another time; the first grade stays."""
        return repeating.grade_again(self.store, self._annotator, query, candidate, grade, milliseconds, how)

    def set_setting(self, name: str, value: Any) -> Change:
        """Store a setting; None goes back to the default."""
        return settings.set_setting(self.store, self._annotator, name, value)

    def undo(self) -> Change | None:
        """Take back one's own newest action that nobody changed since, None without one; else UserError."""
        return undoing.undo(self.store, self._annotator)

    def redo(self) -> Change | None:
        """Do again what undo took back; None when there is nothing."""
        event = self.store.redo(self._annotator)
        return undoing.change_of(self.store, event, "Done again") if event else None

    # Files

    def plan_import(
        self,
        files: Sequence[Path],
        choices: ImportChoices = ImportChoices(),
        trial: bool = True,
        watch: Watch = UNWATCHED,
    ) -> ImportPlan:
        """Read files and find out what importing them would do; nothing is stored."""
        return importing.plan_import(self.store, self._annotator, files, choices, trial, watch)

    def run_import(
        self,
        plan: ImportPlan,
        watch: Watch = UNWATCHED,
    ) -> Change:
        """Store what a plan holds in one transaction; `after` is the tally of what it did."""
        return importing.run_import(self.store, plan, watch)

    # Scores

    def state(self, options: Options = Options()) -> State:
        """Return one state, as it is or at the moment of the options: what belongs together is made of it."""
        return state_of(self.store, options)

    def evaluate(
        self,
        options: Options = Options(),
        on_part: "evaluating.OnPart | None" = None,
        watch: Watch = UNWATCHED,
    ) -> EvaluationResult:
        """Evaluate the systems from the grades or from the gold answers; a long one comes in parts too."""
        return evaluating.evaluated(state_of(self.store, options, watch), options, on_part, watch)

    def query_panel(self, query: int, measures: Sequence[str], system: str | None = None) -> QueryPanel:
        """Return one query's scores, curves and ideal ordering from the annotator's own grades."""
        return panel.query_panel(self.store, self._annotator, int(query), measures, system)

    def explain(self, system: str, query: str, measure: str, options: Options = Options()) -> Explanation:
        """Take one score apart, rank by rank; `query` is an external id."""
        of_one = replace(options, measures=(measure,))
        return explaining.explain_in_project(self.state(options), of_one, system, query)

    def explain_answer(
        self, system: str, query: str, measure: str, options: Options = Options()
    ) -> AnswerExplanation:
        """Take one score of answers apart, wording by wording; `query` is an external id."""
        of_one = replace(options, measures=(measure,))
        return explaining.explain_answer(self.state(options), of_one, system, query)

    def evidence(self, system: str, query: str, options: Options = Options()) -> Evidence:
        """Return what one score is made of, with bounds; `query` is an external id."""
        return evidence.evidence(self.state(options), options, system, query)

    def seen_queries(self) -> tuple[frozenset[str], int]:
        """Return the ids of the queries whose scores the annotator may see, and how many others there are."""
        return blindness.seen_queries(self.store, self._annotator)

    def unblind_all(self) -> Change:
        """Show the scores of all unfinished queries; this is recorded."""
        return blindness.unblind_all(self.store, self._annotator)


def whoever_this_is() -> str:
    """Return the name of the person at this computer, for projects that nobody named an annotator for."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "me"
