"""Real runs and real answers against what the reference tools print for them; and one of our own making."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult
from annotator.formats import registry
from annotator.metrics.catalogue import parse
from annotator.metrics.conventions import CONVENTIONS, under
from annotator.project.files import evaluate_answers, evaluate_runs

TREC_EVAL_RBP = under(CONVENTIONS[0], parse("RBP"))
"""What `-m RBP --convention trec_eval` computes."""
CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
NAMES = {
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "map": "AP",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "recip_rank": "RR",
    "infAP": "infAP",
    "11pt_avg": "IPrec11",
    "ndcg": "nDCG",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_F": "SetF",
    **{f"iprec_at_recall_{tenth / 10:.2f}": f"IPrec@{tenth / 10:g}" for tenth in range(11)},
    **{f"success_{k}": f"Success@{k}" for k in (1, 5, 10)},
    **{
        f"{theirs}_{k}": f"{ours}@{k}"
        for theirs, ours in (("P", "P"), ("recall", "R"), ("ndcg_cut", "nDCG"), ("map_cut", "AP"))
        for k in CUTS
    },
    "rbp": TREC_EVAL_RBP.name,
    "gm_map": "GMAP",
}
"""trec_eval's name -> ours."""
ROBUST = "robust03/robust03_qrels.txt.gz"


def printed(path: Path) -> dict[tuple[str, str], float]:
    """Return (measure, topic) -> value of a reference output."""
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    rows = (line.split() for line in text.splitlines())
    return {(name, topic): float(value) for name, topic, value in rows if name in NAMES}


def differing(result: EvaluationResult, wanted: dict[tuple[str, str], float]) -> list[str]:
    """Return what does not equal a printed value to its four decimals."""
    (system,) = result.systems
    place = {topic: at for at, topic in enumerate(result.query_ids)}
    wrong = []
    for (name, topic), value in wanted.items():
        at = list(NAMES).index(name)
        ours = result.measures[at].name
        found = result.mean(system, ours) if topic == "all" else result.scores[0, at, place[topic]]
        if name == "gm_map" and topic != "all":
            continue
        if not abs(found - value) <= 0.5e-4 + 1e-9:
            wrong.append(f"{name} {topic}: {found!r}, printed {value}")
    return wrong


@pytest.mark.parametrize(
    ("run", "qrels", "output", "rel"),
    [
        ("trec_eval_test/results.trunc", "trec_eval_test/qrels.test", "trec_eval_test/out.test.aqc", 1),
        ("trec_eval_test/results.test", "trec_eval_test/qrels.test", "trec_eval_test/out.test.a", 1),
        ("trec_eval_test/results.test", "trec_eval_test/qrels.rel_level", "trec_eval_test/out.test.aql", 2),
        *(
            (f"robust03/{name}.gz", ROBUST, f"robust03/{name}.trec_eval10.aqc{level}.gz", rel)
            for name in ("uic0301", "NLPR03vb10")
            for level, rel in (("", 1), (".l2", 2))
        ),
    ],
)
def test_every_measure_of_every_topic_equals_the_reference(
    reference_data: Path, run: str, qrels: str, output: str, rel: int
) -> None:
    options = Options(measures=tuple(NAMES.values()), rel=rel)
    result = evaluate_runs(reference_data / qrels, [reference_data / run], options)
    wanted = printed(reference_data / output)
    assert len(wanted) >= len(NAMES)
    if rel > 1 and run.startswith(
        "robust03"
    ):  # with -c, num_rel's sum is that of level 1, as its source says
        from_1 = evaluate_runs(reference_data / qrels, [reference_data / run], Options(measures=("NumRel",)))
        assert wanted.pop(("num_rel", "all")) == from_1.mean(result.systems[0], "NumRel")
    assert differing(result, wanted) == []


def test_a_run_of_our_own_equals_what_was_worked_out_by_hand(tmp_path: Path) -> None:
    """Grades 3, 2, 3, 0, 1 in this order, behind odd scores and with a tie that the ids decide."""
    (tmp_path / "run").write_text(
        "# worked example\nq Q0 third 1 2.5 t\nq\tQ0\tfirst\t9\t1e1\tt\nq Q0 fifth 4 -3 t\n"
        "q Q0 second 4 2.50000001 t\nq Q0 fourth 4 2.5 t\n"
    )
    (tmp_path / "qrels").write_text("q 0 first 3\nq 0 second 2\nq 0 third 3\nq 0 fifth 1\nq 0 fourth 0\n")
    names = ("DCG@5", "nDCG@5", "nDCG(dcg='exp-log2')@5", "ERR(max_rel=5)@5", "AP", "NumRet")
    result = evaluate_runs(tmp_path / "qrels", [tmp_path / "run"], Options(measures=names))
    assert result.scores[0, :, 0] == pytest.approx(
        [6.148712, 0.972364, 0.957478, 0.3105, (1 + 1 + 1 + 4 / 5) / 4, 5], abs=5e-5
    )


@pytest.mark.parametrize(
    ("gold", "predictions", "normaliser", "names"),
    [
        ("answerable_subset_v1.1", "predictions_v1.1_bert_ensemble", "squad1", ("exact_match", "f1")),
        ("answerable_subset_v1.1", "predictions_v1.1_logistic_regression", "squad1", ("exact_match", "f1")),
        ("san_mrc_dev_subset_v2", "predictions_v2.0_bert_single", "squad2", ("exact", "f1")),
    ],
)
def test_answers_equal_the_official_scripts(
    reference_data: Path, gold: str, predictions: str, normaliser: str, names: tuple[str, str]
) -> None:
    folder = reference_data / "squad"
    options = Options(measures=("EM", "TokenF1"), normaliser=normaliser)
    result = evaluate_answers(folder / f"{gold}.json", [folder / f"{predictions}.json"], options)
    wanted = json.loads((folder / "expected.json").read_text())[f"{predictions}.json"]
    for measure, name in zip(("EM", "TokenF1"), names, strict=True):
        assert 100 * result.mean(predictions, measure) == pytest.approx(wanted[name], abs=1e-9)
    if "HasAns_f1" in wanted:
        answerable = [bool(one.answers) for one in registry.read_file(folder / f"{gold}.json").gold]
        scores = result.of(predictions, "TokenF1")
        assert 100 * np.mean(scores[answerable]) == pytest.approx(wanted["HasAns_f1"], abs=1e-9)
        assert 100 * np.mean(scores[~np.array(answerable)]) == pytest.approx(wanted["NoAns_f1"], abs=1e-9)
