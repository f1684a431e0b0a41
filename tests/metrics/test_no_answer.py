"""The best no-answer threshold, against every threshold tried and against the published script's way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.metrics.no_answer import best_threshold
from tests.metrics import squad_scripts as peer

questions = st.tuples(st.booleans(), st.sampled_from(["", "x"]), st.floats(0, 1))
some = settings(max_examples=150, deadline=None)


def arrays(asked: list[tuple[bool, str, float]]) -> tuple[np.ndarray, np.ndarray]:
    """What each question scores with its answer and with the empty one; an answer to it may be half right."""
    kept = [
        score if answerable and text else float(not answerable and not text)
        for answerable, text, score in asked
    ]
    return np.array(kept), np.array([float(not answerable) for answerable, _, _ in asked])


@some
@given(
    asked=st.lists(st.tuples(questions, st.sampled_from([-2.5, 0.0, 0.1, 0.2, 1.0])), min_size=1, max_size=8)
)
def test_no_threshold_serves_better_and_the_one_named_serves_so(
    asked: list[tuple[tuple[bool, str, float], float]],
) -> None:
    kept, emptied = arrays([one for one, _ in asked])
    doubt = np.array([one for _, one in asked])
    value, threshold = best_threshold(kept, emptied, doubt)

    def at(limit: float) -> float:
        return float(np.where(doubt > limit, emptied, kept).mean())

    assert value == pytest.approx(at(threshold), abs=1e-12)
    assert value == pytest.approx(max(map(at, [-9.0, *doubt])), abs=1e-12)
    assert all(at(one) < value + 1e-12 for one in doubt if one < threshold)


@some
@given(
    asked=st.lists(questions, min_size=1, max_size=8),
    doubts=st.lists(st.floats(0, 1), min_size=8, max_size=8, unique=True),
    equal=st.booleans(),
)
def test_the_published_script_finds_the_same_and_more_only_between_equal_doubts(
    asked: list[tuple[bool, str, float]], doubts: list[float], equal: bool
) -> None:
    kept, emptied = arrays(asked)
    doubt = [round(one, 1) if equal else one for one in doubts[: len(asked)]]
    names = [str(at) for at in range(len(asked))]
    theirs = peer.best_threshold(
        dict(zip(names, kept.tolist(), strict=True)),
        dict(zip(names, doubt, strict=True)),
        {name: text for name, (_, text, _) in zip(names, asked, strict=True)},
        {name: answerable for name, (answerable, _, _) in zip(names, asked, strict=True)},
    )
    value, _ = best_threshold(kept, emptied, np.array(doubt))
    assert value <= theirs + 1e-12
    if len(set(doubt)) == len(doubt):
        assert value == pytest.approx(theirs, abs=1e-12)


def test_without_questions_there_is_no_best() -> None:
    assert np.isnan(best_threshold(np.zeros(0), np.zeros(0), np.zeros(0))).all()
