"""The commands around a project: made, imported, dumped, compared, exported, checked, merged."""

import csv
import io
import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from typer.testing import Result

from annotator.commands.program import COMMANDS
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import shown
from annotator.evaluation.summary_tables import estimates, per_query, summary
from annotator.formats.table_columns import ROLES
from annotator.project import (
    browse,
    coverage,
    data_import,
    history,
    judging,
    maintenance,
    settings,
    thresholds,
)
from annotator.project.project import Project
from annotator.project.project_scores import evaluated
from annotator.project.state import state_of
from tests.commands.test_program import loaded_by

Run = Callable[..., Result]

QRELS = "".join(
    f"q{number} 0 d{one} {grade}\n" for number in range(1, 9) for one, grade in ((1, 5), (2, 3), (3, 0))
)
ALPHA = "".join(f"q{number} Q0 d{one} 1 {9 - one} alpha\n" for number in range(1, 9) for one in (1, 2, 3))
BETA = "".join(f"q{number} Q0 d{one} 1 {one} beta\n" for number in range(1, 9) for one in (1, 2, 3, 4))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a project with two systems, imported judgments and some of Ann's own."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        return make(folder)


def make(folder: Path) -> Path:
    for name, text in (("x.qrels", QRELS), ("alpha.run", ALPHA), ("beta.run", BETA)):
        (folder / name).write_text(text, "utf-8")
    with Project.create(folder / "p.annot", "Birds", annotator="Ann") as project:
        files = [folder / name for name in ("x.qrels", "alpha.run", "beta.run")]
        data_import.run_import(project, data_import.plan_import(project, files, trial=False))
        for query in browse.query_keys(project).tolist():
            for candidate in browse.query(project, query).candidates:
                if candidate.id in ("d1", "d2"):
                    judging.set_grade(project, query, candidate.key, 4, milliseconds=1500)
        return project.path


@pytest.fixture
def project(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path / "p.annot"))


def table(result: Result) -> list[dict[str, str]]:
    assert result.exit_code == 0, result.stderr
    return list(csv.DictReader(io.StringIO(result.stdout)))


def test_a_project_is_made_once_and_never_over_another(run: Run, tmp_path: Path) -> None:
    assert run("new", tmp_path / "n.annot", "--name", "N").exit_code == 0
    again = run("new", tmp_path / "n.annot", "--name", "M")
    assert again.exit_code == 1
    assert "exists already" in again.stderr


def test_a_project_without_a_name_is_called_as_its_file(run: Run, tmp_path: Path) -> None:
    assert run("new", tmp_path / "Site search.annot").exit_code == 0
    with Project.open(tmp_path / "Site search.annot", read_only=True) as opened:
        assert browse.contents(opened).name == "Site search"


def test_a_folder_that_is_no_dump_is_refused_in_one_line(run: Run, tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        result = run("load", folder, tmp_path / "new.annot")
        assert result.exit_code == 1
        why = f"{folder} is no dump of a project: it holds no project.toml.\n"
        assert result.stderr == why


def test_a_dry_run_says_what_would_come_and_leaves_the_file(run: Run, project: Path, tmp_path: Path) -> None:
    (tmp_path / "gamma.run").write_text("q1 Q0 d9 1 1.0 gamma\n", "utf-8")
    before = project.read_bytes()
    result = run("import", project, tmp_path / "gamma.run", "--dry-run")
    assert "1 would be added" in result.stdout
    assert project.read_bytes() == before
    assert "1 added" in run("import", project, tmp_path / "gamma.run").stdout


def test_an_import_that_cannot_be_taken_names_file_line_and_what_to_do(
    run: Run, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad.qrels").write_text("q1 0 d1 5\nq1 0 d2 many\n", "utf-8")
    before = project.read_bytes()
    result = run("import", project, tmp_path / "bad.qrels", "--format", "trec-qrels")
    assert result.exit_code == 1
    assert "bad.qrels:2" in result.stderr
    assert project.read_bytes() == before


def test_grades_are_mapped_by_a_rule(run: Run, project: Path, tmp_path: Path) -> None:
    (tmp_path / "y.qrels").write_text("q1 0 d1 2\n", "utf-8")
    result = run("import", project, tmp_path / "y.qrels", "--annotator", "Bob", "--grades", "0..2=0..5")
    assert result.exit_code == 0, result.stderr
    with Project.open(project, annotator="Bob", read_only=True) as opened:
        assert [one.judgment.grade for one in browse.query(opened, 1).candidates if one.id == "d1"] == [5]
    (tmp_path / "words.csv").write_text("query_id,document_id,grade\nq1,d1,Good\nq1,d2,Bad\n", "utf-8")
    result = run("import", project, tmp_path / "words.csv", "--dry-run")
    assert result.exit_code == 1
    assert result.stderr.endswith("such as Good=4. --grades takes such a rule.\n")


def test_a_dump_is_loaded_again_byte_for_byte(run: Run, project: Path, tmp_path: Path) -> None:
    first = run("dump", project, tmp_path / "one")
    assert run("load", tmp_path / "one", tmp_path / "copy.annot").exit_code == 0
    second = run("dump", tmp_path / "copy.annot", tmp_path / "two")
    assert first.stdout.split()[-1] == second.stdout.split()[-1]
    assert run("load", tmp_path / "nothing", tmp_path / "x.annot").exit_code == 1


def test_one_score_is_taken_apart(run: Run, project: Path) -> None:
    words = ("explain", project, "--system", "beta", "--query", "q1", "-m", "DCG@10")
    rows = table(run(*words, "--format", "csv"))
    assert [row["candidate"] for row in rows] == ["d4", "d3", "d2", "d1"]
    scores = table(run("evaluate", project, "-s", "beta", "-q", "q1", "-m", "DCG@10", "--format", "csv"))
    assert sum(float(row["contribution"]) for row in rows) == pytest.approx(float(scores[0]["value"]))
    assert "costs most" in run(*words).stdout
    assert "q1, beta: DCG@10 = " in run(*words).stdout


def test_means_are_printed_with_their_intervals_and_quartiles(run: Run, project: Path) -> None:
    words = ("evaluate", project, "-m", "AP", "--estimates")
    assert [line.split()[:2] for line in run(*words).stdout.splitlines()[4:6]] == [
        ["alpha", "AP"],
        ["beta", "AP"],
    ]
    (alpha, _) = table(run(*words, "--format", "csv"))
    (mean,) = [row for row in table(run(*words[:4], "--format", "csv")) if row["system"] == "alpha"]
    assert alpha["mean"] == mean["value"]
    assert float(alpha["lower_quartile"]) <= float(alpha["median"]) <= float(alpha["upper_quartile"])


def test_systems_are_compared_in_one_sentence_and_as_columns(run: Run, project: Path) -> None:
    words = ("compare", project, "-m", "nDCG@10", "--test", "sign")
    assert "alpha is better than beta" in run(*words).stdout
    (row,) = table(run(*words, "--format", "csv"))
    assert float(row["difference"]) < 0
    assert run("compare", project, "--test", "magic").exit_code == 2


def test_a_difference_of_one_s_own_choice_is_planned_for(run: Run, tmp_path: Path) -> None:
    run("sample", "site-search", "-o", tmp_path / "s.annot")
    words = ("compare", tmp_path / "s.annot", "-s", "full-text", "-s", "hybrid", "--difference", "0.02")
    (row,) = table(run(*words, "--format", "csv"))
    assert (row["first"], row["second"], row["difference"]) == ("full-text", "hybrid", "0.02")
    assert int(row["needed"]) > int(row["queries"])
    assert "are printed without --difference" in run(*words, "--format", "csv").stderr
    both = run(*words)
    plain = run(*words[:-2], "-m", "nDCG@10").stdout.split("\n\n")[0]
    assert both.stdout.startswith(plain), "what is asked beside takes nothing away"
    assert "hybrid is not worse than full-text by 0.02" in both.stdout
    assert "without --difference" not in both.stderr
    count = len(table(run(*words[:2], "--difference", "0.02", "--by-tag", "--format", "csv")))
    many = run(*words[:2], "--difference", "0.02", "--by-tag").stdout
    assert many.count("nDCG@10") >= 2 * count > 24, "as two tables"


def test_systems_and_measures_are_related_with_the_number_of_values(run: Run, project: Path) -> None:
    words = ("compare", project, "-m", "nDCG@10", "-m", "AP", "--correlation")
    found = table(run(*words, "pearson", "--format", "csv"))
    assert [row["between"] for row in found[:2]] == ["systems, nDCG@10", "measures, alpha"]
    assert [row["coefficient"] for row in found[2:]] == ["Kendall's tau-b", "tau-AP"]
    assert [row["n"] for row in found] == ["8", "8", "2", "2"]
    assert "n = 2 is very small" in run(*words, "spearman").stdout
    assert run(*words, "cosine").exit_code == 2
    alone = run("compare", project, "-s", "alpha", "-m", "AP", "--correlation", "kendall")
    assert (alone.exit_code, alone.stderr) == (
        1,
        "One system under one measure goes with nothing; name two of either.\n",
    )


def test_the_question_answering_tables_fit_a_terminal(run: Run, project: Path) -> None:
    lines = run("evaluate", project, "-m", "cQA").stdout.splitlines()
    assert {"MRR, MAP and AvgRec", "alpha at each k", "beta at each k"} <= set(lines)
    assert max(map(len, lines)) <= 100
    printed = table(run("evaluate", project, "-m", "cQA@10", "--format", "csv"))
    assert {"MRR", "MAP", "AvgRec", "AC1@10", "AC2@1"} <= {row["measure"] for row in printed}
    assert "AC1@11" not in {row["measure"] for row in printed}


def test_comparing_loads_no_distributions_which_take_a_second(project: Path) -> None:
    heavy = ("scipy.special", "scipy.stats", "pandas")
    assert loaded_by("compare", str(project), "-m", "AP", "--test", "sign", heavy=heavy) == {"scipy.special"}


def test_agreement_is_told_pair_by_pair(run: Run, project: Path) -> None:
    rows = table(run("agreement", project, "--format", "csv"))
    pairs = {frozenset((row["first"], row["second"])) for row in rows}
    assert pairs == {frozenset(("everybody", "")), frozenset(("Ann", "imported:x"))}
    assert {(row["value"], row["low"], row["caution"][:15]) for row in rows} == {("", "", "not enough data")}
    shown = run("agreement", project).stdout
    assert "Judgments of Ann against those of imported:x" in shown
    assert "by each annotator's judgments alone" in shown


def test_agreement_leaves_grades_given_together_out_unless_asked_otherwise(run: Run, project: Path) -> None:
    plain = table(run("agreement", project, "--format", "csv"))
    with Project.open(project, annotator="Cy") as opened:
        query = browse.query_keys(opened).tolist()[0]
        keys = {one.id: one.key for one in browse.query(opened, query).candidates}
        first = keys.pop("d1")  # two people graded it, and one d3, which has yet to come: no chance decides
        others = [*keys.values()]
        judging.set_grade(opened, query, first, 3)
        judging.grade_rest(opened, query, others)
    words = "given with the rest of a query or with a near-duplicate"
    left_out, counting = run("agreement", project), run("agreement", project, "--with-together")
    assert f"{len(others)} grades {words} are left out." in " ".join(left_out.stdout.split())
    assert f"{len(others)} grades {words} count, too." in " ".join(counting.stdout.split())
    rows = [table(run("agreement", project, *more, "--format", "csv")) for more in ((), ("--with-together",))]
    items = [[int(row["items"]) for row in some if row["second"] == ""] for some in (plain, *rows)]
    assert items[0][0] <= items[1][0] < items[2][0]


def test_coverage_tells_between_which_values_each_query_moves(run: Run, project: Path) -> None:
    means = table(run("coverage", project, "-m", "P@5", "--format", "csv"))
    each = table(run("coverage", project, "-m", "P@5", "--per-query", "--format", "csv"))
    scores = table(run("evaluate", project, "-m", "P@5", "--per-query", "--format", "csv"))
    known = {(one["system"], one["query"]): one["value"] for one in scores if one["query"] != "all"}
    assert {(one["system"], one["query"]): one["value"] for one in each} == known
    for mean in means:
        mine = [one for one in each if one["system"] == mean["system"]]
        for end in ("worst", "estimate", "best"):
            assert sum(float(one[end]) for one in mine) / len(mine) == pytest.approx(float(mean[end]))


def test_coverage_tells_bounds_and_lists_what_to_judge(run: Run, project: Path) -> None:
    rows = table(run("coverage", project, "-m", "P@5", "--format", "csv"))
    assert [row["system"] for row in rows] == ["alpha", "beta"]
    bounds = [[float(row[name]) for name in ("worst", "estimate", "best")] for row in rows]
    assert all(low - 1e-12 <= middle <= high + 1e-12 for low, middle, high in bounds)
    listed = table(run("coverage", project, "--list", "--format", "csv"))
    assert all(row["candidate"] == "d4" for row in listed)


@pytest.mark.parametrize(
    "words",
    [
        ("coverage", "-m", "P@5"),
        ("coverage", "-m", "P@5", "--per-query"),
        ("classify", "--match", "f1", "--threshold", "0.5"),
        ("explain", "-s", "reader-a", "-q", "q01-robert-downey", "-m", "AP"),
        ("compare", "-m", "AP"),
        ("what-if", "-s", "reader-a", "-s", "reader-b", "-m", "AP"),
    ],
)
def test_every_result_says_how_grades_were_combined_where_several_people_graded(
    run: Run, tmp_path: Path, words: tuple[str, ...]
) -> None:
    path = tmp_path / "h.annot"
    run("sample", "superhero-qa", "-o", path)
    alone = run(words[0], path, *words[1:], "--combine", "max").stderr
    assert "from the grades of one annotator, Robin." in alone
    assert "combined" not in alone
    with Project.open(path, "Ann") as opened:
        query = browse.key_of(opened, "q01-robert-downey")
        judging.set_grade(opened, query, browse.query(opened, query).candidates[0].key, 3)
    said = run(words[0], path, *words[1:], "--combine", "max").stderr
    assert "several annotators combined by the max" in said


def test_queries_that_nobody_judged_are_told_beside_the_bounds(run: Run, tmp_path: Path) -> None:
    """They are in no mean, so the bounds alone would look more certain than they are."""
    run("sample", "superhero-qa", "-o", tmp_path / "h.annot")
    scores = run("evaluate", tmp_path / "h.annot", "-m", "RR", "--format", "json")
    ungraded = len(json.loads(scores.stdout)["left_out"])
    assert f"{ungraded} queries have no judgment" in run("coverage", tmp_path / "h.annot").stderr


def test_the_next_judgments_are_those_of_two_systems(run: Run, project: Path) -> None:
    said = run("next", project, "-s", "alpha", "-s", "beta").stdout
    one = table(run("next", project, "-s", "alpha", "-s", "beta", "-q", "q1", "--format", "csv"))
    assert {row["query"] for row in one} <= {"q1"}
    assert run("next", project, "-s", "alpha", "-s", "beta", "--tag", "nowhere").exit_code == 1
    assert [line.split()[1] for line in said.splitlines() if line.startswith(" q")] == ["d4"] * 8
    assert run("next", project, "-s", "alpha").exit_code == 2


def test_what_if_lists_the_grades_whose_change_turns_the_systems_round(run: Run, project: Path) -> None:
    """Changed as it says, they turn the mean difference round, to the number it says."""
    of_two = ("-s", "beta", "-s", "alpha", "-m", "P(rel=5)@2", "--annotator", "imported:x")
    rows = table(run("what-if", project, *of_two, "--format", "csv"))
    assert len(rows) == 9, "alpha has a 5 more in the top 2 of 8 queries; each change takes one of the 8 away"
    lines = [line.split() for line in QRELS.splitlines()]
    grades = {(query, one): int(grade) for query, _, one, grade in lines}
    for row in rows:
        assert grades[row["query_id"], row["candidate_id"]] == int(row["before"])
        grades[row["query_id"], row["candidate_id"]] = int(row["after"])
    fives = {pair for pair, grade in grades.items() if grade == 5}
    alpha, beta = (
        sum((f"q{at}", one) in fives for at in range(1, 9) for one in top)
        for top in (("d1", "d2"), ("d4", "d3"))
    )
    assert (alpha - beta) / 16 == pytest.approx(float(rows[-1]["difference"]))
    assert beta > alpha
    shown = run("what-if", project, *of_two)
    assert (
        "9 changed grades put beta ahead of alpha by mean P(rel=5)@2: the difference, alpha minus beta, goes"
        in (shown.stdout)
    )
    assert "over 8 queries, alpha minus beta." in shown.stdout
    part = table(run("what-if", project, *of_two, "-q", "q1", "-q", "q2", "--format", "csv"))
    assert len(part) == 3, "two queries take three"
    assert {row["query_id"] for row in part} == {"q1", "q2"}
    assert "one annotator, imported:x" in shown.stderr
    assert run("what-if", project, "-s", "alpha").exit_code == 2
    assert "nobody" in run("what-if", project, *of_two[:6], "--annotator", "Eve").stderr.casefold()


def test_ranking_effect_tells_means_and_places_by_each_annotators_grades_alone(
    run: Run, project: Path
) -> None:
    rows = table(run("ranking-effect", project, "-m", "P(rel=5)@1", "--format", "csv"))
    places = {row["system"]: (row["Ann place"], row["imported:x place"]) for row in rows}
    assert places == {"alpha": ("1", "1"), "beta": ("1", "2")}, "Ann gave no 5, so that both have 0"
    for name in ("Ann", "imported:x"):
        alone = run("evaluate", project, "-m", "P(rel=5)@1", "--annotator", name, "--format", "csv")
        means = {one["system"]: one["value"] for one in table(alone)}
        assert {row["system"]: row[name] for row in rows} == means
    assert run("ranking-effect", project, "--combine", "mean").exit_code == 2, "each stands alone"
    only = table(run("ranking-effect", project, "--annotator", "Ann", "--format", "csv"))
    assert list(only[0]) == ["system", "Ann", "Ann place", "Ann queries"]
    assert {row["Ann queries"] for row in only} == {"8"}
    assert "With 1 pair of systems and no ties tau takes one of 2 values" in (
        run("ranking-effect", project, "-m", "P(rel=5)@2").stdout
        + run("ranking-effect", project, "-m", "nDCG@10").stdout
    )


def test_an_export_says_what_it_could_not_hold(run: Run, project: Path, tmp_path: Path) -> None:
    result = run("export", project, "--format", "trec-qrels", "-o", tmp_path / "out.qrels")
    assert result.exit_code == 0, result.stderr
    assert "cannot hold" in result.stderr
    assert len((tmp_path / "out.qrels").read_text("utf-8").splitlines()) >= 24
    tried = run("export", project, "--format", "trec-qrels", "-o", tmp_path / "tried.qrels", "--dry-run")
    assert "This would be lost" in tried.output
    assert "TREC qrels cannot hold the texts of the queries" in tried.stderr
    assert not (tmp_path / "tried.qrels").exists()
    unknown = run("export", project, "--format", "nonsense", "-o", tmp_path / "x")
    assert unknown.exit_code == 1


def test_every_format_is_listed(run: Run) -> None:
    keys = {row["format"] for row in json.loads(run("formats", "--format", "json").stdout)}
    assert {"trec-run", "trec-qrels", "beir", "squad", "csv"} <= keys


def test_a_sound_project_is_proved_and_a_changed_one_told(run: Run, project: Path) -> None:
    assert "is sound" in run("check", project).stdout
    with sqlite3.connect(project) as db:
        db.execute("UPDATE value SET value = '\"Bards\"' WHERE task = 'setting'")
    db.close()
    result = run("check", project)
    assert result.exit_code == 1
    assert "setting" in result.stderr


def test_a_backup_is_made_listed_and_restored(run: Run, project: Path, tmp_path: Path) -> None:
    assert run("backup", project, "-o", tmp_path / "copy.annot").exit_code == 0
    made_at = run("backup", project).stdout.split(" ", 1)[1].strip().removesuffix(".")
    assert Path(made_at).exists()
    assert Path(made_at).name in run("backup", project, "--list").stdout
    project.write_bytes(b"broken")
    assert run("backup", project, "--restore", made_at).exit_code == 0
    assert "is sound" in run("check", project).stdout


def test_what_can_be_read_of_a_damaged_project_is_recovered(run: Run, project: Path, tmp_path: Path) -> None:
    with Project.open(project) as opened:
        page = opened.store.db.execute("PRAGMA page_size").fetchone()[0]
        root = opened.store.db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'value'").fetchone()[
            0
        ]
    data = bytearray(project.read_bytes())
    data[(root - 1) * page : root * page] = bytes(page)
    project.write_bytes(data)
    assert run("check", project).exit_code == 1
    result = run("recover", project, "-o", tmp_path / "saved.annot")
    assert result.exit_code == 0, result.stderr
    assert "is sound" in run("check", tmp_path / "saved.annot").stdout
    with Project.open(tmp_path / "saved.annot", annotator="Ann", read_only=True) as saved:
        assert [one.graded for one in browse.annotators(saved) if one.name == "Ann"] == [16]


@pytest.mark.parametrize("content", [None, b"", b"no project at all"])
def test_recovering_says_when_there_is_nothing_to_recover(
    run: Run, tmp_path: Path, content: bytes | None
) -> None:
    broken = tmp_path / "broken.annot"
    if content is not None:
        broken.write_bytes(content)
    result = run("recover", broken, "-o", tmp_path / "saved.annot")
    assert result.exit_code == 1
    assert result.stderr.startswith("There is no file" if content is None else "Nothing of ")
    assert not (tmp_path / "saved.annot").exists()


def test_an_import_is_taken_back_by_its_name(run: Run, project: Path) -> None:
    line = next(one for one in run("imports", project).stdout.splitlines() if "alpha.run" in one)
    assert run("imports", project, "--undo", line.split()[-1]).exit_code == 0
    assert "taken back" in run("imports", project).stdout
    assert run("imports", project, "--undo", line.split()[-1]).exit_code == 1


def test_the_history_says_who_did_what(run: Run, project: Path) -> None:
    rows = table(run("history", project, "--query", "q2", "--format", "csv"))
    assert {row["annotator"] for row in rows} == {"Ann"}
    assert rows[0]["what"].startswith("grade 4 of d")
    assert rows[0]["seconds"] == "1.5"
    graded = datetime.fromisoformat(rows[0]["time"])
    assert graded.utcoffset() == graded.astimezone().utcoffset(), "this computer's own, and it is named"
    with Project.open(project, read_only=True) as opened:
        assert (
            graded.timestamp()
            == history.history(opened, browse.key_of(opened, "q2"), limit=1)[0].time // 1000
        )


def test_the_help_of_import_lists_what_columns_can_hold_and_their_other_names(run: Run) -> None:
    shown = " ".join(run("import", "--help").stdout.split())
    for role, names in ROLES.items():
        assert (f"{role} ({', '.join(names)})" if names else role) in shown


def test_other_columns_become_fields_and_cells_several_gold_answers_when_told(
    run: Run, tmp_path: Path
) -> None:
    table = tmp_path / "shop.csv"
    table.write_text("Frage;Produkt;Note;URL;Gold\nSchuhe;p1;3.0;http://a;rot|blau\n", "utf-8")
    run("new", tmp_path / "shop.annot")
    told = ("query=Frage", "document_id=Produkt", "grade=Note", "gold=Gold", "field:url=URL")
    columns = [word for one in told for word in ("--column", one)]
    result = run("import", tmp_path / "shop.annot", table, *columns, "--gold-separator", "|")
    assert result.exit_code == 0, result.stderr
    with Project.open(tmp_path / "shop.annot", read_only=True) as project:
        view = browse.query(project, 1)
        assert [one.text for one in view.gold] == ["rot", "blau"]
        assert [dict(one.fields) for one in view.candidates] == [{"url": "http://a"}]


def test_two_copies_are_merged(run: Run, project: Path, tmp_path: Path) -> None:
    other = Path(shutil.copy(project, tmp_path / "other.annot"))
    for path, name, grade in (
        (project, "Bob", 2),
        (other, "Cem", 2),
        (project, "Dora", 1),
        (other, "Dora", 3),
    ):
        with Project.open(path, annotator=name) as opened:
            judging.set_grade(opened, 1, browse.query(opened, 1).candidates[0].key, grade)
    result = run("merge", project, other, "-o", tmp_path / "both.annot")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.count("conflict: ") == 1
    assert "(Dora): kept grade " in result.stdout
    brings = [line for line in result.stdout.splitlines() if " brings of " in line]
    assert brings == [f"other.annot brings of {name}: grade: 1 · session: 1" for name in ("Cem", "Dora")]
    with Project.open(tmp_path / "both.annot", read_only=True) as merged:
        assert {"Ann", "Bob", "Cem"} <= {one.name for one in browse.annotators(merged)}
    assert run("merge", project, other, "-o", project).exit_code == 1


@pytest.mark.parametrize("colleague_first", [True, False])
def test_importing_a_file_again_on_another_copy_leaves_what_a_colleague_changed(
    run: Run, tmp_path: Path, colleague_first: bool
) -> None:
    ours, theirs, both = (tmp_path / f"{name}.annot" for name in ("ours", "theirs", "both"))
    (tmp_path / "x.qrels").write_text("q1 0 d1 2\nq1 0 d2 3\n", "utf-8")
    (tmp_path / "changed.qrels").write_text("q1 0 d1 4\n", "utf-8")
    run("new", ours)
    run("import", ours, tmp_path / "x.qrels")
    shutil.copy(ours, theirs)
    change = ("--annotator", "imported:x", "--replace")
    assert run("import", theirs, tmp_path / "changed.qrels", *change).exit_code == 0
    assert "judgments: 2 there already" in run("import", ours, tmp_path / "x.qrels").stdout
    sides = (theirs, ours) if colleague_first else (ours, theirs)
    told = run("merge", *sides, "-o", both).stdout
    assert "conflict: " not in told
    assert f"{sides[1].name} brings of imported:x: import: 1 · session: 1" in told

    def grades() -> list[str]:
        assert run("check", both).exit_code == 0
        done = run("export", both, "--format", "trec-qrels", "-o", tmp_path / "out.qrels")
        return [] if done.exit_code else (tmp_path / "out.qrels").read_text("utf-8").splitlines()

    def imports() -> list[tuple[str, str, str]]:
        with Project.open(both, read_only=True) as opened:
            told = [one for one in history.history(opened) if one.task == "import"]
            made = [(one.source, str(one.in_force), one.identity) for one in maintenance.imports(opened)]
            assert len(told) == len(made) + sum(in_force == "False" for _, in_force, _ in made)
            return sorted(made)

    assert grades() == ["q1 0 d1 4", "q1 0 d2 3"]
    (_, _, changed), *twice = imports()
    assert [source for source, _, _ in twice] == ["x.qrels", "x.qrels"]
    for name, left in ((twice[0][2], ["q1 0 d1 4", "q1 0 d2 3"]), (changed, ["q1 0 d1 2", "q1 0 d2 3"])):
        assert run("imports", both, "--undo", name).exit_code == 0
        assert grades() == left
    run("imports", both, "--undo", twice[1][2])
    assert grades() == []
    assert [in_force for _, in_force, _ in imports()] == ["False"] * 3


def test_measures_are_listed_and_explained(run: Run) -> None:
    rows = json.loads(run("measures", "--format", "json").stdout)
    assert {"nDCG", "AP", "EM"} <= {row["measure"] for row in rows}
    told = run("measures", "nDCG@10").stdout
    assert "It cannot see useless candidates" in told
    assert "Formula" in told
    for row in rows:
        alone = run("measures", row["measure"])
        assert f": {row['title']}\n{row['what it says']}\n" in alone.stdout, row["measure"]


def test_lists_of_nothing_say_how_to_begin(run: Run, project: Path) -> None:
    assert f"annotator snapshot {project}" in run("snapshot", project).stdout
    assert table(run("snapshot", project, "--format", "csv")) == []
    assert f"annotator backup {project}" in run("backup", project, "--list").stdout


def test_a_query_that_a_report_cannot_take_apart_is_said(run: Run, project: Path, tmp_path: Path) -> None:
    result = run("report", project, "-o", tmp_path / "r.html", "--explain", "q99")
    assert result.exit_code == 1
    assert "'q99'" in result.stderr
    assert not (tmp_path / "r.html").exists()


def test_a_snapshot_is_taken_listed_and_compared_with(run: Run, project: Path) -> None:
    assert run("snapshot", project, "first").exit_code == 0
    with Project.open(project, annotator="Ann") as opened:
        unjudged = next(one for one in browse.query(opened, 1).candidates if one.id == "d4")
        judging.set_grade(opened, 1, unjudged.key, 5)
    assert table(run("snapshot", project, "--format", "csv"))[0]["snapshot"] == "first"
    rows = table(run("snapshot", project, "first", "--since", "-m", "CG@10", "--format", "csv"))
    assert {(row["system"], row["query"]) for row in rows} == {("beta", "q1")}
    words = ("evaluate", project, "-s", "beta", "-q", "q1", "-m", "CG@10", "--per-query", "--format", "csv")
    then, now = table(run(*words, "--as-of", "first")), table(run(*words))
    assert float(now[0]["value"]) > float(then[0]["value"])
    days = [datetime.now()]
    today = run(*words[:-2], "--as-of", "today")
    days.append(datetime.now())  # after midnight, perhaps
    assert now[0]["value"] in today.stdout
    assert any(f"as of {day:%a %Y-%m-%d} 23:59" in today.stdout + today.stderr for day in days)
    wrong = run("evaluate", project, "--as-of", "yesteryear")
    assert wrong.exit_code == 1
    assert "write last Friday, yesterday 14:00" in wrong.stderr


def test_what_nobody_typed_is_as_the_project_has_it(run: Run, project: Path) -> None:
    with Project.open(project, annotator="Ann") as opened:
        settings.set_setting(opened, "relevant_from", 5)
        settings.set_setting(opened, "combining", "max")
    words = ("-m", "P@2", "--format", "csv")
    usual, typed = (
        run("evaluate", project, *words, *more) for more in ((), ("--rel", "5", "--combine", "max"))
    )
    assert table(usual) == table(typed) != table(run("evaluate", project, *words, "--rel", "1"))
    assert "combined by the max" in usual.stderr
    assert "combined by the median" in run("evaluate", project, *words, "--combine", "median").stderr
    of_two = ("explain", project, "-s", "alpha", "-q", "q1", "-m", "P@2", "--format", "csv")
    assert table(run(*of_two)) == table(run(*of_two, "--rel", "5", "--combine", "max"))
    assert table(run(*of_two)) != table(run(*of_two, "--rel", "1"))


READING = {
    "evaluate": (),
    "explain": ("-q", "q1", "-s", "alpha", "-m", "nDCG@3"),
    "compare": (),
    "what-if": ("-s", "alpha", "-s", "beta"),
    "agreement": (),
    "ranking-effect": (),
    "classify": (),
    "coverage": (),
    "next": ("-s", "alpha", "-s", "beta"),
    "report": ("-o", "report.html"),
    "export": ("-o", "qrels.txt", "--format", "trec-qrels"),
    "dump": ("twin",),
    "history": (),
    "imports": (),
    "snapshot": (),
    "retrieve": (),
    "aggregate": ("-s", "alpha", "-s", "beta"),
    "import": ("x.qrels",),
    "audit": (),
    "assign": (),
    "practice": (),
    "nuggets": ("-o", "nuggets.jsonl"),
    "preferences": (),
    "backup": (),
    "backup -o": ("-o", "copy.annot"),
    "share": ("shared",),
}
"""The commands on a project, and the words with which they run."""

OTHERS = {
    *("new", "load", "sample", "measures", "formats", "check", "merge", "recover", "forget"),
    *("partition", "gather", "join"),
}
"""The commands on no project, and those whose word on a damaged one has a test of its own."""


def test_every_command_is_held_to_a_word_on_a_damaged_project() -> None:
    assert {one.split()[0] for one in READING} | OTHERS == set(COMMANDS)


@pytest.mark.parametrize("command", READING)
def test_no_command_says_a_word_of_a_damaged_project_but_that_it_is_damaged(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    project = project.rename(here / "p.annot")
    Path("x.qrels").write_text(QRELS, "utf-8")
    raw = sqlite3.connect(project)
    raw.execute("UPDATE judgment SET grade = 5 WHERE grade = 3")
    raw.commit()
    raw.close()
    before = project.read_bytes(), sorted(here.rglob("*"))
    result = run(command.split()[0], project, *READING[command])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "p.annot is damaged: current values: imported:x's judgment of d2" in result.stderr
    assert (project.read_bytes(), sorted(here.rglob("*"))) == before


def test_a_backup_whose_judgments_were_changed_is_not_restored_over_a_sound_project(
    run: Run, project: Path
) -> None:
    made = Path(run("backup", project).stdout.split(" ", 1)[1].strip().removesuffix("."))
    raw = sqlite3.connect(made)
    raw.execute("UPDATE judgment SET grade = 5 WHERE grade = 3")
    raw.commit()
    raw.close()
    before = project.read_bytes(), sorted(project.parent.iterdir())
    result = run("backup", project, "--restore", made)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "is damaged: current values: imported:x's judgment of d2" in result.stderr
    assert "Of this backup nothing was restored" in result.stderr
    assert (project.read_bytes(), sorted(project.parent.iterdir())) == before


def test_recovering_lists_what_is_lost_and_writes_nothing_until_a_file_is_named(
    run: Run, project: Path, tmp_path: Path
) -> None:
    raw = sqlite3.connect(project)
    raw.execute("UPDATE ranking SET rank = rank + 1 WHERE run = 1")
    raw.commit()
    raw.close()
    looked = run("recover", project).stdout.splitlines()
    assert looked[0] == "lost: the run of 'alpha' cannot be proved and is left out"
    assert looked[-1].startswith("Can be saved: ")
    assert looked[-1].endswith("Nothing was written; -o names the new file.")
    assert [one.name for one in tmp_path.glob("*.annot")] == ["p.annot"]
    made = run("recover", project, "-o", tmp_path / "saved.annot").stdout.splitlines()
    assert made[:-1] == looked[:-1]
    assert made[-1].startswith(f"Made {tmp_path / 'saved.annot'}: ")
    assert run("check", tmp_path / "saved.annot").exit_code == 0
    assert "exists already" in run("recover", project, "-o", tmp_path / "saved.annot").stderr


@pytest.mark.parametrize("named", [".", "/", "..", "there"])
def test_recovering_a_folder_is_refused_and_nothing_but_its_own_is_removed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    (tmp_path / "temporary" / "there").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "temporary")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    refused = run("recover", named)
    assert (refused.exit_code, refused.stderr) == (1, f"{named} cannot be read: Is a directory.\n")
    assert [one.name for one in (tmp_path / "temporary").iterdir()] == ["there"]


def test_a_file_of_a_newer_version_is_not_recovered(run: Run, project: Path) -> None:
    raw = sqlite3.connect(project)
    raw.execute("PRAGMA user_version = 7")
    raw.close()
    assert "newer version" in run("recover", project).stderr


def test_what_the_first_bytes_of_a_file_let_one_doubt_is_listed_as_lost(run: Run, project: Path) -> None:
    raw = sqlite3.connect(project)
    raw.execute("PRAGMA application_id = 7")
    raw.close()
    first = run("recover", project).stdout.splitlines()[0]
    assert first.startswith(
        "lost: its first bytes are not those of a project: p.annot is a database of another"
    )


def test_the_terminal_shows_the_cells_and_captions_of_the_tables_on_screen(run: Run, project: Path) -> None:
    options = Options(measures=("nDCG@10", "P@5"))
    with Project.open(project, annotator="Ann") as opened:
        state = state_of(opened, options)
        result = evaluated(state, options)
        bounds, top = coverage.score_bounds(state, options), coverage.coverage(state, options=options)
        said = thresholds.annotator_against_annotator(state, "Ann", "imported:x", 3)
        to_judge = coverage.judging_list(state, options)
    words = ("-m", "nDCG@10", "-m", "P@5")
    two = ("--annotator", "Ann", "--annotator", "imported:x")
    for command, table in {
        ("evaluate", project, *words): summary(result),
        ("evaluate", project, *words, "--per-query"): per_query(result),
        ("evaluate", project, *words, "--estimates"): estimates(result),
        ("coverage", project, *words): coverage.bounds_of_means(bounds, top),
        ("coverage", project, *words, "--per-query"): coverage.bounds_of_scores(bounds),
        ("coverage", project, *words, "--list"): coverage.to_judge(to_judge),
        ("classify", project, *two): thresholds.rates_table(said),
        ("classify", project, *two, "--sweep"): thresholds.sweep_table(said),
    }.items():
        printed = run(*command).stdout
        words_printed = Counter(printed.split())
        for row in table.rows:
            for column, cell in zip(table.columns, row, strict=True):
                assert not Counter(shown(column, cell).split()) - words_printed, (command, column.title)
        assert table.caption in printed
        assert {*" ".join(column.title for column in table.columns).split()} <= words_printed.keys()


def test_each_annotator_s_leniency_is_told_and_written_without_names(run: Run, tmp_path: Path) -> None:
    run("sample", "site-search", "-o", tmp_path / "s.annot")
    rows = table(run("agreement", tmp_path / "s.annot", "--leniency", "--format", "csv"))
    assert [row["annotator"] for row in rows] == ["Mara beside Jonas"]
    assert float(rows[0]["leniency_low"]) <= float(rows[0]["leniency"]) <= float(rows[0]["leniency_high"])
    report = tmp_path / "report.md"
    run("report", tmp_path / "s.annot", "-o", report, "--section", "agreement")
    assert "Leniency and scatter" in report.read_text("utf-8")
    assert "Mara" not in report.read_text("utf-8")
    run("new", tmp_path / "empty.annot", "--name", "Empty")
    assert (
        "it takes candidates that two people graded"
        in run("agreement", tmp_path / "empty.annot", "--leniency").stderr
    )


def test_how_alike_systems_rank_is_told_before_anything_is_judged(run: Run, tmp_path: Path) -> None:
    for name, ranking in (("a", "xyz"), ("b", "xzw")):
        lines = [f"q1 Q0 {one} {at} {9 - at} {name}" for at, one in enumerate(ranking, 1)]
        (tmp_path / f"{name}.run").write_text("\n".join(lines) + "\n")
    project = tmp_path / "new.annot"
    run("new", project, "--name", "New")
    run("import", project, tmp_path / "a.run", tmp_path / "b.run")
    (row,) = table(run("compare", project, "--overlap", "0.5", "--format", "csv"))
    assert (row["first"], row["second"], row["queries"]) == ("a", "b", "1")
    assert float(row["overlap"]) == pytest.approx(1 / 2 + 1 / 8 + 2 / 3 / 4)
    (tmp_path / "b.run").write_text("".join(f"q{at} Q0 x 1 1 b\n" for at in range(1, 9)))
    run("import", project, tmp_path / "b.run", "--replace")
    shown = run("compare", project, "--overlap", "0.5").stdout
    assert "No ranking by a, so left out beside it: 7 queries." in shown
    assert "No ranking by b" not in shown
    assert "lies between 0 and 1" in run("compare", project, "--overlap", "2").stderr
    assert "It takes two systems" in run("compare", project, "-s", "a", "--overlap", "0.5").stderr


def test_what_a_command_cannot_do_at_once_is_refused_and_not_left_out(run: Run, project: Path) -> None:
    """Two questions of which one would be answered, two measures of which the first would count."""
    assert run("compare", project, "--overlap", "0.9", "--difference", "0.1").exit_code == 2
    assert run("compare", project, "--correlation", "kendall", "--overlap", "0.9").exit_code == 2
    two = ("-m", "nDCG@10", "-m", "AP")
    for words in (
        ("agreement", project),
        ("ranking-effect", project),
        ("what-if", project, "-s", "alpha", "-s", "beta"),
    ):
        assert run(*words, *two).exit_code == 2
        assert run(*words, *two[:2]).exit_code == 0


def test_how_alike_systems_rank_is_told_of_the_chosen_queries_alone(run: Run, project: Path) -> None:
    words = ("compare", project, "--overlap", "0.9", "--format", "csv")
    assert {row["queries"] for row in table(run(*words))} == {"8"}
    assert {row["queries"] for row in table(run(*words, "-q", "q1", "-q", "q3"))} == {"2"}
    assert "no query 'q99'" in run(*words, "-q", "q99").stderr
    assert "no tag 'farm'" in run(*words, "--tag", "farm").stderr


def test_a_file_holds_what_the_terminal_shows(run: Run, project: Path, tmp_path: Path) -> None:
    asked = (
        ("agreement", project),
        ("what-if", project, "-s", "beta", "-s", "alpha", "-m", "P(rel=5)@2", "--annotator", "imported:x"),
        ("compare", project, "-m", "AP", "--difference", "0.1"),
    )
    for words in asked:
        run(*words, "-o", tmp_path / "said.txt")
        assert (tmp_path / "said.txt").read_text("utf-8") == run(*words).stdout
    said = run(*asked[1], "--format", "csv").stderr
    assert "9 changed grades put beta ahead of alpha" in said
    assert "over 8 queries, alpha minus beta" in said


def test_agreement_ranks_the_systems_as_ranking_effect_does(run: Run, project: Path) -> None:
    """Both count as relevant what the project does."""
    with Project.open(project, annotator="Ann") as opened:
        settings.set_setting(opened, "relevant_from", 5)
    effect = run("ranking-effect", project, "-m", "P@2").stdout
    assert "P(rel=5)@2" in effect
    assert effect.strip() in run("agreement", project, "-m", "P@2").stdout


def test_six_columns_without_ranks_are_taken_once_it_is_said_what_they_are(
    run: Run, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "umbrela.tsv").write_text(
        "q1 Q0 d1 3 1 mine\nq1 Q0 d2 3 0.5 mine\nq1 Q0 d3 0 1 mine\n", "utf-8"
    )
    before = project.read_bytes()
    refused = run("import", project, tmp_path / "umbrela.tsv")
    assert refused.exit_code == 1
    assert "--as judgments" in refused.stderr
    assert project.read_bytes() == before
    taken = run("import", project, tmp_path / "umbrela.tsv", "--as", "judgments", "--dry-run")
    assert "left out, as judgments have no place for them: confidence, tag" in taken.stdout
    assert "judgments: 3 would be added" in taken.stdout
