"""Which candidates of a query nearly are the same, as their texts say."""

from collections.abc import Mapping

from annotator.project.views import CandidateView, QueryView
from annotator.retrieval import near_duplicates

RULE = near_duplicates.RULE


def alike(view: QueryView) -> Mapping[int, tuple[int, ...]]:
    """Return the near-duplicates of each candidate of a query, by key; who has none is left out.

    Compared is what is read of them: an answer's words, a document's title and its text as it came with the
    query.
    """
    keys = [one.key for one in view.candidates]
    found = near_duplicates.near_duplicates([_read(one) for one in view.candidates])
    return {key: tuple(keys[at] for at in near) for key, near in zip(keys, found, strict=True) if near}


def _read(candidate: CandidateView) -> str:
    return candidate.text if candidate.kind == "answer" else f"{candidate.title}\n{candidate.text}"
