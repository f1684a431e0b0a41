"""A comparison with a limited risk in the window: planned, its block judged by keys, looked at."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton

from annotator.desktop.annotator_dialog import AnnotatorDialog
from annotator.desktop.compare.audit_dialog import AuditDialog
from annotator.desktop.compare.plan_dialog import PlanDialog
from annotator.project import samples
from annotator.project.audit_plan import plan_called
from annotator.project.audit_result import block_of, result
from annotator.project.project import Project
from annotator.project.state import state_of
from tests.journeys.conftest import Tell, User

CONTROL = Qt.KeyboardModifier.ControlModifier


def plan(user: User, dialog: AuditDialog) -> None:
    """Plan a comparison by P@5, after one by what cannot be offered."""
    user.wait(dialog.beginning.isVisible)
    user.wait(dialog.beginning.first.hasFocus)
    user.press(Qt.Key.Key_Return)
    asked = user.dialog(PlanDialog)
    asked.measure.setEditText("AP@10")
    user.wait(lambda: "no sum of gains by rank" in asked.wrong.text())
    assert not asked.take.isEnabled()
    asked.measure.setEditText("P@5")
    user.wait(asked.take.isEnabled)
    offered = [at for at in range(asked.systems.count()) if not asked.systems.isRowHidden(at)]
    assert asked.baseline.currentText() not in {asked.systems.item(at).text() for at in offered}
    assert len(offered) == 2
    assert "change the answer" in asked.means.text()
    user.press(Qt.Key.Key_Return)
    user.wait(lambda: dialog.shown is not None)
    assert "as judging this whole pool would show" in dialog.sentence.text()
    assert dialog.basis.text().startswith("0 of ")


def activate(user: User) -> None:
    """Let the window have the keys again, as a window manager does when a dialog goes."""
    user.window.activateWindow()
    user.wait(user.window.isActiveWindow)


def in_front(user: User) -> AuditDialog:
    """Return the dialog that was opened anew; the one before may be there still, out of sight."""
    user.wait(lambda: isinstance(QApplication.activeModalWidget(), AuditDialog))
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, AuditDialog)
    dialog.activateWindow()
    return dialog


def test_few_judgments_are_planned_drawn_judged_and_looked_at(tell: Tell, tmp_path: Path) -> None:
    path = samples.copied("site-search", tmp_path / "town.annot")

    def story(user: User) -> None:
        user.dialog(AnnotatorDialog)  # somebody else graded last
        user.press(Qt.Key.Key_Return)
        user.opened()
        user.press(Qt.Key.Key_R, CONTROL)
        dialog = user.dialog(AuditDialog)
        plan(user, dialog)
        pairs = set(dialog.block_pairs.pairs)
        user.page.flow.go(max(pairs)[0])  # wherever one was, a block begins with its first query
        user.wait(lambda: user.page.flow.query == max(pairs)[0])
        dialog.activateWindow()
        user.wait(dialog.judge.hasFocus)
        user.press(Qt.Key.Key_Return)
        user.wait(lambda: set(user.page.flow.walk.order.keys.tolist()) == {query for query, _ in pairs})
        activate(user)
        graded: list[tuple[int | None, int | None]] = []
        for _ in sorted(pairs):
            user.wait(lambda: user.page.flow.ready)
            graded.append((user.page.flow.query, user.page.flow.candidate))
            user.grade("2")
        assert set(graded) == pairs
        assert graded[0][0] == min(pairs)[0]
        way = user.page.parts.message.findChild(QPushButton)
        user.wait(lambda: way.hasFocus() and way.text() == "Back to the comparison")
        user.press(Qt.Key.Key_Return)
        again = in_front(user)
        user.wait(again.look.hasFocus)
        user.press(Qt.Key.Key_Return)
        user.wait(lambda: again.shown is not None and again.shown.blocks == 1)
        user.wait(lambda: again.canvas.drawn is not None)
        assert f"{len(pairs)} of " in again.basis.text()
        again.reject()

    tell(story, path, annotator="Mara")
    with Project.open(path, annotator="Mara") as project:
        state = state_of(project)
        assert result(state, "plan 1").judged > 0
        assert block_of(state, plan_called(state, "plan 1"))[0] == 2
