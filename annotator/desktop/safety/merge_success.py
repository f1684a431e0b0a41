"""What came in with a merge, whose it is, what both sides changed, and what can be done next."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from annotator.desktop.actions import Actions
from annotator.desktop.safety.merge_dialog import ConflictsDialog, changed_twice
from annotator.desktop.success import COMMANDS, WORDS, Success
from annotator.desktop.worker import Worker
from annotator.project import maintenance
from annotator.project.next_steps import NextStep, next_steps
from annotator.text.counts import counted

if TYPE_CHECKING:
    from annotator.project.maintenance import Merged
    from annotator.project.project import Project

NOTHING_TWICE = "No value was changed on both sides."
WHY_SETTLE = "A grade that settles a judgment wins over both; the list says which value counts until then."
WHY_CHECK = "Who did what, and when: everything that either copy held is there."


def rows_of(merged: "Merged", other: Path, aside: Path | None) -> list[tuple[str, str]]:
    """Return what a merge did, a line for each part of it."""
    came = counted(merged.only_second, "event")
    return [
        ("Came", f"{came} from {other.name}; {merged.both:,} were in both copies. Nothing was dropped."),
        *((f"By {who}", said) for who, said in maintenance.brought_in_words(merged)),
        ("In dispute", f"{changed_twice(merged.conflicts)}." if merged.conflicts else NOTHING_TWICE),
        *([("Before", f"The project as it was is kept as “{aside.name}”.")] if aside else []),
    ]


class MergeSuccess(Success):
    """Says what a merge brought; what both sides changed can be settled from here, again and again."""

    def __init__(
        self,
        project: "Project",
        worker: Worker,
        rows: Sequence[tuple[str, str]],
        merged: "Merged",
        commands: Actions,
        parent: QWidget,
    ) -> None:
        super().__init__("Merged", rows, commands, parent)
        self._project = project
        self._worker = worker
        self._conflicts = list(merged.conflicts)
        self.put()
        worker.start(self, lambda _: next_steps(project), self._offer)

    def _offer(self, steps: Sequence[NextStep]) -> None:
        """Offer to settle first, then what can be done with any project."""
        if self._conflicts:
            self.add_way("", self._to_settle(), WHY_SETTLE, self._settle)
        self.add_way("project_history", "Check the history", WHY_CHECK)
        for step in steps:
            self.add_way(COMMANDS[step.what], WORDS[step.what], step.why)
        self.offer()

    def _to_settle(self) -> str:
        return f"Settle {counted(len(self._conflicts), 'value')}…"

    def _settle(self) -> None:
        """Open what both sides changed; the button says how many are left when that is closed."""
        dialog = ConflictsDialog(self._conflicts, self._project, self._worker, self)
        dialog.changed.connect(self.changed)
        dialog.finished.connect(lambda _: self.ways[0].setText(self._to_settle()))
        dialog.finished.connect(lambda _: self.ways[0].setEnabled(bool(self._conflicts)))
        dialog.open()
