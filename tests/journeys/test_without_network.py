"""A day without a network, sharing through a folder too: every door to it is watched, and none is tried."""

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator import cli
from annotator.desktop.pages import PAGES
from annotator.project import browse
from annotator.project.project import Project
from tests.desktop.building import make_project
from tests.journeys.conftest import Tell, User

DOORS = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "urllib.Request")
tried: list[str] = []
watching = False


def watch(event: str, arguments: tuple[object, ...]) -> None:
    """Note and refuse each try to reach another computer; sockets between programs here are none."""
    if watching and event in DOORS:
        door = arguments[0]
        if isinstance(door, socket.socket) and door.family == getattr(socket, "AF_UNIX", None):
            return
        tried.append(f"{event} {arguments[1:]}")
        raise ConnectionRefusedError(event)


sys.addaudithook(watch)


@pytest.fixture
def closed_doors() -> Iterator[list[str]]:
    """Refuse the network while the test runs; returns what was tried."""
    global watching  # noqa: PLW0603 an audit hook cannot be taken away again
    tried.clear()
    watching = True
    yield tried
    watching = False


def test_control_a_try_is_seen_and_refused(closed_doors: list[str]) -> None:
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", 9))
    assert closed_doors


def test_nothing_is_fetched_or_sent_from_grading_to_the_report(
    tell: Tell, tmp_path: Path, closed_doors: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_project(tmp_path)
    report = tmp_path / "report.html"

    def story(user: User) -> None:
        user.opened()
        user.grade("4")
        for number in range(len(PAGES)):
            user.window.stack.show_page(number)

    tell(story, path)
    for words in (
        ["evaluate", path],
        ["report", path, "-o", report],
        ["check", path],
        ["share", path, tmp_path / "shared"],
        ["join", tmp_path / "shared", "-o", tmp_path / "joined.annot"],
        ["share", tmp_path / "joined.annot"],
    ):
        monkeypatch.setattr(sys, "argv", ["annotator", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert ended.value.code in (0, None), words
    with Project.open(path, annotator="ann") as project:
        assert browse.contents(project).decided == 1
    assert report.stat().st_size > 10_000
    assert closed_doors == []
