"""Importing: tried before it is done, all or nothing, and taken back as a whole."""

import hashlib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from annotator.errors import ChoiceError, InputError, Stopped, UserError
from annotator.evaluation.options import Options
from annotator.project import browse, data_import, maintenance, project_scores
from annotator.project.data_import import ImportChoices, Refused, Tally
from annotator.project.project import Project
from annotator.watch import Watch


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, "utf-8")
    return folder / name


def fingerprint(project: Project) -> str:
    return hashlib.sha256(project.path.read_bytes()).hexdigest()


def test_a_plan_says_what_would_come_and_changes_nothing(project: Project, tmp_path: Path) -> None:
    files = [
        write(tmp_path, "gamma.run", "q1 Q0 d8 1 2.0 gamma\nq7 Q0 d9 1 2.0 gamma\n"),
        write(tmp_path, "x.qrels", "q1 0 d1 3\nq1 0 d9 0\n"),
    ]
    before = fingerprint(project)
    plan = data_import.plan_import(project, files)
    assert plan.tally == Tally({"runs": 1, "ranked candidates": 2, "judgments": 2, "queries without text": 1})
    assert plan.taken_for == ["gamma.run: TREC run", "x.qrels: TREC qrels"]
    assert plan.annotator == "imported:x"
    assert fingerprint(project) == before
    done = data_import.run_import(project, plan)
    assert done.after == plan.tally
    assert [one.name for one in browse.contents(project).systems] == ["alpha", "beta", "gamma"]
    assert browse.contents(project).queries == 4


def test_a_plan_counts_the_queries_that_are_named_without_a_text_and_brought_by_no_file(
    project: Project, tmp_path: Path
) -> None:
    files = [
        write(tmp_path, "x.qrels", "q1 0 d1 3\nq8 0 d1 1\nq9 0 d1 0\n"),
        write(tmp_path, "gamma.run", "q9 Q0 d8 1 2.0 gamma\nq10 Q0 d9 1 2.0 gamma\n"),
    ]
    tally = data_import.plan_import(project, files).tally
    assert tally is not None
    assert "queries without text: 3 would be added" in tally.sentences(would=True)
    texts = write(tmp_path, "topics.csv", "query_id,query\nq9,nine\n")
    tally = data_import.plan_import(project, [*files, texts]).tally
    assert tally is not None
    assert [one for one in tally.sentences(would=True) if one.startswith("queries")] == [
        "queries: 1 would be added",
        "queries without text: 2 would be added",
    ]
    data_import.run_import(project, data_import.plan_import(project, [*files, texts]))
    assert data_import.plan_import(project, files[:1]).tally == Tally(same={"judgments": 3})


def test_a_file_with_one_wrong_line_is_refused_with_its_place(project: Project, tmp_path: Path) -> None:
    good = write(tmp_path, "good.qrels", "q1 0 d1 3\n")
    bad = write(tmp_path, "bad.qrels", "q1 0 d2 1\nq1 0 d3\nq1 0 d4 lots\n")
    before = fingerprint(project)
    with pytest.raises(InputError) as raised:
        data_import.run_import(
            project, data_import.plan_import(project, [good, bad], ImportChoices(format_key="trec-qrels"))
        )
    assert [one.line for one in raised.value.problems] == [2, 3]
    assert fingerprint(project) == before


def test_each_file_says_what_it_brings_also_when_another_one_cannot_be_taken(
    project: Project, tmp_path: Path
) -> None:
    rows = ("query_id,query,document_id,text,price,gold", "q8,What?,d18,A.,3,This", "q8,What?,d19,B.,4,That")
    files = [
        write(tmp_path, "table.csv", "\n".join(rows)),
        write(tmp_path, "delta.run", "q1 Q0 d1 1 2.0 delta\nq1 Q0 d2 2 1.0 delta\n"),
        write(tmp_path, "x.qrels", "q1 0 d1 -7\n"),
        write(tmp_path, "bad.run", "q1 Q0 d1 1 2.0 e\nq1 Q0 d2 2 high e\n"),
    ]
    with pytest.raises(Refused) as raised:
        data_import.plan_import(project, files)
    assert [one.brings for one in raised.value.files] == [
        ("1 query", "2 documents", "1 query with gold answers"),
        ("1 run of 2 candidates",),
        ("1 judgment",),
        (),
    ]
    assert [[problem.line for problem in one.problems] for one in raised.value.files] == [[], [], [], [2]]
    choices = ImportChoices(grades="-7=0")
    plan = data_import.plan_import(project, files[:3], choices)
    assert [one.brings for one in plan.files] == [one.brings for one in raised.value.files[:3]]
    assert plan.files[0].notes == ("table.csv: kept as fields of each document: price.",)


def test_answers_that_the_system_doubts_become_empty_and_the_import_says_so(
    project: Project, tmp_path: Path
) -> None:
    files = [write(tmp_path, "reader.json", '{"q1": "Iron Man", "q2": "Thor"}')]
    doubts = write(tmp_path, "na_prob.json", '{"q1": 0.4, "q2": 0.6}')
    plan = data_import.plan_import(project, files, ImportChoices(no_answer=doubts, no_answer_from=0.5))
    assert sorted(one.text for one in plan.dataset.answers) == ["", "Iron Man"]
    assert "no-answer probability: 1." in plan.taken_for[-1]
    assert plan.about["no answer"] == {
        "sha256": hashlib.sha256(doubts.read_bytes()).hexdigest(),
        "from": "0.5",
    }
    data_import.run_import(project, plan)


def test_judgments_that_are_there_already_are_counted_as_such(project: Project, tmp_path: Path) -> None:
    file = write(tmp_path, "x.qrels", "q1 0 d1 3\nq1 0 d9 0\n")
    data_import.run_import(project, data_import.plan_import(project, [file]))
    assert data_import.plan_import(project, [file]).tally == Tally(same={"judgments": 2})
    write(tmp_path, "x.qrels", "q1 0 d1 3\nq1 0 d9 0\nq2 0 d1 1\n")
    assert data_import.plan_import(project, [file]).tally == Tally({"judgments": 1}, same={"judgments": 2})


def test_grades_outside_the_scale_need_a_rule(project: Project, tmp_path: Path) -> None:
    file = write(tmp_path, "x.qrels", "q1 0 d1 -1\nq1 0 d2 7\nq1 0 d3 0\nq1 0 d4 7\n")
    with pytest.raises(ChoiceError, match=r"-1 \(x\.qrels:1\), 7 \(x\.qrels:2 and 1 more\)\.") as refused:
        data_import.plan_import(project, [file])
    assert refused.value.choices == ("grades",)
    plan = data_import.plan_import(project, [file], ImportChoices(grades="-1=skip,0=0,7=5"))
    data_import.run_import(project, plan)
    assert project_scores.evaluate_project(project, Options(measures=("CG@2",))).of("alpha", "CG@2")[0] == 5
    assert [one.graded for one in browse.annotators(project) if one.name == "imported:x"] == [3]


def test_a_system_that_has_a_run_is_replaced_only_when_asked(project: Project, tmp_path: Path) -> None:
    file = write(tmp_path, "alpha.run", "q1 Q0 d8 1 2.0 alpha\n")
    with pytest.raises(ChoiceError, match="replace") as refused:
        data_import.plan_import(project, [file])
    assert refused.value.choices == ("system", "replace")
    data_import.run_import(project, data_import.plan_import(project, [file], ImportChoices(replace=True)))
    assert {one.name: one.rows for one in browse.contents(project).systems} == {"alpha": 1, "beta": 7}
    assert "d8" in [one.id for one in browse.query(project, 1).candidates]


def test_a_run_can_be_given_another_name(project: Project, tmp_path: Path) -> None:
    file = write(tmp_path, "alpha.run", "q1 Q0 d8 1 2.0 alpha\n")
    data_import.run_import(
        project, data_import.plan_import(project, [file], ImportChoices(system="alpha two"))
    )
    assert "alpha two" in [one.name for one in browse.contents(project).systems]


def test_a_cancelled_import_leaves_the_file_as_it_was(project: Project, tmp_path: Path) -> None:
    file = write(tmp_path, "gamma.run", "q1 Q0 d8 1 2.0 gamma\n")
    plan = data_import.plan_import(project, [file])
    before = fingerprint(project)
    with pytest.raises(Stopped):
        data_import.run_import(project, plan, Watch(should_stop=lambda: True))
    assert fingerprint(project) == before


def test_reading_and_importing_tell_all_the_time_how_much_of_the_whole_is_done(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.formats.text_lines.BLOCK", 20_000)
    files = [
        write(tmp_path, "corpus.jsonl", "".join(f'{{"_id": "n{n}", "text": "{n}"}}\n' for n in range(9_000))),
        write(tmp_path, "gamma.run", "".join(f"q{n} Q0 n{n} 1 2.0 gamma\n" for n in range(3_000))),
        write(tmp_path, "x.qrels", "".join(f"q{n} 0 n{n} 3\n" for n in range(3_000))),
    ]
    planned, stored = list[float](), list[float]()
    plan = data_import.plan_import(
        project, files, watch=Watch(on_progress=lambda done, total, _: planned.append(done / total))
    )
    data_import.run_import(
        project, plan, Watch(on_progress=lambda done, total, _: stored.append(done / total))
    )
    for shares in (planned, stored):
        assert shares == sorted(shares)
        assert max(later - sooner for sooner, later in pairwise([0, *shares, 1])) < 0.3


def test_a_whole_import_is_taken_back(project: Project, tmp_path: Path) -> None:
    file = write(tmp_path, "gamma.run", "q9 Q0 d9 1 2.0 gamma\n")
    before = browse.contents(project)
    data_import.run_import(project, data_import.plan_import(project, [file]))
    newest = maintenance.imports(project)[0]
    assert newest.source == "gamma.run"
    maintenance.withdraw(project, newest.identity)
    assert replace(browse.contents(project), clock=before.clock) == before
    assert not maintenance.imports(project)[0].in_force
    assert maintenance.check(project.path)[0] == ()


def test_judgments_of_several_files_belong_to_an_annotator_called_after_all_of_them(
    project: Project, tmp_path: Path
) -> None:
    files = [
        write(tmp_path, "gamma.run", "q1 Q0 d8 1 2.0 gamma\n"),
        write(tmp_path, "mara.qrels", "q1 0 d1 3\n"),
        write(tmp_path, "jonas.qrels", "q2 0 d1 3\n"),
    ]
    assert data_import.plan_import(project, files).annotator == "imported:mara and jonas"
    assert data_import.plan_import(project, files[:2]).annotator == "imported:mara"
    assert data_import.plan_import(project, files[:1]).annotator == project.annotator
    assert (
        data_import.plan_import(project, files, ImportChoices(model=True)).annotator == "model:mara and jonas"
    )
    twice = write(tmp_path, "again.qrels", "q1 0 d1 2\n")
    with pytest.raises(UserError, match="one by one, each under its annotator's name"):
        data_import.plan_import(project, [files[1], twice])


def test_the_annotator_of_imported_judgments_can_be_named(project: Project, tmp_path: Path) -> None:
    file = write(tmp_path, "x.qrels", "q1 0 d1 3\n")
    data_import.run_import(project, data_import.plan_import(project, [file], ImportChoices(annotator="Bob")))
    assert [(one.name, one.kind) for one in browse.annotators(project)] == [
        ("Ann", "person"),
        ("Bob", "person"),
    ]


def test_more_judgments_can_join_those_imported_before(project: Project, tmp_path: Path) -> None:
    data_import.run_import(
        project, data_import.plan_import(project, [write(tmp_path, "x.qrels", "q1 0 d1 3\n")])
    )
    more = write(tmp_path, "y.qrels", "q1 0 d2 1\n")
    data_import.run_import(
        project, data_import.plan_import(project, [more], ImportChoices(annotator="imported:x"))
    )
    assert [one.graded for one in browse.annotators(project) if one.name == "imported:x"] == [2]


def test_an_import_states_the_hash_of_every_file(project: Project, tmp_path: Path) -> None:
    files = [
        write(tmp_path, "x.qrels", "q1 0 d1 3\n"),
        write(tmp_path, "gamma.run", "q1 Q0 d8 1 2.0 gamma\n"),
    ]
    plan = data_import.plan_import(project, files)
    hashes = {one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in files}
    assert plan.about["files"] == hashes


def test_ids_that_look_like_others_are_told(project: Project, tmp_path: Path) -> None:
    composed, apart = tmp_path / "a.qrels", tmp_path / "b.qrels"
    composed.write_text("q\u00e9 0 d\u00e9 3\n")
    apart.write_text("qe\u0301 0 d\u00e9 3\n")
    plan = data_import.plan_import(project, [composed])
    assert not any("look like" in one for one in plan.tally.added)  # type: ignore[union-attr]
    data_import.run_import(project, plan)
    said = data_import.run_import(project, data_import.plan_import(project, [apart], trial=False)).said
    assert (
        "ids that look like others, their accents being other characters, such as 'qe\\u0301': 1 added"
        in said
    )
    other = write(tmp_path, "c.qrels", "q\u00fc 0 d1 3\n")
    for one in (apart, other):
        tally = data_import.plan_import(project, [one]).tally
        assert not any("look like" in said for said in tally.added), "told when they come"  # type: ignore[union-attr]
