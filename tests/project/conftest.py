"""Small projects to use the verbs on."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from annotator.project.project import Project
from annotator.records import Answer, Dataset, Document, GoldAnswer, GoldList, Query, RunTable
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import

DOCUMENTS = {f"d{number}": f"Document {number} is about ducks." for number in range(1, 9)}
RANKINGS = {
    "alpha": {"q1": ["d1", "d2", "d3", "d4"], "q2": ["d5", "d6"]},
    "beta": {"q1": ["d3", "d1", "d5"], "q2": ["d6", "d7", "d8"], "q3": ["d1"]},
}


def run_table(system: str, rankings: dict[str, list[str]], answers: bool = False) -> RunTable:
    """Return rankings as columns, scored by 1 / rank."""
    queries = list(rankings)
    candidates = sorted({one for ranking in rankings.values() for one in ranking})
    rows = [
        (queries.index(query), candidates.index(one), rank)
        for query, ranking in rankings.items()
        for rank, one in enumerate(ranking, 1)
    ]
    query, candidate, rank = np.array(rows, dtype=np.int32).T
    return RunTable(
        system, queries, candidates, query, candidate, rank, 1 / rank, f"{system}.run", ids_of_answers=answers
    )


def add(project: Project, dataset: Dataset) -> None:
    """Put a data set into a project."""
    import_dataset(project.store, dataset, Import(project.annotator, "test", "person"))


@contextmanager
def made_in(factory: pytest.TempPathFactory, name: str) -> Iterator[Project]:
    """Make a project whose lock stands in a temporary folder too."""
    folder = factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        with Project.create(folder / f"{name.lower()}.annot", name, annotator="Ann") as made:
            yield made


@pytest.fixture(scope="session")
def ducks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the project of documents once."""
    with made_in(tmp_path_factory, "Ducks") as made:
        add(
            made,
            Dataset(
                queries=[
                    Query("q1", "wild ducks", ("animal",)),
                    Query("q2", "tame ducks", ("animal", "farm"), "Only farms."),
                    Query("q3", "drakes"),
                ],
                documents=[Document(key, f"Title {key}", text) for key, text in DOCUMENTS.items()],
                runs=[run_table(system, rankings) for system, rankings in RANKINGS.items()],
            ),
        )
        return made.path


@pytest.fixture(scope="session")
def heroes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the project of questions once."""
    texts = {"iron": ["the Tony Stark", "Stark"], "thor": ["Infinity Gauntlet", "Mjolnir", "Stormbreaker"]}
    made_answers = {query: [Answer(query, text) for text in some] for query, some in texts.items()}
    ids = {query: [one.id for one in some] for query, some in made_answers.items()}
    with made_in(tmp_path_factory, "Heroes") as made:
        add(
            made,
            Dataset(
                queries=[Query("iron", "Who is Iron Man?"), Query("thor", "Thor's weapon?")],
                answers=[one for some in made_answers.values() for one in some],
                gold=[
                    GoldList("iron", (GoldAnswer("Tony Stark", ("Anthony Edward Stark",)),)),
                    GoldList("thor", tuple(map(GoldAnswer, ("Mjolnir", "Stormbreaker", "Jarnbjorn")))),
                ],
                runs=[run_table("reader", ids, answers=True)],
            ),
        )
        return made.path


@pytest.fixture
def project(ducks: Path, tmp_path: Path) -> Iterator[Project]:
    """Return a project with three queries, eight documents and two systems, opened by Ann."""
    with Project.open(copied(ducks, tmp_path), annotator="Ann") as opened:
        yield opened


@pytest.fixture
def answers(heroes: Path, tmp_path: Path) -> Iterator[Project]:
    """Return a project of questions with gold answers and one system's predicted answers."""
    with Project.open(copied(heroes, tmp_path), annotator="Ann") as opened:
        yield opened


def copied(made: Path, folder: Path) -> Path:
    """Return a copy of a project that was made before."""
    return Path(shutil.copy(made, folder / made.name))
