"""Stems of words, from several threads at once."""

import sys
from concurrent.futures import ThreadPoolExecutor

from annotator.text.stems import stem

ENDINGS = ("ional", "ization", "ing", "fulness", "ousli", "iveness", "ed", "ement", "ability", "s")
WORDS = [f"{start}{end}" for start in ("relat", "organ", "nation", "hop") for end in ENDINGS]


def test_threads_do_not_mix_their_words() -> None:
    fresh = stem.__wrapped__
    alone = [fresh(word) for word in WORDS]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(lambda _: [fresh(word) for word in WORDS], range(40)))
    finally:
        sys.setswitchinterval(interval)
    assert together == [alone] * 40
