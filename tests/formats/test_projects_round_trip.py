"""A project exported, imported into an empty one and exported again says the same, in every format."""

import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from annotator.errors import UserError
from annotator.formats.registry import FORMATS
from annotator.project.exporting import ExportChoices, export
from annotator.project.importing import ImportChoices
from annotator.project.project import Project
from annotator.records import Dataset
from tests.formats.datasets import content, datasets

numbers = itertools.count()


def exported(source: Path, folder: Path, key: str, read_as: str) -> Path:
    """Import a file into an empty project and return what the project exports."""
    folder.mkdir()
    with Project.create(folder / "p.annot", "p") as project:
        project.run_import(project.plan_import([source], ImportChoices(format_key=read_as)))
        system = next(iter(project.contents().systems), None)
        chosen = (system.name,) if system is not None and FORMATS[key].one_system else ()
        export(project.store, key, folder / "qrels.out", ExportChoices(systems=chosen))
    return folder / "qrels.out"


@settings(
    derandomize=True,
    max_examples=3,
    deadline=None,
    phases=[Phase.generate],  # a project is made four times an example: looking for a smaller one takes long
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(dataset=datasets(plain=True))
@pytest.mark.parametrize("key", [key for key in FORMATS if key != "squad-predictions"])
def test_what_a_format_holds_survives_two_projects(tmp_path: Path, key: str, dataset: Dataset) -> None:
    folder = tmp_path / str(next(numbers))
    folder.mkdir()
    FORMATS["jsonl"].write(dataset, folder / "made.jsonl")
    if not FORMATS[key].holds & {"queries", "judgments"} and not dataset.runs:
        return
    try:
        once = exported(folder / "made.jsonl", folder / "one", key, "jsonl")
    except UserError:
        assert key == "trec-topics"
        assert any(one.id != " ".join(one.id.split()) for one in dataset.queries)
        return
    twice = exported(once, folder / "two", key, key)
    assert content(FORMATS[key].read(once)) == content(FORMATS[key].read(twice))
