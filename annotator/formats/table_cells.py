"""Cells that carry a type, as spreadsheets and columnar files have them, as the texts of a table's rows."""

import math
from datetime import date, datetime, time
from decimal import Decimal

from annotator.errors import MissingExtra, how_to_install
from annotator.formats import numbers
from annotator.formats.strict_json import compact


class Structure(str):
    """A cell that is a list or an object, as JSON."""

    __slots__ = ()


def text_of_cell(value: object) -> str:
    """Return a cell as text: nothing for none and NaN, whole numbers without a point, lists as JSON.

    Raises ValueError, which says what it is, for a value that has no text.
    """
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "" if math.isnan(value) else numbers.shown(value)
    if isinstance(value, int | Decimal):
        return str(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, list | dict):
        try:
            return Structure(compact(value))
        except (TypeError, ValueError):
            raise ValueError("holds a list whose parts are no texts or numbers") from None
    raise ValueError(f"holds a {type(value).__name__}, which is no text and no number")


def missing(what: str, extra: str) -> MissingExtra:
    """Return the error for a format whose library is not installed."""
    return MissingExtra(
        f"{what} need a part that is not installed. Install it with: {how_to_install(extra)} "
        "(nothing else changes), or save the file as CSV."
    )
