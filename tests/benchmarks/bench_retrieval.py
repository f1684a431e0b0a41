"""100,000 documents indexed and 1,000 queries answered, against bm25s used directly."""

import time

import bm25s
import numpy as np

from annotator.records import Document, Query
from annotator.retrieval.bm25 import RetrievalOptions, rank


def main() -> None:
    """Print the seconds of both and their ratio."""
    random = np.random.default_rng(7)
    vocabulary = np.array([f"w{number}" for number in range(50_000)])
    texts = [
        " ".join(vocabulary[np.minimum(random.zipf(1.3, 60) - 1, len(vocabulary) - 1)])
        for _ in range(100_000)
    ]
    queries = [" ".join(random.choice(vocabulary[:5_000], 4)) for _ in range(1_000)]

    start = time.process_time()
    index = bm25s.BM25(k1=0.9, b=0.4, method="lucene")
    index.index(bm25s.tokenize(texts, stopwords=[], show_progress=False), show_progress=False)
    index.retrieve(bm25s.tokenize(queries, stopwords=[], show_progress=False), k=100, show_progress=False)
    peer = time.process_time() - start

    documents = [Document(str(number), "", text) for number, text in enumerate(texts)]
    asked = [Query(str(number), text) for number, text in enumerate(queries)]
    start = time.process_time()
    table = rank(documents, asked, RetrievalOptions())
    ours = time.process_time() - start
    print(
        f"Retrieval, 100,000 documents and 1,000 queries: {ours:.1f} s CPU for {len(table.rank)} rows, "
        f"{ours / peer:.2f} of bm25s alone"
    )


if __name__ == "__main__":
    main()
