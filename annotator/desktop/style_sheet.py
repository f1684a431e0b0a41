"""The style sheet: the only place that styles stock controls."""

import re

from annotator.desktop.icons import drawn
from annotator.theme import Theme


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
QPushButton[kind="opens"] { icon: url(@arrow); icon-size: 12dp; }
QPushButton[kind="opens"]:checked { icon: url(@above); }
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
QMenu::item:disabled { color: @muted; background: transparent; }
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
QTabBar::tab:first { margin-left: 4px; }
QTabBar::tab { padding: 8dp 12px; border: none; border-bottom: 2px solid transparent; color: @muted; }
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
QListWidget::indicator:disabled { background: @muted; border-color: @muted; }
QListWidget::item:disabled { color: @muted; }
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
QueryPanel { border: 1px solid @panel; }
QueryPanel:focus { border: 1px solid @accent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px; }
QScrollBar::handle { background: @line; border-radius: 3px; min-height: 32px; min-width: 32px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
"""
