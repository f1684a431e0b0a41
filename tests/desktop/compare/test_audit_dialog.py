"""The dialog of a plan for means: what is known of each system, and how right the model's grades are."""

import numpy as np
from pytestqt.qtbot import QtBot

from annotator.desktop.compare.audit_dialog import AuditDialog
from annotator.desktop.compare.plan_dialog import PlanDialog
from annotator.desktop.dialog import Scrolled
from annotator.desktop.window import Window
from annotator.project import browse, maintenance
from annotator.project.audit_plan import Choices
from annotator.project.audit_sample import make_plan
from annotator.project.state import state_of
from annotator.records import Dataset, JudgmentTable
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from tests.desktop.graded import PATIENCE


def test_how_right_a_model_is_stands_below_the_means(window: Window, qtbot: QtBot) -> None:
    assert window.session is not None
    project = window.session.project
    assert project is not None
    first = int(browse.query_keys(project)[0])
    ids = [one.id for one in browse.query(project, first).candidates]
    query = browse.query(project, first).id
    numbers = np.arange(len(ids), dtype=np.int32)
    table = JudgmentTable([query], ids, np.zeros_like(numbers), numbers, np.int64(numbers % 3))
    import_dataset(project.store, Dataset(judgments=table), Import("judge", "test", "model"))
    state = state_of(project)
    systems = [run.name for run in state.runs]
    make_plan(
        project, state, "spring", Choices(systems[0], tuple(systems[1:]), "P@3", "means", model="judge")
    )
    window.commands["audit"].trigger()
    dialog = window.findChild(AuditDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.shown is not None, timeout=PATIENCE)
    assert dialog.calibration.isVisible()
    assert {row[0] for row in dialog.calibration.grid.table.rows} <= {0, 1, 2}
    assert len(dialog.calibration.grid.table) > 0
    assert dialog.findings.grid.rowCount() == 3, "two means and their difference"
    assert not dialog.canvas.isVisible(), "nothing was looked at"
    asked = PlanDialog(project, window.session.worker, (), dialog)
    assert not asked.take.isEnabled(), "no system is there yet"
    qtbot.waitUntil(asked.take.isEnabled, timeout=PATIENCE)
    assert [asked.model.itemText(at) for at in range(asked.model.count())] == ["no model", "judge"]
    asked.measure.setEditText("nDCG@banana")
    qtbot.waitUntil(lambda: "banana" in asked.wrong.text(), timeout=PATIENCE)
    assert not asked.take.isEnabled()
    assert not [one for one in asked.findChildren(Scrolled) if one.isAncestorOf(asked.wrong)], "in sight"
    asked.reject()
    for one in maintenance.imports(project):
        maintenance.withdraw(project, one.identity)
    dialog._read()
    qtbot.waitUntil(lambda: dialog.shown is None, timeout=PATIENCE)
    assert dialog.refusal.title == dialog.plans.currentText() == "spring", "others could be chosen"
    assert dialog.refusal.isVisible()
    dialog.reject()
