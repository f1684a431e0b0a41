"""The guidelines of the project and of the query, beside the work; the lead edits them here."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QStackedWidget, QVBoxLayout, QWidget

from annotator.desktop.grade.plain_text import PlainText
from annotator.desktop.offline_browser import OfflineBrowser
from annotator.desktop.rich_limits import AS_PLAIN, RICH, editable, refused
from annotator.desktop.style import label, prose, tip
from annotator.desktop.text_field import TOO_LONG, TextField
from annotator.text.templates import beginning
from annotator.theme import STEPS

NONE_YET = "*This project has no guidelines yet. Write down here what each grade means and how to decide.*"


class Guidelines(QWidget):
    """Markdown, shown or edited. `guidelines_wanted(text)` when the project's text was rewritten."""

    guidelines_wanted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._project_text = ""
        self._query_text = ""
        self._shown_text = ""
        self._shown = OfflineBrowser(self)
        self._plain = PlainText(self)
        self._plain.setReadOnly(True)
        for text in (self._shown, self._plain):
            text.setAccessibleName("Guidelines")
        self._read = QStackedWidget(self)
        self._read.addWidget(self._shown)
        self._read.addWidget(self._plain)
        self._note = prose("", "muted", self)
        self._editor = TextField(self)
        self._editor.setAccessibleName("Guidelines of the project, in Markdown")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._read)
        self._stack.addWidget(self._editor)
        self._edit = QPushButton("Edit", self)
        self._edit.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._edit.clicked.connect(self._switch)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(STEPS[2], STEPS[2], STEPS[2], STEPS[2])
        rows.setSpacing(STEPS[1])
        rows.addWidget(label("GUIDELINES", "caption", self))
        rows.addWidget(self._note)
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
        if text == self._shown_text:
            return
        self._shown_text = text
        why = refused("markdown", text)
        self._edit.setEnabled(editable(self._project_text))
        self._edit.setToolTip(tip("" if self._edit.isEnabled() else TOO_LONG))
        self._note.setText(AS_PLAIN.format(why))
        self._note.setVisible(bool(why) and len(text) <= RICH)
        self._read.setCurrentWidget(self._plain if why else self._shown)
        if why:
            self._plain.show_piece(beginning(text, RICH))
        else:
            self._shown.show_markdown(text)

    def _switch(self) -> None:
        if self._stack.currentIndex() == 0:
            self._editor.begin(self._project_text)
            self._stack.setCurrentIndex(1)
            self._edit.setText("Keep")
            self._editor.setFocus()
            return
        text = self._editor.text()
        self._stack.setCurrentIndex(0)
        self._edit.setText("Edit")
        if text != self._project_text:
            self._project_text = text
            self.guidelines_wanted.emit(text)
        self._fill()
