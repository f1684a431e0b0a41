"""Fields for texts stay quick: what is too long to be laid out does not come in, and is kept where it is."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

import annotator.desktop
from annotator.desktop import line_field, text_field
from annotator.desktop.elided import elision
from annotator.desktop.grade.offsets import to_units
from annotator.desktop.grade.wording_field import WordingField
from annotator.desktop.line_field import LINE, LineField
from annotator.desktop.new_project import NewProjectDialog
from annotator.desktop.project_settings import ProjectSettings, settings_of
from annotator.desktop.question import Ask
from annotator.desktop.rich_limits import RICH, editable
from annotator.desktop.style import SHOWN, label
from annotator.desktop.text_field import NOT_TAKEN, TOO_LONG, TextField
from annotator.project.project import Project
from annotator.project.settings import set_setting

PIECES = st.sampled_from(("a", "b ", "😀", "\n", "é", "word " * 9))
ACTING = ("\0", "\x1b", "\x9b")
TEXTS = st.lists(PIECES, max_size=9).map("".join)
PASTED = st.lists(PIECES | st.sampled_from(ACTING), min_size=1, max_size=9).map("".join)


def blanked(text: str, signs: tuple[str, ...] = ACTING) -> str:
    """Return a text with blanks in the place of signs."""
    return "".join(" " if one in signs else one for one in text)


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
    monkeypatch.setattr(line_field.QToolTip, "showText", lambda _place, text, _field: told.append(text))
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
    after = before[:start] + blanked(pasted) + before[end:]
    fits = len(after) <= room
    assert field.text() == (after if fits else before)
    assert told == ([] if fits else [NOT_TAKEN])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, PASTED, st.tuples(st.integers(0, 99), st.integers(0, 99)), st.sampled_from((3, 30, LINE)))
@example("a", "x" * 40_000, (0, 1), LINE)
def test_what_is_pasted_into_a_line_comes_in_whole_with_blanks_between_its_lines_or_not_at_all(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    before: str,
    pasted: str,
    chosen: tuple[int, int],
    room: int,
) -> None:
    told: list[str] = []
    before = before.replace("\n", "")[:room]
    field = LineField(before, most=room)
    qtbot.addWidget(field)
    monkeypatch.setattr(line_field.QToolTip, "showText", lambda _place, text, _field: told.append(text))
    start, end = (min(one, len(before)) for one in sorted(chosen))
    field.setSelection(to_units(before, start), to_units(before, end) - to_units(before, start))
    QGuiApplication.clipboard().setText(pasted)
    field.setCursorPosition(to_units(before, end)) if start == end else None
    field.paste()
    after = before[:start] + blanked(pasted, (*ACTING, "\n")) + before[end:]
    fits = len(after) <= room
    assert field.text() == (after if fits else before)
    assert len(told) == (0 if fits else 1)


def test_a_line_keeps_what_it_cannot_show_until_it_is_changed(qtbot: QtBot) -> None:
    field = LineField("a\nb")
    qtbot.addWidget(field)
    assert field.text() == "a\nb"
    qtbot.keyClicks(field, "c")
    assert field.text() == "a bc"
    field.setText("x" * 40_000)
    assert field.isReadOnly()
    assert field.text() == "x" * 40_000


@pytest.mark.parametrize("words", ["the noise of bubbles ", "rooms/and/places", "\u05e9\u05dc\u05d5\u05dd "])
def test_a_line_without_room_is_marked_where_it_is_cut_until_one_writes_in_it(
    qtbot: QtBot, words: str
) -> None:
    field, other = LineField(words * 9), LineField()
    for one in (field, other):
        qtbot.addWidget(one)
        one.resize(200, 30)
    seen, metrics = field.grab().toImage(), field.fontMetrics()
    alike = set()
    for cut in {metrics.elidedText(words * 9, elision(words), room) for room in range(120, 200)}:
        other.setText(cut)
        alike |= {cut} if other.grab().toImage() == seen else set()
    assert {cut.count("…") for cut in alike} == {1}
    field.setText(words)
    assert field.grab().toImage() != seen


def test_project_settings_change_nothing_that_a_line_cannot_show(qtbot: QtBot, project_path: Path) -> None:
    with Project.open(project_path) as project:
        set_setting(project, "meanings", ["x" * 40_000] * 6)
        set_setting(project, "field_line", "{title}\n{url}")
        now, example = settings_of(project)
    dialog = ProjectSettings(now, example, None)  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    assert dialog.values() == now


@pytest.mark.parametrize("place", ["", "  ", "x" * 300, "x" * 9_000, "/"])
def test_a_new_project_is_not_made_where_no_file_can_be(qtbot: QtBot, place: str) -> None:
    dialog = NewProjectDialog([], None)  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    dialog.place.setText(place)
    dialog.name.textEdited.emit("A name")
    dialog.place.setText(place)
    next(one for one in dialog.findChildren(QPushButton) if one.isDefault()).click()


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


def test_every_field_that_is_written_in_is_one_that_stays_quick_and_cuts_nothing() -> None:
    folder = Path(annotator.desktop.__file__).parent
    made = re.compile(r"QPlainTextEdit\(|QLineEdit[()]|setEditable\(True|setMaxLength")
    plain = {
        str(path.relative_to(folder)): found
        for path in folder.rglob("*.py")
        if (found := [one for one in made.findall(path.read_text("utf-8")) if one != "QLineEdit)"])
    }
    read_only = {"crash.py", "import_details.py", "safety/export_dialog.py"}
    assert plain == {
        **{name: ["QPlainTextEdit("] for name in read_only},
        "line_field.py": ["setMaxLength", "setEditable(True"],
    }


def test_of_an_endless_paste_no_letter_is_looked_at(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    monkeypatch.setattr(line_field.QToolTip, "showText", lambda *_: None)
    for name in ("as_id", "editable"):
        monkeypatch.setattr(text_field, name, lambda text, **_: looked.append(len(text)) or text)
    field = TextField(None)  # type: ignore[arg-type]
    qtbot.addWidget(field)
    mime = QMimeData()
    mime.setText("\x01" * (RICH + 1))
    field.insertFromMimeData(mime)
    assert (field.text(), looked) == ("", [])
    mime.setText("\x01")
    field.insertFromMimeData(mime)
    assert looked == [1, 1], "what may fit is"
