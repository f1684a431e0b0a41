"""A project exported, imported into an empty one and exported again says the same, in every format."""

import itertools
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.formats.registry import FORMATS
from annotator.project import browse, data_import
from annotator.project.data_export import ExportChoices, export
from annotator.project.data_import import ImportChoices
from annotator.project.project import Project
from tests.formats.datasets import content, datasets, predictions

WITHOUT_BLANKS = frozenset({"trec-run", "trec-qrels", "judgments", "msmarco"})
OF_ANSWERS = {"nuggets", "support"}
"""They name answers of a project: `test_nugget_files` and `test_support_files` take them through two."""

numbers = itertools.count()


def exported(source: Path, folder: Path, key: str, read_as: str) -> Path:
    """Import a file into an empty project and return what the project exports.

    The name of the file tells dict JSON what it holds, and predictions whose they are.
    """
    folder.mkdir()
    path = folder / ("system.json" if key == "squad-predictions" else "qrels.out")
    with Project.create(folder / "p.annot", "p") as project:
        data_import.run_import(
            project, data_import.plan_import(project, [source], ImportChoices(format_key=read_as))
        )
        system = next(iter(browse.contents(project).systems), None)
        chosen = (system.name,) if system is not None and FORMATS[key].one_system else ()
        models = [one.name for one in browse.annotators(project) if one.name.startswith("model:")]
        options = Options(annotator=models[0] if models else None)
        export(project, key, path, ExportChoices(options, systems=chosen))
    return path


@settings(
    max_examples=3,
    deadline=None,
    phases=[Phase.generate],  # a project is made four times an example: looking for a smaller one takes long
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
@pytest.mark.parametrize("key", [key for key, one in FORMATS.items() if not one.holds <= OF_ANSWERS])
def test_what_a_format_holds_survives_two_projects(tmp_path: Path, key: str, data: st.DataObject) -> None:
    folder = tmp_path / str(next(numbers))
    folder.mkdir()
    made = (
        predictions() if FORMATS[key].holds == {"answers", "runs"} else datasets(plain=key in WITHOUT_BLANKS)
    )
    dataset = data.draw(st.one_of(made, predictions()) if "answers" in FORMATS[key].holds else made)
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
    found = content(FORMATS[key].read(once))
    assert found == content(FORMATS[key].read(twice))
    if FORMATS[key].losses(dataset) == [] and len(dataset.runs) < 2:
        lossless = {part: held for part, held in content(dataset).items() if held and part in found}
        assert {part: held for part, held in found.items() if part in lossless} == lossless
