"""Between the ledger's JSON values and the values that travel: judgments, settlements, gold answers."""

from collections.abc import Mapping
from typing import Any, cast

from annotator.project.views import UNJUDGED, JudgmentView
from annotator.records import GoldAnswer, GoldList, State
from annotator.tasks import GRADE

QUICK_BELOW = 250
"""A judgment given in fewer milliseconds is stored like any other, and marked."""


def judgment_view(value: Mapping[str, Any] | None) -> JudgmentView:
    """Return a stored judgment as a view; nothing stored is unjudged."""
    if not value:
        return UNJUDGED
    milliseconds = value.get("milliseconds")
    return JudgmentView(
        state=cast("State | None", value.get("state")),
        grade=value.get("grade"),
        reason=value.get("reason", ""),
        marks={one.name: value[one.name] for one in GRADE.marks if one.name in value},
        how=value.get("how", ""),
        quick=milliseconds is not None and milliseconds < QUICK_BELOW,
        time=value.get("time"),
        milliseconds=milliseconds,
    )


def settled_grade(value: Mapping[str, Any] | None) -> int | None:
    """Return the grade that settles a disagreement, or a level that was said; None while nothing is."""
    return value["grade"] if value else None


def gold_list(query_id: str, value: Mapping[str, Any] | None) -> GoldList:
    """Return a query's stored gold answers as a value."""
    stored = value or {}
    answers = tuple(
        GoldAnswer(
            text=one["text"],
            aliases=tuple(one.get("aliases", ())),
            document_id=one.get("document"),
            start=one.get("start"),
            end=one.get("end"),
        )
        for one in stored.get("answers", ())
    )
    return GoldList(query_id, answers, bool(stored.get("unanswerable", False)))
