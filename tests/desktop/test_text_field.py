"""Fields for texts stay quick: what is too long to be laid out does not come in, and is kept where it is."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

import annotator.desktop
from annotator.desktop import text_field
from annotator.desktop.grade.offsets import to_units
from annotator.desktop.grade.wording_field import WordingField
from annotator.desktop.question import Ask
from annotator.desktop.rich_limits import RICH, editable
from annotator.desktop.style import SHOWN, label
from annotator.desktop.text_field import NOT_TAKEN, TOO_LONG, TextField

PIECES = st.sampled_from(("a", "b ", "😀", "\n", "é", "word " * 9))
TEXTS = st.lists(PIECES, max_size=9).map("".join)
PASTED = st.lists(PIECES, min_size=1, max_size=9).map("".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, PASTED, st.tuples(st.integers(0, 99), st.integers(0, 99)), st.sampled_from((3, 30, RICH)))
@example("a", "b", (0, 0), 1)
def test_what_is_pasted_comes_in_whole_or_not_at_all(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    before: str,
    pasted: str,
    chosen: tuple[int, int],
    room: int,
) -> None:
    told: list[str] = []
    monkeypatch.setattr(text_field, "editable", lambda text: len(text) <= room)
    monkeypatch.setattr(text_field.QToolTip, "showText", lambda _place, text, _field: told.append(text))
    field = TextField(None)  # type: ignore[arg-type]
    qtbot.addWidget(field)
    field.setPlainText(before)
    start, end = (min(one, len(before)) for one in sorted(chosen))
    cursor = field.textCursor()
    cursor.setPosition(to_units(before, start))
    cursor.setPosition(to_units(before, end), cursor.MoveMode.KeepAnchor)
    field.setTextCursor(cursor)
    mime = QMimeData()
    mime.setText(pasted)
    field.insertFromMimeData(mime)
    after = before[:start] + pasted + before[end:]
    fits = len(after) <= room
    assert field.text() == (after if fits else before)
    assert told == ([] if fits else [NOT_TAKEN])


ENDLESS = ["x" * 2_000_000, "Жअ" * 30_000, "a line\n" * 200_000, "words " * 20_000]


@pytest.mark.parametrize("text", ENDLESS, ids=["word", "two scripts", "lines", "line"])
def test_an_endless_text_is_shown_as_its_beginning_and_stays_what_it_is(qtbot: QtBot, text: str) -> None:
    assert not editable(text)
    kept: list[str] = []
    ask = Ask(None, "Note", "A note.", kept.append, text)  # type: ignore[arg-type]
    qtbot.addWidget(ask)
    ask.show()
    assert isinstance(ask.field, TextField)
    assert ask.field.isReadOnly()
    assert ask.field.toPlainText().startswith(text[:1_000])
    assert len(ask.field.toPlainText()) < 3_000
    assert any(TOO_LONG in one.text() for one in ask.findChildren(QLabel))
    next(one for one in ask.findChildren(QPushButton) if one.text() == "Keep").click()
    assert kept == [text.strip()]


def test_a_wording_field_looks_at_no_more_lines_than_it_has_room_for(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = QLabel()
    qtbot.addWidget(room)
    room.resize(300, 200)
    field = WordingField(room)
    looked: list[int] = []
    height = QPlainTextEdit.blockBoundingRect
    monkeypatch.setattr(
        WordingField, "blockBoundingRect", lambda field, block: looked.append(1) or height(field, block)
    )
    field.begin("a\n" * 50_000)
    assert len(looked) < 1_000
    assert field.height() == 200


def test_a_label_shows_the_beginning_of_an_endless_text(qtbot: QtBot) -> None:
    shown = label("x" * 2_000_000)
    qtbot.addWidget(shown)
    assert shown.text().startswith("x" * SHOWN + "… (the first 20,000 of 2,000,000 letters")
    shown.setText("y" * 2_000_000)
    assert len(shown.text()) < SHOWN + 100


def test_every_field_that_takes_lines_is_one_that_stays_quick(qapp: QApplication) -> None:
    folder = Path(annotator.desktop.__file__).parent
    plain = {
        str(path.relative_to(folder)): source.count("QPlainTextEdit(")
        for path in folder.rglob("*.py")
        if (source := path.read_text()).count("QPlainTextEdit(")
    }
    assert plain == {"crash.py": 1, "import_details.py": 1, "safety/export_dialog.py": 1}, "read only"
