"""Every example of README, help, commands and docstrings runs as it is typed, beside the files that it names.

A line that stands in several places runs once; pages of a report, but for the README's, run at night.
"""

import doctest
import gzip
import importlib
import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from annotator import api
from annotator.commands.program import app
from annotator.project import browse, judging, settings
from annotator.project.aspects import Aspect
from annotator.project.project import Project
from tests import reference

ROOT = Path(__file__).parents[1]
HELP = ROOT / "resources" / "help"
NEEDS_A_MODEL = ("annotator model export",)
"""What would fetch a language model, or take one that is there: tests of their own do so."""
QUERIES = [f"q{number}" for number in range(1, 13)]
SYSTEMS = {"bm25": lambda at, query: 9 - at, "dense": lambda at, query: (at * 5 + query) % 7}


def page(name: str) -> str:
    return (ROOT / "README.md" if name == "README" else HELP / f"{name}.md").read_text("utf-8")


def typed(name: str) -> list[str]:
    """Return the lines of a page's blocks, or of a command's docstring, that begin with `annotator`."""
    if name in COMMANDS:
        examples = (COMMANDS[name].callback.__doc__ or "").partition("Example")[2]
        found = re.findall(r"`(annotator [^`]*)`", examples)
    else:
        blocks = re.findall(r"```\n(.*?)```", page(name), re.DOTALL)
        found = [line for block in blocks for line in block.splitlines() if line.startswith("annotator ")]
    return [line for line in found if not line.startswith(NEEDS_A_MODEL) and len(line.split()) > 2]


COMMANDS = reference.commands()
PAGES = ("README", *sorted(one.stem for one in HELP.glob("*.md")))
PYTHON = [name for name in PAGES if "```python" in page(name)]
MODULES = {
    str(one.relative_to(ROOT).with_suffix("")).replace("/", "."): found
    for one in sorted((ROOT / "annotator").rglob("*.py"))
    if (found := len(re.findall(r"^ *>>> ", one.read_text("utf-8"), re.MULTILINE)))
}
"""Modules with examples, and how many each has."""


def cases() -> Iterator[Any]:
    """Give the lines of each page and command that stand on none before it; may they wait for the night?"""
    seen: set[str] = set()
    for name in (*PAGES, *COMMANDS):
        lines = [line for line in typed(name) if line not in seen]
        seen.update(lines)
        dear = [line for line in lines if name != "README" and re.search(r" report .*\.html", line)]
        if cheap := [line for line in lines if line not in dear]:
            yield pytest.param(name, cheap, False, id=name)
        if dear:
            yield pytest.param(name, dear, True, id=f"{name}, reports")


def run(*words: object) -> str:
    result = CliRunner().invoke(app, list(map(str, words)), input="y\n")
    assert result.exit_code == 0, f"{words}: {result.output} {result.exception!r}"
    return result.stdout


def rated(path: Path) -> None:
    """Let two people say what is asked of a candidate beside the grade."""
    aspect = Aspect("Faithful", "", ("no", "yes"))
    for annotator in ("Ann", "Bo"):
        with Project.open(path, annotator) as project:
            settings.set_setting(project, "aspects", [aspect.stored])
            query = browse.key_of(project, "q1")
            judging.rate(project, query, browse.query(project, query).candidates[0].key, "Faithful", 1)


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with every file that an example names."""
    folder = tmp_path_factory.mktemp("given")

    def write(name: str, text: str) -> None:
        (folder / name).write_text(text, "utf-8")

    def lines(rows: list[dict[str, object]]) -> str:
        return "".join(json.dumps(one) + "\n" for one in rows)

    pairs = [
        (query, f"d{at}", (at * 3 + number) % 4) for number, query in enumerate(QUERIES) for at in range(6)
    ]
    write(
        "queries.jsonl",
        lines([{"query_id": one, "query": f"what is {one}", "tags": "first"} for one in QUERIES]),
    )
    write(
        "corpus.jsonl",
        lines([{"_id": f"d{at}", "title": "", "text": f"on q{at} and q{at + 1}"} for at in range(8)]),
    )
    write("qrels.tsv", "query-id\tcorpus-id\tscore\n" + "".join(f"{q}\t{d}\t{g}\n" for q, d, g in pairs))
    write("qrels.txt", "".join(f"{q} 0 {d} {g}\n" for q, d, g in pairs))
    for system, score in SYSTEMS.items():
        rows = [
            (q, d, score(int(d[1:]), number))
            for number, q in enumerate(QUERIES)
            for d in (f"d{at}" for at in range(8))
        ]
        write(f"{system}.run", "".join(f"{q} Q0 {d} 1 {s} {system}\n" for q, d, s in rows))
    (folder / "dense.run.gz").write_bytes(gzip.compress((folder / "dense.run").read_bytes()))
    write("results.csv", "Search,URL,Engine,Position\ntown hall,d1,new,1\ntown hall,d2,new,2\n")
    questions = [
        {
            "id": f"a{number}",
            "question": "Who?",
            "answers": [{"text": "Tony Stark", "answer_start": 0}] * (number > 1),
        }
        for number in range(1, 5)
    ]
    questions = [{**one, "is_impossible": not one["answers"]} for one in questions]
    passage = {"context": "Tony Stark built a suit.", "qas": questions}
    write("dev.json", json.dumps({"version": "v2.0", "data": [{"title": "t", "paragraphs": [passage]}]}))
    write("answers.json", json.dumps({"a1": "", "a2": "Stark", "a3": "Tony Stark", "a4": ""}))
    write("na_prob.json", json.dumps({"a1": 0.9, "a2": 0.1, "a3": 0.2, "a4": 0.6}))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run("sample", "site-search", "-o", "town.annot")
        run("sample", "superhero-qa", "-o", "heroes.annot")
        run("sample", "generated-answers", "-o", "answers.annot")
        run("nuggets", "answers.annot", "-o", "nuggets.jsonl")
        run("nuggets", "answers.annot", "--annotator", "model:sedge", "-o", "assignments.jsonl")
        run("new", "search.annot", "--name", "Search")
        run("import", "search.annot", "corpus.jsonl", "queries.jsonl", "bm25.run", "dense.run")
        shutil.copy("search.annot", "lab.annot")
        for words in (("Ann",), ("Bo",), ("model", "--model")):
            run("import", "search.annot", "qrels.txt", "--annotator", *words)
        rated(folder / "search.annot")
        for name in ("anns", "bobs", "broken", "my-search"):
            shutil.copy("search.annot", f"{name}.annot")
        run("partition", "bm25.run", "dense.run", "-o", "parts")
        run("evaluate", "--qrels", "qrels.txt", "--run", "parts", "-m", "AP", "-o", "scores.parquet")
        run("dump", "search.annot", "search-text")
    return folder


@pytest.mark.parametrize(("name", "lines", "at_night"), [*cases()])
def test_what_is_typed_runs(
    name: str,
    lines: list[str],
    at_night: bool,
    given: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    if at_night and not request.config.getoption("--nightly"):
        pytest.skip("at night")
    folder = tmp_path / "here"
    shutil.copytree(given, folder)
    monkeypatch.chdir(folder)
    if name == "import":
        (folder / "search.annot").unlink()
        run("new", "search.annot", "--name", "Search")
    if name == "join":
        run("share", "search.annot", folder / "team/search")
        (folder / "search.annot").unlink()
    if name == "gather":
        run(*shlex.split("evaluate --qrels qrels.txt --run parts/ --part 1/1 -o scores.parquet"))
    for line in lines:
        words = shlex.split(line, comments=True)[1:]
        if words[0] in ("new", "load", "sample"):
            for made in (Path(word) for word in words if word.endswith(".annot")):
                made.unlink(missing_ok=True)
        if words[0] == "partition":
            shutil.rmtree("parts")
        for share in range(1, 9 if "3/8" in words else 2):  # gather asks for all of them
            run(*(word.replace("3/8", f"{share}/8").replace("/mnt/team", f"{folder}/team") for word in words))


@pytest.mark.parametrize("name", PYTHON)
def test_what_is_written_in_python_runs(
    name: str, given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(given, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    names: dict[str, Any] = {"api": api}
    for block in re.findall(r"```python\n(.*?)```", page(name), re.DOTALL):
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, name, None, 0)
            failed, tried = doctest.DocTestRunner().run(test)
            assert (failed, tried > 0) == (0, True)
        else:
            exec(block, names)


@pytest.mark.parametrize("name", MODULES)
def test_what_is_written_in_docstrings_comes_out(name: str) -> None:
    if name.startswith("annotator.desktop"):
        pytest.importorskip("PySide6.QtWidgets", exc_type=ImportError)
    result = doctest.testmod(importlib.import_module(name))
    assert (result.failed, result.attempted) == (0, MODULES[name])
