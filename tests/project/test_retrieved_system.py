"""A baseline from the project's own documents becomes a system to judge."""

from pathlib import Path

import pytest

from annotator.errors import ChoiceError, InputError, Stopped, UserError
from annotator.project import browse, settings
from annotator.project.project import Project
from annotator.project.retrieved_system import retrieve
from annotator.project.views import Filters
from annotator.records import Dataset, Document, Query
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.watch import Watch
from tests.project.scores import by

DOCUMENTS = [
    Document("d1", "Hammers", "Thor throws hammers"),
    Document("d2", "Shield", "A shield was thrown"),
    Document("d3", "", "Nothing to see"),
]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project of two queries and three documents, without any run."""
    made = Project.create(tmp_path / "p.annot", "Search", "Ada")
    data = Dataset([Query("q1", "throwing a hammer"), Query("q2", "zebra")], documents=DOCUMENTS)
    import_dataset(made.store, data, Import("Ada", "test", "person"))
    return made


def test_a_run_becomes_a_system_whose_documents_are_offered_for_judging(project: Project) -> None:
    with project:
        change = retrieve(project, "stemming", system="stems")
        assert [system.name for system in browse.contents(project).systems] == ["stems"]
        assert change.said.startswith(
            "stems: 2 ranked candidates for 2 queries (BM25 k1=0.9 b=0.4, analyser stemming"
        )
        keys = browse.query_keys(project, Filters())
        offered = {row.id: row.pool for row in browse.query_rows(project, keys)}
        assert offered == {"q1": 2, "q2": 0}


def test_standard_and_stemming_stand_side_by_side(project: Project) -> None:
    with project:
        retrieve(project, "standard")
        retrieve(project, "stemming")
        rows = {system.name: system.rows for system in browse.contents(project).systems}
        assert rows == {"bm25-standard": 1, "bm25-stemming": 2}


def test_the_projects_language_is_taken_unless_another_is_named(project: Project) -> None:
    with project:
        settings.set_setting(project, "language", "de")
        assert "(de)" in retrieve(by(project, "Ada"), "stemming").said
        assert "(en)" in retrieve(by(project, "Ada"), "stemming", system="en", language="en").said


def test_a_system_that_is_there_is_replaced_only_when_asked(project: Project) -> None:
    with project:
        retrieve(by(project, "Ada"))
        with pytest.raises(ChoiceError, match="bm25-standard"):
            retrieve(by(project, "Ada"), k1=1.2, b=0.75)
        retrieve(by(project, "Ada"), k1=1.2, b=0.75, replace=True)
        assert "k1=1.2" in browse.contents(project).systems[0].source


def test_without_queries_or_documents_it_is_said_what_to_import(tmp_path: Path) -> None:
    with Project.create(tmp_path / "empty.annot", "Empty", "Ada") as project:
        with pytest.raises(UserError, match="import queries"):
            retrieve(by(project, "Ada"))
        import_dataset(project.store, Dataset([Query("q", "thor")]), Import("Ada", "test", "person"))
        with pytest.raises(InputError, match="import documents"):
            retrieve(by(project, "Ada"))


def test_cancel_changes_nothing(project: Project) -> None:
    with project:
        head = project.store.head()
        with pytest.raises(Stopped):
            retrieve(by(project, "Ada"), watch=Watch(should_stop=lambda: True))
        assert project.store.head() == head
