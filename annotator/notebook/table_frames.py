"""The one table of screens and reports as a DataFrame."""

from typing import TYPE_CHECKING

from annotator.evaluation.result_table import Table, plain

if TYPE_CHECKING:
    import pandas


def frame_of(table: Table) -> "pandas.DataFrame":
    """Return a table under its names for programs, as `--format csv` prints it; its caption is in `attrs`.

    A number that is missing is NaN, a text that is missing None.
    """
    import pandas

    columns = {
        column.name: pandas.Series(
            plain(cells), dtype=object if column.kind == "text" else None, name=column.name
        )
        for column, cells in zip(table.columns, table.data, strict=True)
    }
    made = pandas.DataFrame(columns)
    made.attrs = {"title": table.title, "caption": table.caption}
    return made
