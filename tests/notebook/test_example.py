"""The example notebook runs from its first cell to its last, and what it shows is readable on any ground."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[2] / "resources" / "notebooks" / "dataframes-to-figure.ipynb"


def test_the_notebook_goes_from_frames_to_a_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    cells = [one for one in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if one["cell_type"] == "code"]
    assert [one for one in cells if one["outputs"] or one["execution_count"]] == []
    names: dict[str, Any] = {}
    _, scores, per_query, explained, sentence, figure, _ = [shown(one["source"], names) for one in cells]
    assert per_query.shape == (6, 2)
    assert (per_query["dense"] >= per_query["bm25"]).all()
    assert "dense" in sentence
    assert "p = " in sentence
    for table in (scores, explained):
        assert "<table>" in table._repr_html_()
        assert not re.search(r"color|background|#[0-9a-f]{3}", table._repr_html_()), "the page's own colours"
    ground = re.search(r'<g id="[^"]*patch_1">.*?fill: #ffffff', figure._repr_svg_(), re.DOTALL)
    assert ground, "a figure brings the white that its dark letters stand on"
    assert (tmp_path / "intervals.pdf").read_bytes().startswith(b"%PDF")


def shown(source: str, names: dict[str, Any]) -> Any:
    """Run a cell and return the value of its last line, which a notebook shows."""
    *lines, last = ast.parse(source).body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(lines, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)
