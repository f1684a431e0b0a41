"""Gold answers by keyboard, with a preview of what is compared."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.gold_editor import GoldEditor
from annotator.desktop.grade.wording_field import WordingField
from annotator.project.views import CandidateView, QueryView
from annotator.records import GoldAnswer, GoldList

VIEW = QueryView(
    key=1,
    id="q1",
    text="Which city?",
    tags=(),
    guidelines="",
    fields={},
    note="",
    difficulty="",
    gold=(GoldAnswer("New York", ("NYC",)), GoldAnswer("Boston")),
    unanswerable=False,
    candidates=tuple(
        CandidateView(number, f"a{number}", "answer", "", text=text)
        for number, text in enumerate(("the new york!", "New York City", "Paris"))
    ),
    revealed=False,
)


@pytest.fixture
def editor(qtbot: QtBot) -> GoldEditor:
    editor = GoldEditor(None)  # type: ignore[arg-type]
    qtbot.addWidget(editor)
    editor.show_query(VIEW)
    editor.show()
    return editor


@pytest.fixture
def wanted(editor: GoldEditor) -> list[GoldList]:
    wishes: list[GoldList] = []
    editor.gold_wanted.connect(wishes.append)
    return wishes


def test_a_typed_answer_is_added_behind(qtbot: QtBot, editor: GoldEditor, wanted: list[GoldList]) -> None:
    qtbot.keyClicks(editor.line, " Chicago ")
    qtbot.keyClick(editor.line, Qt.Key.Key_Return)
    assert wanted == [GoldList("q1", (*VIEW.gold, GoldAnswer("Chicago")))]


def test_a_wording_that_is_there_is_not_added_again(
    qtbot: QtBot, editor: GoldEditor, wanted: list[GoldList]
) -> None:
    qtbot.keyClicks(editor.line, "NYC")
    qtbot.keyClick(editor.line, Qt.Key.Key_Return)
    assert wanted == [GoldList("q1", VIEW.gold)]


def test_alt_and_arrows_reorder(qtbot: QtBot, editor: GoldEditor, wanted: list[GoldList]) -> None:
    editor.tree.setCurrentItem(editor.tree.topLevelItem(1))
    qtbot.keyClick(editor.tree, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert wanted == [GoldList("q1", (VIEW.gold[1], VIEW.gold[0]))]


def test_answers_have_room_in_a_low_panel_and_without_any_nothing_is_offered_for_them(
    qtbot: QtBot, editor: GoldEditor
) -> None:
    editor.resize(260, 120)
    assert editor.height() == 120
    assert editor.tree.height() >= editor.tree.sizeHint().height()
    assert editor._wording.isVisibleTo(editor)
    editor.show_nothing()
    assert not editor._wording.isVisibleTo(editor)
    assert not editor._hint.isVisibleTo(editor)


def test_del_removes_an_answer_or_a_wording(qtbot: QtBot, editor: GoldEditor, wanted: list[GoldList]) -> None:
    editor.tree.setCurrentItem(editor.tree.topLevelItem(0).child(0))
    qtbot.keyClick(editor.tree, Qt.Key.Key_Delete)
    editor.tree.setCurrentItem(editor.tree.topLevelItem(1))
    qtbot.keyClick(editor.tree, Qt.Key.Key_Delete)
    assert [one.answers for one in wanted] == [
        (GoldAnswer("New York"), GoldAnswer("Boston")),
        (GoldAnswer("New York"),),
    ]


def test_del_after_adding_a_wording_removes_that_wording_not_an_answer(
    qtbot: QtBot, editor: GoldEditor, wanted: list[GoldList]
) -> None:
    """What was stored is shown anew with the cursor on the line it was on."""
    editor.gold_wanted.connect(lambda gold: editor.show_query(replace(VIEW, gold=gold.answers)))
    editor.tree.setCurrentItem(editor.tree.topLevelItem(1))
    editor.tree.setFocus()
    qtbot.mouseClick(editor._wording, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(editor.tree.findChild(WordingField), "Beantown")
    qtbot.keyClick(editor.tree.findChild(WordingField), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(wanted) == 1, timeout=20_000)
    assert wanted[-1].answers == (VIEW.gold[0], GoldAnswer("Boston", ("Beantown",)))
    qtbot.waitUntil(lambda: not editor.tree.findChildren(WordingField), timeout=20_000)
    qtbot.keyClick(editor.tree, Qt.Key.Key_Delete)
    assert wanted[-1].answers == VIEW.gold


def test_esc_leaves_no_empty_wording(qtbot: QtBot, editor: GoldEditor, wanted: list[GoldList]) -> None:
    qtbot.mouseClick(editor._wording, Qt.MouseButton.LeftButton)
    qtbot.keyClick(editor.tree.findChild(WordingField), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: editor.tree.topLevelItem(0).childCount() == 1, timeout=20_000)
    assert wanted == []


def test_what_came_while_a_line_was_reworded_is_shown_after(qtbot: QtBot, editor: GoldEditor) -> None:
    editor.tree.editItem(editor.tree.topLevelItem(0))
    editor.show_query(replace(VIEW, gold=(*VIEW.gold, GoldAnswer("Lima"))))
    assert editor.tree.topLevelItemCount() == 2
    qtbot.keyClick(editor.tree.findChild(WordingField), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: editor.tree.topLevelItemCount() == 3, timeout=20_000)


def test_an_answer_is_reworded_in_place_and_loses_its_span(
    qtbot: QtBot, editor: GoldEditor, wanted: list[GoldList]
) -> None:
    spanned = GoldAnswer("Rome", (), "d1", 3, 7)
    editor.show_query(QueryView(**{**fields_of(VIEW), "key": 2, "gold": (spanned,)}))
    editor.tree.topLevelItem(0).setText(0, "Roma")
    assert wanted[-1].answers == (GoldAnswer("Roma"),)


def test_the_preview_shows_the_tokens_that_em_and_f1_compare(qtbot: QtBot, editor: GoldEditor) -> None:
    qtbot.keyClicks(editor.line, "The U.S. of A.!")
    assert "EM and F1 compare: us | of" in [one.text() for one in editor.findChildren(QLabel)]


def test_the_preview_names_the_predictions_that_match(editor: GoldEditor) -> None:
    texts = [one.text() for one in editor.findChildren(QLabel)]
    assert "1 of 3 predictions match: “the new york!”" in texts


def test_of_predictions_for_what_has_no_answer_it_is_said_what_is_right(editor: GoldEditor) -> None:
    for changes, said in (
        ({"gold": ()}, ""),
        ({"gold": (), "unanswerable": True}, "0 of 3 predictions are empty"),
    ):
        editor.show_query(replace(VIEW, **changes))
        texts = " ".join(one.text() for one in editor.findChildren(QLabel))
        assert said in texts
        assert "match" not in texts
        assert editor.tree.isHidden() == ("unanswerable" in changes), "nothing can stand in it"


def test_near_misses_are_offered_as_wordings(editor: GoldEditor, wanted: list[GoldList]) -> None:
    editor.tree.setCurrentItem(editor.tree.topLevelItem(0))
    offer = next(one for one in editor.findChildren(QPushButton) if one.text() == "+ New York City")
    offer.click()
    assert wanted[-1].answers[0] == GoldAnswer("New York", ("NYC", "New York City"))


def test_the_box_asks_for_the_mark_and_shows_it_once_it_is_there(
    editor: GoldEditor, wanted: list[GoldList]
) -> None:
    asked: list[bool] = []
    editor.unanswerable_wanted.connect(lambda: asked.append(True))
    editor.unanswerable.click()
    assert (asked, wanted, editor.unanswerable.isChecked()) == ([True], [], False)
    editor.show_query(replace(VIEW, gold=(), unanswerable=True))
    assert editor.unanswerable.isChecked()
    editor.start_typing()
    assert editor.focusWidget() is editor.unanswerable, "no key is lost in a field that takes none"


def fields_of(view: QueryView) -> dict[str, object]:
    return {name: getattr(view, name) for name in view.__dataclass_fields__}


def test_a_key_held_down_removes_one_line(editor: GoldEditor, wanted: list[GoldList]) -> None:
    editor.tree.setCurrentItem(editor.tree.topLevelItem(0))
    for again in (False, True, True):
        none = Qt.KeyboardModifier.NoModifier
        event = QKeyEvent(QKeyEvent.Type.KeyPress, Qt.Key.Key_Delete, none, "", again)
        QApplication.sendEvent(editor.tree, event)
    assert [one.answers for one in wanted] == [(GoldAnswer("Boston"),)]


@pytest.mark.parametrize("text", ["", "  ", "New York"])
def test_a_name_that_it_cannot_have_leaves_an_answer_as_it_was(
    qtbot: QtBot, editor: GoldEditor, wanted: list[GoldList], text: str
) -> None:
    editor.tree.topLevelItem(1).setText(0, text)
    assert wanted == []
    qtbot.waitUntil(lambda: editor.tree.topLevelItem(1).text(0) == "Boston", timeout=20_000)


def test_the_keys_stay_with_the_offers_else_go_to_the_list(qtbot: QtBot, editor: GoldEditor) -> None:
    editor.activateWindow()
    offer = next(one for one in editor.findChildren(QPushButton) if one.text() == "+ New York City")
    offer.setFocus()
    qtbot.waitUntil(offer.hasFocus, timeout=20_000)
    editor.show_query(replace(VIEW, gold=(GoldAnswer("New York", ("NYC", "New York City")),)))
    qtbot.waitUntil(editor.tree.hasFocus, timeout=20_000)


@pytest.mark.parametrize(
    "text",
    [
        "Boston",
        "gypsum " * 30,
        "first line\nsecond line\nthird",
        "x" * 300,
        "ünïcode 日本語のとても長い答え" * 8,
    ],
)
def test_a_line_is_reworded_with_its_whole_text_in_sight(
    qtbot: QtBot, editor: GoldEditor, wanted: list[GoldList], text: str
) -> None:
    editor.resize(600, 700)
    editor.show_query(replace(VIEW, gold=(GoldAnswer(text.strip()), *VIEW.gold)))
    editor.tree.setFocus()
    editor.tree.setCurrentItem(editor.tree.topLevelItem(0))
    qtbot.keyClick(editor.tree, Qt.Key.Key_Return)
    field = editor.tree.findChild(WordingField)
    last = QTextCursor(field.document())
    last.movePosition(QTextCursor.MoveOperation.End)
    assert field.toPlainText() == text.strip()
    qtbot.waitUntil(lambda: field.viewport().rect().contains(field.cursorRect(last)), timeout=20_000)
    assert field.verticalScrollBar().value() == 0, "and its beginning"
    editor.resize(320, 700)
    qtbot.waitUntil(lambda: field.width() < 320, timeout=20_000)
    qtbot.waitUntil(lambda: field.viewport().rect().contains(field.cursorRect(last)), timeout=20_000)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not editor.tree.findChildren(WordingField), timeout=20_000)
    assert wanted == [], "nothing was changed"


def test_a_wording_may_have_lines_and_grows_with_them(
    qtbot: QtBot, editor: GoldEditor, wanted: list[GoldList]
) -> None:
    editor.tree.setCurrentItem(editor.tree.topLevelItem(1))
    editor.tree.editItem(editor.tree.topLevelItem(1))
    field = editor.tree.findChild(WordingField)
    before = field.height()
    qtbot.keyClicks(field, "Boston")
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(field, "Massachusetts")
    taller = before + field.fontMetrics().height() // 2
    qtbot.waitUntil(lambda: field.height() >= taller, timeout=20_000)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert wanted[-1].answers == (VIEW.gold[0], GoldAnswer("Boston\nMassachusetts"))


def test_a_long_answer_is_shown_whole_in_the_list(qtbot: QtBot, editor: GoldEditor) -> None:
    editor.resize(320, 700)
    editor.show_query(replace(VIEW, gold=(GoldAnswer("gypsum and salt " * 12), *VIEW.gold)))
    QApplication.processEvents()
    tree = editor.tree
    heights = [tree.visualItemRect(tree.topLevelItem(at)).height() for at in range(2)]
    assert heights[0] >= 4 * tree.fontMetrics().height()
    assert heights[1] < 2 * tree.fontMetrics().lineSpacing() + 16
