"""P2: evaluating files, as a whole process, against the Python libraries that do the same."""

import sys
import tempfile
from pathlib import Path

from tests.benchmarks.made_runs import cost, ours, write_qrels, write_run

MEASURES = ("nDCG@10", "AP", "RR")

PYTREC_EVAL = """
import sys, pytrec_eval
with open(sys.argv[1]) as file:
    qrels = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file:
    run = pytrec_eval.parse_run(file)
found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10", "map", "recip_rank"}).evaluate(run)
for name in ("ndcg_cut_10", "map", "recip_rank"):
    print(name, sum(one[name] for one in found.values()) / len(found))
"""

IR_MEASURES = """
import sys, ir_measures
from ir_measures import AP, RR, nDCG
qrels = list(ir_measures.read_trec_qrels(sys.argv[1]))
print(ir_measures.calc_aggregate([nDCG @ 10, AP, RR], qrels, ir_measures.read_trec_run(sys.argv[2])))
"""

RANX = """
import sys
from ranx import Qrels, Run, evaluate
qrels, run = Qrels.from_file(sys.argv[1], kind="trec"), Run.from_file(sys.argv[2], kind="trec")
print(evaluate(qrels, run, ["ndcg@10", "map", "mrr"]))
"""

PEERS = (("pytrec_eval", PYTREC_EVAL, 3), ("ir_measures", IR_MEASURES, 5), ("ranx", RANX, 8))


def main() -> None:
    """Print a ratio for each peer."""
    with tempfile.TemporaryDirectory() as name:
        run, qrels = Path(name) / "run", Path(name) / "qrels"
        rows = write_run(run)
        write_qrels(qrels, 1)
        mine = cost(ours(qrels, run, MEASURES))
        for peer, program, goal in PEERS:
            theirs = cost([sys.executable, "-W", "ignore", "-c", program, str(qrels), str(run)], 1)
            print(
                f"P2 {rows:,} rows against {peer}: {theirs.seconds / mine.seconds:.1f}x (goal {goal}x), ",
                end="",
            )
            print(f"memory {mine.megabytes / theirs.megabytes:.2f}x; ours {mine.seconds:.2f} s")


if __name__ == "__main__":
    main()
