"""Asked again: a share of one's own earlier grades, blind, and how far one agrees with oneself."""

from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from annotator.desktop.style import label
from annotator.desktop.worker import Worker
from annotator.grades import GRADES, MEANINGS
from annotator.project.views import Change

if TYPE_CHECKING:
    from annotator.evaluation.agreement import PairAgreement
    from annotator.project.project import Project
    from annotator.project.repeating import Again

SHOWN = ("Same grade", "Cohen's kappa, quadratic")
"""The coefficients that are told of oneself."""


class AgainTab(QWidget):
    """Shows one earlier candidate after the other; a digit answers. `answered(Change)` follows each."""

    answered = Signal(object)

    def __init__(self, project: "Project", worker: Worker, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._project = project
        self._worker = worker
        self._since = 0.0
        self.current: Again | None = None
        self.left = label(kind="caption")
        self.query = label(kind="title")
        self.query.setWordWrap(True)
        self.candidate = label(kind="caption")
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName("The candidate")
        self.buttons = [QPushButton(f"{grade}  {MEANINGS[grade]}") for grade in GRADES]
        self.agreement = label(kind="muted")
        self.agreement.setWordWrap(True)
        self._lay_out()

    def _lay_out(self) -> None:
        grades = QHBoxLayout()
        for grade, button in zip(GRADES, self.buttons, strict=True):
            button.clicked.connect(partial(self._answer, grade))
            key = QShortcut(QKeySequence(str(grade)), self)
            key.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            key.setAutoRepeat(False)
            key.activated.connect(button.click)
            grades.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(12)
        for part in (self.left, self.query, self.candidate, self.text):
            column.addWidget(part)
        column.addLayout(grades)
        column.addWidget(self.agreement)

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for what is due when the tab comes to the front."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Ask for what is due, and for the agreement so far."""
        project = self._project

        def read() -> "tuple[list[Again], str, str, PairAgreement]":
            from annotator.project import repeating

            waiting = repeating.due(project.store, project.annotator)
            text, content = "", ""
            if waiting:
                first = waiting[0]
                text, content = project.query(first.query).text, project.full_text(first.candidate)
            return waiting, text, content, repeating.self_agreement(project.store, project.annotator)

        self._worker.submit(self, read, lambda found: self._show(*found))

    def _show(self, waiting: "list[Again]", query: str, content: str, so_far: "PairAgreement") -> None:
        self.current = waiting[0] if waiting else None
        for part in (*self.buttons, self.text):
            part.setEnabled(bool(waiting))
        self.left.setText(f"{len(waiting)} of your earlier candidates are asked again; no grade is changed.")
        if self.current is None:
            self.left.setText("")
            self.query.setText("Nothing is asked again now")
            self.candidate.setText("A share of your earlier grades appears here as the work goes on.")
            self.text.clear()
        else:
            self.query.setText(query or self.current.query_id)
            self.candidate.setText(self.current.candidate_id)
            self.text.setPlainText(content or "(The text is not in the project.)")
        told = [one.said for one in so_far.coefficients if one.name in SHOWN]
        self.agreement.setText(f"With yourself: {'; '.join(told)}." if so_far.n else "")
        self._since = monotonic()

    def _answer(self, grade: int, _checked: bool = False) -> None:
        asked = self.current
        if asked is None:
            return
        self.current = None
        project, milliseconds = self._project, round(1_000 * (monotonic() - self._since))

        def store() -> Change:
            from annotator.project.repeating import grade_again

            return grade_again(
                project.store, project.annotator, asked.query, asked.candidate, grade, milliseconds
            )

        self._worker.submit(self, store, self._stored)

    def _stored(self, change: Change) -> None:
        self.answered.emit(change)
        self.refresh()
