"""A document's address is opened in the browser on request: http and https only, shown in full first."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.desktop.dialog import Scrolled
from annotator.desktop.grade.addresses import address, addresses, in_full
from annotator.desktop.grade.page import GradePage
from annotator.desktop.question import Choose, Confirm
from annotator.project import samples
from annotator.project.views import CandidateView
from tests.desktop.conftest import PATIENCE, OpenWindow, heard


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a browser was asked for; none is really opened."""
    asked: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(url.toString()))
    return asked


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path, qtbot: QtBot) -> GradePage:
    """The site search, whose documents have a url."""
    page = open_window(samples.copied("site-search", tmp_path / "site.annot")).pages[0]
    assert isinstance(page, GradePage)
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)
    return page


def question(qtbot: QtBot) -> Confirm:
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), Confirm), timeout=PATIENCE)
    box = QApplication.activeModalWidget()
    assert isinstance(box, Confirm)
    return box


def test_the_address_is_shown_in_full_and_opened_only_when_wanted(
    qtbot: QtBot, page: GradePage, opened: list[str]
) -> None:
    url = str(page.flow.prepared.view.candidates[page.flow.position].fields["url"])
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_O)
    box = question(qtbot)
    assert box.asked.text().replace("\u200b", "") == url, "it breaks anywhere"
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert opened == [], "Enter does not open it"
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_O)
    next(one for one in question(qtbot).buttons.buttons() if one.text() == "Open").click()
    assert opened == [url]


def test_of_several_addresses_one_is_chosen_by_digit(
    qtbot: QtBot, page: GradePage, opened: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    view = page.flow.prepared.view.candidates[0]
    long = f"https://example.org/{'b' * 400}"
    view.fields["second"] = long  # type: ignore[index]
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), Choose), timeout=PATIENCE)
    choose = QApplication.activeModalWidget()
    qtbot.waitUntil(choose.isActiveWindow, timeout=PATIENCE)
    assert choose.findChild(Scrolled).horizontalScrollBar().maximum() == 0
    qtbot.keyClick(QApplication.focusWidget(), "2")
    box = question(qtbot)
    assert box.asked.text().replace("\u200b", "") == long
    assert box.findChild(Scrolled).horizontalScrollBar().maximum() == 0
    assert "example.org" in box.more.text()
    box.reject()
    assert opened == []


def test_a_document_without_an_address_says_so(qtbot: QtBot, window: object, opened: list[str]) -> None:
    page = window.pages[0]  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: heard(window, "names no address"), timeout=PATIENCE)  # type: ignore[arg-type]
    assert QApplication.activeModalWidget() is None
    assert opened == []


TEXTS = st.one_of(
    st.text(max_size=30),
    st.builds(
        lambda scheme, rest: f"{scheme}:{rest}",
        st.sampled_from(["http", "https", "HTTP", "file", "javascript", "data", "ftp", "mailto", "smb"]),
        st.text("/ab.@:?#\u202e ", max_size=20),
    ),
)


@given(text=TEXTS)
@example("javascript:alert(1)//https://example.org")
@example("file:///etc/passwd")
@example("https://bank.example@evil.example/")
@example("https://")
@example("see https://example.org")
def test_nothing_but_http_and_https_is_ever_opened(text: str) -> None:
    found = address(text)
    if found is not None:
        shown = in_full(found)
        assert shown.startswith(("http://", "https://"))
        assert "@" not in shown.split("/")[2]
        assert shown.isascii()
        assert QUrl(shown) == found
    listed = addresses(CandidateView(1, "d", "document", "", fields={"a": text, "b": text}))
    assert listed == ([found] if found is not None else [])


@pytest.mark.parametrize(
    "text",
    ["https://example.org/a?b=c#d", " http://example.org ", "https://bücher.example/ä%20b"],
)
def test_what_people_call_an_address_is_one(text: str) -> None:
    assert address(text) is not None
