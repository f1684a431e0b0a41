"""What a project says of its judgments: how far people agree, what is unjudged; how alike systems rank."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from annotator.notebook.choices import options_of
from annotator.notebook.inputs import PathText, opened
from annotator.notebook.plain_errors import in_a_sentence
from annotator.notebook.table_frames import frame_of
from annotator.tasks import CombiningRule

if TYPE_CHECKING:
    import pandas

    from annotator.project.project import Project


@in_a_sentence
def agreement(
    project: "Project | PathText", *, together: bool = False, seed: int = 1, judged_by: str = ""
) -> "pandas.DataFrame":
    """Return how far annotators agree, all together and pair by pair: a row for each coefficient.

    It is what `annotator agreement --format csv` prints. Grades that were given with the rest of a query or
    with a near-duplicate count only when `together`. `judged_by` names an aspect in place of the grades.
    Raises UserError.
    """
    from annotator.evaluation.agreement_tables import coefficients
    from annotator.evaluation.options import Options
    from annotator.project import annotator_agreement
    from annotator.project.state import state_of

    with opened(project) as one:
        state = state_of(one, Options(judged_by=judged_by))
        agreed = annotator_agreement.agreement(state, seed, together=together)
    pairs = [(pair.first, pair.second, pair.agreement) for pair in agreed.pairs]
    return frame_of(coefficients(agreed.overall, pairs).noted(agreed.together))


@in_a_sentence
def coverage(
    project: "Project | PathText",
    measures: "str | Iterable[object]" = "nDCG@10",
    *,
    combine: CombiningRule | None = None,
    per_query: bool = False,
) -> "pandas.DataFrame":
    """Return how much of each system's top is unjudged, and between which values its means may still move.

    It is what `annotator coverage --format csv` prints; `per_query`, between which values each query's score
    may move. Raises UserError.
    """
    from annotator.project import coverage as covering
    from annotator.project import settings
    from annotator.project.state import state_of

    asked = options_of({"measures": measures, "combine": combine})
    with opened(project) as one:
        said = {"measures"} | ({"combine"} if combine else set())
        options = settings.usual_options(one, asked, said)
        state = state_of(one)
        bounds = covering.score_bounds(state, options)
        if per_query:
            return frame_of(covering.bounds_of_scores(bounds))
        return frame_of(covering.bounds_of_means(bounds, covering.coverage(state, options=options)))


@in_a_sentence
def leniency(project: "Project | PathText", *, together: bool = False, seed: int = 1) -> "pandas.DataFrame":
    """Return how far each one's grades lie from the others', and how much they scatter, with intervals.

    It is what `annotator agreement --leniency --format csv` prints. Grades that were given with the rest of a
    query or with a near-duplicate count only when `together`. Raises UserError.
    """
    from annotator.project.leniency import needed
    from annotator.project.state import state_of

    with opened(project) as one:
        (table,) = needed(state_of(one), seed, together)
    return frame_of(table)


@in_a_sentence
def overlap(
    project: "Project | PathText", systems: "str | Iterable[str]" = (), *, p: float = 0.9
) -> "pandas.DataFrame":
    """Return how alike the systems rank (rank-biased overlap), for which nothing need be judged.

    It is what `annotator compare --overlap P --format csv` prints. Raises UserError.
    """
    from annotator.project import run_overlap
    from annotator.project.state import state_of

    named = (systems,) if isinstance(systems, str) else tuple(systems)
    with opened(project) as one:
        return frame_of(run_overlap.overlap(state_of(one), named, p))


@in_a_sentence
def preferences(
    project: "Project | PathText",
    systems: "str | Iterable[str]" = (),
    *,
    show: Literal["strengths", "wins", "position"] = "strengths",
    annotator: str | None = None,
    as_of: str = "",
    seed: int = 1,
) -> "pandas.DataFrame":
    """Return which systems' first answers are preferred: a row for each, the strongest first.

    `show` asks for the wins of every two systems instead, or for which side each annotator favours
    (`position`). It is what `annotator preferences --show SHOW --format csv` prints. Raises UserError.
    """
    from annotator.evaluation.options import Options
    from annotator.project.preference_strengths import needed, shown
    from annotator.project.state import state_of

    named = (systems,) if isinstance(systems, str) else tuple(systems)
    options = Options(systems=named, annotator=annotator, as_of=as_of, seed=seed)
    with opened(project) as one:
        return frame_of(shown(needed(state_of(one, options), options), show))
