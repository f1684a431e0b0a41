"""The scores of the query in front: six tiles, the cumulated gain, the ideal ordering; hidden while blind."""

import re
from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QPushButton, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from annotator.desktop.actions import keyed
from annotator.desktop.choice import Choice
from annotator.desktop.style import Weight, breakable, font, label, prose, px
from annotator.project.views import QueryPanel
from annotator.theme import RADIUS, STEPS, Theme

MEASURES = ("nDCG@10", "AP", "RR", "P@5", "EM", "TokenF1")
COLUMNS = 3
TICKS = 4
STEPPING = [step * 10**power for power in range(12) for step in (1, 2, 3, 4, 5)]

NO_GAINS = "Nothing of this query is graded yet, so there are no gains to show."
NO_QUERY = "No query with candidates is in front, so there are no scores to show."

ORDERED, WHOLE = 10, 24
"""So many candidates of the ideal ordering are named, and up to how many letters no name breaks."""


class Tiles(QWidget):
    """Measures that apply to the query, and their scores, in rows of three."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._values: Sequence[tuple[str, float]] = ()

    def show_values(self, values: Sequence[tuple[str, float]], theme: Theme) -> None:
        """Show other scores."""
        self._values, self._theme = values, theme
        self.setAccessibleName("Scores: " + ", ".join(f"{name} {value:.3f}" for name, value in values))
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def sizeHint(self) -> QSize:
        """Return the height of all rows."""
        rows = -(-len(self._values) // COLUMNS)
        return QSize(px(240), rows * (px(56) + STEPS[0]))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the tiles."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = (self.width() - (COLUMNS - 1) * STEPS[0]) / COLUMNS
        for number, (name, value) in enumerate(self._values):
            row, column = divmod(number, COLUMNS)
            box = QRectF(column * (width + STEPS[0]), row * (px(56) + STEPS[0]), width, px(56))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.background))
            painter.drawRoundedRect(box, RADIUS, RADIUS)
            inner = box.adjusted(10, px(6), -6, -px(6))
            painter.setPen(QColor(self._theme.muted))
            painter.setFont(font(12))
            painter.drawText(inner, Qt.AlignmentFlag.AlignTop, name)
            painter.setPen(QColor(self._theme.text))
            painter.setFont(font(18, Weight.DemiBold))
            painter.drawText(inner, Qt.AlignmentFlag.AlignBottom, f"{value:.3f}")


def kept(name: str) -> str:
    """Return an id as it stands in a list of several: on one line, unless it is long."""
    return breakable(name) if len(name) > WHOLE else re.sub("[-/]", "\\g<0>\u2060", name)


def ticks(most: float) -> list[int]:
    """Return at most six whole numbers, evenly from 0 to the first that is not below a value.

    >>> ticks(12), ticks(13.2)
    ([0, 3, 6, 9, 12], [0, 4, 8, 12, 16])
    """
    step = next(step for step in STEPPING if step * TICKS >= most)
    return list(range(0, step * ceil(most / step) + 1, step))


class GainCurve(QWidget):
    """The cumulated gain by rank, and that of the ideal ordering."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._gained: Sequence[float] = ()
        self._ideal: Sequence[float] = ()
        self.setMinimumHeight(px(190))

    def show_curves(self, gained: Sequence[float], ideal: Sequence[float], theme: Theme) -> None:
        """Show other curves."""
        self._gained, self._ideal, self._theme = gained, ideal, theme
        if gained:
            self.setAccessibleName(
                f"Cumulated gain by rank: {gained[-1]:g} at rank {len(gained)}, ideally {ideal[-1]:g}"
            )
        self.setMinimumHeight(px(190))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint grid, ideal and actual curve."""
        count = max(len(self._gained), len(self._ideal))
        if not count:
            return
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(11))
        levels = ticks(max((*self._gained, *self._ideal, 1.0)))
        high = levels[-1]
        area = QRectF(px(28), px(10), self.width() - px(36), self.height() - px(32))

        def point(rank: int, value: float) -> QPointF:
            across = (rank - 1) / max(count - 1, 1)
            return QPointF(area.left() + across * area.width(), area.bottom() - value / high * area.height())

        for value in levels:
            y = point(1, value).y()
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(QColor(theme.muted))
            box = QRectF(0, y - px(8), area.left() - 6, px(16))
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, f"{value:.3g}")
        step = max(1, -(-count // 10))
        for rank in range(1, count + 1, step):
            x = point(rank, 0).x()
            box = QRectF(x - px(14), area.bottom() + 4, px(28), px(16))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(rank))
        ideal = QPolygonF([point(rank, value) for rank, value in enumerate(self._ideal, 1)])
        gained = QPolygonF([point(rank, value) for rank, value in enumerate(self._gained, 1)])
        ground = QColor(theme.accent)
        ground.setAlpha(32)
        if gained.size():
            under = QPolygonF([point(1, 0), *gained.toList(), point(gained.size(), 0)])
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawPolygon(under)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(theme.muted), 1.6, Qt.PenStyle.DashLine))
        painter.drawPolyline(ideal)
        painter.setPen(QPen(QColor(theme.accent), 2))
        painter.drawPolyline(gained)
        painter.setBrush(QColor(theme.panel))
        for place in gained.toList() if count <= 20 else ():
            painter.drawEllipse(place, 3, 3)


class MetricPanel(QWidget):
    """Blind: what will be seen and when. Revealed: tiles, curve, ideal ordering of one system."""

    unblind_wanted = Signal()
    system_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._panel: QueryPanel | None = None
        self._pages = QStackedLayout(self)
        self._hidden = QWidget(self)
        rows = QVBoxLayout(self._hidden)
        rows.setContentsMargins(STEPS[2], STEPS[2], STEPS[2], STEPS[2])
        rows.setSpacing(STEPS[1])
        self._why = label("", "muted", self._hidden)
        self._why.setWordWrap(True)
        self._unblind = QPushButton("Show ranks and scores now", self._hidden)
        keyed(self._unblind, "unblind", self._unblind.text())
        self._unblind.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._unblind.clicked.connect(self.unblind_wanted)
        for part in (label("SCORES ARE HIDDEN", "caption", self._hidden), self._why, self._unblind):
            rows.addWidget(part)
        rows.addStretch(1)
        self._pages.addWidget(self._hidden)
        self._pages.addWidget(self._scores())
        nothing = QWidget(self)
        rows = QVBoxLayout(nothing)  # a label with a style has no margins of its own
        rows.setContentsMargins(STEPS[2], STEPS[2], STEPS[2], STEPS[2])
        self._nothing = prose("", "muted", nothing)
        rows.addWidget(self._nothing)
        rows.addStretch(1)
        self._pages.addWidget(nothing)

    def _scores(self) -> QWidget:
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget(area)
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(STEPS[2], STEPS[2], STEPS[2], STEPS[2])
        rows.setSpacing(STEPS[1])
        self._system = Choice(inside)
        self._system.setAccessibleName("System")
        self._system.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._system.textActivated.connect(self.system_chosen)
        self._tiles = Tiles(self._theme, inside)
        self._curve = GainCurve(self._theme, inside)
        self._ideal = label("", "muted", inside)
        self._ideal.setWordWrap(True)
        self._gains = (
            label("Cumulated gain by rank, dashed: ideal", "heading", inside),
            self._curve,
            label("Ideal ordering", "heading", inside),
        )
        for part in (
            label("THIS QUERY", "caption", inside),
            self._system,
            self._tiles,
            *self._gains,
            self._ideal,
        ):
            rows.addWidget(part)
        rows.addStretch(1)
        area.setWidget(inside)
        for ground in (inside, area.viewport()):
            ground.setAutoFillBackground(False)
        return area

    @property
    def hidden(self) -> bool:
        """Whether scores are hidden."""
        return self._panel is None

    def show_hidden(self, how_far: str, again: bool = False, practice: bool = False) -> None:
        """Say that scores are hidden, and until when; of `practice`, and asked `again`, there are none."""
        self._panel = None
        self._unblind.setVisible(not (again or practice))
        self._why.setText(
            "Practice counts in no score, so there is none to show."
            if practice
            else "Ranks, scores and your first grades stay hidden here while you are asked again."
            if again
            else f"Ranks, scores, systems and the ideal ordering stay hidden until you finish this query "
            f"({how_far}), so that they cannot lead you. Showing them earlier is recorded."
        )
        self._pages.setCurrentIndex(0)

    def show_nothing(self, why: str = NO_QUERY) -> None:
        """Say that there is no query, or nothing of it to judge, or why else there are no scores."""
        self._panel = None
        self._nothing.setText(why)
        self._pages.setCurrentIndex(2)

    def show_panel(self, panel: QueryPanel) -> None:
        """Show a query's scores."""
        self._panel = panel
        if [self._system.itemText(at) for at in range(self._system.count())] != list(panel.systems):
            self._system.clear()
            self._system.addItems(list(panel.systems))
        self._system.setCurrentText(panel.system)
        known = [(name, value) for name, value in panel.values if value is not None]
        self._tiles.show_values(known, self._theme)
        self._curve.show_curves(panel.gained, panel.ideal, self._theme)
        named = [f"{kept(name)}\u00a0({grade})" for name, grade in panel.ideal_ordering[:ORDERED]]
        more = len(panel.ideal_ordering) - ORDERED
        self._ideal.setText("   ".join(named) + (f"   and {more} more" if more > 0 else "") or NO_GAINS)
        for part in self._gains:
            part.setVisible(bool(named))
        self._pages.setCurrentIndex(1)

    def theme_changed(self, theme: Theme) -> None:
        """Paint in other colours or another text size."""
        self._theme = theme
        if self._panel is not None:
            self.show_panel(self._panel)
