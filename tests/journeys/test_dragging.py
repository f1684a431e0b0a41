"""Gold answers dragged with a real mouse pointer, on a display of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

DRAGGED = """
import subprocess, sys, time
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from annotator.desktop.grade.gold_editor import GoldEditor
from tests.desktop.grade.test_gold_editor import VIEW

app = QApplication([])
editor = GoldEditor(None)
editor.show_query(VIEW)
wishes = []
editor.gold_wanted.connect(wishes.append)
editor.move(0, 0)
editor.show()
deadline = time.monotonic() + 60


def run(condition):
    while not condition() and time.monotonic() < deadline:
        app.processEvents()


def place(line, part):
    box = editor.tree.visualItemRect(line)
    return editor.tree.viewport().mapToGlobal(QPoint(box.left() + 10, box.top() + int(part * box.height())))


run(lambda: editor.windowHandle().isExposed() and app.primaryScreen() is not None)
number, onto, part = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
start, end = place(editor.tree.topLevelItem(number), 0.5), place(editor.tree.topLevelItem(onto), part)
words = ["mousemove", start.x(), start.y(), "mousedown", 1]
for step in range(1, 11):
    words += ["mousemove", start.x(), start.y() + (end.y() - start.y()) * step // 10, "sleep", 0.03]
pointer = subprocess.Popen(["xdotool", *map(str, words), "mouseup", "1"])  # a drag has its own event loop
run(lambda: wishes)
pointer.wait()
print([(one.text, *one.aliases) for one in wishes[-1].answers])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs an X display of its own")
@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (0.02, [("Boston",), ("New York", "NYC")]),
        (0.5, [("New York", "NYC", "Boston")]),
    ],
    ids=["above another it comes first", "onto another it is a wording of it"],
)
def test_a_gold_answer_is_dragged(part: float, expected: list[tuple[str, ...]]) -> None:
    for name in ("xvfb-run", "xdotool"):
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed")
    environment = {name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}
    done = subprocess.run(
        ["xvfb-run", "-a", sys.executable, "-c", DRAGGED, "1", "0", str(part)],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.stdout.strip() == str(expected), done.stderr
