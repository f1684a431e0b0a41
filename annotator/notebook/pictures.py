"""Figures as notebooks show them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.errors import UserError
from annotator.evaluation.options import Width
from annotator.notebook.inputs import PathText
from annotator.notebook.plain_errors import in_a_sentence

if TYPE_CHECKING:
    from annotator.figures.sheet import Drawn
    from annotator.theme import Theme


@dataclass(frozen=True)
class Picture:
    """A figure, shown by a notebook as it would be in two columns of a paper."""

    key: str
    draw: "Callable[[Theme], Drawn]"

    @in_a_sentence
    def write(self, path: PathText, *, width: Width = "one") -> Path:
        """Write it as the path's ending says: PDF, SVG or PNG, for one column of a paper or two."""
        from annotator.project import report_files, shown_files

        file = Path(path)
        if file.suffix.lower().removeprefix(".") not in report_files.ENDINGS:
            raise UserError(
                f"{file.name}: a figure's file ends in one of .{', .'.join(report_files.ENDINGS)}."
            )
        shown_files.write_figure(file, self.draw, width)
        return file

    def _repr_svg_(self) -> str:
        from annotator.project import report_files

        return report_files.figure_file(self.draw, "svg", "two").decode("utf-8")
