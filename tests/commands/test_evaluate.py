"""`annotator evaluate`: its three forms, its layouts, and what it says when something is wrong."""

import csv
import gzip
import io
import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest
from typer.testing import Result

from annotator.commands import choices
from annotator.metrics.catalogue import CATALOGUE, parse
from annotator.project import data_import, tie_counter
from annotator.project.data_import import ImportChoices
from annotator.project.project import Project
from annotator.text.normalisers import NORMALISERS, SENTENCES
from annotator.watch import Watch

Run = Callable[..., Result]

QRELS = "q1 0 a 3\nq1 0 b 0\nq1 0 c 2\nq2 0 a 1\nq3 0 e 2\n"
RUN = "q1 Q0 b 1 9.5 plain\nq1 Q0 a 2 8 plain\nq2 Q0 a 1 3 plain\nq9 Q0 a 1 3 plain\n"
GOLD = {
    "version": "v2.0",
    "data": [
        {
            "title": "Heroes",
            "paragraphs": [
                {
                    "context": "Iron Man is Tony Stark. Thor has Mjolnir.",
                    "qas": [
                        {
                            "id": "iron",
                            "question": "Who is Iron Man?",
                            "is_impossible": False,
                            "answers": [{"text": "Tony Stark", "answer_start": 12}],
                        },
                        {"id": "hulk", "question": "Who is Hulk?", "is_impossible": True, "answers": []},
                    ],
                }
            ],
        }
    ],
}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "qrels.txt").write_text(QRELS, "utf-8")
    (tmp_path / "plain.run").write_text(RUN, "utf-8")
    return tmp_path / "qrels.txt", tmp_path / "plain.run"


def rows(result: Result) -> dict[tuple[str, str, str], float]:
    return {
        (row["system"], row["query"], row["measure"]): float(row["value"])
        for row in csv.DictReader(io.StringIO(result.stdout))
    }


def test_files_are_evaluated_and_printed_as_long_csv(run: Run, files: tuple[Path, Path]) -> None:
    result = run(
        "evaluate", "--qrels", files[0], "--run", files[1], "-m", "RR", "--per-query", "--format", "csv"
    )
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines()[0] == "system,query,measure,value,no_ranking"
    assert "plain,q3,RR,0.0,yes" in result.stdout.splitlines(), "the run has nothing for it"
    assert "plain,q1,RR,0.5,no" in result.stdout.splitlines()
    found = rows(result)
    assert found["plain", "q1", "RR"] == 0.5
    assert found["plain", "q3", "RR"] == 0.0
    assert not [key for key in found if "all" in key]
    assert ("plain", "q9", "RR") not in found
    assert "q9" in result.stderr
    words = ("evaluate", "--qrels", files[0], "--run", files[1], "-m", "RR", "--means")
    assert rows(run(*words, "--per-query", "--format", "csv"))["plain", "all", "RR"] == 0.5
    assert run(*words).exit_code == 2, "it would change nothing"


def test_how_hard_queries_are_is_told_of_files_by_query_and_by_system(
    run: Run, files: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "other.run").write_text(RUN.replace("plain", "other"), "utf-8")
    words = ("evaluate", "--qrels", files[0], "--run", files[1], "-m", "RR", "-m", "AP", "--difficulty")
    two = (*words, "--run", tmp_path / "other.run", "--format", "csv")
    found = list(csv.DictReader(io.StringIO(run(*two, "--per-query").stdout)))
    assert [(row["measure"], row["query"]) for row in found] == [
        (measure, query) for measure in ("RR", "AP") for query in ("q3", "q1", "q2")
    ]
    assert [float(row["mean"]) for row in found] == [0.0, 0.5, 1.0, 0.0, 0.25, 1.0]
    by_system = list(csv.DictReader(io.StringIO(run(*two).stdout)))
    assert [(row["measure"], row["system"], row["n"]) for row in by_system] == [
        (measure, system, "3") for measure in ("RR", "AP") for system in ("plain", "other")
    ]
    assert [row["gain_hard"] for row in by_system] == [""] * 4, "which takes three systems"
    alone = run(*words)
    assert alone.exit_code == 1
    assert "takes two systems" in alone.stderr


def test_values_read_back_to_the_same_double(run: Run, files: tuple[Path, Path]) -> None:
    result = run(
        "evaluate", "--qrels", files[0], "--run", files[1], "-m", "nDCG", "--per-query", "--format", "csv"
    )
    expected = (3 / 1.584962500721156) / (3 + 2 / 1.584962500721156)
    assert rows(result)["plain", "q1", "nDCG"] == pytest.approx(expected, abs=1e-15)
    assert len(result.stdout.splitlines()[1].split(",")[3]) > 12


def test_a_project_gives_what_its_files_give(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    project = tmp_path / "p.annot"
    assert run("new", project, "--name", "P").exit_code == 0
    assert run("import", project, *files).exit_code == 0
    words = ("-m", "AP", "-m", "nDCG@10", "-m", "P@5", "--per-query", "--format", "csv")
    from_project = run("evaluate", project, *words)
    from_files = run("evaluate", "--qrels", files[0], "--run", files[1], *words)
    assert from_project.exit_code == 0, from_project.stderr
    assert rows(from_project) == rows(from_files)


def test_answers_are_scored_against_gold_answers(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gold.json").write_text(json.dumps(GOLD), "utf-8")
    (tmp_path / "right.json").write_text(json.dumps({"iron": "the Tony Stark!", "hulk": ""}), "utf-8")
    (tmp_path / "half.json").write_text(json.dumps({"iron": "Stark", "hulk": "Bruce"}), "utf-8")
    words = ("--gold", tmp_path / "gold.json", "--predictions", tmp_path / "right.json")
    result = run("evaluate", *words, "--predictions", tmp_path / "half.json", "--format", "csv")
    assert result.exit_code == 0, result.stderr
    found = rows(result)
    assert found["right", "all", "EM"] == 1.0
    assert found["half", "all", "EM"] == 0.0
    assert found["half", "all", "TokenF1"] == pytest.approx((2 / 3) / 2)


def test_json_holds_the_same_numbers_and_the_queries_left_out(run: Run, files: tuple[Path, Path]) -> None:
    result = run("evaluate", "--qrels", files[0], "--run", files[1], "-m", "RR", "--format", "json")
    value = json.loads(result.stdout)
    assert value["systems"]["plain"]["all"]["RR"] == 0.5
    assert value["left_out"] == [{"query": "q9", "why": "it has no judgments"}]


def test_a_table_for_people_shows_how_much_is_judged(run: Run, files: tuple[Path, Path]) -> None:
    result = run("evaluate", "--qrels", files[0], "--run", files[1], "-m", "RR")
    assert "Judged@10" in result.stdout
    assert "0.5000" in result.stdout


@pytest.fixture
def answers(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "gold.json").write_text(json.dumps(GOLD), "utf-8")
    (tmp_path / "reader.json").write_text(json.dumps({"iron": "Tony Stark", "hulk": "Bruce"}), "utf-8")
    return tmp_path / "gold.json", tmp_path / "reader.json"


def test_scores_of_answers_say_nothing_about_judgments(run: Run, answers: tuple[Path, Path]) -> None:
    words = ("evaluate", "--gold", answers[0], "--predictions", answers[1])
    assert "Judged@10" not in run(*words).stdout
    assert "Judged@10" not in run(*words, "--match", "em").stdout


def test_a_project_of_answers_without_grades_is_scored_by_its_gold_answers(
    run: Run, answers: tuple[Path, Path], tmp_path: Path
) -> None:
    project = tmp_path / "p.annot"
    run("new", project, "--name", "P")
    run("import", project, *answers)
    found = rows(run("evaluate", project, "--format", "csv"))
    assert found == {("reader", "all", "EM"): 0.5, ("reader", "all", "TokenF1"): 0.5}
    assert ("reader", "all", "AP") in rows(run("evaluate", project, "--match", "em", "--format", "csv"))


def test_ties_of_long_stored_rankings_are_counted_when_asked_for(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run").write_text("q Q0 a 1 1.0 s\nq Q0 b 2 1.0 s\nq Q0 c 3 0.5 s\n", "utf-8")
    (tmp_path / "qrels").write_text("q 0 a 1\n", "utf-8")
    run("new", tmp_path / "p.annot", "--name", "P")
    run("import", tmp_path / "p.annot", tmp_path / "run", tmp_path / "qrels")
    monkeypatch.setattr(tie_counter, "MOST_ROWS", 2)
    words = ("evaluate", tmp_path / "p.annot", "-m", "RR", "--format", "csv")
    assert "--count-ties" in run(*words).stderr
    counted = run(*words, "--count-ties")
    assert counted.stderr.splitlines() == [
        "note: Relevance comes from the grades of one annotator, imported:qrels.",
        "note: 2 candidates of s share their score with another; by their order alone: RR 0.5000 to 1.0000.",
    ]
    assert rows(counted) == rows(run(*words))
    ties_of = {
        asked: json.loads(run(*words[:-1], "json", *asked).stdout)["ties"]["s"]
        for asked in ((), ("--count-ties",))
    }
    assert ties_of == {
        (): {"candidates": None, "worst_and_best": {}},
        ("--count-ties",): {"candidates": 2, "worst_and_best": {"RR": [0.5, 1.0]}},
    }


@pytest.mark.parametrize("words", [(), ("--by-tag",), ("--estimates",), ("--convention", "all")])
def test_whose_grades_count_and_what_is_left_out_is_said_with_every_result(
    run: Run, tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "run").write_text("q Q0 a 1 1.0 s\nother Q0 a 1 1.0 s\n", "utf-8")
    (tmp_path / "all.csv").write_text("query_id,query,tags,document_id,grade\nq,geese,short,a,1\n", "utf-8")
    run("new", tmp_path / "p.annot", "--name", "P")
    run("import", tmp_path / "p.annot", tmp_path / "run", tmp_path / "all.csv")
    result = run("evaluate", tmp_path / "p.annot", "-m", "AP", "--combine", "max", *words)
    basis = "Relevance comes from the grades of one annotator, imported:all."
    assert (result.stdout + result.stderr).count(basis) == 1
    assert "note: left out, because it has no judgments: other" in result.stderr.splitlines()


def test_a_score_is_taken_apart_under_the_options_it_was_computed_with(
    run: Run, answers: tuple[Path, Path], tmp_path: Path
) -> None:
    by_text = ("explain", "--gold", answers[0], "--predictions", answers[1], "-q", "iron")
    assert "(unicode)" in run(*by_text, "-m", "TokenF1", "--normaliser", "unicode").stdout
    loose = ("--match", "f1", "--threshold", 0.1, "-m", "RR")
    every = ("--gold", answers[0], "--predictions", answers[1], *loose)
    scores = rows(run("evaluate", *every, "--per-query", "--format", "csv"))
    taken = run("explain", *every, "-q", "iron", "--format", "csv").stdout
    parts = [float(one["contribution"]) for one in csv.DictReader(io.StringIO(taken))]
    assert sum(parts) == scores["reader", "iron", "RR"] > 0
    assert run("explain", *every, "-q", "iron", "--tag", "x").exit_code == 2, "one query has no tag to choose"


def test_rows_that_trec_eval_takes_for_comments_are_told_of(run: Run, files: tuple[Path, Path]) -> None:
    qrels, plain = files
    words = ("evaluate", "--qrels", qrels, "--run", plain, "-m", "AP", "--format", "csv")
    before = run(*words)
    plain.write_text(RUN.replace("q9", "#q9"), "utf-8")
    found = run(*words)
    assert found.stdout == before.stdout
    assert (
        "plain.run: 1 line begins with # (#q9) and is left out as a comment, as trec_eval 10 does."
        in found.stderr
    )
    assert "#" not in before.stderr


def test_every_normaliser_is_named_where_one_is_asked_for(run: Run, answers: tuple[Path, Path]) -> None:
    assert all(name in choices.Normaliser.__metadata__[0].help for name in NORMALISERS)
    by_text = ("explain", "--gold", answers[0], "--predictions", answers[1], "-q", "iron", "-m", "EM")
    for name in NORMALISERS:
        said = f"Texts are compared {SENTENCES[name]} ({name})"
        assert said in " ".join(run(*by_text, "--normaliser", name).stdout.split())


@pytest.mark.parametrize(
    "words", [("--match", "em"), ("--normaliser", "none"), ("--annotator", "x"), ("--as-of", "today")]
)
def test_an_option_that_would_change_nothing_is_wrong_usage(
    run: Run, files: tuple[Path, Path], words: tuple[str, str]
) -> None:
    for command in (("evaluate",), ("explain", "-q", "q1")):
        found = run(*command, "--qrels", files[0], "--run", files[1], *words)
        assert found.exit_code == 2
        assert f"{words[0]}: it goes with PROJECT" in " ".join(found.stderr.split())


def test_a_threshold_without_a_match_is_wrong_usage(run: Run, answers: tuple[Path, Path]) -> None:
    words = ("evaluate", "--gold", answers[0], "--predictions", answers[1], "-m", "RR", "--threshold", 0.5)
    assert run(*words).exit_code == 2
    assert run(*words, "--match", "f1").exit_code == 0


def test_what_is_relevant_among_answers_is_said_where_ranks_are_scored(
    run: Run, answers: tuple[Path, Path]
) -> None:
    words = ("evaluate", "--gold", answers[0], "--predictions", answers[1])
    ranked, matched = run(*words, "-m", "RR"), run(*words, "-m", "EM")
    assert "matches a gold answer by em from 1 on" in ranked.stdout + ranked.stderr
    assert "matches" not in matched.stdout + matched.stderr


def test_no_answer_probabilities_empty_the_answers_above_the_threshold(
    run: Run, answers: tuple[Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "na_prob.json").write_text(json.dumps({"iron": 0.1, "hulk": 0.9}), "utf-8")
    words = ("evaluate", "--gold", answers[0], "--predictions", answers[1], "-m", "EM", "--format", "csv")
    doubted = run(*words, "--no-answer", tmp_path / "na_prob.json", "--no-answer-from", 0.5)
    assert rows(run(*words))["reader", "all", "EM"] == 0.5
    assert rows(doubted)["reader", "all", "EM"] == 1.0
    assert "no-answer probability: 1." in doubted.stderr
    run("new", tmp_path / "p.annot", "--name", "P")
    run(
        "import",
        tmp_path / "p.annot",
        *answers,
        "--no-answer",
        tmp_path / "na_prob.json",
        "--no-answer-from",
        0.5,
    )
    assert rows(run("evaluate", tmp_path / "p.annot", "--format", "csv")) == rows(doubted) | {
        ("reader", "all", "TokenF1"): 1.0
    }
    assert run("evaluate", "p.annot", "--no-answer", tmp_path / "na_prob.json").exit_code == 2


def test_the_best_no_answer_threshold_is_shown_with_a_warning_and_gives_what_it_says(
    run: Run, answers: tuple[Path, Path], tmp_path: Path
) -> None:
    doubts = tmp_path / "na_prob.json"
    doubts.write_text(json.dumps({"iron": 0.25, "hulk": 0.9}), "utf-8")
    words = ("evaluate", "--gold", answers[0], "--predictions", answers[1], "--no-answer", doubts)
    (found,) = csv.DictReader(io.StringIO(run(*words, "--best-no-answer", "--format", "csv").stdout))
    assert (found["system"], float(found["EM"]), float(found["EM at best"])) == ("reader", 0.5, 1.0)
    again = run(*words, "-m", "EM", "--no-answer-from", found["EM empty above"], "--format", "csv")
    assert rows(again)["reader", "all", "EM"] == float(found["EM at best"])
    alone = run(*words, "--best-no-answer", "--query", "hulk", "-m", "TokenF1", "--format", "json")
    (hulk,) = json.loads(alone.stdout)
    assert (hulk["TokenF1"], hulk["TokenF1 at best"]) == (0, 1)
    assert hulk["TokenF1 empty above"] < 0.9
    warned = run(*words, "--best-no-answer")
    assert "Expect less on other questions" in warned.stdout
    assert "Expect less on other questions" in alone.stderr
    assert warned.stderr == ""
    assert run(*words, "--best-no-answer", "-m", "AP").exit_code == 1
    assert run(*words, "--best-no-answer", "--by-tag").exit_code == 2
    assert run(*words[:5], "--best-no-answer").exit_code == 2


def test_an_answer_is_sought_in_the_paragraph_of_its_question_or_in_a_passage_of_its_own(
    run: Run, answers: tuple[Path, Path], tmp_path: Path
) -> None:
    words = ("-m", "InPassage", "-m", "EM", "--per-query", "--format", "csv")
    predicted = tmp_path / "reader.json"
    predicted.write_text(json.dumps({"iron": "Thor has", "hulk": "Bruce Banner"}), "utf-8")
    found = rows(run("evaluate", "--gold", answers[0], "--predictions", predicted, *words))
    assert found["reader", "iron", "InPassage"] == 1
    assert found["reader", "hulk", "InPassage"] == 0
    project = tmp_path / "p.annot"
    run("new", project, "--name", "P")
    own = tmp_path / "own.csv"
    own.write_text(
        "query_id,answer,passage,system,rank\niron,Banner,Hulk is Bruce Banner.,own,1\n"
        "hulk,Tony Stark,Hulk is Bruce Banner.,own,1\n",
        "utf-8",
    )
    assert run("import", project, answers[0], predicted).exit_code == 0
    assert run("import", project, own).exit_code == 0
    evaluated = run("evaluate", project, *words)
    both = rows(evaluated)
    assert "no passage" not in evaluated.stderr
    assert {key: value for key, value in both.items() if key[0] == "reader"} == found
    assert (both["own", "iron", "InPassage"], both["own", "hulk", "InPassage"]) == (1, 0)
    assert (
        "InPassage counts only answers whose passage is known." in run("evaluate", project, *words[:2]).stdout
    )
    assert "InPassage" not in run("evaluate", project, "-m", "EM").stdout
    taken = run("explain", project, "-s", "own", "-q", "iron", "-m", "InPassage", "--format", "csv").stdout
    assert "Hulk is Bruce Banner." in taken
    data = json.loads(json.dumps(GOLD))
    data["data"][0]["paragraphs"][0]["context"] = ""
    data["data"][0]["paragraphs"][0]["qas"][0]["answers"] = [{"text": "Tony Stark"}]
    (tmp_path / "bare.json").write_text(json.dumps(data), "utf-8")
    left = run("evaluate", "--gold", tmp_path / "bare.json", "--predictions", predicted, *words)
    assert (
        "InPassage of reader leaves out 2 of 2 questions: no passage of the answer is known." in left.stderr
    )


def test_answerable_and_unanswerable_questions_have_means_of_their_own(
    run: Run, answers: tuple[Path, Path]
) -> None:
    words = ("evaluate", "--gold", answers[0], "--predictions", answers[1], "-m", "EM")
    result = run(*words, "--by-tag", "--format", "csv")
    assert result.stdout == "tag,measure,reader,queries\nHasAns,EM,1.0,1\nNoAns,EM,0.0,1\n"
    assert "NoAns" in run(*words, "--by-tag").stdout
    assert rows(run(*words, "--tag", "HasAns", "--format", "csv"))["reader", "all", "EM"] == 1.0


def test_a_tag_that_no_query_has_is_one_clear_line(
    run: Run, answers: tuple[Path, Path], files: tuple[Path, Path]
) -> None:
    result = run("evaluate", "--gold", answers[0], "--predictions", answers[1], "--tag", "Has")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "HasAns, NoAns" in result.stderr
    untagged = run("evaluate", "--qrels", files[0], "--run", files[1], "--by-tag")
    assert (untagged.exit_code, untagged.stderr) == (1, "The queries have no tags.\n")


def test_systems_whose_means_are_over_fewer_queries_say_over_how_many(
    run: Run, files: tuple[Path, Path]
) -> None:
    words = ("evaluate", "--qrels", files[0], "--run", files[1], "-m", "RR")
    (files[0]).write_text(QRELS + "q4 0 z 0\n", "utf-8")
    lines = run(*words, "--skip-without-relevant").stdout.splitlines()
    head = next(line.split() for line in lines if "System" in line)
    row = next(line.split() for line in lines if line.startswith(" plain"))
    assert dict(zip(head, row, strict=True))["Queries"] == "3"


def test_many_measures_are_not_cut(run: Run, files: tuple[Path, Path]) -> None:
    lines = run("evaluate", "--qrels", files[0], "--run", files[1], "-m", "trec_eval").stdout.splitlines()
    assert "…" not in "".join(lines)
    head = next(line.split() for line in lines if "System" in line)
    row = next(line.split() for line in lines if line.startswith(" plain"))
    assert dict(zip(head, row, strict=True))["P@1000"] == "0.0007"


def test_a_measure_is_explained_with_two_rankings_it_cannot_tell_apart(run: Run) -> None:
    assert "The grades 3 2 have the same nDCG as 3 2 0 0 0." in run("measures", "nDCG@10").stdout
    assert "The grades" not in run("measures", "EM").stdout


def test_a_measure_is_explained_with_the_defaults_it_has_and_what_else_its_parameters_take(run: Run) -> None:
    told = run("measures", "ERR").stdout
    assert told.startswith("ERR(max_rel=5): ")
    assert "max_rel = 5: " in told
    assert "norm = k: what the sum is divided by: 'k' or 'retrieved'" in run("measures", "judged").stdout
    assert "norm = R: what the sum is divided by: 'R' or 'min' or 'rel_ret'" in run("measures", "AP@5").stdout
    for declaration in CATALOGUE:
        first = run("measures", declaration.key).stdout.splitlines()[0]
        shown = parse(first.partition(": ")[0])
        assert shown.parameters == {one.name: one.default for one in declaration.named}
        assert shown.declaration is declaration


def test_an_output_file_is_written_as_a_whole(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    words = ("evaluate", "--qrels", files[0], "--run", files[1], "-m", "RR", "--format", "csv")
    result = run(*words, "-o", tmp_path / "out.csv")
    assert result.stdout == ""
    assert (tmp_path / "out.csv").read_text("utf-8") == run(*words).stdout


def test_folders_on_the_way_to_an_output_file_are_made(
    run: Run, files: tuple[Path, Path], tmp_path: Path
) -> None:
    qrels, plain = files
    words = ("evaluate", "--qrels", qrels, "--run", plain, "-o")
    assert run(*words, tmp_path / "new" / "way" / "x.csv").exit_code == 0
    assert (tmp_path / "new" / "way" / "x.csv").is_file()
    told = run(*words, tmp_path / "new" / "way" / "x.csv" / "y.csv")
    assert told.exit_code == 1
    assert "x.csv is a file, and a folder is to be written; name another." in told.stderr


def test_conventions_stand_side_by_side(run: Run, files: tuple[Path, Path]) -> None:
    words = ("evaluate", "--qrels", files[0], "--run", files[1], "-m", "nDCG@10", "--format", "csv")
    result = run(*words, "--convention", "all")
    found = list(csv.DictReader(io.StringIO(result.stdout)))
    tools = {row["convention"]: float(row["plain"]) for row in found}
    assert tools["trec_eval 10"] != tools["Exponential gain"]
    assert run(*words, "--convention", "nonsense").exit_code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate",),
        ("evaluate", "--qrels", "qrels.txt"),
        ("evaluate", "p.annot", "--qrels", "qrels.txt", "--run", "plain.run"),
        ("evaluate", "--gold", "gold.json"),
        ("evaluate", "p.annot", "--format", "yaml"),
        ("evaluate", "p.annot", "--match", "em", "--credit", "twice"),
        ("new",),
    ],
)
def test_wrong_usage_ends_with_two(run: Run, words: tuple[str, ...]) -> None:
    assert run(*words).exit_code == 2


def test_an_unknown_measure_is_one_clear_line(run: Run, files: tuple[Path, Path]) -> None:
    result = run("evaluate", "--qrels", files[0], "--run", files[1], "-m", "nDGC@10")
    assert result.exit_code == 1
    assert result.stderr == "unknown measure nDGC@10; did you mean nDCG@10?\n"


def test_a_missing_file_is_one_clear_line(run: Run, files: tuple[Path, Path], tmp_path: Path) -> None:
    result = run("evaluate", "--qrels", files[0], "--run", tmp_path / "gone.run")
    assert result.exit_code == 1
    assert "gone.run" in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_robust_run_gives_the_reference_through_a_project(
    run: Run, reference_data: Path, tmp_path: Path
) -> None:
    folder = reference_data / "robust03"
    with Project.create(tmp_path / "robust.annot", "Robust") as project:
        files = [folder / "robust03_qrels.txt.gz", folder / "uic0301.gz", folder / "NLPR03vb10.gz"]
        data_import.run_import(project, data_import.plan_import(project, files, ImportChoices(), trial=False))
    names = {"map": "AP", "ndcg_cut_10": "nDCG@10", "P_5": "P@5", "recip_rank": "RR"}
    measures = [word for name in names.values() for word in ("-m", name)]
    words = (*measures, "--per-query", "--means", "--format", "csv")
    found = rows(run("evaluate", tmp_path / "robust.annot", *words))
    for system in ("uic0301", "NLPR03vb10"):
        with gzip.open(folder / f"{system}.trec_eval10.aqc.gz", "rt") as reference:
            lines = [line.split() for line in reference]
        compared = 0
        for name, query, value in lines:
            if name in names:
                assert found[system, query, names[name]] == pytest.approx(float(value), abs=5.01e-5), (
                    query,
                    name,
                )
                compared += 1
        assert compared == 4 * 101


@pytest.mark.parametrize("shuffled", [False, True])
def test_a_score_of_files_is_taken_apart_with_the_candidates_names(
    run: Run, files: tuple[Path, Path], shuffled: bool
) -> None:
    if shuffled:
        files[1].write_text(
            "".join(sorted(RUN.splitlines(keepends=True), key=lambda line: line[5:])), "utf-8"
        )
    words = ("explain", "--qrels", files[0], "--run", files[1], "-q", "q1", "-m", "DCG@3", "--format", "csv")
    found = list(csv.DictReader(io.StringIO(run(*words).stdout)))
    assert [(row["candidate"], row["grade"]) for row in found] == [("b", "0"), ("a", "3")]
    assert [row["ideal_candidate"] for row in found] == ["a", "c"]


def test_a_score_of_predicted_answers_is_taken_apart(run: Run, answers: tuple[Path, Path]) -> None:
    words = ("explain", "--gold", answers[0], "--predictions", answers[1], "-q", "iron")
    assert "Tony Stark" in run(*words, "-m", "TokenF1").stdout
    assert "Tony Stark" in run(*words, "-m", "RR").stdout


def test_an_explanation_asks_which_system_is_meant(run: Run, files: tuple[Path, Path]) -> None:
    words = ("explain", "--qrels", files[0], "--run", files[1], "--run", files[1], "-q", "q1")
    asked = run(*words)
    assert asked.exit_code == 2
    assert "name one of plain, plain (plain.run)" in " ".join(asked.stderr.split())
    assert run(*words, "-s", "plain (plain.run)").exit_code == 0
    assert run("explain", "--qrels", files[0], "-q", "q1").exit_code == 2


def test_a_terminal_is_spared_the_ranks_that_add_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("q1 0 d40 1\nq1 0 d41 0\n", "utf-8")
    (tmp_path / "long.run").write_text("".join(f"q1 Q0 d{n} 1 {-n} t\n" for n in range(1, 60)), "utf-8")
    words = (
        "explain",
        "--qrels",
        tmp_path / "qrels.txt",
        "--run",
        tmp_path / "long.run",
        "-q",
        "q1",
        "-m",
        "RR",
    )
    shown = run(*words).stdout
    ranks = [
        int(line.split()[0]) for line in shown.splitlines() if line.split()[:1] and line.split()[0].isdigit()
    ]
    assert ranks == [*range(1, 11), 40]
    assert "29 ranks that add nothing are left out." in shown
    assert len(run(*words, "--format", "csv").stdout.splitlines()) == 41


def test_reading_of_files_is_shown_as_far_as_the_packed_ones_are_read(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = "".join(
        f"q{at // 100} Q0 d{at % 100} {at % 100 + 1} {100 - at % 100}.0 one\n" for at in range(60_000)
    )
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "one.run.gz").write_bytes(gzip.compress(lines.encode(), 1))
    told: list[tuple[int, int, str]] = []
    watch = Watch(on_progress=lambda *one: told.append(one))
    monkeypatch.setattr("annotator.commands.progress.shown", lambda _: nullcontext(watch))
    done = run("evaluate", "--qrels", tmp_path / "qrels", "--run", tmp_path / "one.run.gz", "-m", "P@5")
    assert done.exit_code == 0, done.output
    assert {what for *_, what in told} == {"Reading qrels", "Reading one.run.gz"}
    shares = [done / total for done, total, _ in told]
    assert shares == sorted(shares)
    assert len({*shares}) > 2, "in steps"
    assert shares[-1] == 1
