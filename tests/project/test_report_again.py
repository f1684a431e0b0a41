"""Every report says how to make it again, and the folder for trec_eval is checked before it is written."""

import contextlib
import json
import re
import shlex
import shutil
import tempfile
from html import unescape
from pathlib import Path
from typing import Any, NoReturn, get_args

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from annotator.commands.program import app
from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.formats.beside import metadata_of
from annotator.project import browse, judging
from annotator.project.data_import import plan_import, run_import
from annotator.project.project import Project
from annotator.project.project_scores import evaluate_project
from annotator.project.report_files import write_bundle
from annotator.project.settings import set_setting
from annotator.tasks import CombiningRule
from tests.project.test_report_files import path as path
from tests.project.test_report_files import project as project

WORDS = st.lists(
    st.sampled_from(
        [
            *("--section summary", "--section per-query", "--explain q2", "--named", "--baseline good"),
            *(
                "--test t",
                "--alpha 0.1",
                "--over all",
                "--rel 2",
                "--judged-only",
                "--seed 3",
                "-s good -s bad",
            ),
            *("-m P@3", "-m nDCG@10", "-q q1 -q q2", "--combine mean", "--figure ecdf"),
        ]
    ),
    max_size=4,
    unique=True,
)
OF_FOLDERS = ("-m", "-s", "-q", "--rel", "--combine", "--judged-only", "--seed")
ALONE = ["", "--table summary", "--table per-query --column query"]


def command_in(made: Path) -> list[str]:
    """Return the words of the command that a report says it was made by."""
    text = (metadata_of(made) if made.suffix == ".csv" else made).read_text("utf-8")
    if made.suffix == ".csv":
        (text,) = (one for one in json.loads(text)["dc:provenance"] if "annotator report" in one)
    if made.suffix == ".json":
        text = json.loads(text)["sections"][-1]["command"]
    (line,) = re.findall(r"annotator report .*?(?=</code>| -->|\n|$)", unescape(text))
    return shlex.split(line)[1:]


fewer = settings(max_examples=3, suppress_health_check=[HealthCheck.function_scoped_fixture])


@fewer
@example("html", ["--section summary", "--section per-query", "--test t", "--alpha 0.1", "--rel 2"], "")
@example("json", ["--explain q2", "-q q1 -q q2", "--combine mean", "--named", "--baseline good"], "")
@example("tex", ["--over all", "--judged-only", "--seed 3", "-s bad -s good", "-m P@3"], ALONE[2])
@example("csv", ["--rel 2", "--separator ;", "--decimal ,"], "--table per-query")
@example("csv", ["-s good -s bad", "--baseline good"], "--table tests")
@given(ending=st.sampled_from(["html", "md", "json", "tex"]), words=WORDS, alone=st.sampled_from(ALONE))
def test_every_report_says_the_command_that_writes_the_same_bytes(
    path: Path, ending: str, words: list[str], alone: str
) -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(path.parent):
        made, again = Path(folder) / f"made.{ending}", Path(folder) / f"again.{ending}"
        typed = [word for one in (*words, alone) for word in one.split()]
        done = CliRunner().invoke(app, ["report", path.name, "-o", str(made), *typed])
        assert done.exit_code == 0, done.output
        told = command_in(made)
        told[told.index("-o") + 1] = str(again)
        assert CliRunner().invoke(app, told).exit_code == 0, told
        assert again.read_bytes() == made.read_bytes()


SETTINGS = {"relevant_from": st.integers(1, 5), "combining": st.sampled_from(get_args(CombiningRule))}
CHOSEN = st.fixed_dictionaries(SETTINGS)


@fewer
@example("json", [], {"relevant_from": 1, "combining": "median"}, {"relevant_from": 4, "combining": "max"})
@example(
    "sh", ["--rel 2"], {"relevant_from": 2, "combining": "max"}, {"relevant_from": 1, "combining": "min"}
)
@given(ending=st.sampled_from(["json", "sh"]), words=WORDS, then=CHOSEN, later=CHOSEN)
def test_the_command_gives_the_same_numbers_when_the_settings_are_others_by_then(
    path: Path, ending: str, words: list[str], then: dict[str, Any], later: dict[str, Any]
) -> None:
    typed = [word for one in words for word in one.split()]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        shutil.copy(path, "search.annot")

        def written(name: str, command: list[str], settings: dict[str, Any]) -> Path:
            with Project.open(Path("search.annot"), "Zoë") as project:
                for setting, value in settings.items():
                    set_setting(project, setting, value)
            output = Path(name if ending == "sh" else f"{name}.json")
            command[command.index("-o") + 1] = str(output)
            done = CliRunner().invoke(app, command)
            assert done.exit_code == 0, done.output
            return output / "evaluate.sh" if ending == "sh" else output

        if ending == "sh":
            typed = [word for one in words if one.split()[0] in OF_FOLDERS for word in one.split()]
        made = written("made", ["report", "search.annot", "-o", "", *typed], then)
        again = written("again", command_in(made), later)
        assert shown(again) == shown(made)


ANSWERED = """query_id,query,gold,system,rank,answer
q1,Was sieht man?,Häuser,reader,1,Haus
q2,Was läuft?,runner,reader,1,runners
q3,Que voit-on?,cheval,reader,1,chevaux
"""
LANGUAGES = ["de", "en", "fr"]
AT_WHICH_EVENT = r"[0-9a-f]{64}|event \d+|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?"


@settings(max_examples=4)
@example("json", "-m EM", "", "de", "en")
@example("md", "--match em -m P@1 -m AP", "--language fr", "en", "de")
@given(
    ending=st.sampled_from(["html", "md", "json", "tex"]),
    words=st.sampled_from(["-m EM", "-m TokenF1", "--match f1 --threshold 0.5 -m P@1"]),
    chosen=st.sampled_from(["", *(f"--language {one}" for one in LANGUAGES)]),
    then=st.sampled_from(LANGUAGES),
    later=st.sampled_from(LANGUAGES),
)
def test_the_command_names_the_language_of_the_stems(
    ending: str, words: str, chosen: str, then: str, later: str
) -> None:
    spoken = chosen.split()[-1] if chosen else then
    alike = [spoken == "de", spoken in ("de", "en"), spoken == "fr"]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("answers.csv").write_text(ANSWERED, "utf-8")
        with Project.create(Path("p.annot"), "Answers") as project:
            run_import(project, plan_import(project, [Path("answers.csv")]))
            set_setting(project, "language", then)
        typed = ["report", "p.annot", "-o", f"made.{ending}", "--stemming", *words.split(), *chosen.split()]
        done = CliRunner().invoke(app, typed)
        assert done.exit_code == 0, done.output
        with Project.open(Path("p.annot"), "Zoë") as project:
            scores = evaluate_project(
                project, Options(measures=("EM",), stemming=True, language=spoken, as_of="")
            )
            assert scores.scores[0, 0].tolist() == alike
            set_setting(project, "language", later)
        told = command_in(Path(f"made.{ending}"))
        assert told[told.index("--language") + 1] == spoken
        told[told.index("-o") + 1] = f"again.{ending}"
        assert CliRunner().invoke(app, told).exit_code == 0, told
        made, again = (
            re.sub(AT_WHICH_EVENT, "", Path(f"{one}.{ending}").read_text("utf-8"))
            for one in ("made", "again")
        )
        assert again == made


def shown(made: Path) -> object:
    """Return what a report shows beside where it comes from: of a script its commands."""
    text = made.read_text("utf-8")
    if made.suffix == ".json":
        return json.loads(text)["sections"][:-1]
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_a_project_that_went_on_gives_the_same_numbers_as_of_the_moment_a_report_names(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = Path(shutil.copy(path, tmp_path / "copy.annot"))
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    assert runner.invoke(app, ["report", copy.name, "-o", "before.json"]).exit_code == 0
    before = json.loads(Path("before.json").read_text("utf-8"))["sections"]
    with Project.open(copy, "Zoë") as project:
        for candidate in browse.query(project, 1).candidates:
            judging.set_grade(project, 1, candidate.key, 0)
    (as_of,) = re.findall(r'--as-of "(.*?)"', str(before[-1]["text"]))
    words = shlex.split(before[-1]["command"])[1:]
    for name, more in (("after.json", []), ("again.json", ["--as-of", as_of])):
        words[words.index("-o") + 1] = name
        assert runner.invoke(app, [*words, *more]).exit_code == 0
    now, then = (
        json.loads(Path(name).read_text("utf-8"))["sections"] for name in ("after.json", "again.json")
    )
    assert now[0]["tables"] != before[0]["tables"]
    assert then[0]["tables"] == before[0]["tables"]


@settings(max_examples=10)
@given(
    foreign=st.lists(
        st.sampled_from(["notes.txt", "qrels.txt", "bad.run", "evaluate.sh", "old.run", "kept/x"]),
        unique=True,
    ),
    written=st.booleans(),
    form=st.sampled_from(["folder", "file", "under a file"]),
)
def test_a_folder_with_anything_of_somebody_elses_is_refused_before_a_file_is_written(
    path: Path, foreign: list[str], written: bool, form: str
) -> None:
    with tempfile.TemporaryDirectory() as place_of_folder:
        folder = Path(place_of_folder) / "bundle"
        if form != "folder":
            folder.write_text("mine")
            folder = folder / "deeper" if form == "under a file" else folder
        else:
            folder.mkdir()
            if written:
                assert CliRunner().invoke(app, ["report", str(path), "-o", str(folder)]).exit_code == 0
            for name in foreign:
                if not (folder / name).exists():
                    (folder / name).parent.mkdir(exist_ok=True)
                    (folder / name).write_text("mine")
        before = {one: one.read_bytes() for one in Path(place_of_folder).rglob("*") if one.is_file()}
        done = CliRunner().invoke(app, ["report", str(path), "-o", str(folder), "-m", "P@3"])
        mine = [name for name in before if before[name] == b"mine"]
        assert done.exit_code == bool(mine), done.output
        after = {one: one.read_bytes() for one in Path(place_of_folder).rglob("*") if one.is_file()}
        if mine:
            assert after == before
            assert len(done.stderr.strip().split(". ")) <= 2, "one clear line"
            assert ("is a file" if form == "file" else "bundle") in done.stderr
        else:
            assert sorted(one.name for one in after) == ["bad.run", "evaluate.sh", "good.run", "qrels.txt"]


def test_a_folder_that_cannot_be_written_to_is_told_before_the_evaluation(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "bundle").mkdir()
    monkeypatch.setattr("annotator.formats.whole_files.Path.mkdir", refuse)
    monkeypatch.setattr("annotator.project.report_files.evaluated", refuse)
    with pytest.raises(UserError, match=r"bundle .*Permission denied"):
        write_bundle(project, tmp_path / "bundle", Options())
    assert list((tmp_path / "bundle").iterdir()) == []


def test_a_folder_that_is_written_again_loses_the_runs_that_are_no_longer_there(
    path: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "bundle"
    for words, there in (([], {"good.run", "bad.run"}), (["-s", "bad"], {"bad.run"})):
        assert CliRunner().invoke(app, ["report", str(path), "-o", str(folder), *words]).exit_code == 0
        assert {one.name for one in folder.glob("*.run")} == there
    told = (folder / "evaluate.sh").read_text()
    (command,) = re.findall("# Again: annotator (.*)", told)
    words = shlex.split(command)
    words[1], words[words.index("-o") + 1] = str(path), str(tmp_path / "again")
    assert CliRunner().invoke(app, words).exit_code == 0
    for one in folder.iterdir():
        assert (tmp_path / "again" / one.name).read_bytes() == one.read_bytes()
    assert "# Ledger head " in told


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(["-m P@3", "--seed 3"], "--section summary")
@example([], "--separator ;")
@example([], "--alpha 0.1")
@given(
    words=st.lists(
        st.sampled_from(["-m P@3", "--rel 2", "-s good", "--judged-only"]), max_size=2, unique=True
    ),
    idle=st.sampled_from(
        [
            *(
                "--section summary",
                "--table summary",
                "--column query",
                "--digits 3",
                "--width one",
                "--means",
            ),
            *("--explain q2", "--figure ecdf", "--difference 0.1", "--named", "--separator ;"),
            *("--test t", "--correction bh", "--baseline good", "--alpha 0.1", "--over all"),
        ]
    ),
)
def test_what_changes_nothing_in_a_folder_for_trec_eval_is_refused_by_its_name(
    path: Path, words: list[str], idle: str
) -> None:
    with tempfile.TemporaryDirectory() as place_of_folder:
        typed = [
            "report",
            str(path),
            "-o",
            f"{place_of_folder}/new",
            *(one for w in words for one in w.split()),
        ]
        done = CliRunner().invoke(app, [*typed, *idle.split()])
        assert done.exit_code == 2
        said = " ".join(done.stderr.replace("│", " ").split())
        assert f"Invalid value for {idle.split()[0]}: a folder for trec_eval holds" in said
        assert not list(Path(place_of_folder).iterdir())
        assert CliRunner().invoke(app, typed).exit_code == 0


@pytest.mark.parametrize("ending", ["html", "md", "tex", "json", "pdf"])
def test_what_separates_the_cells_of_a_spreadsheet_is_refused_elsewhere(
    path: Path, tmp_path: Path, ending: str
) -> None:
    words = ["report", str(path), "-o", str(tmp_path / f"r.{ending}"), "--separator", ";", "--figure", "ecdf"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert "it goes with .csv" in done.stderr
    assert not (tmp_path / f"r.{ending}").exists()
