"""What README and help say is there, and what is there they say."""

import doctest
import inspect
import re
import shlex
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from annotator.evaluation.options import Options
from annotator.formats.table_columns import ROLES
from annotator.metrics.catalogue import CATALOGUE, PRESETS, parse_all
from annotator.project import browse, history, judging
from annotator.project.data_import import plan_import, run_import
from annotator.project.project import Project
from annotator.project.project_scores import evaluate_project
from tests import reference

ROOT = Path(__file__).parents[1]
HELP = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "resources" / "help").glob("*.md"))
PAGES = {
    name: (ROOT / name).read_text("utf-8") for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", *HELP)
}
README = PAGES["README.md"]


def examples() -> Iterator[tuple[str, list[str]]]:
    """Yield (page, words) of every line of a code block that begins with `annotator`."""
    for page, text in PAGES.items():
        for block in re.findall(r"```\w*\n(.*?)```", text, re.DOTALL):
            for line in block.splitlines():
                if line.startswith("annotator "):
                    yield page, shlex.split(line, comments=True)[1:]


@pytest.mark.parametrize("name", reference.TABLES)
def test_the_reference_says_what_is_declared(name: str) -> None:
    if name == "keys":
        pytest.importorskip("annotator.desktop.actions", exc_type=ImportError)
    assert PAGES[f"resources/help/{name}.md"] == reference.written(name), "`./dev reference` writes it anew"


def test_the_number_of_measures_is_theirs() -> None:
    assert re.findall(r"(\d+) measures", README) == [str(len(CATALOGUE))]


def test_every_preset_is_named() -> None:
    text = PAGES["resources/help/measures.md"]
    line = next(line for line in text.splitlines() if "Presets:" in line)
    assert re.findall(r"`(\w+(?:@\d+)?)`", line.split("Presets:")[1]) == list(PRESETS)


def test_every_role_of_a_column_is_named() -> None:
    text = PAGES["resources/help/formats.md"]
    line = next(line for line in text.splitlines() if line.startswith("Tables and JSON lines"))
    assert set(ROLES) <= set(re.findall(r"`(\w+)`", line))


@pytest.mark.parametrize(("page", "words"), list(examples()), ids=lambda value: str(value)[:60])
def test_every_example_can_be_typed(page: str, words: list[str]) -> None:
    known = reference.commands()
    name = " ".join(words[:2]) if " ".join(words[:2]) in known else words[0]
    assert name in known, f"{page}: annotator {name}"
    options = {option for one in known[name].params for option in one.opts}
    assert {word for word in words if word.startswith("-") and word != "-"} <= options, page
    for before, word in pairwise(words):
        if before == "-m":
            assert parse_all([word])


def test_every_measure_in_the_help_is_written_as_the_app_reads_it() -> None:
    keys = "|".join(one.key for one in CATALOGUE)
    text = "\n".join(PAGES[name] for name in HELP)
    names = set(re.findall(rf"`((?:{keys})(?:\([^`]*\))?(?:@\d+)?)`", text))
    assert {"nDCG@3", "AP(norm='rel_ret')@5", "TopAcc(match='f1',threshold=0.5)"} <= names
    cut = {one.key for one in CATALOGUE if one.at is not None and one.at.default is inspect.Parameter.empty}
    for name in names:
        bare = name.partition("(")[0] in cut and "@" not in name
        assert parse_all([f"{name}@5" if bare else name])


@pytest.mark.qt
def test_the_help_names_keys_that_are_there() -> None:
    actions = pytest.importorskip("annotator.desktop.actions", exc_type=ImportError)
    known = {key for one in actions.COMMANDS for key in one.keys}
    for name in HELP:
        assert set(re.findall(r"<kbd>(.*?)</kbd>", PAGES[name])) <= known, name


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_is_there(page: str) -> None:
    text = PAGES[page]
    linked = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    paths = re.findall(r"`((?:tests|annotator|resources|sample_projects)/[\w./-]+)`", text)
    assert [link for link in linked if not ((ROOT / page).parent / link).exists()] == []
    assert [name for name in paths if not (ROOT / name).exists()] == []


def test_the_changelog_tells_of_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert re.search(rf"^## {re.escape(version)}\b", PAGES["CHANGELOG.md"], re.MULTILINE)


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [
        one for name, some in project["optional-dependencies"].items() if name != "test" for one in some
    ]
    for requirement in (*project["dependencies"], *extras):
        name = re.split(r"[<>=!;\[ ]", requirement, maxsplit=1)[0]
        assert f"| {name} |" in PAGES["CONTRIBUTING.md"], name


def test_no_page_speaks_of_this_machine() -> None:
    for page, text in PAGES.items():
        assert not re.search(r"/(?:work|tmp|root|home)/", text), page


def test_the_sentence_that_explains_the_whole_is_shown_by_an_example_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    example = text.partition("```python\n")[2].partition("```")[0]
    names = {"Path": Path, "Project": Project, "Options": Options, "browse": browse, "judging": judging}
    names |= {"history": history, "plan_import": plan_import, "run_import": run_import}
    test = doctest.DocTestParser().get_doctest(
        example, {**names, "evaluate_project": evaluate_project}, "CONTRIBUTING", None, 0
    )
    failed, tried = doctest.DocTestRunner().run(test, clear_globs=False)
    test.globs["project"].close()
    assert (failed, tried > 5) == (0, True)


def test_no_text_installs_the_package_of_somebody_else_that_is_called_annotator() -> None:
    files = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "dev"]
    files += [one for folder in ("annotator", "resources/help") for one in (ROOT / folder).rglob("*.*")]
    named = re.compile(r"pip install (?:-\S+ )*[\"']?annotator\b")
    found = [
        one.name for one in files if one.suffix in (".md", ".py", "") and named.search(one.read_text("utf-8"))
    ]
    assert found == []
    assert named.search("pip install 'annotator[neural]'")
