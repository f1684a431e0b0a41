"""Days of annotators, shortened: the sample, two hundred grades, gold answers, two people, a crash."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from annotator.desktop.annotator_dialog import AnnotatorDialog
from annotator.project import browse, settings
from annotator.project.project import Project
from tests.desktop.building import make_project, make_questions
from tests.journeys.conftest import Tell, User

CONTROL = Qt.KeyboardModifier.ControlModifier


def grades(path: Path, annotator: str) -> dict[tuple[str, str], int | None]:
    """Read a project's file: what one annotator gave every pair."""
    with Project.open(path, annotator=annotator) as project:
        views = [browse.query(project, int(key)) for key in browse.query_keys(project)]
        return {(view.id, one.id): one.judgment.grade for view in views for one in view.candidates}


def test_a_first_time_annotator_opens_the_sample_names_herself_and_grades(tell: Tell) -> None:
    """From the first window on, with the keyboard alone."""
    opened: list[Path] = []
    given: dict[tuple[str, str], int] = {}

    def story(user: User) -> None:
        user.wait(user.window.isActiveWindow)
        for _ in range(20):
            if "Site search" in getattr(QApplication.focusWidget(), "accessibleName", str)():
                break
            user.press(Qt.Key.Key_Tab)
        user.press(Qt.Key.Key_Space)
        user.dialog(AnnotatorDialog)
        user.type("Ada")
        user.press(Qt.Key.Key_Return)
        user.wait(lambda: user.page.project.annotator == "Ada")
        user.wait(lambda: QApplication.activeModalWidget() is None)
        user.opened()
        opened.append(user.window.session.path)
        for digit in "543":
            user.wait(lambda: user.page.flow.ready)
            view = user.page.flow.prepared.view
            given[view.id, view.candidates[user.page.flow.position].id] = int(digit)
            user.grade(digit)

    tell(story, annotator="")
    stored = {pair: grade for pair, grade in grades(opened[0], "Ada").items() if grade is not None}
    assert stored == given
    assert len(given) == 3


def test_two_hundred_grades_in_a_row_with_corrections(tell: Tell, tmp_path: Path) -> None:
    path = make_project(tmp_path, topics=4, documents=50)
    with Project.open(path, annotator="ann") as project:
        settings.set_setting(project, "pool_depth", 50)
    chance = random.Random(1)
    expected: dict[tuple[str, str], int] = {}

    def story(user: User) -> None:
        user.opened()
        for _ in range(200):
            user.wait(lambda: user.page.flow.ready)
            view = user.page.flow.prepared.view
            pair = (view.id, view.candidates[user.page.flow.position].id)
            expected[pair] = chance.randrange(6)
            user.grade(str(expected[pair]))
            if chance.random() < 0.1:
                user.wait(lambda: user.page.flow.ready)
                user.press(Qt.Key.Key_Z, CONTROL)
                key = next(one.key for one in view.candidates if one.id == pair[1])
                user.wait(
                    lambda at=view.key, one=key: (
                        user.page.flow.ready
                        and user.page.flow.query == at
                        and user.page.flow.candidate == one
                    )
                )
                expected[pair] = chance.randrange(6)
                user.grade(str(expected[pair]))
                user.wait(lambda: user.page.flow.ready)
                user.press("j")
        user.wait(lambda: not user.page.flow.storing)

    tell(story, path)
    assert grades(path, "ann") == expected


def test_gold_answers_for_ten_questions_by_keyboard(tell: Tell, tmp_path: Path) -> None:
    path = make_questions(tmp_path)

    def story(user: User) -> None:
        user.opened()
        for number in range(10):
            user.wait(lambda: user.page.flow.ready)
            query = user.page.flow.prepared.view
            if number == 9:
                user.press("u")
                user.wait(lambda: user.page.flow.prepared.view.unanswerable)
                continue
            user.press("g")
            user.type(f"Hero {query.id[1:]}")
            user.press(Qt.Key.Key_Return)
            user.wait(lambda: len(user.page.flow.prepared.view.gold) == 1 and user.page.flow.ready)
            user.type("Another")
            user.press(Qt.Key.Key_Return)
            user.wait(lambda: len(user.page.flow.prepared.view.gold) == 2 and user.page.flow.ready)
            user.press(Qt.Key.Key_Down)
            user.press(Qt.Key.Key_Down)
            user.press(Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
            user.wait(lambda: user.page.flow.prepared.view.gold[0].text == "Another" and user.page.flow.ready)
            user.page.parts.cards.setFocus()
            user.press("n")
            user.wait(lambda at=query.key: user.page.flow.query != at and user.page.flow.ready)

    tell(story, path)
    with Project.open(path, annotator="ann") as project:
        views = [browse.query(project, int(key)) for key in browse.query_keys(project)]
    assert [[one.text for one in view.gold] for view in views[:9]] == [
        ["Another", f"Hero {number}"] for number in range(1, 10)
    ]
    assert views[9].unanswerable


def test_two_annotators_take_turns_and_see_only_their_own_grades(tell: Tell, tmp_path: Path) -> None:
    path = make_project(tmp_path)

    def first(user: User) -> None:
        user.opened()
        for _ in range(6):
            user.grade("5")

    def second(user: User) -> None:
        user.opened()
        user.dialog(AnnotatorDialog)
        user.type("bob")
        user.press(Qt.Key.Key_Return)
        user.wait(lambda: user.page.project.annotator == "bob")
        user.opened()
        assert {one.state for one in user.judgments()} == {None}
        assert not user.page.flow.prepared.view.revealed
        for _ in range(3):
            user.grade("1")
        user.wait(lambda: user.page.flow.ready)
        user.press(Qt.Key.Key_Z, CONTROL)
        user.wait(lambda: [one.grade for one in user.judgments()].count(1) == 2)

    tell(first, path, annotator="ann")
    tell(second, path, annotator="bob")
    assert [one for one in grades(path, "ann").values() if one is not None] == [5] * 6
    assert [one for one in grades(path, "bob").values() if one is not None] == [1] * 2


CHILD = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from annotator.desktop.app import make_window
from annotator.desktop.preferences import Settings
from pathlib import Path

app = QApplication([])
Settings().set("annotator", "ann")
window = make_window(app, Path(sys.argv[1]))

def begin():
    page = window.pages[0]
    page.changed.connect(lambda change: print(change.candidate, change.after.grade, flush=True))
    timer = QTimer(window, interval=0)
    count = iter(range(10**9))
    timer.timeout.connect(lambda: page.flow.ready and page.flow.grade(next(count) % 6))
    timer.start()

window.project_opened.connect(begin)
window.show()
app.exec()
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is a matter of POSIX systems")
def test_after_a_crash_every_grade_that_was_acknowledged_is_there(tell: Tell, tmp_path: Path) -> None:
    path = make_project(tmp_path, topics=10, documents=10)
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    told = [child.stdout.readline().split() for _ in range(12)]
    child.send_signal(signal.SIGKILL)
    told += [line.split() for line in child.stdout.read().splitlines() if line.count(" ") == 1]
    child.wait()
    child.stdout.close()
    acknowledged = {int(candidate): int(grade) for candidate, grade in told}

    def next_start(user: User) -> None:
        user.opened()
        user.wait(lambda: {one.state for one in user.judgments()} != {"graded"})

    tell(next_start, path)
    with Project.open(path, annotator="ann") as project:
        views = [browse.query(project, int(key)) for key in browse.query_keys(project)]
    stored = {one.key: one.judgment.grade for view in views for one in view.candidates}
    assert {key: stored[key] for key in acknowledged} == acknowledged
