"""Lines of CSV from which every cell comes back as it was."""

import csv
import io
from collections.abc import Iterable, Sequence


def csv_lines(rows: Iterable[Sequence[str]], separator: str = ",", end: str = "\n") -> str:
    """Return rows of cells as CSV, each ended by `end`.

    >>> csv_lines([["a", "b\\rc"]])
    'a,"b\\rc"\\n'
    """
    out = io.StringIO()
    # Where lines end in LF alone, Python before 3.13 does not quote a CR within a cell.
    lines = csv.writer(out, delimiter=separator, lineterminator="\r\n")
    written = []
    for row in rows:
        lines.writerow(row)
        written.append(out.getvalue()[:-2] + end)
        out.seek(0)
        out.truncate()
    return "".join(written)
