"""A window whose annotator has graded, for the tests of the researcher's pages."""

from pytestqt.qtbot import QtBot

from annotator.desktop.window import Window
from annotator.project import browse, judging

PATIENCE = 60_000


def grade_queries(
    window: Window, qtbot: QtBot, keys: tuple[int, ...], annotator: str = "ann", off: int = 0
) -> None:
    """Grade all candidates of some queries: 5 for the first document of a topic, then one less each.

    `off` moves every grade, within the scale, so that two annotators differ.
    """
    assert window.session is not None
    project = window.session.project
    assert project is not None
    done: list[bool] = []

    def grade() -> bool:
        before = project.annotator
        project.use_annotator(annotator)
        for key in keys:
            for one in browse.query(project, key).candidates:
                number = int(one.id.rpartition("-")[2])
                judging.set_grade(
                    project, key, one.key, min(max(6 - number + off, 0), 5), milliseconds=1_000 * number
                )
        project.use_annotator(before)
        return True

    window.session.worker.submit(window, grade, done.append)
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE)
