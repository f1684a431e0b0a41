"""A report before it is written down: titled sections of sentences, tables and figures."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotator.evaluation.result_table import Table

if TYPE_CHECKING:
    from annotator.figures.sheet import Drawn
    from annotator.theme import Theme


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a report: it is drawn when a renderer that can hold it asks."""

    key: str
    title: str
    draw: "Callable[[Theme], Drawn]"
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a report. `command` is shown as it is to be typed."""

    key: str
    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    command: str = ""
    formulas: tuple[tuple[str, str], ...] = ()
    """(label, TeX) of formulas shown below the tables."""


@dataclass(frozen=True, slots=True)
class Report:
    """A titled list of sections; the same report in every format."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]
