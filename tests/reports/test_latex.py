"""LaTeX: booktabs tables in which no text is a command."""

import re
from dataclasses import replace

from annotator.evaluation.result_table import Table
from annotator.reports.latex import escape, write, write_table
from annotator.reports.report import Report
from tests.reports.conftest import NASTY


def test_a_table_has_the_three_rules_and_a_bold_best(table: Table) -> None:
    text = write_table(table)
    assert re.findall(r"\\(\w+rule)", text) == ["toprule", "midrule", "bottomrule"]
    assert r"\textbf{0.6000}$^{\dagger}$" in text
    assert r"\begin{tabular}{p{0.80\linewidth}rrr}" in text, "the long text is broken into lines"
    assert r"\begin{tabular}{lrrr}" in write_table(
        replace(table, data=(["a", "b", "c", "d"], *table.data[1:]))
    )


def test_every_special_character_is_escaped() -> None:
    assert escape(r"50% & $a_b #1 {x} ~^\ ") == (
        r"50\% \& \$a\_b \#1 \{x\} \textasciitilde{}\textasciicircum{}\textbackslash{}"
    )


COMMANDS = {
    *("centering", "small", "scriptsize", "setlength", "tabcolsep", "linewidth", "caption", "label"),
    *("toprule", "midrule", "bottomrule", "endhead", "textbf", "dagger", "textless", "textgreater"),
    *("textbackslash", "textasciitilde", "textasciicircum", "textbar", "infty"),
}
TOKEN = re.compile(
    r"\\(?P<do>begin|end)\{(?P<env>\w+)\}|\\(?P<command>[a-zA-Z]+)|(?P<end>\\\\)|(?P<safe>\\[&%$#_{}])"
    r"|(?P<brace>[{}])|(?P<maths>\$)|(?P<raised>\^)|(?P<next>&)|(?P<wrong>[\\#%_~])"
)


def rows_of(text: str) -> list[tuple[str, list[int]]]:
    """Read LaTeX as strictly as TeX; return the columns of each table and how many fields its rows have."""
    braces, environments, maths = 0, [], False
    found: list[tuple[str, list[int]]] = []
    fields = 1
    for one in TOKEN.finditer(text):
        assert one["wrong"] is None, f"TeX stops at {text[one.start() - 20 : one.end() + 20]!r}"
        if one["do"] == "begin":
            environments.append(one["env"])
            if one["env"] != "table":
                spec = re.compile(r"\{((?:[lr]|p\{[\d.]+\\linewidth\})+)\}").match(text, one.end())
                assert spec is not None
                found.append((re.sub(r"p\{.*?\}", "p", spec[1]), []))
        elif one["do"] == "end":
            assert environments.pop() == one["env"]
        elif one["command"]:
            assert one["command"] in COMMANDS
            fields = 1 if one["command"].endswith("rule") else fields
        elif one["brace"]:
            braces += 1 if one["brace"] == "{" else -1
            assert braces >= 0
        elif one["maths"]:
            maths = not maths
        elif one["raised"]:
            assert maths
        elif one["next"]:
            assert environments[-1:] in (["tabular"], ["longtable"])
            fields += 1
        elif one["end"]:
            assert re.compile(r"\s*[\[*]").match(text, one.end()) is None, (
                "it would be an argument of the line's end"
            )
            found[-1][1].append(fields)
            fields = 1
    assert (braces, environments, maths) == (0, [], False)
    return found


def test_tex_reads_every_table_as_it_was_meant(report: Report, table: Table) -> None:
    for text in (NASTY, "[1]", "*", r"\\[2em]", "a~b^c|d", "%"):
        odd = replace(table, title=text, caption=text, data=([text] * 4, *table.data[1:]))
        assert [fields for _, fields in rows_of(write_table(odd))] == [[4] * 5]
    head, rest = write(report).split("\n", 1)
    assert head == r"% \usepackage{booktabs,longtable}"
    assert [columns for columns, _ in rows_of(rest)] == ["prrr"]


def test_a_table_longer_than_a_page_goes_on_on_the_next(table: Table) -> None:
    long = replace(table, data=tuple([*cells] * 11 for cells in table.data), marks={})
    text = write_table(long)
    assert text.startswith(r"{\small" + "\n" + r"\begin{longtable}")
    ((columns, fields),) = rows_of(text)
    assert (columns, fields) == ("prrr", [1, *[4] * 45]), "its caption is a row of its own"


def test_every_row_has_as_many_fields_as_columns(table: Table) -> None:
    rows = [line for line in write_table(table).splitlines() if line.endswith(r"\\")]
    assert {len(re.findall(r"(?<!\\)&", line)) for line in rows} == {len(table.columns) - 1}


def test_a_negative_number_has_a_minus_and_not_a_hyphen(table: Table) -> None:
    assert "$-$0.2500" in write_table(table)


def test_a_report_leaves_empty_tables_out(report: Report) -> None:
    assert write(report).count(r"\begin{table}") == 1
