"""Somebody with a screen reader grades: through the system's accessibility bus, in the running program."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from annotator.desktop.preferences import Settings
from annotator.project import browse
from annotator.project.project import Project
from tests.desktop.building import make_project

SYSTEM_PYTHON = "/usr/bin/python3"
"""The Python that the system's packages are for; `pyatspi` is one of them."""

READER = """
import subprocess, sys, time
import pyatspi

program = subprocess.Popen(sys.argv[1:])
deadline = time.monotonic() + 120


def within(node, wanted):
    if node is not None:
        if wanted(node):
            yield node
        for at in range(node.childCount):
            yield from within(node.getChildAtIndex(at), wanted)


def wait_for(wanted, before=deadline):
    while time.monotonic() < before and program.poll() is None:
        try:
            desktop = pyatspi.Registry.getDesktop(0)
            desktop.clear_cache()  # what was asked for once is remembered, though the window goes on
            found = next(within(desktop, wanted), None)
        except Exception:  # a widget went while it was looked at
            found = None
        if found is not None:
            return found
        time.sleep(0.1)
    if before == deadline:
        raise SystemExit("nothing found")


button = wait_for(lambda node: node.name == "Grade 5, Perfect")
print(button.parent.name)
action = button.queryAction()
print([action.getName(at) for at in range(action.nActions)])
number = button.parent.name.partition(".")[0]
graded = None
while graded is None:  # until the query has reached the screen no press counts
    action.doAction(0)
    graded = wait_for(
        lambda node: node.name.startswith(number + ".") and ", Perfect" in node.name,
        min(time.monotonic() + 3, deadline),
    )
print(graded.name)
wait_for(lambda node: "1 OF 6 GRADED" in node.name)  # now it is stored
program.terminate()
program.wait()
"""


def missing() -> str:
    """Return what is not installed here for grading through the accessibility bus."""
    for name in ("dbus-run-session", "xvfb-run"):
        if shutil.which(name) is None:
            return f"{name} is not installed"
    asked = subprocess.run([SYSTEM_PYTHON, "-c", "import pyatspi"], capture_output=True, check=False)
    return "" if asked.returncode == 0 else "pyatspi is not installed"


@pytest.mark.skipif(sys.platform != "linux", reason="the accessibility bus is one of Linux")
def test_a_screen_readers_action_on_the_accessibility_bus_grades(tmp_path: Path) -> None:
    if lacks := missing():
        pytest.skip(lacks)
    path = make_project(tmp_path)
    Settings().set("annotator", "ann")
    away = ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "AT_SPI_BUS_ADDRESS", "NO_AT_BRIDGE")
    environment = {name: value for name, value in os.environ.items() if name not in away}
    program = [sys.executable, "-m", "annotator.cli", str(path)]
    done = subprocess.run(
        ["dbus-run-session", "--", "xvfb-run", "-a", SYSTEM_PYTHON, "-c", READER, *program],
        env=environment | {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    *_, before, actions, after = done.stdout.splitlines()  # the bus says something first
    title = before.removesuffix(", Unjudged")
    assert after.removesuffix(" · given quickly") == f"{title}, Perfect"
    assert "Press" in actions
    with Project.open(path, annotator="ann") as project:
        graded = [one for one in browse.query(project, 1).candidates if one.judgment.state]
    assert [(one.title, one.judgment.grade) for one in graded] == [(title.partition(". ")[2], 5)]
    assert graded[0].judgment.milliseconds is not None
