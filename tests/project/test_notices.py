"""Third-party software is listed as it is installed."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

from annotator.project import notices

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]


def test_every_package_that_the_program_needs_or_can_use_is_listed_as_installed_and_no_tool_of_tests() -> (
    None
):
    listed = {one.name.lower().replace("_", "-"): one for one in notices.components()}
    declared = [
        one
        for some in (
            PROJECT["dependencies"],
            *(PROJECT["optional-dependencies"][key] for key in ("xlsx", "neural")),
        )
        for one in some
    ]
    for requirement in declared:
        name = re.split(r"[<>=!; ]", requirement, maxsplit=1)[0]
        assert listed[name].version == version(name)
    assert {"shiboken6", "sqlalchemy", "pillow", "python"} <= set(listed), "what those need in turn"
    assert not {"pytest", "hypothesis", "mypy"} & set(listed)


def test_each_names_its_licence_and_qt_is_under_the_lgpl() -> None:
    listed = {one.name: one.licence for one in notices.components()}
    assert "LGPL" in listed["PySide6_Essentials"]
    assert listed["matplotlib"] == "Python Software Foundation License"
    assert "not told" not in listed.values()
    page = notices.page()
    assert all(f"| {name} |" in page for name in listed)
