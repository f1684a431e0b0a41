"""What an audit claims, in sentences that are true as they stand, and its tables."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from annotator.evaluation import audit
from annotator.evaluation.result_table import Column, Table, columns_of
from annotator.metrics.catalogue import parse
from annotator.project.audit_plan import RULES, SIMULATED, Plan
from annotator.project.audit_result import UNDECIDED, AuditResult, DrawnPair, Finding
from annotator.text.counts import counted

if TYPE_CHECKING:
    from annotator.reports.sections import Audited


def sentence(result: AuditResult) -> str:
    """Return what is claimed and what it rests on, in plain sentences, each with its condition."""
    return f"{claims(result)} {basis(result)}".strip()


def claims(result: AuditResult) -> str:
    """Return what is claimed of every difference."""
    return " ".join(said_of(result, one) for one in result.findings if one.is_difference)


def said_of(result: AuditResult, one: Finding) -> str:
    """Return what is claimed of one difference."""
    plan = result.plan
    measure, risk = parse(plan.choices.measure).name, _share(plan.choices.risk)
    name, other = one.systems
    better, worse = (name, other) if one.low + one.high >= 0 else (other, name)
    low, high = sorted((abs(one.low), abs(one.high)))
    if one.exact:
        judged = "Everything that matters is judged"
        ideal = ", with the ideals of this pool" if plan.approximate else ""
        if abs(one.estimate) < audit.TINY:
            return f"{judged}: {name} and {other} have the same {measure}{ideal}."
        return f"{judged}: {better} is better than {worse} by {abs(one.estimate):.4f} {measure}{ideal}."
    if plan.approximate and not result.judged:
        return f"{name} less {other}: nothing is drawn yet."
    pool, rests = "as judging this whole pool would show", _rests_on(result, risk)
    if one.decided is None:
        less = f"differ by less than {plan.choices.margin:g} {measure}"
        return f"{name} and {other} {less}, {pool}; {rests}."
    if one.decided:
        return f"{better} is better than {worse} by {low:.4f} to {high:.4f} {measure}, {pool}; {rests}."
    between = f"between {one.low:+.4f} and {one.high:+.4f} {measure}"
    yet = "" if plan.choices.sample and result.judged else " yet"
    nothing = f"Between {name} and {other} nothing is decided{yet}"
    return f"{nothing}: {name} less {other} is {between}, {pool}; {rests}."


def _rests_on(result: AuditResult, risk: str) -> str:
    """Say with what risk a claim is wrong, and for how many claims together."""
    plan = result.plan
    if not result.judged:
        return "nothing is drawn yet, and these bounds are certain"
    differences = sum(one.is_difference for one in result.findings)
    of = "that this is wrong"
    if differences > 1:
        together = plan.choices.purpose == "difference"
        of = "that any of these comparisons is wrong" if together else "that this one of them is wrong"
    ideal = ", which is not proved, as every query's ideal is estimated too" if plan.approximate else ""
    if plan.choices.sample:
        return f"the risk {of} is approximately {risk}, for one look at a sample of fixed size{ideal}"
    if plan.approximate:
        return f"the risk {of} is approximately {risk}{ideal}"
    return f"the risk {of} is at most {risk}"


def basis(result: AuditResult) -> str:
    """What the claim rests on: what was judged, when it was planned, and of what it speaks."""
    plan = result.plan
    untold = f" ({result.untold:,} skipped or not told: as grade 0)" if result.untold else ""
    judged = f"{result.judged:,} of {result.matter:,} that matter judged{untold}, "
    judged += f"{result.known:,} were known before."
    model = f"; the grades of {plan.choices.model} could not bias it" if plan.choices.model else ""
    stood = f"The plan stood in the ledger before the first drawn grade{model}."
    if result.earlier:
        some = counted(result.earlier, "drawn pair", "drawn pairs")
        stood = (
            f"Before the plan, which did not know it, somebody graded {some}: in a copy merged since, or the "
            "grade was taken back."
        )
    elif not result.judged:
        stood = "The plan stands in the ledger."
    elif result.withdrawn:
        some = counted(result.withdrawn, "import")
        stood = f"Before the plan {some} of grades had been taken back, so these may have been known."
    asked = counted(plan.queries, "query", "queries")
    means = plan.choices.purpose == "means"
    each = f" Each interval by itself holds with {_sure(plan)}." if means and result.judged else ""
    each += f" {SIMULATED}" if plan.approximate else ""
    return (
        f"{judged} {stood}{_after(result)}{each} It is said of {asked}, the pool to rank {plan.depth} and "
        "this measure; whether more queries would say the same is another question."
    )


def _after(result: AuditResult) -> str:
    """Say which blocks were closed otherwise before, and which plans about some of these systems stood."""
    said = ""
    if result.anew:
        blocks = counted(result.anew, "block")
        said += f" {blocks} had been closed with other grades in another copy: the later ones count."
    if result.before:
        plans = "Plans" if len(result.before) > 1 else "A plan"
        said += (
            f" {plans} about some of these systems stood before it ({', '.join(result.before)}): the risk is "
            "that of this plan by itself."
        )
    return said


def _sure(plan: Plan) -> str:
    """Return with what chance each interval of a plan for means holds."""
    about = "approximately " if plan.approximate or plan.choices.sample else ""
    return about + _share(1 - plan.choices.risk)


def _share(risk: float) -> str:
    """Return a risk as people say it: `5%`, `0.5%`."""
    return f"{risk * 100:g}%"


FINDINGS = (
    Column("What", "text", key="what"),
    Column("Estimate", key="estimate"),
    Column("Low", key="low"),
    Column("High", key="high"),
    Column("Decided", "text", key="decided"),
    Column("Model alone", key="model_alone", note="Uncorrected: as if the model's grades were right."),
    Column("The model's conclusion", "text", key="conclusion"),
    Column("Likely still to judge", "count", key="still", note="If the rest is like what was drawn."),
)
DECIDED = {1: "better", -1: "worse", None: "within the margin", 0: "open"}
CONCLUSION = {1: "confirmed", -1: "overturned", 0: "open"}


def findings(result: AuditResult, captioned: bool = True) -> Table:
    """Return what is known of every difference and mean; the caption says what it rests on."""
    rows = [
        (
            one.name,
            one.estimate,
            one.low,
            one.high,
            DECIDED[one.decided] if one.is_difference else "",
            one.model_alone,
            _conclusion(one),
            one.still,
        )
        for one in result.findings
    ]
    table = Table.of_rows("audit", f"Plan {result.plan.name}", FINDINGS, rows)
    alone = () if result.plan.choices.model else ("model_alone", "conclusion")
    shown = columns_of(table, [at for at, one in enumerate(FINDINGS) if one.key not in alone])
    return replace(shown, caption=basis(result) if captioned else "")


def _conclusion(one: Finding) -> str:
    """Say what became of what the model alone would conclude of a difference."""
    if not one.is_difference or one.model_alone is None:
        return ""
    if one.exact and not one.decided:
        return CONCLUSION[0]
    return CONCLUSION[int(np.sign(one.model_alone)) * (one.decided or 0)]


LOOKS = (
    Column("What", "text", key="what"),
    Column("Block", "count", key="block"),
    Column("Judged", "count", key="judged"),
    Column("Estimate", key="estimate"),
    Column("Low", key="low"),
    Column("High", key="high"),
)


def looks(result: AuditResult) -> Table:
    """Return how the intervals narrowed, block by block."""
    rows = [(one.name, block, *cells) for one in result.findings for block, cells in enumerate(one.path)]
    return Table.of_rows("looks", "Block by block", LOOKS, rows)


CALIBRATION = (
    Column("The model's grade", "grade", key="grade"),
    Column("Candidates", "count", key="pairs"),
    Column("It says", key="predicted"),
    Column("People say", key="estimate"),
    Column("Low", key="low"),
    Column("High", key="high"),
)


def calibration(result: AuditResult) -> Table:
    """Return what people give on average where the model gives each grade."""
    sure = _sure(result.plan)
    words = f"Gains as shares of the highest, over the pool; each interval by itself holds with {sure}."
    table = Table.of("calibration", "Calibration of the model", result.calibration, CALIBRATION)
    return replace(table, caption=words)


LOOKED = {
    False: "after each block of {:,} draws; the last may be shorter",
    True: "once, when {:,} draws are judged; fewer where fewer can be drawn",
}
PLAN = (Column("Plan", "text", key="what"), Column("", "text", key="value"))


def planned(result: AuditResult) -> Table:
    """Return what was planned, before which head, and how far it is."""
    plan = result.plan
    chosen = plan.choices
    rows = (
        ("Baseline", chosen.baseline),
        ("Compared with it", ", ".join(chosen.systems)),
        ("Measure", parse(chosen.measure).name),
        ("Asked", "every mean and difference" if chosen.purpose == "means" else "which is better"),
        ("Limit of the risk", _share(chosen.risk)),
        ("Smallest difference that matters", f"{chosen.margin:g}" if chosen.margin else "any"),
        ("Grades of a model", chosen.model or "none"),
        ("Seed", str(chosen.seed)),
        ("Ledger head before the plan", plan.head),
        ("Looked at", LOOKED[chosen.sample > 0].format(plan.block)),
        ("Blocks closed", str(result.blocks)),
        ("Ledger head of this result", result.head),
    )
    return Table.of_rows("plan", f"Plan {plan.name}", PLAN, rows, RULES.replace("\n", " "))


def audited(result: AuditResult, beside: str) -> "Audited":
    """Return what a report shows of a plan, with what Compare says beside it."""
    from annotator.reports.sections import Audited  # and matplotlib, which no command needs

    looked = result.blocks > 0
    path = {one.name: one.path for one in result.findings if one.is_difference and looked}
    calibrated = (calibration(result),) if result.calibration else ()
    tables = (findings(result), *calibrated, looks(result), planned(result))
    return Audited(f"Plan {result.plan.name}", f"{claims(result)} {beside}", tables, path)


BLOCK = (
    Column("Query", "text", key="query"),
    Column("Candidate", "text", key="candidate"),
    Column("Decided", "text", key="decided"),
)


def to_decide(pairs: Sequence[DrawnPair]) -> Table:
    """Return the pairs of a block as a table."""
    rows = [(one.query_id, one.candidate_id, "" if one.grade == UNDECIDED else "yes") for one in pairs]
    return Table.of_rows("block", "To be judged in this block", BLOCK, rows)
