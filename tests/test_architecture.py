"""The table of who may import whom, held against the code."""

import ast
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "annotator"
CORE = {"grades", "kept_files", "records", "errors", "theme", "places", "tasks", "ranking_order", "watch"}
CORE |= {"unfinished"}

OURS = {
    "grades": set(),
    "errors": set(),
    "watch": {"errors"},
    "records": {"grades", "errors"},
    "tasks": {"grades", "errors"},
    "ranking_order": set(),
    "theme": set(),
    "places": set(),
    "kept_files": {"unfinished"},
    "unfinished": set(),
    "text": set(),
    "metrics": {"text", "grades", "errors", "ranking_order", "watch"},
    "evaluation": {"metrics", "grades", "tasks", "errors", "text", "ranking_order", "watch"},
    "storage": {"kept_files", "unfinished", "records", "grades", "tasks", "errors", "watch"},
    "carriers": {"errors", "unfinished"},
    "formats": {"unfinished", "records", "grades", "errors", "ranking_order", "watch", "text"},
    "figures": {"evaluation", "metrics", "grades", "theme", "errors", "text"},
    "reports": {"evaluation", "metrics", "grades", "theme", "figures", "errors", "places", "text"},
    "retrieval": {"records", "text", "errors", "watch"},
    "semantics": {"kept_files", "records", "text", "metrics", "errors", "watch"},
    "project": {
        *CORE,
        "text",
        "metrics",
        "evaluation",
        "storage",
        "carriers",
        "formats",
        "figures",
        "reports",
        "retrieval",
        "semantics",
    },
    "notebook": {"project", "errors", "evaluation", "metrics", "formats", "records", "tasks", "grades"},
    "api": {"notebook", "errors", "evaluation"},
    "commands": {
        "project",
        "errors",
        "watch",
        "evaluation",
        "metrics",
        "records",
        "grades",
        "tasks",
        "formats",
        "text",
    },
    "cli": {"commands", "project", "errors"},
    "desktop": {"project", *CORE, "figures", "metrics", "evaluation", "text"},
}
"""Package -> the packages of ours it may import; itself always."""

THEIRS = {
    "grades": set(),
    "errors": set(),
    "watch": set(),
    "records": {"numpy"},
    "tasks": set(),
    "ranking_order": {"numpy"},
    "theme": set(),
    "places": set(),
    "kept_files": {"platformdirs"},
    "unfinished": set(),
    "text": {"snowballstemmer"},
    "metrics": {"numpy"},
    "evaluation": {"numpy", "pandas", "scipy"},
    "storage": {"numpy", "sqlmodel", "sqlalchemy"},
    "carriers": {"psycopg"},
    "formats": {"numpy", "openpyxl", "pyarrow"},
    "figures": {"numpy", "matplotlib"},
    "reports": {"numpy", "jinja2", "markupsafe"},
    "retrieval": {"numpy", "bm25s", "scipy"},
    "semantics": {
        "numpy",
        "onnxruntime",
        "tokenizers",
        "platformdirs",
        "onnx",
    },
    "project": {"numpy", "platformdirs", "pandas", "distributed"},
    "notebook": {"numpy", "pandas"},
    "api": set(),
    "commands": {"numpy", "typer", "rich", "click"},
    "cli": {"typer", "click", "rich"},
    "desktop": {"numpy", "PySide6", "shiboken6", "matplotlib", "nh3", "platformdirs", "font_hanken_grotesk"},
}
"""Package -> the libraries it may import; the standard library always."""

LAZY = {
    "openpyxl",
    "pyarrow",
    "pandas",
    "scipy",
    "matplotlib",
    "onnxruntime",
    "onnx",
    "tokenizers",
    "bm25s",
    "distributed",
    "psycopg",
}
"""Libraries that are slow to import, so never when a module is loaded outside of `LAZY_FREE`."""

LAZY_FREE = {"figures", "desktop"}


@cache
def parsed(source: str) -> ast.Module:
    """Return a module's tree, which several rules look at."""
    return ast.parse(source)


@cache
def imports(source: str) -> list[tuple[str, bool, int]]:
    """Return (module, at the top level, line) of every import that runs."""
    found: list[tuple[str, bool, int]] = []

    def visit(node: ast.AST, top: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            if isinstance(child, ast.Import):
                found.extend((alias.name, top, child.lineno) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert not child.level, "relative imports are not used here"
                module = child.module or ""
                if module.split(".")[0] == "annotator":  # of a package, a module may be imported
                    names = (f"{module}.{alias.name}" for alias in child.names)
                    found.extend((name, top, child.lineno) for name in (module, *names) if "." in name)
                else:
                    found.append((module, top, child.lineno))
            visit(child, top and not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))

    visit(parsed(source), True)
    return found


def wrong_imports(package: str, source: str) -> list[str]:
    """Return what a module of a package imports and may not."""
    wrong = []
    for module, top, line in imports(source):
        first, *rest = module.split(".")
        if first == "annotator":
            other = rest[0] if rest else ""
            opens_window = package in {"cli", "commands"} and other == "desktop" and not top
            if other and other != package and other not in OURS[package] and not opens_window:
                wrong.append(f"line {line}: {package} imports annotator.{other}")
        elif first not in sys.stdlib_module_names and first not in THEIRS[package]:
            wrong.append(f"line {line}: {package} imports {first}")
        if top and first in LAZY and package not in LAZY_FREE:
            wrong.append(f"line {line}: {first} is imported when the module is loaded")
    return wrong


def package_of(path: Path) -> str:
    """Return the package (or single module) of a file inside `annotator/`."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


MODULES = sorted(
    path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py" and "_data" not in path.parts
)


def breaches(rule: Callable[[Path, str], list[str]]) -> list[str]:
    """Return what a rule finds in the modules, each with its file."""
    return [
        f"{path.relative_to(PACKAGE)}: {found}"
        for path in MODULES
        for found in rule(path, path.read_text("utf-8"))
    ]


def test_a_module_imports_only_what_its_package_may_know() -> None:
    def rule(path: Path, source: str) -> list[str]:
        package = "cli" if path.name == "__main__.py" else package_of(path)
        return wrong_imports(package, source) if package in OURS else [f"{package} is not in the table"]

    assert breaches(rule) == []


@pytest.mark.parametrize(
    ("package", "planted"),
    [
        ("metrics", "import pandas"),
        ("metrics", "def f():\n    from annotator.storage import store"),
        ("storage", "from annotator.evaluation import results"),
        ("desktop", "from annotator import storage"),
        ("evaluation", "import scipy.stats"),
        ("cli", "from annotator.desktop import app"),
        ("text", "import numpy"),
    ],
)
def test_a_planted_wrong_import_is_found(package: str, planted: str) -> None:
    assert wrong_imports(package, planted)


def test_the_packages_import_each_other_in_no_circle() -> None:
    graph: dict[str, set[str]] = {}
    for path in MODULES:
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        graph[name] = {module for module, _, _ in imports(path.read_text("utf-8"))}
    done: set[str] = set()

    def walk(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, " -> ".join((*above[above.index(name) :], name))
        if name in done:
            return
        for other in graph[name] & graph.keys() - {name}:
            walk(other, (*above, name))
        done.add(name)

    for name in graph:
        walk(name, ())


def test_packages_stay_empty_so_that_a_name_has_one_home() -> None:
    assert [path for path in PACKAGE.rglob("__init__.py") if path.read_text("utf-8").strip()] == []


def roads_beside_the_watch(source: str) -> list[str]:
    """Return the functions that take progress or a stop otherwise than by a watch as their last parameter."""
    found = []
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            arguments = node.args
            names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
            if {"on_progress", "should_stop"} & {*names} or "watch" in names[:-1]:
                found.append(f"line {node.lineno}: {', '.join(names)}")
    return found


def test_who_looks_on_and_may_stop_is_one_watch_at_the_end() -> None:
    assert breaches(lambda _, source: roads_beside_the_watch(source)) == []


@pytest.mark.parametrize(
    "planted", ["def f(rows, should_stop=None): ...", "lambda on_progress: 1", "def f(watch, rows): ..."]
)
def test_a_planted_road_beside_the_watch_is_found(planted: str) -> None:
    assert roads_beside_the_watch(planted)


MARKDOWN = {PACKAGE / "project" / "text_twin.py", *(PACKAGE / "commands").rglob("*.py")}
"""What writes Markdown: the file beside a text dump, and the help of the command line."""


def commands_in_backticks(source: str) -> list[str]:
    """Return the sentences in which a command stands in signs that the window shows as they are."""
    nodes = list(ast.walk(parsed(source))) if "`annotator" in source else []
    told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return [
        f"line {node.lineno}: {node.value}"
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
        if "`annotator" in node.value
    ]


def test_a_sentence_sets_a_command_in_quotes() -> None:
    assert breaches(lambda path, source: [] if path in MARKDOWN else commands_in_backticks(source)) == []
    assert commands_in_backticks('say(f"{more}: `annotator share` names all")')


BEHIND_A_PROJECT = {"project", "storage"}
"""Who may use the store of a project; everybody else calls the verbs."""


def ways_round_the_verbs(source: str) -> list[str]:
    """Return where a store is taken out of a project."""
    return [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(parsed(source))
        if isinstance(node, ast.Attribute) and node.attr == "store"
    ]


def test_only_the_verbs_use_the_store_of_a_project() -> None:
    def rule(path: Path, source: str) -> list[str]:
        return [] if package_of(path) in BEHIND_A_PROJECT else ways_round_the_verbs(source)

    assert breaches(rule) == []


def test_a_planted_way_round_the_verbs_is_found() -> None:
    assert ways_round_the_verbs("keeping.imports(self._project.store)")


def test_a_project_forwards_to_no_verb() -> None:
    (project,) = (
        node
        for node in ast.parse((PACKAGE / "project" / "project.py").read_text("utf-8")).body
        if isinstance(node, ast.ClassDef)
    )
    assert {node.name for node in project.body if isinstance(node, ast.FunctionDef)} == {
        "__init__",
        "create",
        "open",
        "unproved",
        "prove",
        "proved",
        "close",
        "__enter__",
        "__exit__",
        "path",
        "identity",
        "read_only",
        "damage",
        "stop_writing",
        "told",
        "annotator",
        "use_annotator",
    }


def test_sql_names_no_value_by_number_as_python_from_3_14_on_refuses() -> None:
    numbered = [one for one in PACKAGE.rglob("*.py") if re.search(r"\?\d", one.read_text("utf-8"))]
    assert numbered == []
