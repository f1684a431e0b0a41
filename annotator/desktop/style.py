"""A theme made into Qt's palette, fonts and style sheet, and the labels that show words of others."""

import re
from bisect import bisect
from collections.abc import Callable, Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from PySide6 import QtGui
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetrics, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from annotator import theme as themes
from annotator.desktop.style_sheet import sheet
from annotator.desktop.theme_change import catch_up, passing_over, whole
from annotator.text.templates import beginning
from annotator.text.visible import visible
from annotator.theme import FONT, FONT_PIXELS, Theme

CHOICES = ("system", "light", "dark")
SCALES = (75, 90, 100, 110, 125, 150, 175, 200)
WEIGHTS = ("Regular", "SemiBold", "Bold", "Italic")

Weight = QFont.Weight


def system_is_dark() -> bool:
    """Say whether the desktop around the program is dark."""
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


class Appearance(QObject):
    """What the user chose: light, dark or as the system, and the size of the text in percent."""

    changed = Signal(object)
    """Carries the new `Theme`; the text size may have changed too."""

    def __init__(
        self,
        app: QApplication,
        choice: str = "system",
        percent: int = 100,
        is_dark: Callable[[], bool] = system_is_dark,
    ) -> None:
        super().__init__(app)
        self._app = app
        self._is_dark = is_dark
        self.waiting: Callable[[], Iterable[QWidget]] = tuple
        self.choice = choice if choice in CHOICES else CHOICES[0]
        self.percent = percent if percent in SCALES else 100
        load_fonts()
        app.styleHints().colorSchemeChanged.connect(self._follow)
        self.apply()

    @property
    def theme(self) -> Theme:
        """The theme that is on screen."""
        dark = self.choice == "dark" or (self.choice == "system" and self._is_dark())
        return themes.DARK if dark else themes.LIGHT

    def choose(self, choice: str | None = None, percent: int | None = None) -> None:
        """Take another theme or text size."""
        self.choice = choice or self.choice
        self.percent = percent or self.percent
        self.apply()

    def switch(self) -> None:
        """Change between light and dark."""
        self.choose("light" if self.theme.dark else "dark")

    def resize_text(self, steps: int) -> None:
        """Take the text size so many steps larger."""
        place = SCALES.index(self.percent) + steps
        self.choose(percent=SCALES[min(max(place, 0), len(SCALES) - 1)])

    def apply(self) -> None:
        """Style the program anew and tell those who paint by themselves; `waiting` is styled when shown.

        A sheet that replaces another is given to every widget once for each of its ancestors, the first
        sheet only once; so the old one is taken away before.
        """
        has = QApplication.focusWidget()
        windows = [one for one in self._app.topLevelWidgets() if one.parent() is None]
        with passing_over(whole(windows)):
            self._app.setStyleSheet("")
            text = QFont(FONT)
            text.setPixelSize(round(FONT_PIXELS * self.percent / 100))
            factor.cache_clear()
            font.cache_clear()
            self._app.setFont(text)
            self._app.setPalette(palette(self.theme))
            self._app.setStyleSheet(sheet(self.theme, self.percent / 100))
        catch_up(windows, without=set(self.waiting()))
        if has is not None and not has.hasFocus():
            has.setFocus()  # Qt hides each button of a row while it lays that out anew
        self.changed.emit(self.theme)

    def _follow(self) -> None:
        if self.choice == "system":
            self.apply()


@cache
def load_fonts() -> None:
    """Give Qt the text font of the font package, once."""
    package = find_spec("font_hanken_grotesk")  # importing it would list its folder
    assert package is not None
    assert package.origin is not None
    files = Path(package.origin).with_name("files")
    for weight in WEIGHTS:
        QFontDatabase.addApplicationFont(f"{files}/{FONT.replace(' ', '')}-{weight}.otf")


@cache  # asked many times for each card that is painted
def factor() -> float:
    """How much larger than normal the user wants text to be."""
    size = QApplication.font().pixelSize()
    return size / FONT_PIXELS if size > 0 else 1.0


def px(length: float) -> int:
    """Scale a length with the text."""
    return round(length * factor())


@cache
def font(pixels: float = FONT_PIXELS, weight: Weight = Weight.Normal) -> QFont:
    """Return the text font at a size given for 100%."""
    made = QFont(QApplication.font().family())
    made.setPixelSize(px(pixels))
    made.setWeight(weight)
    return made


def mixed(one: str, other: str, part: float) -> QColor:
    """Return the colour `part` of the way from one to the other."""
    a, b = QColor(one), QColor(other)
    pairs = ((a.red(), b.red()), (a.green(), b.green()), (a.blue(), b.blue()))
    return QColor(*(round(x + (y - x) * part) for x, y in pairs))


SHOWN = 20_000
"""Letters that a label shows at most: it lays out all it has, several times."""


class Words(QLabel):
    """Plain words, in which what nobody sees but acts is a mark; of endless ones the beginning."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(visible(beginning(text, SHOWN)), parent)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def setText(self, text: str) -> None:
        """Show other words."""
        super().setText(visible(beginning(text, SHOWN)))


class Trouble(Words):
    """What is wrong: it takes no room while nothing is."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setHidden(not text)

    def setText(self, text: str) -> None:
        """Say what is wrong, or nothing."""
        super().setText(text)
        self.setHidden(not text)

    def clear(self) -> None:
        """Say nothing."""
        self.setText("")


def label(text: str = "", kind: str = "", parent: QWidget | None = None) -> QLabel:
    """Return a label of one kind: `title`, `heading`, `caption`, `muted`, `danger`, or plain."""
    made = Trouble(text, parent) if kind == "danger" else Words(text, parent)
    if kind:
        made.setProperty("kind", kind)
    return made


def prose(text: str = "", kind: str = "", parent: QWidget | None = None) -> QLabel:
    """Return a label whose text breaks into lines."""
    made = label(text, kind, parent)
    made.setWordWrap(True)
    return made


LONG_WORD = re.compile(r"[^\s\u2e80-\uffff]{29,}")
"""More letters without a blank than a narrow column has room for, in scripts that break at blanks alone."""


JOINT = re.compile(r"(?<=.[-_./:,])(?=[^-_./:,])")
ROOT = re.compile(r"(?<!\S)/(?=\S{28})")
OPTION = re.compile(r"(?<!\S)--?[a-z][-a-z]*")
EQUATION = re.compile(r"(?<=\w) ([=<>]) (?=[-\d])")


def breakable(text: str) -> str:
    """Return a text for `prose` whose long words break at their joints, or anywhere between distant ones.

    Blanks of no width stand there. Else the longest word is the least width of all that stands around it.
    No equation such as p = 0.05 breaks, and no option such as --as-of of a command.
    """
    loose = LONG_WORD.sub(
        lambda word: "\u200b".join(LONG_WORD.sub(_loose, part) for part in JOINT.split(word[0])),
        EQUATION.sub("\u00a0\\1\u00a0", whole_options(text)),
    )
    return ROOT.sub("/\u2060", loose)  # no line ends with the root of a path


def whole_options(text: str) -> str:
    """Return a text in which no option of a command breaks at its hyphens."""
    return OPTION.sub(lambda word: word[0].replace("-", "-\u2060"), text)


def _loose(word: re.Match[str]) -> str:
    return "\u200b".join(word[0])


def tip(text: str) -> str:
    """Return a text as a tooltip shows it, letter by letter: Qt reads what looks like HTML as such."""
    text = beginning(visible(text))
    if not QtGui.Qt.mightBeRichText(text):
        return text
    from html import escape

    return f"<p style='white-space: pre-wrap'>{escape(text)}</p>"


def wrapped(text: str, metrics: QFontMetrics, width: int, most: int) -> list[str]:
    """Return a text as at most so many lines of this width; what is left over ends in an ellipsis."""

    def fitted(line: str) -> str:
        return metrics.elidedText(line, Qt.TextElideMode.ElideRight, width)

    words, lines = text.split(), list[str]()
    while words:
        whole = " ".join(words)
        if fitted(whole) == whole:
            return [*lines, whole]
        starts = [" ".join(words[: count + 1]) for count in range(len(words))]
        last = len(lines) == most - 1
        fitting = len(words) if last else bisect(starts, False, key=lambda start: fitted(start) != start)
        taken = max(fitting, 1)
        lines.append(fitted(starts[taken - 1]))
        words = words[taken:]
    return lines


def palette(theme: Theme) -> QPalette:
    """Return Qt's palette for a theme."""
    role = QPalette.ColorRole
    made = QPalette()
    for part, colour in (
        (role.Window, theme.background),
        (role.WindowText, theme.text),
        (role.Base, theme.raised),
        (role.AlternateBase, theme.panel),
        (role.Text, theme.text),
        (role.Button, theme.raised),
        (role.ButtonText, theme.text),
        (role.ToolTipBase, theme.raised),
        (role.ToolTipText, theme.text),
        (role.PlaceholderText, theme.muted),
        (role.BrightText, theme.danger),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.on_accent),
        (role.Link, theme.accent),
        (role.Mid, theme.line),
        (role.Light, theme.raised),
        (role.Midlight, theme.soft),
        (role.Dark, theme.line),
    ):
        made.setColor(part, QColor(colour))
    for part in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, part, mixed(theme.muted, theme.panel, 0.4))
    return made
