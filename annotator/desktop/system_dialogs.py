"""Systems made here: a baseline run from the project's documents, and several systems put together."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from annotator.desktop.choice import Shown
from annotator.desktop.controls import combo
from annotator.desktop.dialog import ChangingDialog
from annotator.desktop.line_field import LineField
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import prose, px
from annotator.desktop.worker import Job, Worker
from annotator.project.views import Change

if TYPE_CHECKING:
    from annotator.project.project import Project


DEPTHS = (10, 20, 50, 100, 200, 500, 1000)


class SystemDialog(ChangingDialog):
    """A few choices and one button that makes a system.

    A subclass fills `form` and answers `work`: what is chosen now, as a job for the storage thread.
    """

    def __init__(self, project: "Project", worker: Worker, title: str, hint: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.project = project
        self.name = LineField(parent=self)
        self.replace = QCheckBox("Replace the run of a system with this name", self)
        self.form = QFormLayout()
        self.said = prose("", "danger", self)
        self._bar = JobBar(worker, self)
        self._bar.problem.connect(self.said.setText)
        self._bar.busy_changed.connect(self._rest)
        buttons = self.question("Make the system", self._make)
        self.make = buttons.buttons()[0]
        self.lay_out(self.form, self.said, self._bar, buttons, hint=hint)
        self.resize(px(480), self.sizeHint().height())

    def work(self) -> Job:
        """Return the job that makes the system and returns what changed."""
        raise NotImplementedError

    def choice(self, name: str, values: Mapping[Any, str]) -> QComboBox:
        """Return a list of values, shown as `key: what it means`, and put it into the form."""
        items = ((f"{key}: {meaning}", key) for key, meaning in values.items())
        box = combo(name, items=items, parent=self)
        box.setMinimumWidth(px(260))
        self.form.addRow(name, box)
        return box

    def end_form(self) -> None:
        """Put the rows that every such dialog has below the others."""
        self.form.addRow("Name", self.name)
        self.form.addRow("", self.replace)

    def _make(self) -> None:
        self.said.clear()
        self._bar.run("Making the system", self.work(), self._done, storing=True)

    def _rest(self, busy: bool) -> None:
        """Offer to try again when work ends; why it failed replaces what is said, unless that was a fault."""
        self.make.setEnabled(not busy)
        self.said.setText("" if busy else "Something went wrong; nothing was changed.")

    def _done(self, change: Change) -> None:
        self.changed.emit(change)
        self.accept()

    def reject(self) -> None:
        """Stop what is under way; nothing of it is stored."""
        self._bar.cancel()
        super().reject()


class BaselineDialog(SystemDialog):
    """Ranks the project's documents for its queries with BM25."""

    def __init__(self, project: "Project", worker: Worker, parent: QWidget) -> None:
        from annotator.project.retrieved_system import ANALYSERS, PRESETS

        super().__init__(
            project,
            worker,
            "Add a baseline run",
            "The project's own documents, ranked for its queries with Lucene's BM25.",
            parent,
        )
        self.analyser = self.choice("Analyser", ANALYSERS)
        self.weights = self.choice("k1 / b", {"0.9/0.4": "short passages", "1.2/0.75": "Lucene's default"})
        self._weights = PRESETS
        self.stop_words = QCheckBox("Leave out the commonest words of the language", self)
        self.form.addRow("", self.stop_words)
        depths = ((str(depth), depth) for depth in DEPTHS)
        self.top_k = combo("Documents per query", items=depths, parent=self)
        self.top_k.setCurrentText("100")
        self.form.addRow("Documents per query", self.top_k)
        self.end_form()
        self.analyser.currentIndexChanged.connect(self._suggest)
        self._suggest()

    def _suggest(self) -> None:
        self.name.setPlaceholderText(f"bm25-{self.analyser.currentData()}")

    def work(self) -> Job:
        """Return the job that retrieves."""
        from annotator.project.retrieved_system import retrieve

        k1, b = self._weights[self.weights.currentData()]
        chosen = partial(
            retrieve,
            self.project,
            self.analyser.currentData(),
            system=self.name.text().strip(),
            without_stop_words=self.stop_words.isChecked(),
            k1=k1,
            b=b,
            top_k=self.top_k.currentData(),
            replace=self.replace.isChecked(),
        )
        return lambda watch: chosen(watch=watch)


class AggregateDialog(SystemDialog):
    """Puts the rankings of several systems together into a new one."""

    def __init__(self, project: "Project", worker: Worker, systems: Sequence[str], parent: QWidget) -> None:
        from annotator.project.aggregated_systems import RULES, SCALES

        super().__init__(
            project,
            worker,
            "Put systems together",
            "The rankings of two systems or more become the ranking of a new one.",
            parent,
        )
        self.systems = QListWidget(self)
        self.systems.setItemDelegate(Shown(self.systems))
        self.systems.setAccessibleName("Systems")
        for name in systems:
            item = QListWidgetItem(name, self.systems)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked)
        self.systems.ensurePolished()
        rows = self.systems.sizeHintForRow(0) * max(len(systems), 2) + 2 * self.systems.frameWidth()
        below = self.systems.horizontalScrollBar().sizeHint().height()  # names may be wider than the list
        self.systems.setMaximumHeight(min(px(140), rows) + below)
        self.form.addRow("Systems", self.systems)
        self.rule = self.choice("Rule", RULES)
        self.scale = self.choice("Scores", SCALES)
        self.end_form()
        self.name.setPlaceholderText("the rule and the systems")
        self.rule.currentIndexChanged.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.scale.setEnabled(self.rule.currentData() in ("combsum", "combmnz"))

    def chosen(self) -> list[str]:
        """Return the checked systems."""
        items = [self.systems.item(at) for at in range(self.systems.count())]
        return [item.text() for item in items if item.checkState() is Qt.CheckState.Checked]

    def work(self) -> Job:
        """Return the job that aggregates."""
        from annotator.project.aggregated_systems import combine_systems

        chosen = partial(
            combine_systems,
            self.project,
            self.chosen(),
            self.rule.currentData(),
            name=self.name.text().strip(),
            scale=self.scale.currentData(),
            replace=self.replace.isChecked(),
        )
        return lambda watch: chosen(watch=watch)
