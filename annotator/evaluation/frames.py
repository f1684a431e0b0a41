"""Dicts of dicts and DataFrames as columns: what notebooks hold judgments and runs in.

A DataFrame is anything with `columns` that give themselves `to_numpy`: those of pandas and of polars.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from annotator.errors import UserError
from annotator.evaluation.tables import Rows

if TYPE_CHECKING:
    import pandas

LARGEST = 2**63 - 1024
"""The largest whole number of 64 bits that is a double too; larger ones are ids like any other text."""


class Frame(Protocol):
    """A DataFrame of pandas or polars."""

    @property
    def columns(self) -> Any:
        """The names of its columns."""

    def __getitem__(self, name: Any, /) -> Any:
        """Return a column."""


def rows_of(table: Any, value: str, what: str) -> Rows:
    """Return a dict `{query: {document: number}}` or a DataFrame as columns.

    `value` names the number, relevance or score. Raises UserError, which begins with `what` the table is, for
    anything else.
    """
    if isinstance(table, Mapping) and all(isinstance(one, Mapping) for one in table.values()):
        return _rows_of_dicts(table, value)
    names = ("query_id", "doc_id", value)
    _refuse_without(table, names, what, f"{{query: {{document: {value}}}}}")
    query, candidate, number = (_column(table, name) for name in names)
    numbers = _floats(number.to_numpy, value)
    values = _whole(numbers) if value == "relevance" else numbers
    return Rows(_id_column(query), _id_column(candidate), values)


def texts_of(table: Any, value: str, what: str) -> dict[str, list[Any]]:
    """Return a DataFrame's column of texts by query, in the order of the rows; a missing one is None.

    Raises UserError, which begins with `what` the table is, for anything that is no such DataFrame.
    """
    import pandas

    _refuse_without(table, ("query_id", value), what, f"{{query: {value}}}")
    ids = _id_column(_column(table, "query_id"))
    found: dict[str, list[Any]] = {}
    for query, text in zip(ids.tolist(), list(table[value]), strict=True):
        missing = text is None or (pandas.api.types.is_scalar(text) and pandas.isna(text))
        found.setdefault(str(query), []).append(None if missing else text)
    return found


def _refuse_without(table: Any, names: Sequence[str], what: str, as_dict: str) -> None:
    """Raise UserError for what is no DataFrame with these columns."""
    if callable(getattr(table, "collect", None)):
        raise UserError(f"{what}: {_kind(table)} has no rows yet; give what its collect() returns.")
    columns = getattr(table, "columns", None)
    if columns is None:
        raise UserError(
            f"{what}: {_kind(table)} cannot be taken; give a dict {as_dict}, a "
            f"DataFrame with the columns {', '.join(names)}, or the path of a file."
        )
    missing = [name for name in names if name not in columns]
    if missing:
        raise UserError(
            f"{what}: no column {', '.join(missing)} among {', '.join(map(str, columns))}; name the columns "
            f"{', '.join(names)}."
        )


def _column(table: Frame, name: str) -> "pandas.Series[Any]":
    """Return a column as one of pandas, whatever the DataFrame."""
    import pandas

    column = table[name]
    values = column if isinstance(column, pandas.Series) else column.to_numpy()
    return pandas.Series(values, name=name, dtype=values.dtype)


def _kind(table: Any) -> str:
    """Say what was given where a dict of dicts, a DataFrame or a path belongs."""
    if isinstance(table, Mapping):
        name, inner = next((key, one) for key, one in table.items() if not isinstance(one, Mapping))
        return f"a dict with {type(inner).__name__} for {name!r}"
    return f"a value of type {type(table).__name__}"


def _rows_of_dicts(table: Mapping[Any, Mapping[Any, float]], value: str) -> Rows:
    sizes = [len(one) for one in table.values()]
    total = sum(sizes)
    queries = _id_array(list(table))
    candidates = _id_array(list(chain.from_iterable(table.values())))
    flat = chain.from_iterable(one.values() for one in table.values())
    numbers = _floats(lambda dtype: np.fromiter(flat, dtype=dtype, count=total), value)
    return Rows(np.repeat(queries, sizes), candidates, _whole(numbers) if value == "relevance" else numbers)


def _id_array(ids: list[Any]) -> NDArray[Any]:
    if ids and all(type(one) is int and abs(one) <= LARGEST for one in ids):
        return np.array(ids, dtype=np.int64)
    return np.array([str(one) for one in ids], dtype=object)


def _id_column(column: "pandas.Series[Any]") -> NDArray[Any]:
    if column.isna().any():
        raise UserError(f"The column {column.name} has empty ids; give every row an id.")
    if column.dtype.kind in "iu" and (not len(column) or column.max() <= LARGEST):
        return column.to_numpy(dtype=np.int64)
    if column.dtype.kind == "f":
        raise UserError(f"The ids in {column.name} are decimal numbers; read them as text or whole numbers.")
    return column.astype(object).to_numpy()


def _floats(read: Callable[[type], NDArray[np.float64]], what: str) -> NDArray[np.float64]:
    try:
        return read(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise UserError(f"A {what} is not a number ({error}); mend or leave out that row.") from None


def _whole(numbers: NDArray[np.float64]) -> NDArray[np.int64] | NDArray[np.float64]:
    """Return whole numbers as such; where one is too large for that they stay as they are, to be refused."""
    if not (np.isfinite(numbers) & (numbers == np.floor(numbers))).all():
        raise UserError("A grade is not a whole number; grades are whole numbers such as 0 to 5.")
    return numbers.astype(np.int64) if (np.abs(numbers) <= LARGEST).all() else numbers
