"""What the lead decides for a project, with a preview of how documents' other fields are shown."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSpinBox
from pytestqt.qtbot import QtBot

from annotator.desktop.grade.page import GradePage
from annotator.desktop.history_dialog import cells
from annotator.desktop.project_settings import ProjectSettings
from annotator.project import data_import, samples, settings
from annotator.project.project import Project
from annotator.project.views import HistoryLine
from annotator.theme import STEPS
from tests.desktop.conftest import PATIENCE, OpenWindow


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path, qtbot: QtBot) -> GradePage:
    """The site search, whose documents have a url."""
    page = open_window(samples.copied("site-search", tmp_path / "site.annot")).pages[0]
    assert isinstance(page, GradePage)
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)
    return page


def dialog(page: GradePage, qtbot: QtBot) -> ProjectSettings:
    page.surroundings.actions["project_settings"].trigger()
    qtbot.waitUntil(lambda: page.window().findChild(ProjectSettings) is not None, timeout=PATIENCE)
    found = page.window().findChild(ProjectSettings)
    assert found is not None
    return found


def read(page: GradePage, qtbot: QtBot) -> list[str]:
    """Open the full text of the candidate in front and return the labels above it."""
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: page.reading.on, timeout=PATIENCE)
    shown = [one.text() for one in page.parts.reader.findChildren(QLabel) if one.isVisible()]
    return [text.replace("\u200b", "") for text in shown]  # an address breaks anywhere


def test_other_fields_are_shown_by_name_unless_the_lead_writes_a_line(qtbot: QtBot, page: GradePage) -> None:
    url = page.flow.prepared.view.candidates[page.flow.position].fields["url"]
    assert f"url: {url}" in read(page, qtbot)


def test_the_leads_line_is_previewed_and_then_shown_without_gaps(qtbot: QtBot, page: GradePage) -> None:
    settings = dialog(page, qtbot)
    assert "{id} {title} {url}" in settings.preview.text()
    settings.aspects.more.click()
    settings.aspects.lines[0].name.setText("Faithful")
    settings.name.setFocus()
    qtbot.keyClick(settings.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not settings.wrong.visibleRegion().isEmpty(), timeout=PATIENCE)
    assert "Faithful has 0 values" in settings.wrong.text(), "it stands in sight"
    settings.aspects.lines[0].name.clear()
    settings.field_line.setText("at {url} — {price} · <b>{title}</b>")
    shown = settings.preview.text().splitlines()[1]
    assert shown.startswith("Shown: at https://lindenbay.example/")
    assert "price" not in shown
    assert " — " not in shown
    assert shown.endswith("</b>"), "as it is, not as a format"
    qtbot.keyClick(settings.field_line, Qt.Key.Key_Return)
    page.window().activateWindow()  # as a window manager does when the dialog goes
    qtbot.waitUntil(page.window().isActiveWindow, timeout=PATIENCE)
    qtbot.waitUntil(lambda: page.parts.reader.field_line != "" and page.flow.ready, timeout=PATIENCE)
    candidate = page.flow.prepared.view.candidates[page.flow.position]
    assert f"at {candidate.fields['url']} · <b>{candidate.title}</b>" in read(page, qtbot)


def test_other_fields_stand_on_the_cards_by_the_leads_line(qtbot: QtBot, page: GradePage) -> None:
    url = page.flow.prepared.view.candidates[page.flow.position].fields["url"]
    card = page.parts.cards.card(page.flow.position)
    assert card.accessibleDescription().startswith(f"url: {url}\n")
    with_line = card.height()
    show_by(page, qtbot, "see {url}")
    card = page.parts.cards.card(page.flow.position)
    assert card.accessibleDescription().startswith(f"see {url}\n")
    assert card.height() == with_line
    show_by(page, qtbot, "{price}")
    card = page.parts.cards.card(page.flow.position)
    assert url not in card.accessibleDescription()
    assert card.height() < with_line


def show_by(page: GradePage, qtbot: QtBot, template: str) -> None:
    page.wishes.do(lambda project: settings.set_setting(project, "field_line", template))
    qtbot.waitUntil(lambda: page.parts.reader.field_line == template and page.flow.ready, timeout=PATIENCE)


def test_numbers_have_room_before_their_digits(qtbot: QtBot, page: GradePage) -> None:
    boxes = dialog(page, qtbot).findChildren(QSpinBox)
    assert len(boxes) == 3
    for box in boxes:
        box.lineEdit().setCursorPosition(0)
        assert box.lineEdit().cursorRect().center().x() >= STEPS[0]


def test_the_words_of_a_query_are_found_in_the_forms_of_the_projects_language(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    topics, run, documents = (tmp_path / name for name in ("queries.jsonl", "run.txt", "documents.jsonl"))
    topics.write_text('{"_id": "q1", "text": "Haus"}\n', encoding="utf-8")
    run.write_text("q1 Q0 d1 1 1.0 a\n", encoding="utf-8")
    documents.write_text('{"_id": "d1", "title": "", "text": "Drei Häuser am See"}\n', encoding="utf-8")
    path = tmp_path / "german.annot"
    with Project.create(path, "Haus", annotator="ann") as project:
        data_import.run_import(project, data_import.plan_import(project, [topics, run, documents]))
    page = open_window(path).pages[0]
    assert isinstance(page, GradePage)
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)
    assert page.flow.prepared.texts[0].words == ()
    settings = dialog(page, qtbot)
    assert settings.language.currentText() == "English"
    settings.language.setCurrentText("German")
    qtbot.keyClick(settings.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.flow.prepared.view.language == "de" and page.flow.ready, timeout=PATIENCE)
    assert page.flow.prepared.texts[0].words == ((5, 11),)


def test_the_history_says_of_judgments_alone_whether_they_were_blind() -> None:
    setting = HistoryLine(0, "ann", "setting", "setting pool depth: 7", None, blind=True)
    assert [cells(one)[-1] for one in (setting, replace(setting, query_id="q1"))] == ["", "yes"]
