"""How a measure declares itself: one decorator above the one function that computes it.

The function says what each hit adds to a sum and what the sum is divided by, so the explanation of a value
and the value are the same numbers. Names, parameters and defaults are read from the function's signature; the
catalogue, the command line, the glossary and the generic tests are made from the declaration.
"""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from annotator.errors import MeasureError
from annotator.metrics.answer_parts import Parts, highest
from annotator.metrics.answers import AnswerTable
from annotator.metrics.blind_spot import BlindSpot
from annotator.metrics.collection import Floats, Ranked, added, only_judged, only_retrieved
from annotator.metrics.parameters import ALWAYS_PRINTED, SHARED, Parameter, printed, signature

Needs = Literal["grades", "answers", "model", "passages", "nuggets", "citations"]
OF_PARTS: frozenset[Needs] = frozenset({"nuggets", "citations"})
"""What is judged part by part of an answer, and computed by `judged_parts`."""

Place = Literal["hits", "retrieved", "judged", "queries"]
Claim = Literal["contributions", "ideal", "bounds", "ties"]
Aggregation = Literal["mean", "geometric mean", "sum"]
Family = Literal[
    "Precision and recall",
    "First hit",
    "Graded",
    "User models",
    "Incomplete judgments",
    "Sets",
    "Counts",
    "Answers",
    "Answer scores",
    "Nuggets",
    "Support",
]
Shares = tuple[NDArray[Any], NDArray[Any] | float]
"""What each row adds to its query's sum, and what that sum is divided by (one number, or one per query)."""

DEEPEST = 1_000_000
"""The highest cut-off."""

FLOOR = 1e-5
"""What the geometric mean takes for a query's value below it."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Declaration:
    """A measure of the catalogue before its parameters are bound.

    `function(ranked, **parameters)` returns `Shares`: one row per hit; with `place` "judged" one row per
    judged grade; with "retrieved" one row per query, which is what each of its retrieved candidates adds;
    with "queries" one row per query, which no rank adds to alone. A measure of answers returns `Parts` of the
    table of answers, one of nuggets or citations the weight and the worth of each part of a `PartTable`.
    `ideal_is_one` says that the ideal ordering scores 1 at every query that has something relevant;
    `only_shown` that no ordering is better than another, as with counts.

    `disclaims` names what does not hold, each with the parameters for which it does not, such as
    `{"bounds": lambda judged_only, **_: judged_only}`: that the `contributions` of the ranks sum to the
    value, that no ordering beats the `ideal` one, that the `bounds` over the grades of the unjudged are exact
    and so the range that `ties` leave open. Then none is shown. `tries_orders(**parameters)` says when the
    best or the worst order of tied candidates need not be that of their grades, and more orders are tried.

    For the explanation, `gain(ranked, **parameters)` is the worth of each hit before its rank is looked at (1
    for relevant unless declared), and `discount(rank, **parameters)` the weight of a rank, where the measure
    has one; `open_ended(ranked, **parameters)` is what each query's value would be if everything unjudged
    were perfect. A measure of answers without a parameter `match` says by which match it compares texts, by
    name or from its parameters.
    """

    key: str
    title: str
    sentence: str
    blind_spot: BlindSpot
    formula: str
    family: Family
    source: str
    function: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    range: tuple[float, float] = (0.0, 1.0)
    aggregation: Aggregation = "mean"
    needs: Needs = "grades"
    place: Place = "hits"
    ideal_is_one: bool = False
    only_shown: bool = False
    disclaims: Mapping[Claim, Callable[..., bool]] = field(default_factory=dict)
    tries_orders: Callable[..., bool] = lambda **_: False
    gain: Callable[..., Any] | None = None
    discount: Callable[..., Any] | None = None
    open_ended: Callable[..., Any] | None = None
    match: str | Callable[..., str] = ""

    @property
    def named(self) -> tuple[Parameter, ...]:
        """The parameters written between the brackets: all but what stands after the @."""
        return tuple(one for one in self.parameters if one.name not in ("k", "recall"))

    @property
    def at(self) -> Parameter | None:
        """The parameter written after the @ (`k` or `recall`), if the measure has one."""
        return next((one for one in self.parameters if one.name in ("k", "recall")), None)

    def bind(self, cutoff: float | None = None, **given: Any) -> "Measure":
        """Return the measure with these parameters and the defaults of the others.

        Raises MeasureError for an unknown parameter, a wrong value or a missing or wrong cut-off.
        """
        known = {one.name: one for one in self.named}
        for name in given:
            if name not in known:
                takes = ", ".join(known) or "none"
                raise MeasureError(f"{self.key} has no parameter {name}; it takes {takes}")
        values = {
            name: one.checked(given[name]) if name in given else one.default for name, one in known.items()
        }
        return Measure(self, values, self._checked_cutoff(cutoff), frozenset(given))

    def _checked_cutoff(self, cutoff: float | None) -> int | float | None:
        at = self.at
        if at is None:
            if cutoff is not None:
                raise MeasureError(f"{self.key} has no cut-off; write {self.key} alone")
            return None
        if cutoff is None:
            if at.default is inspect.Parameter.empty:
                example = "0.1" if at.name == "recall" else "10"
                raise MeasureError(f"{self.key} needs a cut-off, such as {self.key}@{example}")
            return None
        if at.name == "recall":
            if not 0 <= cutoff <= 1:
                raise MeasureError(f"{self.key}@ takes a recall from 0 to 1, not {cutoff:g}")
            return float(cutoff)
        if not (1 <= cutoff <= DEEPEST and float(cutoff).is_integer()):
            raise MeasureError(f"{self.key}@ takes a whole number from 1 to {DEEPEST:,}, not {cutoff:g}")
        return int(cutoff)


@dataclass(frozen=True, eq=False)
class Measure:
    """A declaration with its parameters bound; two are equal when they print the same name.

    `said` are the parameters that somebody named, also with the value that they have anyway.
    """

    declaration: Declaration
    parameters: Mapping[str, Any] = field(default_factory=dict)
    cutoff: int | float | None = None
    said: frozenset[str] = frozenset()

    @cached_property
    def name(self) -> str:
        """The canonical name: `nDCG@10`, `P(rel=3)@10`, `ERR(max_rel=5)@20`."""
        shown = [
            f"{one.name}={printed(self.parameters[one.name])}"
            for one in self.declaration.named
            if self.parameters[one.name] != one.default or one.name in ALWAYS_PRINTED
        ]
        inside = f"({','.join(shown)})" if shown else ""
        at = f"@{self.cutoff:g}" if isinstance(self.cutoff, float) else f"@{self.cutoff}"
        return f"{self.key}{inside}{at if self.cutoff is not None else ''}"

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def key(self) -> str:
        """The name without parameters and cut-off."""
        return self.declaration.key

    @property
    def title(self) -> str:
        """The name in words."""
        return self.declaration.title

    @property
    def sentence(self) -> str:
        """What it says, in one plain sentence."""
        return self.declaration.sentence

    @property
    def blind_spot(self) -> BlindSpot:
        """What it cannot see, with two rankings that prove it."""
        return self.declaration.blind_spot

    @property
    def formula(self) -> str:
        """The formula in TeX."""
        return self.declaration.formula

    @property
    def family(self) -> Family:
        """The group it is listed under."""
        return self.declaration.family

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and highest possible value of a query."""
        return self.declaration.range

    @property
    def needs(self) -> Needs:
        """What it is computed from."""
        return self.declaration.needs

    @property
    def rel(self) -> int | None:
        """The grade from which a candidate is relevant, None for measures that do not ask."""
        return cast(int | None, self.parameters.get("rel"))

    @property
    def match(self) -> str:
        """The name of the match by which it compares answers, empty for a measure of grades."""
        declared = self.declaration.match
        if callable(declared):
            return declared(**self.arguments)
        return declared or str(self.parameters.get("match", ""))

    @property
    def arguments(self) -> dict[str, Any]:
        """What the function is called with beside the collection."""
        own = {name: value for name, value in self.parameters.items() if name not in SHARED}
        if self.declaration.at is not None:
            own[self.declaration.at.name] = self.cutoff
        return own

    def claims(self, what: Claim) -> bool:
        """Say whether something that is shown beside the value holds under these parameters."""
        if what == "contributions" and self.declaration.place == "queries":
            return False
        fails = self.declaration.disclaims.get(what)
        return fails is None or not fails(**self._all_parameters)

    @property
    def tries_orders(self) -> bool:
        """Whether the best or the worst order of tied candidates need not be that of their grades."""
        return self.declaration.tries_orders(**self._all_parameters)

    @property
    def _all_parameters(self) -> dict[str, Any]:
        return {**self.parameters, **self.arguments}

    def with_parameters(self, cutoff: float | None = None, **changed: Any) -> "Measure":
        """Return the same measure with some parameters changed; the cut-off stays unless given."""
        bound = self.declaration.bind(
            self.cutoff if cutoff is None else cutoff, **{**self.parameters, **changed}
        )
        return replace(bound, said=self.said | changed.keys())

    def prepared(self, ranked: Ranked) -> Ranked:
        """Return the rankings without what the parameters leave out; `value` and `top` take these.

        They are not cut yet: what stands below the cut-off counts for R, the ideal and the ties. What is
        prepared stays as it is when it is prepared again.
        """
        if self.parameters.get("judged_only"):
            ranked = ranked.keep("only judged", lambda: only_judged(ranked))
        if self.parameters.get("over") == "retrieved":
            whole = ranked
            ranked = whole.keep("only retrieved", lambda: only_retrieved(whole))
        return ranked

    def top(self, prepared: Ranked) -> Ranked:
        """Return prepared rankings down to the cut-off."""
        return prepared.to(self.cutoff) if isinstance(self.cutoff, int) else prepared

    def shares(self, top: Ranked) -> Shares:
        """Return what each row of prepared and cut rankings adds, and what a query's sum is divided by."""
        return cast(Shares, self.declaration.function(top, **self.arguments))

    def per_query(self, ranked: Ranked) -> Floats:
        """Return the value of every query, float64[q]; a sum divided by 0 is 0.

        Raises TypeError for a measure of answers.
        """
        if self.needs != "grades":
            raise TypeError(f"{self.name} is computed from {self.needs}, not from grades")
        return self.value(self.prepared(ranked))

    def value(self, prepared: Ranked) -> Floats:
        """Return the value of every query of prepared rankings, float64[q]; a sum divided by 0 is 0."""
        top = self.top(prepared)
        rows, divisor = self.shares(top)
        place = self.declaration.place
        if place == "hits":
            sums = top.summed(rows)
        elif place == "judged":
            sums = added(top.judged_query, rows, top.n_queries)
        else:
            sums = rows * top.retrieved if place == "retrieved" else rows
        return divided(sums, divisor)

    def parts(self, table: AnswerTable) -> Parts:
        """Return what each prediction of a table beside each wording is worth.

        Raises TypeError for a measure of grades.
        """
        if self.needs == "grades" or self.needs in OF_PARTS:
            raise TypeError(f"{self.name} is computed from {self.needs}, not from answers")
        return cast(Parts, self.declaration.function(table, **self.arguments))

    def beside(self, table: AnswerTable) -> AnswerTable:
        """Return the table of answers beside what the measure compares them with; `parts` takes this one.

        Raises MeasureError where that are passages and none were read.
        """
        if self.needs != "passages":
            return table
        if table.passages is None:
            raise MeasureError(f"{self.name} looks for answers in their passages, and none were read here")
        return table.passages

    def per_answers(self, table: AnswerTable) -> Floats:
        """Return the value of every question of a table of answers, float64[q], NaN where it has none."""
        beside = self.beside(table)
        return highest(beside, self.parts(beside))

    def aggregate(self, values: Floats) -> float:
        """Return one number for many queries: the mean unless the measure says otherwise; NaN for none."""
        if not len(values):
            return math.nan
        if self.declaration.aggregation == "sum":
            return float(np.sum(values))
        if self.declaration.aggregation == "geometric mean":
            return float(np.exp(np.mean(np.log(np.maximum(values, FLOOR)))))
        return float(np.mean(values))


def divided(sums: NDArray[Any], divisor: NDArray[Any] | float) -> Floats:
    """Divide, and give 0 where the divisor is 0; float64 of the sums' shape."""
    out: Floats = np.zeros(len(sums))
    np.divide(sums, divisor, out=out, where=np.asarray(divisor) != 0)
    return out


def measure(**says: Any) -> Callable[[Callable[..., Any]], Declaration]:
    """Declare the function below as a measure; `says` are the fields of `Declaration` beside the function."""

    def declare(function: Callable[..., Any]) -> Declaration:
        parameters = signature(function, shared=says.get("needs", "grades") == "grades")
        return Declaration(function=function, parameters=parameters, **says)

    return declare
