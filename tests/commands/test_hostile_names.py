"""What commands print of names that act: marks for people, the exact name and one warning for programs."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import annotator.commands.speech
from annotator.commands.program import COMMANDS
from annotator.project.project import Project
from annotator.records import Dataset, Document, Query
from tests.formats.datasets import judged, run_of
from tests.hostile_names import WORST, acts
from tests.project.conftest import add

Run = Callable[..., Result]
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
    for name, words in EVERY.items():
        named = {"p": project, "s": NAMES[0], "t": NAMES[1], "q": f"q0{NAMES[0]}"}
        done = run(*(word.format(**named) if word.startswith("{") else word for word in words))
        if acts(done.output) or "Traceback" in done.output:
            found[name] = done.output[:300]
        if "[U+" in done.output:
            shown.add(name)
    assert found == {}
    assert len(shown) > len(EVERY) // 2, "names are shown at all"


def test_what_is_said_to_people_goes_through_one_function() -> None:
    folder = Path(annotator.commands.speech.__file__).parent
    past = [one.name for one in folder.glob("*.py") if "typer.echo(" in one.read_text("utf-8")]
    assert past == ["speech.py"]
