"""What commands print of names that act: marks for people, the exact name and one warning for programs."""

import csv
import io
import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import typer.main
from typer.testing import Result

import annotator.commands.speech
from annotator import cli
from annotator.commands.program import COMMANDS, app
from annotator.project.project import Project
from annotator.records import Dataset, Document, Query
from tests.formats.datasets import judged, run_of
from tests.hostile_names import WORST, acts
from tests.project.conftest import add

Run = Callable[..., Result]
Count = Callable[[int, int], int]
NAMES = (f"{WORST}\u202e[/red]", "=1+1\u2066")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project whose systems, queries, tags and documents bear such names."""
    path = tmp_path / "hostile.annot"
    queries = [Query(f"q{at}{name}", f"about {name}", (name,)) for at, name in enumerate(NAMES)]
    documents = [Document(f"{name}{at}", name, name) for at, name in enumerate(NAMES)]
    pairs = [(query.id, document.id) for query in queries for document in documents]
    runs = [
        run_of(name, [(*pair, 1.0 / at) for at, pair in enumerate(pairs, 1)], scored=True) for name in NAMES
    ]
    with Project.create(path, "Hostile\u202e", annotator="Ann") as made:
        add(made, Dataset(queries=queries, documents=documents, runs=runs))
        add(made, Dataset(judgments=judged([(*pair, at % 4) for at, pair in enumerate(pairs)])))
    return path


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate"],
        ["evaluate", "--per-query"],
        ["compare"],
        ["agreement"],
        ["coverage"],
        ["systems"],
        ["check"],
        ["export", "--format", "csv", "-o", "out.csv"],
        ["report", "-o", "out.html"],
        ["report", "-o", "out.md"],
        ["report", "-o", "out.tex"],
    ],
    ids=" ".join,
)
def test_no_command_prints_what_a_terminal_acts_on(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(words[0], project, *words[1:])
    assert acts(done.output) == []
    assert "Traceback" not in done.output
    if words[0] in ("evaluate", "export", "report"):
        assert done.exit_code == 0, done.output
    for file in (one for one in tmp_path.glob("out.*") if one.suffix != ".csv"):
        assert acts(file.read_text("utf-8")) == []


def test_csv_is_exact_and_one_note_names_the_first_cell_that_is_dangerous(run: Run, project: Path) -> None:
    done = run("evaluate", project, "--format", "csv")
    rows = list(csv.reader(io.StringIO(done.stdout)))
    assert {row[0] for row in rows[1:]} == set(NAMES)
    notes = [line for line in done.stderr.splitlines() if "begins as a formula does" in line]
    assert len(notes) == 1
    assert "'=1+1" in notes[0]
    assert "column system" in notes[0]


@pytest.mark.parametrize(
    ("words", "guarded"),
    [
        (["export", "--format", "csv"], False),
        (["export", "--format", "quepid"], False),
        (["export", "--format", "csv", "--for-spreadsheets"], True),
        (["report", "--table", "summary"], False),
        (["report", "--table", "summary", "--separator", ";"], True),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_a_csv_file_says_once_which_cell_is_dangerous_or_that_cells_are_guarded(
    run: Run, project: Path, tmp_path: Path, words: list[str], guarded: bool
) -> None:
    file = tmp_path / "out.csv"
    done = run(words[0], project, *words[1:], "-o", file)
    assert done.exit_code == 0, done.output
    [note] = [line for line in done.stderr.splitlines() if "begins as a formula does" in line]
    assert ("an apostrophe stands before it" in note) == guarded
    with file.open(encoding="utf-8-sig", newline="") as text:
        rows = list(csv.reader(text, delimiter=";" if ";" in words else ","))
    told = re.search(r"in row (\d+), column (\S+), begins", note)
    assert told is not None
    cell = rows[int(told[1])][rows[0].index(told[2])]
    assert cell.startswith("'=" if guarded else "=")
    before = [one for row in rows[1 : int(told[1])] for one in row]
    assert not [one for one in before if one.startswith(("=", "'="))]


EVERY = {
    "new": ["new", "fresh\u202e.annot"],
    "import": ["import", "{p}", "more\u202e.run"],
    "dump": ["dump", "{p}", "dumped"],
    "load": ["load", "dumped", "loaded.annot"],
    "sample": ["sample", "\u202e"],
    "retrieve": ["retrieve", "{p}", "--name", "bm\u202e25"],
    "aggregate": ["aggregate", "{p}", "-s", "{s}", "-s", "{t}", "--rule", "rrf", "--name", "f\u202e"],
    "evaluate": ["evaluate", "{p}", "--per-query"],
    "explain": ["explain", "{p}", "--system", "{s}", "--query", "{q}", "-m", "nDCG@10"],
    "measures": ["measures", "\u202e"],
    "compare": ["compare", "{p}"],
    "what-if": ["what-if", "{p}", "-s", "{s}", "-s", "{t}", "-m", "nDCG@10"],
    "nuggets": ["nuggets", "{p}", "nug\u202egets.jsonl"],
    "preferences": ["preferences", "{p}"],
    "agreement": ["agreement", "{p}", "-m", "nDCG@10"],
    "ranking-effect": ["ranking-effect", "{p}", "-m", "nDCG@10"],
    "classify": ["classify", "{p}"],
    "audit": ["audit", "{p}", "sp\u202ering", "--baseline", "{s}", "-s", "{t}", "-m", "DCG@10"],
    "coverage": ["coverage", "{p}", "-m", "nDCG@10"],
    "next": ["next", "{p}", "-s", "{s}", "-s", "{t}"],
    "assign": ["assign", "{p}", "--lead", "A\u202enn", "--to", "Ma\u202era=60", "--to", "Jo=40"],
    "practice": ["practice", "{p}", "--lead", "A\u202enn", "-q", "{q}"],
    "snapshot": ["snapshot", "{p}", "be\u202efore"],
    "report": ["report", "{p}", "-o", "out.html"],
    "export": ["export", "{p}", "--format", "csv", "-o", "out.csv"],
    "partition": ["partition", "more\u202e.run", "-o", "par\u202ets"],
    "gather": ["gather", "--qrels", "more\u202e.run", "-o", "sco\u202eres.parquet"],
    "formats": ["formats"],
    "check": ["check", "{p}"],
    "backup": ["backup", "{p}", "-o", "back\u202eup.annot"],
    "imports": ["imports", "{p}"],
    "history": ["history", "{p}"],
    "merge": ["merge", "{p}", "back\u202eup.annot"],
    "recover": ["recover", "{p}", "-o", "rec\u202eovered.annot"],
    "share": ["share", "{p}", "car\u202erier"],
    "join": ["join", "car\u202erier", "-o", "joi\u202ened.annot"],
    "forget": ["forget", "{p}"],
}
"""A use of each command on such a project; what it is told may be wrong, what it prints may not act."""


def test_every_command_prints_marks_for_what_acts_in_names(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "more\u202e.run").write_text("q\u20669 Q0 d\u202e9 1 1.0 more\u202e\n", "utf-8")
    assert COMMANDS.keys() == EVERY.keys(), "a new command is driven here too"
    found: dict[str, str] = {}
    shown = set()
    for name in EVERY:
        done = run(*words_of(name, project))
        if acts(done.output) or "Traceback" in done.output:
            found[name] = done.output[:300]
        if "[U+" in done.output:
            shown.add(name)
    assert found == {}
    assert len(shown) > len(EVERY) // 2, "names are shown at all"


def words_of(command: str, project: Path) -> list[str]:
    """Return the words of a use of a command."""
    named = {"p": project, "s": NAMES[0], "t": NAMES[1], "q": f"q0{NAMES[0]}"}
    return [word.format(**named) if word.startswith("{") else word for word in EVERY[command]]


def test_no_word_that_is_typed_acts_or_ends_a_command_with_a_traceback(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: Count
) -> None:
    """A terminal's signs and bytes that are no UTF-8 stand in the place of each word and option's value."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "more\u202e.run").write_text("q1 Q0 d1 1 1.0 more\n")
    kept = Path(shutil.copy(project, tmp_path / "kept"))
    bad = "\x1b[2J\udcff\u202e"
    group = typer.main.get_command(app)
    lines = []
    for name, command in group.commands.items():  # type: ignore[attr-defined]
        if name in EVERY:
            words = words_of(name, project)
            places = [at for at in range(1, len(words)) if not words[at].startswith("-")]
            lines += [[*words[:at], bad, *words[at + 1 :]] for at in places]
            options = [one.opts[0] for one in command.params if one.param_type_name == "option"]
            lines += [[*words, option, bad] for option in options]
    lines += [["what\x1b[2J", "then"], ["--what\x1b[2J"], ["none" + bad]]
    found = {}
    for line in random.Random(0).sample(lines, count(60, len(lines))) + lines[-3:]:
        shutil.copy(kept, project)
        done = run(*line)
        if acts(done.output) or not isinstance(done.exception, SystemExit | None) or done.exit_code > 2:
            found[" ".join(line)] = (done.output[-200:], done.exception)
    assert found == {}


@pytest.mark.skipif(os.name != "posix", reason="names of files are bytes on POSIX alone")
def test_a_project_in_a_folder_whose_name_is_not_utf_8_is_used_like_any_other(
    run: Run, project: Path, tmp_path: Path
) -> None:
    there = tmp_path / os.fsdecode(b"\xff\x1b[2J\n") / os.fsdecode(b"\xfe.annot")
    there.parent.mkdir()
    shutil.copy(project, there)
    (tmp_path / "more.run").write_text("q1 Q0 d1 1 1.0 more\n")
    (tmp_path / os.fsdecode(b"\xff.run")).write_text("q1 Q0 d1 1 1.0 odd\n")
    for words in (
        ["new", there.with_name(os.fsdecode(b"new \xff.annot"))],
        ["import", there, tmp_path / "more.run"],
        ["evaluate", there],
        ["backup", there, "-o", there.with_name(os.fsdecode(b"copy \xff.annot"))],
        ["recover", there, "-o", there.with_name(os.fsdecode(b"new one \xff.annot"))],
        ["merge", there, there.with_name(os.fsdecode(b"copy \xff.annot")), "-o", there.with_name("merged")],
        ["report", there, "-o", there.with_suffix(".html")],
        ["check", there],
        ["forget", there, "--yes"],
    ):
        done = run(*words)
        assert (done.exit_code, acts(done.output)) == (0, []), (words, done.output, done.exception)
    done = run("import", there, tmp_path / os.fsdecode(b"\xff.run"))
    assert done.exit_code == 1
    assert (
        done.output == "'\\udcff.run' holds bytes that are not UTF-8, so it is no text; name it otherwise.\n"
    )


@pytest.mark.skipif(os.name != "posix", reason="lengths are those of POSIX")
def test_what_is_named_at_great_length_is_written_or_refused_for_its_length(
    run: Run, project: Path, tmp_path: Path
) -> None:
    long = tmp_path / ("漢" * 80)
    for words in (
        ["report", project, "-o", long.with_suffix(".html")],
        ["evaluate", project, "--format", "csv", "-o", long.with_name("漢" * 76 + ".csv")],
        ["new", long.with_name("漢" * 75 + ".annot")],
        ["backup", project, "-o", long.with_name("漢" * 76 + ".annot")],
    ):
        done = run(*words)
        assert done.exit_code == 0, (words, done.output)
    deep = tmp_path.joinpath(*["y" * 60] * 9)
    deep.mkdir(parents=True)
    shutil.copy(project, deep / "there.annot")
    for words in (
        ["new", deep / "new.annot"],
        ["check", deep / "there.annot"],
        ["backup", project, "-o", deep / "copy.annot"],
        ["new", tmp_path / f"{'x' * 244}.annot"],
    ):
        done = run(*words)
        assert done.exit_code == 1
        assert "its name is too long" in done.output, done.output
    assert sorted(one.name for one in deep.iterdir()) == ["there.annot"]


@pytest.mark.parametrize("name", ["x" * 300, "shut/there", "none/there"])
def test_a_first_word_that_no_file_can_be_is_refused_in_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Of which `Path.exists` raises an error instead of saying no, before Python 3.12."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shut").touch()
    done = run(name + ".annot")
    assert done.exit_code == 1
    assert re.fullmatch(r"There is no project .*, and no command of that name; .*\n", done.output)
    monkeypatch.setattr("sys.argv", ["annotator", name + ".annot"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    assert "There is no project" in capsys.readouterr().err


def test_what_is_said_to_people_goes_through_one_function() -> None:
    folder = Path(annotator.commands.speech.__file__).parent
    past = [one.name for one in folder.glob("*.py") if "typer.echo(" in one.read_text("utf-8")]
    assert past == ["speech.py"]
