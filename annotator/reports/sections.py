"""What a report holds: sections made of an evaluation and of what was asked beside it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter

from annotator.errors import UserError
from annotator.evaluation import (
    comparison_tables,
    conventions_text,
    correlation_tables,
    explanation_tables,
    query_difficulty,
    score_rows,
    summary_tables,
)
from annotator.evaluation.comparison import Comparison, beside_each
from annotator.evaluation.cqa import cqa_printed, cqa_tables
from annotator.evaluation.equivalence import Equivalence
from annotator.evaluation.result_table import Table
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.figures.catalogue import FIGURES, has
from annotator.figures.curves import explained_curves, query_curves
from annotator.figures.subject import Subject
from annotator.metrics.explanation import Explanation
from annotator.reports.report import Figure, Report, Section

SHOWN_QUERIES = 2_000
"""More queries than this are not written into a page that a person reads; the CSV has them all."""

OVERLAP = "How alike the systems rank"
ORIGIN = "Where this comes from"

HARDEST = 20
"""So many of the hardest queries are told one by one."""

SHOWN_SENTENCES = 6
"""Up to so many comparisons are told one by one; more are told in one sentence for each measure."""


@dataclass(frozen=True, slots=True)
class Explained:
    """One score that the report takes apart."""

    system: str
    query: str
    explanation: Explanation


@dataclass(frozen=True, slots=True, eq=False)
class Audited:
    """A comparison with a limited risk: what is claimed, its plan, what is known, how that narrowed.

    `looks` is empty before the first one.
    """

    name: str
    sentence: str
    tables: tuple[Table, ...]
    looks: Mapping[str, Sequence[tuple[int, float, float, float]]]


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """Everything that a report may show; what is missing has no section.

    `matters` has what `comparisons` say, in their order, of a difference that matters, if one was named.
    `more` are the second results of the figures that ask for one, by the figure's key. `subject` holds what
    figures show beside the result. `overlap` is how alike the systems rank, or a sentence why that is left
    out. `preferred` are tables of whose answers are preferred, `agreement` tables about annotators.
    Annotators have numbers instead of names unless `named`.
    """

    result: EvaluationResult
    comparisons: Sequence[Comparison] = ()
    of_tags: Sequence[Comparison] = ()
    matters: Sequence[Equivalence] = ()
    explained: Sequence[Explained] = ()
    agreement: Sequence[Table] = ()
    overlap: Table | str = ""
    preferred: Sequence[Table] = ()
    audits: Sequence[Audited] = ()
    more: Mapping[str, EvaluationResult] = field(default_factory=dict)
    subject: Subject = field(default_factory=Subject)
    figures: Sequence[str] = ()
    named: bool = False


def summary(material: Material) -> Section:
    """Return the means, and in sentences who is better."""
    result = material.result
    table = comparison_tables.marked(summary_tables.summary(result), result, material.comparisons)
    tables = (table, summary_tables.estimates(result))
    return Section("summary", "Summary", _who_is_better(result, material.comparisons), tables)


def _who_is_better(result: EvaluationResult, compared: Sequence[Comparison]) -> tuple[str, ...]:
    """Return sentences about the baseline, or else about the best system by each measure, with each other."""
    if not compared:
        return ()
    family = compared[0].family
    told = {
        (measure, system): comparison_tables.with_one(compared, measure, system)
        for measure in family.measures
        for system in [family.baseline or comparison_tables.best_system(result, measure)]
    }
    if sum(map(len, told.values())) <= SHOWN_SENTENCES:
        return tuple(one.sentence for some in told.values() for one in some)
    lines = (beside_each(system, some) for (_, system), some in told.items())
    return (*lines, comparison_tables.how_compared(compared, False))


def question_answering(material: Material) -> Section:
    """Return what community question answering prints, under the measures that it is made of."""
    return Section("cqa", "Question answering", tables=cqa_printed(material.result))


def figures(material: Material) -> Section:
    """Return the chosen figures that can be drawn."""
    subject = replace(material.subject, result=material.result)
    drawn = []
    for key in material.figures:
        kind = FIGURES[key]
        chosen = material.result.measures[material.result.position(subject.chosen_measure)]
        measure = chosen.name if kind.suits(chosen) else kind.measure_of(material.result)
        about = replace(subject, measure=measure or "", more=material.more.get(key))
        if measure and has(about, kind.need) and (kind.asks is None or key in material.more):
            drawn.append(Figure(f"figure-{key}", kind.title, partial(kind.draw, about), kind.said_of(about)))
    return Section("figures", "Figures", figures=tuple(drawn))


def comparisons(material: Material) -> Section:
    """Return the comparisons of all pairs, what they take, and how measures and systems go together.

    Where a difference that matters was named: which pairs are equivalent within it, or not worse by it.
    """
    result, pairs, matters = material.result, material.comparisons, material.matters
    tables = (
        [comparison_tables.comparisons(pairs), comparison_tables.planning(pairs, matters)] if pairs else []
    )
    if len(result.systems) > 1 and len(result.measures) > 1:
        tables.append(comparison_tables.orders(result))
    related = correlation_tables.together(result, result.measures[0].name, result.systems[0])
    tables += [related] if len(related) else []
    told = tuple(one.sentence for one in matters[:SHOWN_SENTENCES])
    if len(matters) > len(told):
        told += (f"The table says it of all {len(matters):,} comparisons: What so many queries can show.",)
    return Section("comparisons", "Comparisons", told, tuple(tables))


def audits(material: Material) -> Section:
    """Return what each plan claims, with its seed, blocks and head, and how its intervals narrowed."""
    tables, drawn = [], []
    kind = FIGURES["narrowing"]
    for at, one in enumerate(material.audits, 1):
        tables += [replace(table, key=f"{table.key}-{at}") for table in one.tables]
        draw = partial(kind.draw, Subject(looks=one.looks))
        if one.looks:
            drawn.append(Figure(f"figure-narrowing-{at}", f"{one.name}: {kind.title}", draw, kind.sentence))
    sentences = tuple(f"{one.name}: {one.sentence}" for one in material.audits)
    return Section("audits", "Limited risk", sentences, tuple(tables), tuple(drawn))


def per_query(material: Material) -> Section:
    """Return every query's scores."""
    table = summary_tables.per_query(material.result)
    sentences: tuple[str, ...] = ()
    if len(table) > SHOWN_QUERIES:
        sentences = (f"The first {SHOWN_QUERIES:,} of {len(table):,} queries; the CSV has them all.",)
        table = replace(table, data=tuple(cells[:SHOWN_QUERIES] for cells in table.data))
    return Section("per-query", "Per query", sentences, (table,))


def difficulty(material: Material) -> Section:
    """Return how systems do on hard and easy queries, and the hardest queries of the first measure."""
    found = query_difficulty.difficulties(material.result)
    if not found:
        return Section("difficulty", "Query difficulty")
    table = query_difficulty.by_query(found[:1])
    sentences: tuple[str, ...] = ()
    if len(table) > HARDEST:
        sentences = (
            f"The {HARDEST} hardest of {len(table):,} queries; the table “difficulty” has them all.",
        )
        table = replace(table, data=tuple(cells[:HARDEST] for cells in table.data))
    tables = (query_difficulty.by_system(found), replace(table, key="hardest", title="The hardest queries"))
    return Section("difficulty", "Query difficulty", sentences, tables)


def overlap(material: Material) -> Section:
    """Return how alike the systems rank, whatever is judged."""
    found = material.overlap
    if isinstance(found, str):
        return Section("overlap", OVERLAP, (found,) if found else ())
    return Section("overlap", OVERLAP, tables=(found,))


def preferences(material: Material) -> Section:
    """Return whose answers are preferred, side by side."""
    return Section("preferences", "Preferences", tables=tuple(material.preferred))


def tags(material: Material) -> Section:
    """Return the means by tag, and the systems compared over the queries of each."""
    tables = [summary_tables.tags(material.result)] if any(material.result.tags) else []
    if material.of_tags:
        tables.append(comparison_tables.comparisons(material.of_tags))
    return Section("tags", "By tag", tables=tuple(tables))


def explanations(material: Material) -> Section:
    """Return the chosen scores rank by rank, with the formula once for each measure."""
    tables, drawn = [], []
    formulas: dict[str, str] = {}
    for at, one in enumerate(material.explained, 1):
        table = explanation_tables.explained(one.explanation)
        title = f"{one.query}, {one.system}: {table.title}"
        tables.append(replace(table, key=f"explanation-{at}", title=title))
        if "query" in material.figures:
            curves = Subject(curves=explained_curves(one.explanation)[0])
            draw = partial(query_curves, curves)
            drawn.append(
                Figure(f"figure-query-{at}", f"{one.query}, {one.system}", draw, FIGURES["query"].sentence)
            )
        formulas[one.explanation.measure.title] = one.explanation.formula
    return Section(
        "explanations", "Why", tables=tuple(tables), figures=tuple(drawn), formulas=tuple(formulas.items())
    )


def agreement(material: Material) -> Section:
    """Return what is known of the annotators' agreement."""
    return Section("agreement", "Agreement", tables=tuple(material.agreement))


def unjudged(material: Material) -> Section:
    """Return how much is not judged, and which queries no mean contains."""
    tables = [summary_tables.unjudged(material.result)]
    if material.result.left_out:
        tables.append(summary_tables.left_out(material.result))
    return Section("unjudged", "What is unjudged", tables=tuple(tables))


def conventions(material: Material) -> Section:
    """Return the conventions in words and the measures with their formulas."""
    result = material.result
    formulas = {one.declaration.key: (one.title, one.formula) for one in result.measures}
    sentences = (*conventions_text.conventions(result), *result.notes)
    return Section(
        "conventions",
        "Conventions and measures",
        sentences,
        (summary_tables.glossary(result),),
        formulas=tuple(formulas.values()),
    )


def numbered(known: Provenance) -> Provenance:
    """Return it with numbers for people's names; who is assigned something and gave no grade comes behind."""
    assigned = known.assigned
    shares = assigned.shares if assigned else ()
    everybody = (
        *known.annotators,
        *(name for one in known.parts for name in one.names),
        *map(itemgetter(0), shares),
    )
    numbers = {name: f"annotator {at}" for at, name in enumerate(dict.fromkeys(everybody), 1)}
    parts = tuple(replace(one, names=tuple(numbers[name] for name in one.names)) for one in known.parts)
    if assigned is not None:
        assigned = replace(assigned, shares=tuple((numbers[name], share) for name, share in assigned.shares))
    annotators = tuple(map(numbers.__getitem__, known.annotators))
    return replace(known, annotators=annotators, assigned=assigned, parts=parts)


def provenance(material: Material) -> Section:
    """Return where the numbers come from and how to make them again."""
    result = material.result
    if not material.named:
        result = replace(result, provenance=numbered(result.provenance))
    sentences = conventions_text.provenance(result)
    return Section("provenance", ORIGIN, sentences, command=result.provenance.command)


SECTIONS: dict[str, tuple[str, Callable[[Material], Section]]] = {
    "summary": ("Summary", summary),
    "cqa": ("Question answering: cQA", question_answering),
    "figures": ("Figures", figures),
    "comparisons": ("Comparisons", comparisons),
    "audits": ("Comparisons with a limited risk", audits),
    "per-query": ("Per query", per_query),
    "difficulty": ("Query difficulty", difficulty),
    "preferences": ("Preferences: answers side by side", preferences),
    "overlap": (OVERLAP, overlap),
    "tags": ("By tag", tags),
    "explanations": ("Why: chosen scores taken apart", explanations),
    "agreement": ("Agreement", agreement),
    "unjudged": ("What is unjudged", unjudged),
    "conventions": ("Conventions and measures", conventions),
    "provenance": (ORIGIN, provenance),
}
"""Every section by key, with its title and who makes it, in the order of a report."""


def report(material: Material, sections: Sequence[str] = ()) -> Report:
    """Return a report with the chosen sections, or all; one that would be empty is left out."""
    chosen = [make(material) for key, (_, make) in SECTIONS.items() if not sections or key in sections]
    result = material.result
    count = len(result.query_ids)
    systems = "1 system" if len(result.systems) == 1 else f"{len(result.systems)} systems"
    queries = "1 query" if count == 1 else f"{count:,} queries"
    kept = tuple(one for one in chosen if one.paragraphs or one.tables or one.figures or one.command)
    return Report(result.provenance.name, f"{systems}, {queries}", kept)


def tables(material: Material, means: bool = False) -> dict[str, Table]:
    """Return every table that can be written alone, by its key.

    They are those of the sections, and such as suit programs: `scores` is the long form of everything, with
    rows of the query `all` where `means` are asked for, `tests` has a column for the test.
    """
    result = material.result
    hard = query_difficulty.difficulties(result)
    shown = [table for _, make in SECTIONS.values() for table in make(material).tables]
    further = (
        score_rows.long_scores(result, means),
        comparison_tables.tests(material.comparisons),
        replace(comparison_tables.tests(material.of_tags), key="tag-tests"),  # also where there are none
        *cqa_tables(result),
    )
    queries = [query_difficulty.by_query(hard)] if hard else []
    return {table.key: table for table in (*further, *shown, *queries)}


def for_programs(material: Material) -> dict[str, Table]:
    """Return the tables that programs get in place of the ones that people read, by key."""
    return {table.key: table for table in (score_rows.per_query_and_system(material.result),)}


def figure(material: Material, key: str) -> Figure:
    """Return one figure; of `query`, the first score that is taken apart. Raises UserError without it."""
    drawn = [*figures(material).figures, *explanations(material).figures, *audits(material).figures]
    for one in drawn:
        if one.key in (f"figure-{key}", f"figure-{key}-1"):
            return one
    raise UserError(f"There is nothing to draw for the figure {key!r}: {FIGURES[key].sentence}")
