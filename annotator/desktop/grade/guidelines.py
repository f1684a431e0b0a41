"""The guidelines of the project and of the query, beside the work; the lead edits them here."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from annotator.desktop.offline_browser import OfflineBrowser
from annotator.desktop.style import label
from annotator.theme import STEPS

NONE_YET = "*This project has no guidelines yet. Write down here what each grade means and how to decide.*"


class Guidelines(QWidget):
    """Markdown, shown or edited. `guidelines_wanted(text)` when the project's text was rewritten."""

    guidelines_wanted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._project_text = ""
        self._query_text = ""
        self._shown = OfflineBrowser(self)
        self._shown.setAccessibleName("Guidelines")
        self._editor = QPlainTextEdit(self)
        self._editor.setAccessibleName("Guidelines of the project, in Markdown")
        self._editor.setTabChangesFocus(True)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._shown)
        self._stack.addWidget(self._editor)
        self._edit = QPushButton("Edit", self)
        self._edit.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._edit.clicked.connect(self._switch)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(STEPS[2], STEPS[2], STEPS[2], STEPS[2])
        rows.setSpacing(STEPS[1])
        rows.addWidget(label("GUIDELINES", "caption", self))
        rows.addWidget(self._stack, 1)
        rows.addWidget(self._edit)

    def show_texts(self, project: str, query: str) -> None:
        """Show the project's guidelines and those of the query; what is being edited stays."""
        self._project_text, self._query_text = project, query
        if self._stack.currentIndex() == 0:
            self._fill()

    def leave(self) -> None:
        """Keep what is being edited."""
        if self._stack.currentIndex() == 1:
            self._switch()

    def _fill(self) -> None:
        text = self._project_text or NONE_YET
        if self._query_text:
            text = f"**For this query**\n\n{self._query_text}\n\n---\n\n{text}"
        self._shown.show_markdown(text)

    def _switch(self) -> None:
        if self._stack.currentIndex() == 0:
            self._editor.setPlainText(self._project_text)
            self._stack.setCurrentIndex(1)
            self._edit.setText("Keep")
            self._editor.setFocus()
            return
        text = self._editor.toPlainText()
        self._stack.setCurrentIndex(0)
        self._edit.setText("Edit")
        if text != self._project_text:
            self._project_text = text
            self.guidelines_wanted.emit(text)
        self._fill()
