"""What other tools take for granted, as named option sets of the same measures, and in words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from annotator.metrics.measures import Measure

PLAIN: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Convention:
    """The options under which our measures give a tool's values.

    `options` maps the key of each measure that the tool has to the parameters it takes for granted; a
    measure that is not there has no counterpart in the tool. `usual` has those that it takes unless told.
    """

    key: str
    title: str
    says: str
    options: Mapping[str, Mapping[str, Any]]
    usual: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


_TREC_GAIN: Mapping[str, Any] = {"dcg": "log2", "gains": None}
_TREC: Mapping[str, Mapping[str, Any]] = {
    "P": {"norm": "k"},
    "AP": {"norm": "R"},
    "nDCG": {**_TREC_GAIN, "ideal": "cut"},
    "IPrec": {"rounding": "nearest"},
    "IPrec11": {"rounding": "nearest"},
    "RBP": {"max_rel": "query"},
    "SetF": {"beta": 1.0},
    **dict.fromkeys(("R", "GMAP", "RR", "Rprec", "Success", "Bpref", "infAP"), PLAIN),
    **dict.fromkeys(("SetP", "SetR", "NumRet", "NumRel", "NumRelRet"), PLAIN),
}

CONVENTIONS = (
    Convention(
        "trec_eval",
        "trec_eval 10",
        "Gains are the grades, the ideal counts everything judged, unjudged is not relevant.",
        _TREC,
        {"RBP": {"p": 0.9}},
    ),
    Convention(
        "exponential",
        "Exponential gain",
        "A grade gains 2^grade - 1, as in Burges 2005 and most learning-to-rank papers.",
        {key: {"dcg": "exp-log2", "gains": None} for key in ("CG", "DCG", "IDCG", "nDCG")},
    ),
    Convention(
        "quepid",
        "Quepid",
        "Exponential gain, an ideal over all rated documents that is not cut at k, precision over the "
        "documents returned, grades up to 3 for ERR.",
        {
            "P": {"norm": "retrieved"},
            "RR": PLAIN,
            "AP": {"norm": "R"},
            "CG": {"dcg": "log2", "gains": None},
            "DCG": {"dcg": "exp-log2", "gains": None},
            "nDCG": {"dcg": "exp-log2", "gains": None, "ideal": "whole"},
            "ERR": {"max_rel": 3},
        },
    ),
    Convention(
        "rre",
        "Rated Ranking Evaluator",
        "Gains are the grades, precision over the documents returned, every document of its ratings is "
        "relevant; the tool cuts to two decimals.",
        {
            "P": {"norm": "retrieved"},
            "SetP": PLAIN,
            "SetR": PLAIN,
            "SetF": PLAIN,
            "AP": {"norm": "R"},
            "nDCG": {**_TREC_GAIN, "ideal": "cut"},
            "F1": {"norm": "retrieved"},
            "R": PLAIN,
        },
    ),
    Convention(
        "opensearch",
        "OpenSearch ranking evaluation",
        "Exponential gain, an ideal as long as the list returned, precision over the documents returned.",
        {
            "P": {"norm": "retrieved"},
            "R": PLAIN,
            "RR": PLAIN,
            "DCG": {"dcg": "exp-log2", "gains": None},
            "nDCG": {"dcg": "exp-log2", "gains": None, "ideal": "length"},
            "ERR": PLAIN,
        },
    ),
    Convention(
        "scikit-learn",
        "scikit-learn",
        "Only the rows handed over exist: what was judged but not retrieved is forgotten. "
        "The tool averages over ties, which the order of a ranking does not show.",
        {
            "AP": {"norm": "R", "over": "retrieved"},
            "DCG": _TREC_GAIN,
            "nDCG": {**_TREC_GAIN, "ideal": "cut", "over": "retrieved"},
            "Success": PLAIN,
        },
    ),
)


def under(convention: Convention, measure: Measure) -> Measure | None:
    """Return the measure as the tool computes it, None where the tool does not have it."""
    options = convention.options.get(measure.key)
    if options is None:
        return None
    usual = convention.usual.get(measure.key, PLAIN).items()
    return measure.with_parameters(**{key: one for key, one in usual if key not in measure.said}, **options)


def side_by_side(measure: Measure) -> tuple[tuple[Convention, Measure], ...]:
    """Return the measure under every convention that has it."""
    pairs = ((convention, under(convention, measure)) for convention in CONVENTIONS)
    return tuple((convention, meant) for convention, meant in pairs if meant is not None)


def in_words(measure: Measure) -> str:
    """Return one plain sentence about the choices a measure's value depends on.

    >>> from annotator.metrics.catalogue import parse
    >>> in_words(parse("RR"))
    'relevant from grade 1 on; unjudged candidates count as irrelevant'
    """
    given = measure.parameters
    clauses = []
    if measure.rel is not None:
        clauses.append(f"relevant from grade {measure.rel} on")
    if given.get("dcg") == "exp-log2":
        clauses.append("a grade gains 2^grade - 1")
    elif given.get("gains"):
        clauses.append(
            "grades gain " + ", ".join(f"{grade}: {gain:g}" for grade, gain in given["gains"].items())
        )
    elif "gains" in given:
        clauses.append("a grade gains itself")
    if "p" in given:
        clauses.append(f"the reader goes on with chance {given['p']:g}")
    if "max_rel" in given and measure.rel is None:
        highest = "the query's highest" if given["max_rel"] == "query" else given["max_rel"]
        clauses.append(f"the highest grade is {highest}")
    clauses += [_NORMS[name][given[name]] for name in _NORMS if given.get(name) in _NORMS[name]]
    if measure.needs == "grades":
        clauses.append(
            "unjudged candidates are removed first"
            if given["judged_only"]
            else "unjudged candidates count as irrelevant"
        )
    if isinstance(measure.cutoff, int):
        clauses.append(f"cut after rank {measure.cutoff}")
    return "; ".join(clauses)


_NORMS: dict[str, dict[Any, str]] = {
    "norm": {
        "k": "divided by k even when the list is shorter",
        "retrieved": "divided by k or the length of a shorter list",
        "R": "divided by all relevant candidates, retrieved or not",
        "min": "divided by k when more are relevant",
        "rel_ret": "divided by the relevant candidates found",
    },
    "ideal": {
        "cut": "the ideal counts all judged candidates",
        "whole": "the ideal counts all judged candidates and is not cut",
        "length": "the ideal ends where the list ends",
    },
    "over": {"retrieved": "what was not retrieved is forgotten"},
    "rounding": {"up": "the relevant candidates that a recall needs are rounded up"},
}
