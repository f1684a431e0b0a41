"""What a report holds: sections only where there is something, names only where asked, all formats alike."""

import dataclasses
import json
import re

import numpy as np
import pytest

from annotator.errors import UserError
from annotator.evaluation.options import ComparisonChoice
from annotator.evaluation.pairs import compare_all
from annotator.evaluation.results import EvaluationResult, PartJudges
from annotator.figures.subject import Subject
from annotator.metrics.catalogue import parse
from annotator.metrics.collection import Ranked
from annotator.metrics.explanation import explain
from annotator.reports.csv import Spreadsheet
from annotator.reports.report_formats import FORMATS, Choice, content, format_of
from annotator.reports.sections import SECTIONS, Audited, Explained, Material, for_programs, report, tables


@pytest.fixture
def material(result: EvaluationResult) -> Material:
    ranked = Ranked.build([0, 0], [1, 3], [2, 5], [3], [0, 0], [2, 5])
    one = explain(parse("nDCG@10"), ranked, 0, ["a", "b", "c"], {"a": 2, "c": 5})
    known = dataclasses.replace(result.provenance, annotators=("Zoë", "Bob"))
    return Material(
        result=dataclasses.replace(result, provenance=known),
        comparisons=compare_all(result),
        explained=[Explained("old", "q1", one)],
        audits=[Audited("Plan 1", "new is better than old.", (), {"new - old": [(0, 0.0, -1.0, 1.0)]})],
        subject=Subject(grade_counts={"annotator 1": [1, 2, 3, 4, 5, 6]}),
        figures=("intervals", "grades", "cutoff"),
    )


def test_every_section_has_something_or_is_not_there(material: Material) -> None:
    keys = [one.key for one in report(material).sections]
    assert keys == [key for key in SECTIONS if key not in ("agreement", "cqa", "overlap", "preferences")]


def test_only_the_chosen_sections_are_there(material: Material) -> None:
    assert [one.key for one in report(material, ("provenance", "summary")).sections] == [
        "summary",
        "provenance",
    ]


def test_a_figure_that_needs_a_second_result_is_left_out_without_it(material: Material) -> None:
    (section,) = report(material, ("figures",)).sections
    assert [one.key for one in section.figures] == ["figure-intervals", "figure-grades"]


def test_annotators_have_numbers_unless_names_are_asked_for(material: Material) -> None:
    judges = PartJudges("nuggets", ("Bob", "Idå"), (4, 2), 1)
    known = dataclasses.replace(material.result.provenance, parts=(judges,))
    material = dataclasses.replace(material, result=dataclasses.replace(material.result, provenance=known))
    hidden = FORMATS["html"].write(material, Choice())
    assert "Zoë" not in hidden
    assert "Idå" not in hidden
    assert "Support of nuggets by annotator 2 (4), annotator 3 (2); 1 settled." in hidden
    assert "annotator 1, annotator 2" in hidden
    assert "Zoë, Bob" in FORMATS["html"].write(dataclasses.replace(material, named=True), Choice())


def test_the_command_and_the_ledger_head_are_printed(material: Material) -> None:
    text = FORMATS["markdown"].write(material, Choice())
    assert "    annotator evaluate sample.annot" in text
    assert "a" * 64 in text


@pytest.mark.parametrize("key", FORMATS)
def test_every_format_is_the_same_twice(material: Material, key: str) -> None:
    assert FORMATS[key].write(material, Choice(key)) == FORMATS[key].write(material, Choice(key))


@pytest.mark.parametrize("key", ["html", "markdown", "json"])
def test_the_same_mean_stands_in_every_format(material: Material, key: str) -> None:
    assert "0.6875" in FORMATS[key].write(material, Choice(key))


def test_a_csv_holds_the_table_that_was_chosen(material: Material) -> None:
    head, *rows = FORMATS["csv"].write(material, Choice("csv")).splitlines()
    assert head == "system,query,measure,value,no_ranking"
    assert not any(",all," in row for row in rows)
    assert "old,all,nDCG@10,0.4375," in FORMATS["csv"].write(material, Choice("csv", means=True)).splitlines()
    for name, table in (tables(material) | for_programs(material)).items():
        lines = FORMATS["csv"].write(material, Choice("csv", table=name)).splitlines()
        assert len(lines) == 1 + len(table)


def test_programs_get_the_queries_in_a_row_for_each_system(material: Material) -> None:
    head, *rows = FORMATS["csv"].write(material, Choice("csv", table="per-query")).splitlines()
    assert head == "query,text,system,nDCG@10,RR,relevant,judged,no_ranking"
    assert rows[:3] == [
        "q1,first,old,1.0,1.0,2,5,no",
        "q1,first,new,0.5,0.0,2,5,no",
        "q2,second,old,0.5,0.5,1,5,no",
    ]
    assert rows[-1] == "q4,fourth,new,1.0,,0,2,no", "it has no reciprocal rank"
    assert len(rows) == 4 * 2


@pytest.mark.parametrize("key", [key for key in FORMATS if key != "csv"])
def test_a_table_stands_alone_with_chosen_columns_and_digits(material: Material, key: str) -> None:
    choice = Choice(key, table="summary", columns=("RR", "system"), digits=2)
    text = FORMATS[key].write(material, choice)
    assert "bpref" not in text
    assert "nDCG@10" not in text
    assert "annotator evaluate sample.annot" in text, "it says how to make it again"
    if key == "json":
        section, origin = json.loads(text)["sections"]
        assert origin["key"] == "provenance"
        assert section["tables"][0]["rows"] == [[0.5, "old"], [0.5, "new"]]
        return
    assert "0.50" in text
    assert "0.500" not in text
    assert text.index("RR") < text.index("old")


def test_a_column_that_is_not_there_is_refused_by_name(material: Material) -> None:
    with pytest.raises(UserError, match="no column 'AP'; it has system, nDCG@10, RR"):
        FORMATS["latex"].write(material, Choice("latex", table="summary", columns=("AP",)))


def test_every_table_has_a_key_of_its_own_and_stable_names_for_its_columns(material: Material) -> None:
    everything = report(material)
    keys = [table.key for section in everything.sections for table in section.tables]
    assert len(keys) == len(set(keys))
    about = {"nDCG@10", "RR", "old", "new", *"012345"}
    for table in (tables(material) | for_programs(material)).values():
        names = [column.name for column in table.columns]
        assert len(names) == len(set(names)), table.key
        odd = {name for name in names if not re.fullmatch("[a-z][a-z0-9_]*", name)} - about
        assert not odd, f"{table.key}: {odd}"


def test_a_mark_is_explained_where_it_is_shown_and_nowhere_else(material: Material) -> None:
    told = "differs from the best"
    assert material.comparisons
    significant = [dataclasses.replace(one, p=0.01) for one in material.comparisons]
    marked = dataclasses.replace(material, comparisons=significant)
    whole = FORMATS["markdown"].write(marked, Choice("markdown", table="summary"))
    assert told in whole
    assert "intervals" not in whole, "they are not there"
    some = Choice("markdown", table="summary", columns=("system", "queries"))
    assert told not in FORMATS["markdown"].write(marked, some)
    assert "intervals" in FORMATS["html"].write(marked, Choice(table="summary"))


@pytest.mark.parametrize(("ending", "start"), [("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_a_figure_stands_alone_in_a_file_of_its_own(material: Material, ending: str, start: bytes) -> None:
    assert content(material, Choice(ending, figures=("intervals",))).startswith(start)
    with pytest.raises(UserError, match="nothing to draw for the figure 'drift'"):
        content(material, Choice(ending, figures=("drift",)))
    explained = dataclasses.replace(material, figures=("query",))
    assert content(explained, Choice(ending, figures=("query",))).startswith(start)


def test_a_table_that_is_not_there_is_refused_by_name(material: Material) -> None:
    with pytest.raises(UserError, match="there are scores, tests, tag-tests, summary"):
        FORMATS["csv"].write(material, Choice("csv", table="nothing"))


def test_a_long_list_of_queries_is_cut_in_the_page_and_says_so(
    material: Material, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.reports.sections.SHOWN_QUERIES", 2)
    (section,) = report(material, ("per-query",)).sections
    assert len(section.tables[0]) == 2
    assert "The first 2 of 4" in section.paragraphs[0]


def test_the_hardest_queries_stand_in_the_page_and_all_in_the_table(
    material: Material, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.reports.sections.HARDEST", 2)
    (section,) = report(material, ("difficulty",)).sections
    systems, hardest = section.tables
    assert [row[:2] for row in systems.rows] == [
        (measure, system) for measure in ("nDCG@10", "RR") for system in ("old", "new")
    ]
    assert [row[1] for row in hardest.rows] == ["q2", "q3"], "0.5 each, before 0.75 and 0.5 of the others"
    assert "2 hardest of 4 queries" in section.paragraphs[0]
    assert len(tables(material)["difficulty"]) == 4 + 3, "q4 has no RR"
    alone = dataclasses.replace(material, result=_first_system(material.result))
    assert report(alone, ("difficulty",)).sections == ()


def _first_system(result: EvaluationResult) -> EvaluationResult:
    return dataclasses.replace(
        result,
        systems=result.systems[:1],
        scores=result.scores[:1],
        counted=result.counted[:1],
        retrieved=None,
    )


def test_the_format_follows_the_files_ending() -> None:
    assert format_of("a.HTML") == "html"
    assert format_of("tests.csv") == "csv"
    with pytest.raises(UserError, match="ends in one of"):
        format_of("report.docx")


def test_a_separator_that_is_the_decimal_mark_is_refused() -> None:
    assert Spreadsheet.of("tab", ",") == Spreadsheet("\t", ",")
    with pytest.raises(UserError):
        Spreadsheet.of(",", ",")


def test_the_summary_tells_of_the_best_or_the_baseline_with_every_other_system(material: Material) -> None:
    result = material.result

    def told(count: int, baseline: str | None) -> list[str]:
        scores = np.concatenate([result.scores / part for part in (1, 2, 4)])[:count]
        many = dataclasses.replace(
            result,
            systems=tuple("abcdef"[:count]),
            scores=scores,
            counted=np.ones((count, 4), dtype=bool),
            judged_at_10=None,
            retrieved=None,
        )
        found = compare_all(many, ComparisonChoice(baseline=baseline))
        known = dataclasses.replace(material, result=many, comparisons=found)
        return list(report(known, ("summary",)).sections[0].paragraphs)

    few = told(3, None)
    assert len(few) == 4, "two others beside the best, under each of two measures"
    assert all("better than" in one or "ahead of" in one or "same" in one for one in few)
    for baseline in (None, "c"):
        by_first, by_second, how = told(6, baseline)
        best = baseline or "b"
        assert by_first == (
            f"By nDCG@10, {best} cannot be told with so few draws or differing queries from "
            f"{', '.join(one for one in 'abcdef' if one != best)} "
            f"(told where p < 0.05 after Holm over {5 if baseline else 15} comparisons by nDCG@10, "
            "randomisation test)."
        )
        assert by_second.startswith("By RR, ")
        assert "Randomisation test at the level 0.05, Holm over " in how
        assert "interval" not in how, "none is told of"


def test_p_values_stand_with_their_test_in_every_format(material: Material) -> None:
    for key in ("html", "markdown", "latex", "json"):
        text = FORMATS[key].write(material, Choice(key, sections=("comparisons",)))
        assert "Randomisation test at the level 0.05." in text, key
        assert f"Comparison {material.comparisons[0].identity}." in text, key
    head, *rows = FORMATS["csv"].write(material, Choice("csv", table="tests")).splitlines()
    assert head.endswith(",test,correction,comparisons,over,alpha,baseline,by_tag,draws,open,identity")
    assert all(
        f",randomisation,holm,1,measure,0.05,,no,0,yes,{material.comparisons[0].identity}" in row
        for row in rows
    )


def test_systems_are_compared_over_the_queries_of_each_tag_too(material: Material) -> None:
    tagged = dataclasses.replace(material.result, tags=(("a",), ("a",), ("b",), ("a",)))
    known = dataclasses.replace(
        material, result=tagged, of_tags=compare_all(tagged, ComparisonChoice(by_tag=True))
    )
    (section,) = report(known, ("tags",)).sections
    table = section.tables[1]
    assert [row[0] for row in table.rows] == ["a", "b", "a", "b"]
    assert [row[-1] for row in table.rows[:2]] == [3, 1]
    assert table.key == "tag-comparisons"
    head, *rows = FORMATS["csv"].write(known, Choice("csv", table="tag-tests")).splitlines()
    assert head.startswith("tag,measure,first,second,")
    assert len(rows) == 4
