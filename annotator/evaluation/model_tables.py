"""A model's grades against people's as tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.evaluation.agreement import ENOUGH, Coefficient, PairAgreement
from annotator.evaluation.agreement_tables import SCARCE, places
from annotator.evaluation.correlations import Correlation
from annotator.evaluation.model_grades import (
    EPSILONS,
    FDR,
    WON,
    AgainstPerson,
    AlternativeTest,
    why_not,
)
from annotator.evaluation.result_table import Cell, Column, Table
from annotator.evaluation.statistics import EPSILON
from annotator.grades import GRADES
from annotator.text.counts import counted

ALONE = "model alone, uncorrected"
SHOWN = ("Krippendorff's alpha, ordinal", "Cohen's kappa, quadratic")


@dataclass(frozen=True, slots=True, eq=False)
class ModelPair:
    """A model and a person, under the names that they are called by."""

    model: str
    person: str
    agreed: PairAgreement
    against: AgainstPerson

    @property
    def said(self) -> str:
        """What came out, in a sentence."""
        one = self.against
        mean = one.leniency
        both = f"the {counted(one.n, 'candidate')} that both judged"
        same = f"The model “{self.model}” and {self.person} give the same grade to {one.same} of {both}"
        if abs(mean.value) < EPSILON:
            high = "the model's grades are as high on average"
        else:
            than = "higher" if mean.value > 0 else "lower"
            high = f"the model's grades are {abs(mean.value):.2f} {than} on average"
        around = f" (95% interval of the difference {mean.low:.2f} to {mean.high:.2f})"
        return f"{same}; {high}{around if one.n > 1 else ''}."


@dataclass(frozen=True, slots=True)
class ModelEffect:
    """The systems by people's grades and by a model's alone, over the queries that both graded."""

    model: str
    measure: str
    systems: tuple[str, ...]
    queries: int
    people: tuple[float, ...]
    alone: tuple[float, ...]
    tau: Correlation


def overview(pairs: Sequence[ModelPair]) -> Table:
    """Return a row for each model and person: how often alike, how lenient, how far apart, coefficients."""
    rows: list[tuple[Cell, ...]] = []
    for pair in pairs:
        one, mean = pair.against, pair.against.leniency
        named = {each.name: each for each in pair.agreed.coefficients}
        scarce = "" if named[SHOWN[0]].enough else SCARCE
        rows.append(
            (
                *(pair.model, pair.person, one.n, one.same / one.n, mean.value, mean.low, mean.high),
                one.scatter,
                *(cell for name in SHOWN for cell in _value(named[name])),
                scarce,
            )
        )
    columns = (
        Column("Model", "text", key="model"),
        Column("Annotator", "text", key="annotator"),
        Column("Items", "count", key="candidates", note="Graded by both."),
        Column("Same", "share", key="same", note="The share that got the same grade from both."),
        Column("Leniency", decimals=2, key="leniency", note="Mean of the model's grade minus the other's."),
        Column("95% low", decimals=2, key="leniency_low"),
        Column("95% high", decimals=2, key="leniency_high"),
        Column("Scatter", decimals=2, key="scatter", note="Standard deviation of that difference."),
        Column("Alpha", decimals=3, key="alpha", note="Krippendorff's alpha, ordinal."),
        Column("Alpha low", decimals=3, key="alpha_low"),
        Column("Alpha high", decimals=3, key="alpha_high"),
        Column("Kappa", decimals=3, key="kappa", note="Cohen's kappa, quadratic."),
        Column("Kappa low", decimals=3, key="kappa_low"),
        Column("Kappa high", decimals=3, key="kappa_high"),
        Column("Mind", "text", key="caution", prose=True),
    )
    caption = (
        "Leniency is the mean of the model's grade minus the annotator's, with Student's t interval; alpha "
        "is Krippendorff's, ordinal, kappa Cohen's, quadratic, with bootstrap intervals over the candidates."
    )
    return Table.of_rows("model-agreement", "Models' grades against people's", columns, rows, caption)


def _value(one: Coefficient) -> tuple[Cell, Cell, Cell]:
    return (one.value, one.low, one.high) if one.enough else (None, None, None)


def by_grade(pair: ModelPair, number: int = 1, levels: int = len(GRADES)) -> Table:
    """Return a row for each grade: whether the model gives it where the person does, and its calibration.

    What has its own `levels` has fewer of them.
    """
    rows: list[tuple[Cell, ...]] = [
        (*(one.grade, one.by_person, *one.same[:3], one.by_model, *one.mean[:3]),)
        for one in pair.against.grades[:levels]
    ]
    columns = (
        Column("Grade", "grade", key="grade"),
        Column(f"Given by {pair.person}", "count", key="by_person"),
        Column("Same by the model", "share", key="same"),
        Column("95% low", "share", key="same_low"),
        Column("95% high", "share", key="same_high"),
        Column(f"Given by {pair.model}", "count", key="by_model"),
        Column(f"Mean of {pair.person} there", decimals=2, key="mean"),
        Column("95% low", decimals=2, key="mean_low"),
        Column("95% high", decimals=2, key="mean_high"),
    )
    caption = (
        f"To how many candidates of each grade of {pair.person} {pair.model} gives the same grade "
        f"(Clopper-Pearson intervals), and what {pair.person} gives on average where {pair.model} gives a "
        "grade (Student's t): the grade itself, if the model is calibrated."
    )
    title = f"{pair.model} against {pair.person}, grade by grade"
    return Table.of_rows(f"model-grades-{number}", title, columns, rows, caption)


def rankings(one: ModelEffect, number: int = 1) -> Table:
    """Return the systems' means and places by people's grades and by the model's, and how far they move."""
    people, alone = places(one.people), places(one.alone)
    moves = [
        after - before if isinstance(before, int) and isinstance(after, int) else None
        for before, after in zip(people, alone, strict=True)
    ]
    rows: list[tuple[Cell, ...]] = list(
        zip(one.systems, one.people, people, one.alone, alone, moves, strict=True)
    )
    columns = (
        Column("System", "text", key="system"),
        Column("By people", key="people"),
        Column("Place", "count", key="people_place"),
        Column("By the model", key="model"),
        Column("Place by it", "count", key="model_place"),
        Column("Moves by", "count", key="moves", note="Place by the model minus place by people."),
    )
    tau = one.tau
    interval = f" (95% interval {tau.low:.2f} to {tau.high:.2f})" if tau.low == tau.low else ""
    said = f"Kendall's tau-b {tau.value:.2f}{interval} over {counted(tau.n, 'system')}. "
    said = said if tau.value == tau.value else "Kendall's tau-b is not defined here. "
    caption = (
        f"{said}Over {counted(one.queries, 'query', 'queries')} that both graded. The model's grades are not "
        "corrected by people's."
    )
    title = f"{one.measure} by the grades of {one.model}: {ALONE}"
    return Table.of_rows(f"model-rankings-{number}", title, columns, rows, caption)


def alternative(model: str, people: Sequence[str], found: AlternativeTest, number: int = 1) -> Table:
    """Return the alternative annotator test: a row for each person; without rows the caption says why."""
    columns = (
        Column("Left out", "text", key="annotator"),
        Column("Candidates", "count", key="candidates", note="Graded by this one, the model and another."),
        Column("Model as near", "share", decimals=4, key="model_share", note="Rho: as near to the others."),
        Column("Person as near", "share", decimals=4, key="person_share"),
        *(
            Column(f"p, epsilon {epsilon:g}", "p", key=f"p_{epsilon:g}".replace(".", "_"))
            for epsilon in EPSILONS
        ),
    )
    title = f"Could {model} replace an annotator?"
    key = f"alternative-annotator-{number}"
    if not found.made:
        return Table.of_rows(key, title, columns, [], why_not(found, people))
    rows: list[tuple[Cell, ...]] = [
        (people[one.person], one.n, one.model_share, one.person_share, *one.p) for one in found.replaced
    ]
    few = [name for name, items in zip(people, found.items, strict=True) if items < ENOUGH]
    left = f" Not asked about, with fewer than {ENOUGH} candidates: {', '.join(few)}." if few else ""
    rates = "; ".join(
        f"{found.winning_rate(at):.2f} with {epsilon:g}, as for {whom}"
        for at, (epsilon, whom) in enumerate(EPSILONS.items())
    )
    caption = (
        f"Alternative annotator test (Calderon et al. 2025), by root mean squared difference. Winning rate "
        f"omega, the share of annotators with p of at most {FDR:g}, by epsilon: {rates}; the test is passed "
        f"from {WON:g} on. "
        f"Average advantage probability rho {found.advantage:.2f}. One-sided t tests, corrected by Benjamini "
        f"and Yekutieli.{left}"
    )
    return Table.of_rows(key, title, columns, rows, caption)
