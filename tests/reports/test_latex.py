"""LaTeX: booktabs tables in which no text is a command."""

import re
import shutil
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

from annotator.evaluation.options import Width
from annotator.evaluation.result_table import INTERVALS, Column, Table, shown
from annotator.reports.latex import escape, floats, write
from annotator.reports.report import Report, Section
from tests.reports.conftest import NASTY


def test_a_table_has_the_three_rules_and_a_bold_best(table: Table) -> None:
    (text,) = floats(table)
    assert re.findall(r"\\(\w+rule)", text) == ["toprule", "midrule", "bottomrule"]
    assert r"\textbf{0.6000}$^{\dagger}$" in text
    short = replace(table, data=(["a", "b", "c", "d"], *table.data[1:]))
    assert r"\begin{tabular}{@{}lrrr@{}}" in floats(short)[0]
    wordy = replace(table, data=(["many words, one after the other, " * 9] * 4, *table.data[1:]))
    assert rows_of(floats(wordy)[0])[0][0] == "prrr", "the long text is broken into lines"


def test_every_special_character_is_escaped() -> None:
    assert escape(r"50% & $a_b #1 {x} ~^\ ") == (
        r"50\% \& \$a\_b \#1 \{x\} \textasciitilde{}\textasciicircum{}\textbackslash{}"
    )


COMMANDS = {
    *("centering", "small", "footnotesize", "scriptsize", "setlength", "tabcolsep", "caption", "label"),
    *("toprule", "midrule", "bottomrule", "tabularnewline", "textbf", "dagger", "textless", "textgreater"),
    *("textbackslash", "textasciitilde", "textasciicircum", "textbar", "infty", "raggedright", "allowbreak"),
    *("shortstack", "clearpage", "ldots", "times"),
}
TOKEN = re.compile(
    r"\\(?P<do>begin|end)\{(?P<env>\w+\*?)\}|\\(?P<command>[a-zA-Z]+)|(?P<line>\\\\)|(?P<safe>\\[&%$#_{}])"
    r"|(?P<brace>[{}])|(?P<maths>\$)|(?P<raised>\^)|(?P<next>&)|(?P<wrong>[\\#%_~])"
)
SPEC = re.compile(r"\{@\{\}((?:[lr]|p\{[\d.]+pt\})+)@\{\}\}")


def rows_of(text: str) -> list[tuple[str, list[int]]]:
    """Read LaTeX as strictly as TeX; return the columns of each table and how many fields its rows have."""
    braces, environments, maths, stacked = 0, [], False, 0
    found: list[tuple[str, list[int]]] = []
    fields = 1
    for one in TOKEN.finditer(text):
        assert one["wrong"] is None, f"TeX stops at {text[one.start() - 20 : one.end() + 20]!r}"
        if one["do"] == "begin":
            environments.append(one["env"])
            if one["env"] == "tabular":
                spec = SPEC.match(text, one.end())
                assert spec is not None
                found.append((re.sub(r"p\{.*?\}", "p", spec[1]), []))
        elif one["do"] == "end":
            assert environments.pop() == one["env"]
        elif one["command"]:
            assert one["command"] in COMMANDS
            fields = 1 if one["command"].endswith("rule") else fields
            stacked = braces + 1 if one["command"] == "shortstack" else stacked
            if one["command"] == "tabularnewline":
                assert environments[-1] == "tabular"
                found[-1][1].append(fields)
                fields = 1
        elif one["brace"]:
            braces += 1 if one["brace"] == "{" else -1
            assert braces >= 0
            stacked = 0 if braces < stacked else stacked
        elif one["line"]:
            assert stacked, "a line of a heading is the only one that ends so"
            assert re.compile(r"\s*[\[*]").match(text, one.end()) is None, "it would be its argument"
        elif one["maths"]:
            maths = not maths
        elif one["raised"]:
            assert maths
        elif one["next"]:
            assert environments[-1] == "tabular"
            fields += 1
    assert (braces, environments, maths) == (0, [], False)
    return found


def test_tex_reads_every_table_as_it_was_meant(report: Report, table: Table) -> None:
    for text in (NASTY, "[1]", "*", r"\\[2em]", "a~b^c|d", "%", "x " * 200, "x" * 200, "Two [words"):
        columns = (replace(table.columns[0], title=text), replace(table.columns[1], title=text))
        odd = replace(
            table,
            title=text,
            caption=text,
            columns=(*columns, *table.columns[2:]),
            data=([text] * 4, *table.data[1:]),
        )
        for part in floats(odd, "one"):
            ((spec, fields),) = rows_of(part)
            assert set(fields) == {len(spec)}
    head, made, command, rest = write(report).split("\n", 3)
    assert head == r"% \usepackage{booktabs}"
    assert (made, command) == ("% Made by:", "% annotator report x.annot -o y.html")
    assert [columns for columns, _ in rows_of(rest)] == ["lrrr"]


WORDS = ("nDCG@10", "bm25-plus-rerank", "WWW", "of", "the first relevant candidate", "m", "0.8", "Ähnlich")


def wide_table(random: np.random.Generator, columns: int, rows: int) -> Table:
    """Return a table of texts and numbers of any width."""

    def text() -> str:
        return " ".join(random.choice(WORDS, size=random.integers(1, 9)))

    made = [
        Column(text()[:40], str(random.choice(["text", "number", "p", "count"])), best="high")  # type: ignore[arg-type]
        for _ in range(columns)
    ]
    data = tuple(
        [text() for _ in range(rows)]
        if one.kind == "text"
        else (random.random(rows) * 10.0 ** random.integers(0, 5)).tolist()
        for one in made
    )
    marks = {(int(random.integers(rows)), int(random.integers(columns))): "†" for _ in range(3)}
    return Table("t", text(), tuple(made), data, text(), marks)


@cache
def points(tex: str, size: float) -> float:
    """Return how wide a cell is in Computer Modern, which is wider than the letters of `acmart`."""
    bold = 1.15 if r"\textbf" in tex else 1.0
    plain = re.sub(r"\$\^\{\\dagger\}\$", "+", tex)
    plain = re.sub(r"\\text(bf|less|greater|bar)\b|\\raggedright|\\allowbreak|[${}]", "", plain)
    path = TextPath((0, 0), plain.replace("\\", ""), size=size, prop=FontProperties(family="cmr10"))
    return float(path.get_extents().width) * bold if plain.strip() else 0.0


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("width", ["one", "two", None])
def test_every_table_fits_its_column_or_is_continued_in_another(seed: int, width: Width | None) -> None:
    random = np.random.default_rng(seed)
    table = wide_table(random, int(random.integers(1, 18)), int(random.integers(2, 14)))
    table = replace(
        table, columns=tuple(replace(one, title=one.title.replace("Ä", "A")) for one in table.columns)
    )
    table = replace(
        table,
        data=tuple(
            [cell.replace("Ä", "A") for cell in cells] if column.kind == "text" else cells
            for column, cells in zip(table.columns, table.data, strict=True)
        ),
    )
    told: set[str] = set()
    for part in floats(table, width):
        size = {r"\small": 9.0, r"\footnotesize": 8.0, r"\scriptsize": 7.0}[
            re.findall(r"\\(?:small|footnotesize|scriptsize)", part)[0]
        ]
        space = float(re.findall(r"tabcolsep\}\{([\d.]+)pt", part)[0])
        spec = re.findall(r"[lr]|p\{[\d.]+pt\}", re.findall(r"tabular\}\{@\{\}(.*)@\{\}\}", part)[0])
        rows = [
            line.removesuffix(r" \tabularnewline").strip().split(" & ")
            for line in part.splitlines()
            if line.endswith(r"\tabularnewline")
        ]
        total = 2 * space * (len(spec) - 1)
        for at, letter in enumerate(spec):
            lines = [each for row in rows for each in re.sub(r"\\shortstack\[r\]", "", row[at]).split(r"\\")]
            wide = float(letter[2:-3]) if letter.startswith("p") else max(points(one, size) for one in lines)
            total += wide
        assert total <= (506.3 if r"\begin{table*}" in part else 241.2)
        told.update(cell for row in rows[1:] for cell in row)
    cells = {
        escape(shown(column, cell))
        for column, cells in zip(table.columns, table.data, strict=True)
        for cell in cells
    }
    bare = {re.sub(r"\\textbf\{(.*)\}", r"\1", one.replace(r"$^{\dagger}$", "")) for one in told}
    bare = {one.replace(r"\raggedright ", "").replace(r"\allowbreak ", "") for one in bare}
    assert cells <= bare, "every cell stands somewhere"


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="TeX is not installed")
def test_tex_sets_tables_in_the_columns_of_acmart(tmp_path: Path, report: Report) -> None:
    asked = subprocess.run(["kpsewhich", "acmart.cls"], capture_output=True, text=True, check=False)
    if not asked.stdout:
        pytest.skip("acmart is not installed")
    random = np.random.default_rng(3)
    tables = tuple(
        replace(wide_table(random, int(random.integers(1, 16)), 50), key=f"t{at}") for at in range(15)
    )
    many = Report("Tables", "", (*report.sections, Section("s", "S", tables=tables)))
    (tmp_path / "tables.tex").write_text(write(many), "utf-8")
    (tmp_path / "paper.tex").write_text(
        r"\documentclass[sigconf,nonacm]{acmart}\begin{document}\title{T}\maketitle Text."
        r"\input{tables.tex}\end{document}"
    )
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout


def test_a_table_longer_than_a_page_goes_on_in_another_float(table: Table) -> None:
    long = replace(table, data=tuple([*cells] * 30 for cells in table.data), marks={(100, 1): "†"})
    parts = floats(long)
    assert len(parts) > 1
    assert r"(1 of" in parts[0]
    assert [r"\dagger" in part for part in parts].count(True) == 1
    assert sum(len(fields) - 1 for part in parts for _, fields in rows_of(part)) == 120


def test_a_negative_number_has_a_minus_and_not_a_hyphen(table: Table) -> None:
    assert "$-$0.2500" in floats(table)[0]


def test_a_report_leaves_empty_tables_out(report: Report) -> None:
    assert write(report).count(r"\begin{table") == 1


def test_intervals_that_no_cell_shows_are_not_in_the_caption(table: Table) -> None:
    told = replace(
        table,
        caption="Means, with 95% intervals. † is large.",
        intervals={(0, 1): (0.1, 0.9)},
        explains={INTERVALS: ", with 95% intervals", "†": "† is large."},
    )
    text = write(Report("R", "", (Section("s", "S", tables=(told,)),)))
    assert r"Means. $^{\dagger}$ is large." in text
    unmarked = write(Report("R", "", (Section("s", "S", tables=(replace(told, marks={}),)),)))
    assert "is large" not in unmarked


def test_letters_that_not_every_tex_sets_are_said(table: Table) -> None:
    odd = replace(table, data=(["語", "b", "c", "d"], *table.data[1:]))
    said = "% Compile with XeLaTeX or LuaLaTeX."
    assert said in write(Report("R", "", (Section("s", "S", tables=(odd,)),)))
    assert said not in write(Report("R", "", (Section("s", "S", tables=(table,)),)))
