"""A model's grades against people's: what a project says of it, and where somebody should decide.

Nothing here lets a model's grades count in a score: they stand beside people's, under the model's name.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace

import numpy as np

from annotator.errors import Stopped, UserError
from annotator.evaluation import model_tables
from annotator.evaluation.agreement import between
from annotator.evaluation.correlations import correlation
from annotator.evaluation.model_grades import AlternativeTest, against_person, alternative_test
from annotator.evaluation.model_tables import ModelEffect, ModelPair
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Table
from annotator.evaluation.results import EvaluationResult
from annotator.evaluation.subsets import narrowed, of_chosen
from annotator.grades import GRADES
from annotator.project.adjudication import Disagreement, with_endings
from annotator.project.grade_table import NO_GRADE, Graded, graded_of
from annotator.project.project_scores import evaluated
from annotator.project.state import decided_alone, named_pairs
from annotator.storage.reads.states import State
from annotator.text.levels import as_levels
from annotator.watch import UNWATCHED, Watch


@dataclass(frozen=True, slots=True, eq=False)
class ModelAgreement:
    """Every model against every person, the test of each model, and what each does to the systems' ranking.

    `tests` has the people's names and the test, by the model's name. `together` says how many grades were not
    given on their own, and whether they count; it is empty without any. `levels` is how many there are
    of what is `judged_by` in the place of grades.
    """

    pairs: tuple[ModelPair, ...]
    tests: Mapping[str, tuple[tuple[str, ...], AlternativeTest]]
    effects: tuple[ModelEffect, ...]
    together: str = ""
    judged_by: str = ""
    levels: int = len(GRADES)

    @property
    def said(self) -> str:
        """What came out of the first pair, in a sentence."""
        return as_levels(self.pairs[0].said) if self.judged_by else self.pairs[0].said

    @property
    def tables(self) -> list[Table]:
        """Everything as tables."""
        if not self.pairs:
            return []
        found = [
            model_tables.overview(self.pairs),
            *(model_tables.by_grade(one, at, self.levels) for at, one in enumerate(self.pairs, 1)),
            *(model_tables.rankings(one, at) for at, one in enumerate(self.effects, 1)),
            *(
                model_tables.alternative(model, people, test, at)
                for at, (model, (people, test)) in enumerate(self.tests.items(), 1)
            ),
        ]
        tables = [one.noted(self.together) for one in found]
        return [one.in_levels() for one in tables] if self.judged_by else tables


def against_people(
    state: State,
    options: Options,
    named: bool = True,
    only: Container[str] | None = None,
    together: bool = False,
    watch: Watch = UNWATCHED,
) -> ModelAgreement:
    """Hold the grades of each model against those of each person who graded some of the same candidates.

    People have numbers unless `named`. `only` keeps all other queries out of it; grades that were given with
    the rest of a query or with a near-duplicate are left out unless `together`.
    """
    state, said = decided_alone(state, together, only)
    graded = graded_of(state, only)
    called = graded.called(named)
    models = [at for at, model in enumerate(graded.models) if model]
    pairs, tests, effects = [], {}, []
    for step, model in enumerate(models):
        watch.tell(step, len(models), graded.names[model])
        own = _pairs(graded, model, called, options.seed)
        if not own:
            continue
        pairs += own
        people = tuple(called[graded.names[at]] for at in graded.people)
        found = alternative_test(graded.table[:, model], graded.table[:, graded.people])
        tests[graded.names[model]] = people, found
        try:
            effect = _effect(state, options, graded.names[model], only, watch)
        except Stopped:
            raise
        except UserError:  # no ranking of the systems can be made, which is no reason to hold back the rest
            effect = None
        effects += [effect] if effect is not None else []
    return ModelAgreement(tuple(pairs), tests, tuple(effects), said, state.judged_by, state.levels)


def needed(state: State, options: Options, together: bool = False) -> list[Table]:
    """Return the tables of `against_people`; raises UserError where there are none."""
    found = against_people(state, options, together=together).tables
    if not found:
        raise UserError(
            "No model graded a candidate that a person graded, too; import --model brings a model's grades."
        )
    return found


def _pairs(graded: Graded, model: int, called: Mapping[str, str], seed: int) -> list[ModelPair]:
    found = []
    for person in graded.people:
        theirs, its = graded.table[:, person], graded.table[:, model]
        against = against_person(its, theirs)
        if against.n:
            agreed = between(theirs, its, seed=seed)
            found.append(ModelPair(graded.names[model], called[graded.names[person]], agreed, against))
    return found


def _effect(
    state: State, options: Options, model: str, only: Container[str] | None, watch: Watch
) -> ModelEffect | None:
    """Return the systems by people's grades and by a model's, over the queries that have both."""
    if not state.runs:
        return None
    plain = replace(options, measures=options.measures[:1], relevance=None, queries=(), tags=())

    def by(annotator: str | None) -> EvaluationResult:
        result = evaluated(state, replace(plain, annotator=annotator), watch=watch.silent)
        result = of_chosen(result, options)
        return result if only is None else narrowed(result, only)

    people, alone = by(None), by(model)
    both = frozenset(people.query_ids) & frozenset(alone.query_ids)
    if not both:
        return None
    people, alone = narrowed(people, both), narrowed(alone, both)
    measure, systems = people.measures[0].name, people.systems
    means, its = (tuple(one.mean(name, measure) for name in systems) for one in (people, alone))
    tau = correlation(means, its, "kendall")
    return ModelEffect(model, measure, systems, len(both), means, its, tau)


def differing(
    state: State, with_settled: bool = False, only: Container[str] | None = None
) -> dict[str, list[Disagreement]]:
    """Return by each model's name what it graded as no person did; what is settled only if asked for.

    They stand in the order of ids, which tells nothing of the model.
    """
    graded = graded_of(state, only)
    models = [at for at, is_model in enumerate(graded.models) if is_model]
    return {graded.names[at]: _differing(state, graded, at, with_settled) for at in models}


def _differing(state: State, graded: Graded, model: int, with_settled: bool) -> list[Disagreement]:
    its = graded.table[:, model]
    table = graded.table[:, graded.people]
    differs = (its != NO_GRADE) & (table != NO_GRADE).any(axis=1) & ~(table == its[:, None]).any(axis=1)
    rows = np.flatnonzero(differs)
    settled, settled_grade = state.settled
    known = dict(zip(settled.codes.tolist(), settled_grade.tolist(), strict=True))
    pairs = named_pairs(state, graded.pairs, rows)
    codes = graded.pairs.codes[rows].tolist()
    found = [
        Disagreement(
            *pair,
            tuple(sorted(grade for grade in table[row].tolist() if grade != NO_GRADE)),
            known.get(code),
            int(its[row]),
        )
        for pair, row, code in zip(pairs, rows.tolist(), codes, strict=True)
        if with_settled or code not in known
    ]
    return sorted(with_endings(state, found), key=lambda one: (one.query_id, one.candidate_id))
