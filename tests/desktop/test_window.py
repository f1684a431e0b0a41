"""The window as a whole: opening, refusing, importing, raising, themes, names for screen readers."""

import shutil
import tomllib
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSize, Qt, QUrl
from PySide6.QtGui import QDropEvent, QFileOpenEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from annotator.desktop import crash, display, instance, welcome
from annotator.desktop.annotator_dialog import AnnotatorDialog
from annotator.desktop.app import follow, make_window
from annotator.desktop.display import require_display
from annotator.desktop.grade.page import GradePage
from annotator.desktop.help import HelpDialog
from annotator.desktop.import_dialog import ImportDialog
from annotator.desktop.new_project import NewProjectDialog
from annotator.desktop.preferences import RecentProject, Settings
from annotator.desktop.program import Program
from annotator.desktop.project_settings import ProjectSettings
from annotator.desktop.style import Appearance
from annotator.desktop.welcome import Offer
from annotator.desktop.window import Window
from annotator.desktop.window_size import has_room
from annotator.errors import UserError
from annotator.places import place
from annotator.project import browse, samples, settings
from annotator.theme import DARK, LIGHT
from tests.desktop.conftest import PATIENCE, OpenWindow, heard, say_who

FIELDS = (QAbstractButton, QLineEdit, QComboBox, QPlainTextEdit, QTextEdit, QAbstractItemView)


def drop(window: Window, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    window.dropEvent(
        QDropEvent(
            QPointF(9, 9),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )


def test_the_first_window_offers_a_way_to_begin(open_window: OpenWindow) -> None:
    window = open_window()
    texts = [one.text() for one in window.welcome.findChildren(QAbstractButton)]
    assert any(text.startswith("New project from files") for text in texts)
    assert any(text.startswith("Open a project") for text in texts)


@pytest.mark.parametrize(
    ("width", "height", "room"),
    [(1280, 800, False), (1366, 768, False), (1280, 1024, False), (1440, 900, True), (1920, 1080, True)],
)
def test_the_window_fills_a_screen_that_has_no_room_for_it_and_its_frame(
    width: int, height: int, room: bool
) -> None:
    assert has_room(QSize(width, height)) == room


def test_the_first_window_says_what_each_sample_is(open_window: OpenWindow) -> None:
    window = open_window()
    texts = [one.text().split("\n", 1) for one in window.welcome.findChildren(QAbstractButton)]
    told = {title.removeprefix("Sample: "): hint for title, hint in texts if title.startswith("Sample: ")}
    assert told.keys() == {one.title for one in samples.listed()}
    for one in samples.listed():
        assert one.about.startswith(told[one.title].replace("\n", " ").rstrip("…"))


def test_the_keys_begin_at_the_project_opened_last_else_at_the_first_way(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    window = open_window()
    assert window.focusWidget().accessibleName() == "Take the tour"
    window.close()
    open_window(project_path).close()
    again = open_window()
    assert again.focusWidget().accessibleName() == "Heroes and rivers"
    buttons = again.welcome.findChildren(QAbstractButton)
    assert "Take the tour" not in [one.accessibleName() for one in buttons if one.isVisible()]
    with qtbot.waitSignal(again.project_opened, timeout=PATIENCE):
        qtbot.keyClick(again.focusWidget(), Qt.Key.Key_Return)


def test_tab_reaches_every_way_to_begin_wherever_the_keys_begin(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path
) -> None:
    for path in (None, project_path):
        window = open_window(path)
        window.close_project()
        window.show_welcome()
        ways = [one for one in window.welcome.findChildren(QPushButton) if one.isVisible()]
        reached = [window.focusWidget()]
        for _ in range(2 * len(ways)):
            qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
            reached.append(window.focusWidget())
        assert {one.accessibleName() for one in ways} <= {one.accessibleName() for one in reached}


def test_a_project_that_is_dropped_opens_and_takes_what_is_dropped_with_it(
    qtbot: QtBot, open_window: OpenWindow, project_path: Path, tmp_path: Path
) -> None:
    run = tmp_path / "third.run"
    run.write_text("q1 Q0 d1-1 1 9 third\n")
    project = project_path.rename(tmp_path / "LOUD.ANNOT")
    window = open_window()
    drop(window, project, run, project.with_name("other.annot"))
    assert window.session is None
    assert "one project" in window.statusBar().currentMessage()
    with qtbot.waitSignal(window.project_opened, timeout=PATIENCE):
        drop(window, run, project)
    assert window.session.path == project.resolve()
    assert Settings().recent() == [project.resolve()]
    assert [one.path for one in window.findChild(ImportDialog).pane.files] == [run]
    window.findChild(ImportDialog).reject()


def test_a_file_that_is_no_project_is_refused_in_words(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    path = tmp_path / "letter.annot"
    path.write_text("Dear reader")
    window = open_window()
    window.open_project(path)
    qtbot.waitUntil(lambda: bool(window.welcome.error()), timeout=PATIENCE)
    assert "letter.annot" in window.welcome.error() or "project" in window.welcome.error()
    assert window.stack.currentWidget() is window.welcome


def test_data_files_dropped_on_an_open_project_are_looked_at_first(
    qtbot: QtBot, window: Window, page: GradePage, tmp_path: Path
) -> None:
    run = tmp_path / "third.run"
    run.write_text("q1 Q0 d1-1 1 9 third\n")
    drop(window, run)
    dialog = window.findChild(ImportDialog)
    qtbot.waitUntil(dialog.run.isEnabled, timeout=PATIENCE)
    assert dialog.pane.table.item(0, 0).text() == "third.run"
    assert len(browse.contents(page.project).systems) == 2
    dialog.run.click()
    qtbot.waitUntil(lambda: len(browse.contents(page.project).systems) == 3, timeout=PATIENCE)
    qtbot.waitUntil(lambda: page.flow.ready, timeout=PATIENCE)


def test_a_file_that_cannot_be_taken_is_refused_with_its_lines(
    qtbot: QtBot, window: Window, page: GradePage, tmp_path: Path
) -> None:
    run = tmp_path / "broken.run"
    run.write_text("q1 Q0 d1-1 1 9 third\nq1 Q0 d1-2 2 nonsense third\n")
    drop(window, run)
    dialog = window.findChild(ImportDialog)
    qtbot.waitUntil(lambda: "Nothing is imported" in dialog.said.text(), timeout=PATIENCE)
    assert dialog.details.first.text().startswith("broken.run:2")
    assert not dialog.run.isEnabled()
    dialog.reject()


def test_a_new_project_is_made_where_the_user_says(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    run = tmp_path / "sys.run"
    run.write_text("q1 Q0 d1 1 9 sys\n")
    window = open_window()
    drop(window, run)
    dialog = window.findChild(NewProjectDialog)
    qtbot.keyClicks(dialog.name, "Rivers")  # takes the place of the name that is offered
    dialog.place.setText(str(tmp_path / "rivers.annot"))
    with qtbot.waitSignal(window.project_opened, timeout=PATIENCE):
        dialog._accept()
    imports = window.findChild(ImportDialog)
    qtbot.waitUntil(imports.run.isEnabled, timeout=PATIENCE)
    imports.run.click()
    project = window.session.project
    qtbot.waitUntil(lambda: browse.contents(project).queries == 1, timeout=PATIENCE)
    assert settings.value_of(project, "name") == "Rivers"
    parts = window.pages[0].parts
    qtbot.waitUntil(lambda: window.pages[0].flow.ready, timeout=PATIENCE)
    qtbot.waitUntil(lambda: parts.list.model().index(0, 0).data() == "q1", timeout=PATIENCE)
    assert parts.head._text.text() == "q1", "a query that came without text is called by its id"


def test_files_for_a_new_project_are_looked_at_once_it_is_said_who_grades(
    qtbot: QtBot, open_window: OpenWindow, tmp_path: Path
) -> None:
    run = tmp_path / "sys.run"
    run.write_text("q1 Q0 d1 1 9 sys\n")
    window = open_window(annotator="")
    drop(window, run)
    dialog = window.findChild(NewProjectDialog)
    dialog.place.setText(str(tmp_path / "rivers.annot"))
    dialog._accept()
    qtbot.waitUntil(lambda: window.findChild(AnnotatorDialog) is not None, timeout=PATIENCE)
    assert window.findChild(ImportDialog) is None
    window.findChild(AnnotatorDialog).reject()
    qtbot.waitUntil(lambda: window.findChild(ImportDialog) is not None, timeout=PATIENCE)
    assert [one.path for one in window.findChild(ImportDialog).pane.files] == [run]
    window.findChild(ImportDialog).reject()


@pytest.mark.qt_log_ignore("does not support raise", extend=True)
def test_a_second_start_brings_the_open_window_to_the_front(
    qtbot: QtBot, window: Window, project_path: Path
) -> None:
    rung = []
    window.session.rung.connect(lambda: rung.append(True))
    assert instance.raise_other(project_path)
    qtbot.waitUntil(lambda: bool(rung), timeout=PATIENCE)
    path = window.session.path
    window.close()
    assert not instance.raise_other(path)


@pytest.mark.qt_log_ignore("does not support raise", extend=True)
@pytest.mark.parametrize("seen", [True, False], ids=["while it starts", "when the file is taken"])
def test_a_second_start_gives_way_to_one_that_was_a_little_quicker(
    qtbot: QtBot,
    qapp: Program,
    window: Window,
    project_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seen: bool,
) -> None:
    answers, raise_other = iter([seen]), instance.raise_other
    monkeypatch.setattr(instance, "raise_other", lambda path: next(answers, True) and raise_other(path))
    second = make_window(qapp, project_path)
    qtbot.addWidget(second)
    with qtbot.waitSignal(window.session.rung, timeout=PATIENCE):
        second.show()
    qtbot.waitUntil(lambda: not second.isVisible(), timeout=PATIENCE)
    assert window.session.project is not None


@pytest.mark.qt_log_ignore("does not support raise", extend=True)
def test_a_file_that_the_desktop_hands_over_is_opened_once_no_dialog_asks(
    qtbot: QtBot, qapp: Program, window: Window, tmp_path: Path
) -> None:
    follow(qapp, window)
    other = samples.copied("site-search", tmp_path / "the town.annot")
    window.commands["help"].trigger()
    qtbot.waitUntil(lambda: window.findChild(HelpDialog) is not None, timeout=PATIENCE)
    QApplication.postEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(other))))
    qtbot.waitUntil(lambda: heard(window, "then open the town.annot again"), timeout=PATIENCE)
    assert window.session.path.name == "project.annot"
    window.findChild(HelpDialog).reject()
    with qtbot.waitSignal(window.project_opened, timeout=PATIENCE):
        QApplication.postEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(other))))
    assert window.session.path == other
    say_who(qtbot, window)


def test_the_project_settings_change_the_words_on_the_buttons(
    qtbot: QtBot, window: Window, page: GradePage
) -> None:
    window.commands["project_settings"].trigger()
    qtbot.waitUntil(lambda: window.findChild(ProjectSettings) is not None, timeout=PATIENCE)
    dialog = window.findChild(ProjectSettings)
    dialog.meanings[5].setText("Exactly it")
    dialog._keep()
    qtbot.waitUntil(
        lambda: page.flow.ready and "Exactly it" in page.parts.cards.card(0).button(5).accessibleName(),
        timeout=PATIENCE,
    )
    menu = page.parts.filter_bar._menu
    menu.aboutToShow.emit()
    [grade] = [one for one in menu.actions() if one.text() == "Grade"]
    assert "5 · Exactly it" in [one.text() for one in grade.menu().actions()]


def test_the_theme_follows_the_system_until_the_user_chooses(qapp: QApplication) -> None:
    dark = True
    appearance = Appearance(qapp, "system", 100, lambda: dark)
    assert appearance.theme is DARK
    dark = False
    appearance.apply()
    assert appearance.theme is LIGHT
    appearance.choose("dark")
    assert appearance.theme is DARK
    appearance.deleteLater()


@pytest.mark.parametrize("percent", [100, 200])
def test_every_control_has_a_name_for_screen_readers(
    qtbot: QtBot, window: Window, page: GradePage, percent: int
) -> None:
    window.appearance.choose(percent=percent)
    unnamed = [
        describe(one)
        for one in window.findChildren(QWidget)
        if isinstance(one, FIELDS) and one.isVisible() and not named(one)
    ]
    assert unnamed == []
    window.appearance.choose(percent=100)


def named(control: QWidget) -> bool:
    from PySide6.QtGui import QAccessible

    seen = QAccessible.queryAccessibleInterface(control)
    return bool(control.accessibleName() or (seen is not None and seen.text(QAccessible.Text.Name)))


def describe(control: QWidget) -> str:
    return f"{type(control).__name__} in {type(control.parent()).__name__} {control.objectName()}"


def test_without_a_display_the_words_say_what_works() -> None:
    with pytest.raises(UserError, match="no display"):
        require_display({}, "linux")
    require_display({"QT_QPA_PLATFORM": "offscreen"}, "linux")
    require_display({}, "darwin")


def test_the_packages_of_missing_libraries_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "loads", lambda name: name not in ("libGL.so.1", "libxcb-shape.so.0"))
    with pytest.raises(UserError, match="recommends libxcb-shape0"):
        require_display({"DISPLAY": ":0"}, "linux")
    monkeypatch.setattr(display, "qt_loads", lambda: False)
    with pytest.raises(UserError, match="recommends libgl1 libxcb-shape0"):
        require_display({"DISPLAY": ":0"}, "linux")
    with pytest.raises(UserError, match=r"recommends libgl1$"):
        require_display({"QT_QPA_PLATFORM": "offscreen"}, "linux")


def test_the_samples_are_called_what_their_files_say() -> None:
    heads = [
        (path.parent.name, tomllib.loads(path.read_text("utf-8")))
        for path in sorted(place("sample_projects").glob("*/project.toml"))
    ]
    assert heads
    assert welcome.samples() == [(folder, head["name"], head["about"]) for folder, head in heads]


def test_a_fault_is_shown_with_versions() -> None:
    text = crash.report(ValueError("boom"))
    assert "ValueError: boom" in text
    assert "Annotator" in text.splitlines()[0]
    assert "Qt" in text.splitlines()[0]


def test_what_was_said_goes_with_the_next_grade_and_with_the_page(
    qtbot: QtBot, window: Window, page: GradePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    bar = window.statusBar()
    window.say("Something that takes a while to read")
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_4)
    qtbot.waitUntil(lambda: page.flow.position == 1 and page.flow.ready, timeout=PATIENCE)
    assert bar.currentMessage() == "Something that takes a while to read", "nobody has read it yet"
    monkeypatch.setattr("annotator.desktop.window.READ_MS", 0)
    qtbot.keyClick(page.parts.cards, Qt.Key.Key_4)
    qtbot.waitUntil(lambda: not bar.currentMessage(), timeout=PATIENCE)
    assert window.keys.isVisible()
    window.say("Written")
    window.stack.show_page(1)
    assert not bar.currentMessage()
    window.say("On this page")
    window.stack.show_page(1)
    assert bar.currentMessage() == "On this page"


@pytest.mark.parametrize("percent", [100, 150])
def test_what_is_said_and_the_keys_begin_where_the_page_does(
    qtbot: QtBot, window: Window, page: GradePage, percent: int
) -> None:
    window.appearance.choose("light", percent)
    window.statusBar().clearMessage()
    parts = (window.header._name, page.parts.filter_bar._progress, window.keys)
    edges: set[int] = set()

    def aligned() -> bool:
        edges.clear()
        edges.update(one.mapTo(window, QPoint()).x() for one in parts)
        return len(edges) == 1

    qtbot.waitUntil(aligned, timeout=PATIENCE)
    (left,) = edges
    window.say("|")
    image = window.statusBar().grab().toImage()
    ground = image.pixel(2, image.height() // 2)
    inked = [at for at in range(image.width()) if image.pixel(at, image.height() // 2) != ground]
    assert left <= inked[0] <= left + 6 * percent // 100
    window.appearance.choose("light", 100)


def test_while_another_project_opens_nothing_of_the_one_before_is_in_sight(
    qtbot: QtBot, window: Window, page: GradePage, project_path: Path
) -> None:
    other = Path(shutil.copy(project_path, project_path.with_name("other.annot")))
    parts = (window.header.part.annotator, window.header.part.search, window.bar, window.keys)
    window.statusBar().clearMessage()
    assert all(one.isVisible() for one in parts)
    with qtbot.waitSignal(window.project_opened, timeout=PATIENCE):
        window.open_project(other)
        assert window.header.name == "Annotator"
        assert not any(one.isVisible() for one in parts)
        assert not any(window.commands[name].isEnabled() for name in ("grade_3", "undo", "page_2"))
    assert window.header.name == "Heroes and rivers"
    assert all(one.isVisible() for one in parts[:3])
    assert window.commands["grade_3"].isEnabled()


def test_the_report_is_in_front_where_scores_are_and_stands_back_where_one_grades(
    window: Window, page: GradePage
) -> None:
    part = window.header.part
    assert part is not None
    assert part.export.property("kind") == ""
    window.stack.show_page(1)
    assert part.export.property("kind") == "primary"
    window.stack.show_page(0)
    assert part.export.property("kind") == ""
    assert part.annotator.text() == "ann"
    assert part.annotator.accessibleName() == "Annotator: ann"


def test_a_recent_project_is_listed_with_its_name_how_far_one_is_and_when(
    qtbot: QtBot, open_window: OpenWindow, window: Window, page: GradePage
) -> None:
    path = window.session.path
    qtbot.waitUntil(lambda: page.tally.of(own_queue=False)[1] == 18, timeout=PATIENCE)
    for position in (1, 2):
        qtbot.keyClick(page.parts.cards, Qt.Key.Key_4)
        qtbot.waitUntil(lambda at=position: page.flow.position == at and page.flow.ready, timeout=PATIENCE)
    window.commands["close_project"].trigger()
    [shown] = [one for one in window.welcome.findChildren(QAbstractButton) if one.toolTip() == str(path)]
    assert shown.accessibleName() == "Heroes and rivers"
    assert shown.accessibleDescription() == f"2 of 18 done  ·  today  ·  {path.parent}"


def test_recent_projects_of_one_name_are_told_apart_by_their_files(open_window: OpenWindow) -> None:
    names = {"town": "Town", "copy": "Town", "other": "Other"}
    listed = open_window().welcome
    listed.show_recent(
        [RecentProject(Path(f"/x/{file}.annot"), name, 0, 0, "") for file, name in names.items()]
    )
    told = [one.accessibleDescription() for one in listed.findChildren(Offer) if "/x" in one.toolTip()]
    assert [one for one in told if one.startswith("/x")] == ["/x/town.annot", "/x/copy.annot", "/x"]


def test_long_names_of_recent_projects_are_told_apart_by_what_differs(open_window: OpenWindow) -> None:
    listed, name = open_window().welcome, f"dense retriever, {'distilled, ' * 20}epoch"
    listed.show_recent([RecentProject(Path(f"/x/{at}.annot"), f"{name} {at}", 0, 0, "") for at in (1, 2)])
    offers = [offer for offer in listed.findChildren(Offer) if "/x" in offer.toolTip()]
    for offer in offers:
        offer.resize(300, 50)
    one, other = (offer.grab().toImage() for offer in offers)
    assert one != other


def test_a_place_that_has_no_room_beside_what_is_done_has_a_line_of_its_own(open_window: OpenWindow) -> None:
    listed, far = open_window().welcome, Path("/x") / ("far" * 90) / "end"
    listed.show_recent([RecentProject(far / "town.annot", "Town", 1, 2, "2026-01-01")])
    [offer] = [one for one in listed.findChildren(Offer) if one.toolTip().startswith("/x")]
    *said, where = offer._lines
    assert said == ["Town", "1 of 2 done · 2026-01-01"]
    assert where.startswith("/x/far")
    assert where.endswith("far/end")
    assert len(where) < len(str(far))


@given(days=st.integers(-3, 400))
def test_a_day_is_said_as_people_say_it_and_never_wrongly(days: int) -> None:
    today = date(2026, 11, 24)
    said = welcome.ago((today - timedelta(days)).isoformat(), today)
    if days in (0, 1):
        assert said == ("today", "yesterday")[days]
    elif 1 < days <= 30:
        assert said == f"{days} days ago"
    else:
        assert said == f"{today - timedelta(days)}"


def test_a_sample_is_described_in_whole_sentences(open_window: OpenWindow) -> None:
    window = open_window()
    window.resize(1280, 800)
    named = [one for one in window.welcome.findChildren(QAbstractButton) if one.text().startswith("Sample")]
    assert len(named) == 4
    for one in named:
        words = " ".join(one.text().split("\n")[1:])
        assert words.endswith(".")
        assert "…" not in words
