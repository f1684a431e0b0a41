"""A predicted answer is shown in its passage, underlined where it stands."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextBrowser
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.full_text import Reader
from annotator.desktop.grade.offsets import spans_in_units
from annotator.desktop.grade.page import GradePage
from annotator.desktop.grade.prepared import EXCERPT, answer_places, marked, named
from annotator.project import browse, data_import, samples
from annotator.project.data_import import ImportChoices
from annotator.project.project import Project
from annotator.project.views import EMPTY_ANSWER, CandidateView, Filters, QueryView
from annotator.records import PARAGRAPH, Answer, Dataset, Document, GoldAnswer, GoldList, Query
from annotator.theme import LIGHT
from tests.desktop.conftest import PATIENCE, OpenWindow
from tests.project.conftest import add

LONG = "word " * 500
AROUND = st.builds(str.__mul__, st.text("ab .\n", min_size=1, max_size=20), st.integers(0, 60))


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


def answer(text: str, passage: str, start: int | None = None) -> CandidateView:
    """Return a predicted answer in a passage, with its place where one is given."""
    end = None if start is None else start + len(text)
    return CandidateView(1, "a", "answer", "", text=text, passage=passage, start=start, end=end)


def asked(one: CandidateView) -> QueryView:
    """Return a question with an answer."""
    return QueryView(1, "q", "?", (), "", {}, "", "", (), False, (one,), False)


@settings(deadline=None)
@given(
    before=AROUND,
    text=st.text("xyz", min_size=1, max_size=60),
    after=AROUND,
)
def test_an_answer_is_marked_wherever_it_stands(before: str, text: str, after: str) -> None:
    for passage, start in ((before + text + after, len(before)), (f"{before} {text} {after}", None)):
        one = answer(text, passage, start)
        shown = marked(asked(one), one)
        ((first, last),) = shown.answer
        assert shown.text[first:last] == text
        assert (shown.source(first), shown.source(last)) == answer_places(one)[0]
        assert len(shown.text) <= EXCERPT + len("… ") + len(" …")


def test_all_places_of_an_answer_are_marked_where_the_import_names_none() -> None:
    one = answer("Bank", "A bank, and the bank of a river; no banking.")
    shown = marked(asked(one), one)
    assert [shown.text[start:end] for start, end in shown.answer] == ["bank", "bank"]
    assert marked(asked(one), replace(one, text="x")).answer == ()


def test_an_answer_longer_than_a_card_is_marked_as_far_as_it_is_shown() -> None:
    text = "word " * (EXCERPT // 2)
    one = answer(text, f"Before it. {text} And after.", len("Before it. "))
    shown = marked(asked(one), one)
    ((first, last),) = shown.answer
    assert 0 <= first < last <= len(shown.text)
    assert set(shown.text[first:last].split()) == {"word"}
    assert last - first >= EXCERPT - len("word "), "all of the card is the answer"


PAGE = "<p>Ducks <b>swim</b>.</p><ul><li>Geese &amp; swans walk</li><li>Geese fly</li></ul>"


def test_a_passage_in_html_is_shown_in_its_words_with_the_answer_underlined(qtbot: QtBot) -> None:
    one = answer("geese swans", PAGE, None)
    shown = marked(asked(one), one)
    assert shown.text == "Ducks swim.\n• Geese & swans walk\n• Geese fly"
    assert [shown.text[start:end] for start, end in shown.answer] == ["Geese & swans"]
    assert shown.source(shown.answer[0][0]) is None, "tags stand between, so no place of it is known"
    reader = Reader(LIGHT, None)  # type: ignore[arg-type]
    qtbot.addWidget(reader)
    reader.resize(600, 400)
    reader.show()
    reader.show_text(asked(one), one, PAGE, True)
    assert "<" not in reader.shown_text()
    editor = reader.findChild(QTextBrowser)
    lines = QTextCharFormat.UnderlineStyle.SingleUnderline

    def underlined() -> list[str]:
        made = editor.extraSelections()
        return [part.cursor.selectedText() for part in made if part.format.underlineStyle() == lines]

    qtbot.waitUntil(lambda: underlined() == ["Geese & swans"], timeout=PATIENCE)


@pytest.mark.parametrize("by", ["paragraph", "gold"])
def test_an_answer_is_shown_in_the_document_that_an_import_names(tmp_path: Path, by: str) -> None:
    text = "Ducks live on ponds.\n" + LONG * 20 + "Geese walk."
    with Project.create(tmp_path / "p.annot", "p") as project:
        query = Query("q", "Who walks?", fields={PARAGRAPH: "d"} if by == "paragraph" else {})
        gold = [GoldList("q", (GoldAnswer("Geese", (), "d"),))] if by == "gold" else []
        answers = [Answer("q", "geese"), Answer("q", "Ducks", "Ducks swim.", 0, 5)]
        add(project, Dataset([query], [Document("d", "Birds", text)], answers, gold))
        view = browse.query(project, browse.key_of(project, "q"))
    one, other = sorted(view.candidates, key=lambda one: one.text, reverse=True)
    assert one.passage == text
    assert [text[start:end] for start, end in answer_places(one)] == ["Geese"]
    assert other.passage == "Ducks swim.", "its own passage goes before"
    assert marked(view, one).text.endswith("Geese walk.")


def test_the_answers_of_squad_stand_in_their_paragraph(reference_data: Path, tmp_path: Path) -> None:
    files = ["answerable_subset_v1.1.json", "predictions_v1.1_logistic_regression.json"]
    with Project.create(tmp_path / "p.annot", "p") as project:
        paths = [reference_data / "squad" / name for name in files]
        data_import.run_import(project, data_import.plan_import(project, paths, ImportChoices()))
        shown = 0
        for key in browse.query_keys(project).tolist()[:200]:
            view = browse.query(project, key)
            for one in view.candidates:
                if one.kind == "answer" and one.text:
                    assert one.passage
                    shown += bool(marked(view, one).answer)
        assert shown


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
    qtbot.waitUntil(lambda: page.reading.on, timeout=PATIENCE)
    editor = reader.findChildren(QPlainTextEdit)[0]
    qtbot.waitUntil(lambda: bool(editor.extraSelections()), timeout=PATIENCE)
    underlined = [one.cursor.selectedText() for one in editor.extraSelections() if one.format.fontUnderline()]
    assert underlined == ["Wakanda"]


@pytest.mark.parametrize("text", ["", " \n", "Tony"])
def test_an_answer_is_called_by_its_words_and_one_without_any_as_on_its_card(text: str) -> None:
    assert named(CandidateView(7, "answer:3af", "answer", "", text=text)) == (text.strip() or EMPTY_ANSWER)
