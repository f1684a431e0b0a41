"""Which systems are preferred: what was said of their first answers, side by side, under one state."""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from typing import Literal

import numpy as np

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.evaluation.preference_tables import Preferred, Sides, side_table, strength_table, win_matrix
from annotator.evaluation.result_table import Table
from annotator.project.run_overlap import chosen_queries
from annotator.project.state import counted_of, runs_of
from annotator.storage.ledger.current_values import Subject
from annotator.storage.reads import preferred
from annotator.storage.reads.states import State
from annotator.tasks import PREFERENCE, settling
from annotator.text.counts import counted

Show = Literal["strengths", "wins", "position"]
KEYS: dict[Show, str] = {"strengths": "preferences", "wins": "preference-wins", "position": "position-bias"}
"""The keys of the tables by what they are asked for as."""

NOTHING = "Nobody {had} said which of two systems' answers is better; the Prefer page puts them side by side."
NO_TWO = "No preference that counts here is between what two of these systems rank first."
UNFINISHED = "There is no preference among the queries chosen here that you have finished."
"""What is said where the queries that a blind annotator may see have none."""

FIRST, EQUAL, SECOND = PREFERENCE.levels


def tables(
    state: State,
    options: Options = Options(),
    only: Container[str] | None = None,
    called: Mapping[str, str] | None = None,
) -> list[Table]:
    """Return strengths, wins of every two systems, and which side is favoured; none where nothing is said.

    The options choose systems, queries, tags and the annotator; without one, all but models count. `only`
    keeps all other queries out of it. `called` has the names that annotators are called by. Raises UserError
    for a system, a query, a tag or an annotator that is not there.
    """
    if not said_any(state):
        return []
    found, settled = _preferred(state, options, only)
    if not found.wins.any():
        return []
    strong = strength_table(found, options.seed).noted(_who(state, options, called or {})).noted(settled)
    sides = side_table(_sides(state, options, only, called))
    return [strong, win_matrix(found), *([sides] if len(sides) else [])]


def needed(state: State, options: Options) -> list[Table]:
    """Return the tables; raises UserError, which says why, where there are none."""
    found = tables(state, options)
    if not found and said_any(state):
        raise UserError(NO_TWO)
    if not found:
        raise UserError(NOTHING.format(had="had by then" if state.as_of else "has"))
    return found


def said_any(state: State) -> bool:
    """Say whether anybody said which of two answers is better, or settled it."""
    return any(state.said.get(one.name) for one in (PREFERENCE, settling(PREFERENCE)))


def shown(found: Sequence[Table], what: Show) -> Table:
    """Return one of the tables; raises UserError where there is no such one."""
    for one in found:
        if one.key == KEYS.get(what):
            return one
    raise UserError(
        f"There is no table {what!r}; there are: {', '.join(KEYS)}."
        if what not in KEYS
        else "No judgment of these says which answer stood on the left."
    )


def _preferred(state: State, options: Options, only: Container[str] | None) -> tuple[Preferred, str]:
    """Return what is preferred among the systems' first answers, and a sentence of what settled counts."""
    names = list(dict.fromkeys(options.systems)) or [run.name for run in state.runs]
    shares, settled = _shares(state, options)
    queries = _queries(state, options, only)
    with state.rows() as db:
        matches = [one for one in preferred.matches(db, runs_of(state, names)) if one.query in queries]
    same, unjudged = np.zeros((2, len(names), len(names)), np.int64)
    rows: dict[int, int] = {}
    cells = []
    by_settling = 0
    for match in matches:
        pair = match.one, match.other
        if match.two is None:
            same[pair] += 1
        elif (share := shares.get(match.two.subject)) is None:
            unjudged[pair] += 1
        else:
            by_settling += match.two.subject in settled
            first, second = pair[::-1] if match.swapped else pair
            cells.append((rows.setdefault(match.query, len(rows)), first, second, *share))
    better, equal = np.zeros((2, len(rows), len(names), len(names)))
    for query, first, second, one, neither, other in cells:
        better[query, first, second], better[query, second, first] = one, other
        equal[query, first, second] = equal[query, second, first] = neither
    said = f"Settled: {counted(by_settling, 'comparison')}." if by_settling else ""
    both = (same + same.T, unjudged + unjudged.T)
    return Preferred(tuple(names), better, equal, *both), said


def _queries(state: State, options: Options, only: Container[str] | None) -> set[int]:
    """Return the keys of the queries that count."""
    chosen = chosen_queries(state, options)
    return {
        key
        for key, query in state.queries.items()
        if (only is None or query.id in only) and (chosen is None or query.id in chosen)
    }


def _shares(
    state: State, options: Options
) -> tuple[dict[Subject, tuple[float, float, float]], Container[Subject]]:
    """Return in what shares the first answer, neither and the second one is preferred, by subject.

    What settles a disagreement counts alone, unless one annotator was chosen; those subjects come second.
    """
    kept = {*counted_of(state, options)}
    levels: dict[Subject, Counter[int]] = {}
    for who, subject, value in state.said.get(PREFERENCE.name, ()):
        if who in kept:
            levels.setdefault(subject, Counter())[value["grade"]] += 1
    settled = {one.subject for one in state.said.get(settling(PREFERENCE).name, ())}
    if options.annotator is not None:
        settled.clear()
    for _, subject, value in state.said.get(settling(PREFERENCE).name, ()):
        if subject in settled:
            levels[subject] = Counter([value["grade"]])
    shares = {
        subject: (some[FIRST] / some.total(), some[EQUAL] / some.total(), some[SECOND] / some.total())
        for subject, some in levels.items()
    }
    return shares, settled


def _sides(
    state: State, options: Options, only: Container[str] | None, called: Mapping[str, str] | None
) -> list[Sides]:
    """Return which side each annotator prefers, models too, over all that they said of the queries."""
    ids = {state.queries[key].id for key in _queries(state, options, only)}
    count: dict[int, Counter[str]] = {}
    for who, subject, value in state.said.get(PREFERENCE.name, ()):
        if subject[0] in ids and value.get("left") in subject[1:]:
            on_left = FIRST if value["left"] == subject[1] else SECOND
            side = "equal" if value["grade"] == EQUAL else "left" if value["grade"] == on_left else "right"
            count.setdefault(who, Counter())[side] += 1
    names = {key: name for key, name, *_ in state.annotators}
    return [
        Sides(name if called is None else called.get(name, name), some["left"], some["equal"], some["right"])
        for key, name in names.items()
        if (some := count.get(key)) and (options.annotator in (None, name))
    ]


def _who(state: State, options: Options, called: Mapping[str, str]) -> str:
    """Return whose judgments count, where that is not everybody's."""
    if options.annotator is not None:
        return f"By {called.get(options.annotator, options.annotator)} alone."
    said = {who for who, *_ in state.said.get(PREFERENCE.name, ())}
    models = [name for key, name, kind, *_ in state.annotators if kind == "model" and key in said]
    return f"Judgments by models are left out: {', '.join(models)}." if models else ""
