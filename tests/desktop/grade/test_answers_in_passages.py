"""A predicted answer is shown in its passage, underlined where it stands."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.offsets import spans_in_units
from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.prepared import EXCERPT, answer_span, marked
from annotator.project import browse, samples
from annotator.project.project import Project
from annotator.project.views import CandidateView, Filters, QueryView
from tests.desktop.conftest import PATIENCE, OpenWindow

LONG = "word " * 500


@pytest.fixture
def heroes(tmp_path: Path) -> Path:
    """Return a copy of the superhero questions."""
    return samples.copied("superhero-qa", tmp_path / "heroes.annot")


def question(path: Path, query: str) -> QueryView:
    """Return a question of a project."""
    with Project.open(path, "Ada", read_only=True) as project:
        keys = {row.id: row.key for row in browse.query_rows(project, browse.query_keys(project, Filters()))}
        return browse.query(project, keys[query])


def test_the_mark_covers_the_answer_also_behind_an_emoji(heroes: Path) -> None:
    view = question(heroes, "q12-hulk-colour")
    one = next(one for one in view.candidates if one.text == "green 💚")
    shown = marked(view, one)
    ((start, end),) = shown.answer
    assert shown.text[start:end] == "green 💚"
    ((first, last),) = spans_in_units(shown.text, [(start, end)])
    assert last - first == len("green 💚") + 1, "Qt counts the emoji as two"


@pytest.mark.parametrize(("start", "expected"), [(0, "answer"), (1_000, "answer"), (2_500, "answer")])
def test_the_answer_is_marked_wherever_it_stands_in_a_long_passage(start: int, expected: str) -> None:
    passage = f"{LONG[:start]}answer{LONG[start:]}"
    end = start + len("answer")
    candidate = CandidateView(1, "a", "answer", "", text="answer", passage=passage, start=start, end=end)
    view = QueryView(1, "q", "?", (), "", {}, "", "", (), False, (candidate,), False)
    shown = marked(view, candidate)
    ((first, last),) = shown.answer
    assert shown.text[first:last] == expected
    assert len(shown.text) <= EXCERPT


def test_an_answer_without_a_place_is_not_marked() -> None:
    assert answer_span(CandidateView(1, "a", "answer", "", text="x", passage="x y"), 0, 3) == ()


def test_the_whole_passage_shows_the_answer_too(heroes: Path, open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window(heroes)
    page = window.pages[0]
    assert isinstance(page, GradePage)
    view = question(heroes, "q13-wakanda")
    page.show_query(view.key)
    qtbot.waitUntil(
        lambda: page.flow.prepared is not None and page.flow.prepared.view.id == "q13-wakanda",
        timeout=PATIENCE,
    )
    prepared = page.flow.prepared
    assert prepared is not None
    at = next(at for at, one in enumerate(prepared.view.candidates) if one.passage)
    while page.flow.position != at:
        before = page.flow.position
        qtbot.keyClick(page.parts.cards, Qt.Key.Key_Down)
        qtbot.waitUntil(lambda before=before: page.flow.position != before, timeout=PATIENCE)
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_Space)
    reader = page.parts.reader
    qtbot.waitUntil(lambda: page.parts.middle.currentWidget() is reader, timeout=PATIENCE)
    editor = reader.findChildren(QPlainTextEdit)[0]
    qtbot.waitUntil(lambda: bool(editor.extraSelections()), timeout=PATIENCE)
    underlined = [one.cursor.selectedText() for one in editor.extraSelections() if one.format.fontUnderline()]
    assert underlined == ["Wakanda"]
