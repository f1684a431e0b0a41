"""A theme made into Qt's palette, fonts and style sheet; the only place that styles stock controls."""

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
from annotator.desktop.icons import drawn
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


JOINT = re.compile(r"(?<=[-_./:])(?=[^-_./:])")


def breakable(text: str) -> str:
    """Return a text for `prose` whose long words break at their joints, or anywhere between distant ones.

    Blanks of no width stand there. Else the longest word is the least width of all that stands around it.
    """
    return LONG_WORD.sub(
        lambda word: "\u200b".join(LONG_WORD.sub(_loose, part) for part in JOINT.split(word[0])), text
    )


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


def sheet(theme: Theme, scale: float) -> str:
    """Return the style sheet for a theme; `@name` is a colour of it, `12dp` grows with the text."""
    names = theme._asdict() | {
        "arrow": drawn("down", theme.muted),
        "above": drawn("up", theme.muted),
        "before": drawn("left", theme.muted),
        "behind": drawn("right", theme.muted),
        "check": drawn("check", theme.on_accent),
        "ticked": drawn("check", theme.accent),
    }

    def value(match: re.Match[str]) -> str:
        return str(names[match[1]]) if match[1] else f"{round(int(match[2]) * scale)}px"

    return re.sub(r"@(\w+)|(\d+)dp", value, SHEET)


SHEET = """
QWidget { font-size: 13dp; color: @text; placeholder-text-color: @muted; }
QToolTip { background: @raised; color: @text; border: 1px solid @line; padding: 6dp 8dp; }
QLabel { background: transparent; }
QLabel[kind="title"] { font-size: 18dp; font-weight: 600; }
QLabel[kind="heading"] { font-weight: 600; }
QLabel[kind="caption"] { color: @muted; font-size: 11dp; font-weight: 600; }
QLabel[kind="muted"] { color: @muted; }
QLabel[kind="danger"], QPushButton[kind="danger"] { color: @danger; }
QLabel[kind="drop"] { color: @muted; border: 1px dashed @muted; border-radius: 8px; padding: 24dp; }
QLabel[kind="told"] { background: @soft; border-radius: 6px; padding: 6dp 8dp; }
QFrame[kind="panel"], QWidget[kind="panel"] { background: @panel; }
QFrame[kind="bar"] { background: @panel; border-right: 1px solid @line; }
QFrame[kind="head"] { background: @panel; border-bottom: 1px solid @line; }
QFrame[kind="notice"] { background: @soft; border-bottom: 1px solid @line; }
QFrame[kind="card"] { background: @raised; border: 1px solid @line; border-radius: 8px; }
QFrame[kind="line"] { background: @line; min-height: 1px; max-height: 1px; }
QFrame[kind="sheet"] { background: @panel; border-left: 1px solid @line; }

QLineEdit, QTextEdit, QPlainTextEdit, QSpinBox, QDoubleSpinBox, QComboBox {
  background: @raised; border: 1px solid @line; border-radius: 6px; padding: 5dp 8dp;
  selection-background-color: @accent; selection-color: @on_accent; }
QLineEdit:focus, QTextEdit:focus, QPlainTextEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus,
QComboBox:focus {
  border: 1px solid @accent; }
QLineEdit:disabled, QPlainTextEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled {
  color: @muted; background: @background; }
QPlainTextEdit[kind="wording"] { border-radius: 0; padding: 0; }
QLineEdit[kind="search"] { background: @background; padding-left: 26dp; }
QComboBox[kind="cell"] { background: transparent; border: 1px solid transparent;
  padding: 3dp 6dp 3dp 1dp; }
QComboBox[kind="cell"]:hover { background: @raised; border: 1px solid @line; }
QComboBox[kind="cell"]:focus { background: @raised; border: 1px solid @accent; }
QComboBox::drop-down { border: none; width: 20dp; }
QComboBox::down-arrow { image: url(@arrow); width: 12dp; height: 12dp; }
QSpinBox, QDoubleSpinBox { padding: 4dp 24dp 4dp 8dp; }
QSpinBox QLineEdit, QDoubleSpinBox QLineEdit { border: none; padding: 0 6dp; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-position: top right; border: none; width: 20dp; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-position: bottom right; border: none;
  width: 20dp; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(@above); width: 10dp; height: 10dp; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(@arrow); width: 10dp; height: 10dp; }
QTextEdit[kind="reader"], QPlainTextEdit[kind="reader"] { border: 1px solid @line; font-size: 15dp; }
QPlainTextEdit[kind="answer"] { font-size: 15dp; }
QTextEdit[kind="page"] { background: @panel; }
QComboBox { combobox-popup: 0; }
QComboBoxPrivateContainer { border: none; background: @raised; }
QComboBox QAbstractItemView { background: @raised; border: 1px solid @line; padding: 4px;
  selection-background-color: @soft; selection-color: @text; }
QComboBox QAbstractItemView::item { padding: 6dp 6dp; border-radius: 4px; }
QComboBox QAbstractItemView::item:selected { background: @soft; color: @text; }

QPushButton { background: @raised; border: 1px solid @line; border-radius: 6px; padding: 6dp 12dp;
  outline: none; }
QPushButton:hover { background: @soft; }
QPushButton:focus { border: 1px solid @accent; }
QPushButton:disabled { color: @muted; background: @background; }
QPushButton::menu-indicator { image: url(@arrow); width: 12dp; height: 12dp; subcontrol-origin: padding;
  subcontrol-position: right center; right: 8dp; }
QPushButton[kind="primary"] { background: @accent; color: @on_accent; border: 1px solid @accent;
  font-weight: 600; }
QPushButton[kind="primary"]:focus { border: 2px solid @text; padding: 5dp 11dp; }
QPushButton[kind="primary"]:disabled { background: @line; border-color: @line; color: @muted; }
QPushButton[kind="link"] { background: transparent; border: 1px solid transparent; color: @accent;
  padding: 2dp 4dp; text-align: left; }
QPushButton[kind="link"]:focus { border: 1px solid @accent; }
QPushButton[kind="person"] { background: @soft; border: 1px solid @soft; border-radius: 10px; color: @text;
  padding: 3dp 10dp; }
QPushButton[kind="person"]:hover, QPushButton[kind="person"]:focus { border: 1px solid @accent; }
QPushButton[kind="chip"] { border-radius: 10dp; padding: 3dp 10dp; color: @muted; background: transparent; }
QPushButton[kind="chip"]:checked { background: @soft; color: @accent; border-color: @accent; }
QPushButton[kind="chip"]:focus { border: 1px solid @accent; }
QPushButton[kind="verdict"]:checked { background: @soft; color: @accent; border-color: @accent; }
QPushButton[kind="gold"] { border: 1px solid @soft; border-radius: 10px; padding: 3dp 10dp;
  background: @soft; }
QPushButton[kind="gold"]:hover, QPushButton[kind="gold"]:focus { border: 1px solid @accent; }
QPushButton[kind="tabs"] { background: transparent; border: 1px solid transparent; padding: 8dp 14dp; }
QPushButton[kind="tabs"]:focus { border: 1px solid @accent; }
QPushButton[kind="choice"] { background: transparent; border: 1px solid transparent; padding: 8dp;
  text-align: left; }
QPushButton[kind="choice"]:hover { background: @soft; }
QPushButton[kind="choice"]:focus { border: 1px solid @accent; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 5dp; }
QToolButton:hover { background: @soft; }
QToolButton:focus { border: 1px solid @accent; }
QToolButton::menu-indicator { image: none; }
QToolButton[kind="page"] { padding: 8dp 2dp; font-size: 11dp; color: @muted; }
QToolButton[kind="page"]:checked { background: @soft; color: @accent; font-weight: 600; }

QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QMenu { background: @raised; border: 1px solid @line; padding: 4px; menu-scrollable: 1; }
QMenu::item { padding: 6dp 24dp 6dp 12dp; border-radius: 4px; }
QMenu::item:selected { background: @soft; color: @text; }
QMenu::indicator { width: 14dp; height: 14dp; left: 6dp; }
QMenu::indicator:checked { image: url(@ticked); }
QMenu::right-arrow { image: url(@behind); width: 12dp; height: 12dp; right: 6dp; }
QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
QAbstractItemView { background: @panel; border: none; outline: none; }
QTreeWidget::item, QListWidget::item, QTableWidget::item { padding: 4dp 6dp; }
QTreeWidget::item:selected, QListWidget::item:selected, QTableWidget::item:selected {
  background: @soft; color: @text; }
QHeaderView { font-size: 11dp; font-weight: 600; }
QHeaderView::section { background: @panel; color: @muted; border: none; border-bottom: 1px solid @line;
  padding: 8dp; }
QTableView[kind="edge"] QHeaderView::up-arrow, QTableView[kind="edge"] QHeaderView::down-arrow {
  image: none; width: 0; height: 0; }
QTableView[kind="edge"] QHeaderView::section:first { padding-left: 16px; }
QTableView[kind="edge"] QHeaderView::section:last { padding-right: 16px; }
QueryList[kind="edge"] QHeaderView::section:last { padding-right: 8px; }
QTabBar::tab:first { margin-left: 4dp; }
QTabBar::tab { padding: 8dp 12dp; border: none; border-bottom: 2px solid transparent; color: @muted; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; font-weight: 600; }
QTabBar::tab:focus { color: @accent; }
QTabBar::scroller { width: 28dp; }
SteadyTabBar::scroller { width: 0; }
SteadyTabBar::tear { width: 0; image: none; }
QTabBar QToolButton { background: @background; border: none; border-radius: 0; padding: 0; }
QTabBar QToolButton:hover { background: @soft; }
QTabBar QToolButton::left-arrow { image: url(@before); width: 14dp; height: 14dp; }
QTabBar QToolButton::right-arrow { image: url(@behind); width: 14dp; height: 14dp; }
QTabWidget::pane { border: none; border-top: 1px solid @line; }
QCheckBox, QRadioButton { spacing: 8px; }
QCheckBox::indicator, QListWidget::indicator { width: 14dp; height: 14dp; border: 1px solid @muted;
  border-radius: 4px; background: @raised; }
QCheckBox::indicator:checked, QListWidget::indicator:checked { background: @accent; border-color: @accent;
  image: url(@check); }
QCheckBox:focus, QRadioButton:focus { color: @accent; }
QProgressBar { background: @line; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
QSplitter::handle { background: @line; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QStatusBar { background: @panel; border-top: 1px solid @line; color: @muted; }
QStatusBar::item { border: none; }
QScrollArea { background: transparent; border: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QListWidget, QTableWidget { border: 1px solid transparent; }
QListWidget:focus, QTableWidget:focus, QScrollArea:focus { border: 1px solid @accent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px; }
QScrollBar::handle { background: @line; border-radius: 3px; min-height: 32px; min-width: 32px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
"""
