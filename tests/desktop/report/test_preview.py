"""The preview of a report alone: where one reads, and how wide its figures are."""

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.desktop.report.preview import FIGURE, Preview, texts_of
from annotator.desktop.style import Appearance
from annotator.evaluation.result_table import Column, Table
from annotator.figures.sheet import Drawn
from annotator.reports.report import Figure, Report, Section
from annotator.theme import DARK, LIGHT, Theme
from tests.desktop.conftest import PATIENCE


def undrawn(theme: Theme) -> Drawn:
    raise AssertionError(theme)


def test_in_another_theme_and_a_narrower_column_one_reads_on_where_one_was(qtbot: QtBot) -> None:
    paragraphs = ("In a row of words one reads on where one was. " * 5,) * 20
    section = Section("means", "Means", paragraphs, figures=(Figure("intervals", "Means", undrawn),))
    report, drawn = (
        Report("Search", "Two systems", (section,)),
        QImage(FIGURE, 300, QImage.Format.Format_RGB32),
    )
    drawn.fill(0)
    preview = Preview(LIGHT)
    qtbot.addWidget(preview)
    preview.resize(FIGURE + 120, 400)
    preview.show()
    preview.show_report(report, {"intervals": drawn})
    bar = preview.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    seen = bar.value()
    preview.theme_changed(DARK)
    preview.show_report(report, {"intervals": drawn})
    assert seen > 0
    qtbot.waitUntil(lambda: bar.value() == seen, timeout=PATIENCE)
    with qtbot.waitSignal(preview.other_room, timeout=PATIENCE) as asked:
        preview.resize(FIGURE - 200, 400)
    (wide,) = asked.args
    assert FIGURE // 2 < wide < preview.viewport().width()
    assert f'width="{wide}"' in preview.toHtml(), "until then it is shown smaller"


def test_long_names_are_parted_at_their_marks_alone_and_copied_whole(
    qapp: QApplication, qtbot: QtBot
) -> None:
    Appearance(qapp, "light")  # whose letters are those of the program
    name = "/runs/predictions_v1.1_logistic_regression"
    columns = (Column("System", "text"), *(Column(f"{name} {number}") for number in range(4)))
    whole = "a_logisticregressions"  # has a piece longer than a line is at least
    table = Table.of_rows("means", "Means", columns, [(one, 0.5, 0.5, 0.5, 0.5) for one in (name, whole)])
    words = ("systems, WWWW@10", "reader-a", "Kendall's tau-b")  # too wide for a narrow one
    told = tuple(Column(one, "text") for one in ("Between", "First", "Coefficient"))
    short = Table.of_rows("together", "Together", told, [words])
    report = Report("Search", "Two systems", (Section("means", "Means", tables=(table, short)),))
    preview = Preview(LIGHT)
    qtbot.addWidget(preview)
    preview.show()
    for wide in range(370, 900, 40):
        preview.resize(wide, 400)
        preview.show_report(report, {})
        document, ends = preview.document(), set[str]()
        assert document.size().width() <= preview.viewport().width() + 1
        block = document.begin()
        while block.isValid():
            lines = [block.layout().lineAt(at) for at in range(block.layout().lineCount())]
            ends |= {block.text()[one.textStart() - 1] for one in lines[1:]}
            block = block.next()
        assert ends <= set("\u200b\u2028 "), wide
    preview.selectAll()
    copied = preview.createMimeDataFromSelection().text()
    assert f"{name}\n0.5" in copied


def test_words_of_a_text_file_take_several_lines_and_rows_of_its_tables_one(qtbot: QtBot) -> None:
    preview = Preview(LIGHT)
    qtbot.addWidget(preview)
    preview.resize(500, 400)
    preview.show()
    across, words, row = preview.horizontalScrollBar(), "One reads on. " * 20, "| a | b " * 20
    tables = [f"# Search\n\n{words}\n\n{one}\n{one}\n" for one in ("End.", row, row.replace("|", "&"))]
    for text in tables:
        preview.show_text(text)
        assert bool(across.maximum()) == (text != tables[0])
        assert preview.toPlainText() == text.rstrip("\n")
    preview.show_text(words, wraps=False)
    assert across.maximum()


def test_what_cannot_be_parted_says_how_wide_a_column_of_long_texts_is() -> None:
    whole = "k" * 28  # a letter more, and it would be parted anywhere
    table = Table.of_rows("t", "T", (Column("Text", "text"),), [(f"{whole} is one word of several",)])
    assert texts_of(table, 0) == [whole]


def test_rows_of_a_table_too_wide_keep_all_their_names_in_each_part_and_bear_a_value(qtbot: QtBot) -> None:
    names = [("nDCG@10", "title-match", other) for other in ("full-text", "hybrid-of-both")]
    columns = [Column(title, "text") for title in ("Measure", "First", "Second")]
    columns += [Column(f"Value {at}") for at in range(8)]
    table = Table.of_rows("c", "Comparisons", tuple(columns), [(*one, *[0.5] * 8) for one in names])
    preview = Preview(LIGHT)
    qtbot.addWidget(preview)
    preview.show()
    for wide in (400, 520, 1400):
        preview.resize(wide, 400)
        preview.show_report(Report("S", "", (Section("c", "C", tables=(table,)),)), {})
        plain = preview.toPlainText().replace("\u2060", "")
        assert preview.document().size().width() <= preview.viewport().width() + 1
        parts = max(plain.count("Comparisons ("), 1)
        assert parts <= (4 if wide > 400 else 8)
        assert [plain.count(name) for name in ("full-text", "hybrid-of-both")] == [parts, parts], wide
        assert plain.count("title-match") == 2 * parts
        assert ("nDCG@10, title" in plain) == (wide < 1400), "where they need half of the room they share"
