"""All measures, and how their names are read: the grammar of ir_measures plus what people type elsewhere."""

import ast
import difflib
import re
import warnings
from collections.abc import Iterable
from contextlib import suppress
from fnmatch import fnmatchcase
from typing import Any

from annotator.errors import MeasureError
from annotator.metrics import (
    against_ideal,
    answer_measures,
    binary,
    citations,
    graded,
    incomplete,
    nuggets,
    semantic,
)
from annotator.metrics.measures import Declaration, Measure

CATALOGUE = tuple(
    value
    for module in (binary, graded, against_ideal, incomplete, answer_measures, semantic, nuggets, citations)
    for value in vars(module).values()
    if isinstance(value, Declaration)
)
"""Every measure, in the order in which the modules declare them."""

BY_KEY = {one.key.lower(): one for one in CATALOGUE}

DEEPEST_CQA = 100


def community_answers(depth: int) -> tuple[str, ...]:
    """Return the measures of community question answering down to a rank: SemEval's is 10, Severyn's 15."""
    each = (f"{key}@{k}" for key in ("Success", "P") for k in range(1, depth + 1))
    return f"RR@{depth}", f"AP(norm='rel_ret')@{depth}", "NumRelRet", *each


PRESETS: dict[str, tuple[str, ...]] = {
    "trec_eval": (
        *("NumRet", "NumRel", "NumRelRet", "AP", "GMAP", "Rprec", "Bpref", "RR"),
        *(f"IPrec@{tenth / 10:g}" for tenth in range(11)),
        *(f"P@{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    ),
    "graded": ("nDCG@5", "nDCG@10", "nDCG", "DCG@10", "CG@10", "ERR@10", "RBP", "Judged@10"),
    "binary": ("P@1", "P@5", "P@10", "R@10", "F1@10", "AP", "RR", "Success@5", "Judged@10"),
    "nuggets": ("NuggetStrictVital", "NuggetStrictAll", "NuggetVital", "NuggetAll", "NuggetWeighted"),
    "support": ("SupportPrecision", "SupportRecall", "SupportPrecisionFirst", "SupportRecallFirst"),
    "QA": ("EM", "TokenF1", "TopAcc@1", "TopAcc@3", "TopAcc@5"),
    "cQA": community_answers(15),
    "cQA@10": community_answers(10),
}
"""Lists of measures that are asked for together; `cQA@k` is understood for any k."""

ALIASES = {
    name: target
    for target, names in {
        "P": "precision prec",
        "R": "recall",
        "F1": "f f1score",
        "AP": "map mapcut averageprecision averageprecisionscore "
        "labelrankingaverageprecisionscore meanaverageprecision",
        "GMAP": "gmmap",
        "NuggetStrictVital": "strictvitalscore strictvital vitalstrict",
        "NuggetStrictAll": "strictallscore strictall allstrict",
        "NuggetVital": "vitalscore vital",
        "NuggetAll": "allscore",
        "NuggetWeighted": "weightedscore",
        "SupportPrecision": "weightedprecisionalljudgedcitations",
        "SupportRecall": "weightedrecallalljudgedcitations",
        "SupportPrecisionFirst": "weightedprecisionfirstcitation",
        "SupportRecallFirst": "weightedrecallfirstcitation",
        "Rprec": "rprecision",
        "IPrec": "ipreatrecall iprecatrecall interpolatedprecisionatrecall",
        "IPrec11": "11ptavg 11pt iprecavg",
        "RR": "mrr reciprank reciprocalrank meanreciprocalrank",
        "Success": "hitrate hr hit topkaccuracy topaccuracy topkaccuracyscore",
        "DCG": "dcgcut dcgscore",
        "nDCG": "ndcgscore ndcgcut",
        "IDCG": "idealdcg",
        "nDCG(dcg='exp-log2')": "ndcgburges",
        "DCG(dcg='exp-log2')": "dcgburges",
        "RBP": "rankbiasedprecision",
        "ERR": "expectedreciprocalrank",
        "nERR": "normalisedexpectedreciprocalrank",
        "Q": "qmeasure",
        "Compat": "compatibility",
        "SetP": "setprecision",
        "SetR": "setrecall",
        "NumRelRet": "hits",
        "EM": "exactmatch exact",
        "TokenF1": "f1token answerf1",
        "TokenP": "tokenprecision",
        "TokenR": "tokenrecall",
        "Contains": "containment subem substringmatch",
        "SAS": "semanticanswersimilarity crossencoder",
        "BERTScore": "bertscoref1",
        "BERTScore(part='P')": "bertscorep",
        "BERTScore(part='R')": "bertscorer",
    }.items()
    for name in names.split()
}
"""What people type in other tools, without case, hyphens, underscores and spaces -> our name."""

LEFT_OUT = {
    "G binG Rndcg": "experiments of trec_eval without a published definition",
    "ndcg_rel": "an experiment of trec_eval; write nDCG@k with the number of relevant candidates",
    "yaap": "Robertson's logit of AP; GMAP weighs the worst queries too",
    "Rprec_mult": "R-precision at other multiples of R; write P@k with the rank you mean",
    "relative_P": "precision over the best possible one; write R@k or compare with the ideal ordering",
    "set_relative_P SetRelP": "equals SetR unless fewer are retrieved than are relevant",
    "set_map SetAP": "the product of SetP and SetR, not an average precision",
    "gm_bpref": "no published use; the geometric mean is offered for AP as GMAP",
    "utility": "needs weights that only the task knows",
    "num_nonrel_judged_ret": "write Judged@k beside P@k",
    "unj": "write Judged@k, which is 1 - unj@k where k or more are retrieved",
    "rbp_resid": "the explanation of RBP says what the unjudged could add",
    "relstring": "the explanation of a value shows every rank",
    "runid num_q NumQ": "the system and the number of queries stand beside every result",
    "*_avgjg": "mixes several judgment files; “annotator agreement” shows each annotator's own scores",
    "prefs_*": "needs preferences between two candidates, and a project holds grades",
    "AP_IA MAP_IA P_IA ERR_IA nERR_IA NRBP nNRBP alpha_* α_* StRecall": "needs judgments by subtopic",
    "BPM INSQ INST": "models of a reader's goal and costs, which only the task knows; write RBP",
    "SDCG": "DCG with another tool's scale; write nDCG",
    "NERR8 NERR9 NERR10 NERR11": "approximations of ERR by other models of a reader; write ERR or nERR",
    "Accuracy roc_auc_score label_ranking_loss": "share of wrongly ordered pairs; write Bpref",
    "coverage_error": "the rank of the last relevant one; write R@k",
    "matthews_corrcoef confusion_matrix *_curve *_recall_fscore_support": "“annotator classify” has it",
    "best_exact best_f1 *_thresh": "a threshold fitted to the answers it judges; “annotator evaluate "
    "--best-no-answer” shows it beside what was predicted",
}
"""Measures of other tools that are not offered, under their names there, and why; * is any ending."""

LONGEST = 200
"""Characters that a name may have."""

WRITTEN = re.compile(
    r"^\s*(?P<key>[^()@\s][^()@]*?)\s*(?:\((?P<inside>.*)\))?\s*(?:@\s*(?P<at>[^@()]*?))?\s*$"
)
CUT_TREC = re.compile(r"^(?P<key>.*[A-Za-z])[_.](?P<at>\d+(?:\.\d+)?)$")
CQA = re.compile(r"^cqa@(\d{1,9})$")
TOP_ACCURACY = re.compile(r"^top[_-](\d+)[_-]acc(?:uracy)?$", re.IGNORECASE)


def parse(name: str, rel: int = 1) -> Measure:
    """Return the measure that a name means: `nDCG@10`, `P(rel=3)@10`, `map`, `ndcg_cut_10`, `hit_rate@5`.

    `rel` is the threshold of binary measures that do not name their own. Raises MeasureError, with a
    suggestion where one is near.

    >>> parse("ndcg_cut_10").name, parse("P_5", rel=3).name
    ('nDCG@10', 'P(rel=3)@5')
    """
    key, inside, at = _parts(name)
    declaration, implied = _declaration(key, name)
    given = {**implied, **_arguments(inside, name)}
    if "cutoff" in given:
        at = str(given.pop("cutoff"))
    binds_rel = any(one.name == "rel" and one.default is not None for one in declaration.named)
    if binds_rel and rel != 1:
        given.setdefault("rel", rel)
    try:
        cutoff = float(at) if at else None
    except ValueError:
        raise MeasureError(f"{name}: the cut-off after @ is a number, not {at!r}") from None
    try:
        return declaration.bind(cutoff, **given)
    except MeasureError as error:
        raise MeasureError(f"{name}: {error}") from None


def parse_all(names: Iterable[str], rel: int = 1) -> tuple[Measure, ...]:
    """Return the measures of several names or presets, each once, in the order given."""
    measures: dict[Measure, None] = {}
    for name in names:
        for member in _members(name):
            measures.setdefault(parse(member, rel))
    return tuple(measures)


def _members(name: str) -> tuple[str, ...]:
    """Return the measures of a preset, or the name alone."""
    presets = {preset.lower(): members for preset, members in PRESETS.items()}
    asked = "".join(name.split()).lower()
    depth = CQA.match(asked)
    if depth and int(depth[1]) not in range(1, DEEPEST_CQA + 1):
        raise MeasureError(f"{name}: cQA@ takes a whole number from 1 to {DEEPEST_CQA}")
    return community_answers(int(depth[1])) if depth else presets.get(asked, (name,))


def _parts(name: str) -> tuple[str, str, str]:
    """Take a name apart: key, what stands between the brackets, what stands after the @."""
    accuracy = TOP_ACCURACY.match(name.strip())
    if accuracy:
        return "Success", "", accuracy.group(1)
    written = WRITTEN.match(name) if len(name) <= LONGEST else None
    if written is None:
        raise MeasureError(f"{name[:LONGEST]!r} is not a measure; write one as nDCG@10 or P(rel=3)@10")
    key, inside, at = written["key"], written["inside"] or "", written["at"] or ""
    trec = CUT_TREC.match(key)
    if trec and not at:
        if _plain(trec["key"]) == "rbp":
            return "RBP", f"p={trec['at']}" if "." in trec["at"] else f"p=0.{trec['at']}", ""
        key, at = trec["key"], trec["at"]
    return key, inside, at


def _plain(key: str) -> str:
    return re.sub(r"[-_\s]", "", key).lower()


def _declaration(key: str, name: str) -> tuple[Declaration, dict[str, Any]]:
    """Find the declaration a key means, and the parameters an alias implies."""
    target = ALIASES.get(_plain(key), key)
    real, _, inside = target.partition("(")
    declared = BY_KEY.get(_plain(real))
    if declared is not None:
        return declared, _arguments(inside.removesuffix(")"), name)
    for names, why in LEFT_OUT.items():
        if any(fnmatchcase(_plain(key), _plain(one)) for one in names.split()):
            raise MeasureError(f"{name} is not offered: {why}")
    meant = _meant(key, name[name.find(key) + len(key) :])
    if meant is None:
        raise MeasureError(f"unknown measure {name}; “annotator measures” lists them all")
    raise MeasureError(f"unknown measure {name}; did you mean {meant}?")


def _meant(key: str, rest: str) -> str | None:
    """Return the measure that an unknown key may stand for: `nDCG@10` for nDCG10; None where none is near."""
    plain, known = _plain(key), [*BY_KEY, *ALIASES]
    tries = []
    if "@" not in rest and (cut := re.search(r"(?<!\d)\d+$", plain)):
        begun = [one for one in known if plain.startswith(one) and plain[len(one) :].isdecimal()]
        tries += [(one, f"{rest}@{plain[len(one) :]}") for one in sorted(begun, key=len, reverse=True)]
        near = difflib.get_close_matches(plain[: cut.start()].rstrip("_-. "), known, n=1)
        tries += [(one, f"{rest}@{cut[0]}") for one in near]
    tries += [(one, rest) for one in difflib.get_close_matches(plain, known, n=1)]
    for one, after in tries:
        meant = f"{BY_KEY[one].key if one in BY_KEY else ALIASES[one]}{after}"
        with suppress(MeasureError):
            parse(meant)
            return meant
    return None


def _arguments(inside: str, name: str) -> dict[str, Any]:
    """Read `rel=3,norm='min'` as values; a bare word is taken as text."""
    if not inside.strip():
        return {}
    try:
        with warnings.catch_warnings(action="ignore"):
            call = ast.parse(f"measure({inside})", mode="eval").body
    except (SyntaxError, ValueError):
        raise MeasureError(f"{name}: write parameters as (rel=3,norm='min')") from None
    if not isinstance(call, ast.Call) or call.args or any(one.arg is None for one in call.keywords):
        raise MeasureError(f"{name}: every parameter has a name, such as (rel=3)")
    arguments = {str(one.arg).lower(): _value(one.value, name) for one in call.keywords}
    if len(arguments) < len(call.keywords):
        raise MeasureError(f"{name}: a parameter stands there twice")
    return arguments


def _value(node: ast.expr, name: str) -> Any:
    if isinstance(node, ast.Name):
        return node.id
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise MeasureError(f"{name}: parameters are numbers or words, not {ast.unparse(node)}") from None
