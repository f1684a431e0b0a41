"""A baseline from the project's own documents becomes a system to judge."""

from pathlib import Path

import pytest

from annotator.errors import InputError, ProjectError, Stopped, UserError
from annotator.project.project import Project
from annotator.project.retrieving import retrieve
from annotator.project.views import Filters
from annotator.records import Dataset, Document, Query
from annotator.storage.bulk import import_dataset
from annotator.storage.contents import Import
from annotator.watch import Watch

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
        change = retrieve(project.store, project.annotator, "stemming", system="stems")
        assert [system.name for system in project.contents().systems] == ["stems"]
        assert change.said.startswith(
            "stems: 2 ranked candidates for 2 queries (BM25 k1=0.9 b=0.4, analyser stemming"
        )
        keys = project.query_keys(Filters())
        offered = {row.id: row.pool for row in project.query_rows(keys)}
        assert offered == {"q1": 2, "q2": 0}


def test_standard_and_stemming_stand_side_by_side(project: Project) -> None:
    with project:
        retrieve(project.store, project.annotator, "standard")
        retrieve(project.store, project.annotator, "stemming")
        rows = {system.name: system.rows for system in project.contents().systems}
        assert rows == {"bm25-standard": 1, "bm25-stemming": 2}


def test_the_projects_language_is_taken_unless_another_is_named(project: Project) -> None:
    with project:
        project.set_setting("language", "de")
        assert "(de)" in retrieve(project.store, "Ada", "stemming").said
        assert "(en)" in retrieve(project.store, "Ada", "stemming", system="en", language="en").said


def test_a_system_that_is_there_is_replaced_only_when_asked(project: Project) -> None:
    with project:
        retrieve(project.store, "Ada")
        with pytest.raises(ProjectError, match="bm25-standard"):
            retrieve(project.store, "Ada", k1=1.2, b=0.75)
        retrieve(project.store, "Ada", k1=1.2, b=0.75, replace=True)
        assert "k1=1.2" in project.contents().systems[0].source


def test_without_queries_or_documents_it_is_said_what_to_import(tmp_path: Path) -> None:
    with Project.create(tmp_path / "empty.annot", "Empty", "Ada") as project:
        with pytest.raises(UserError, match="import queries"):
            retrieve(project.store, "Ada")
        import_dataset(project.store, Dataset([Query("q", "thor")]), Import("Ada", "test", "person"))
        with pytest.raises(InputError, match="import documents"):
            retrieve(project.store, "Ada")


def test_cancel_changes_nothing(project: Project) -> None:
    with project:
        head = project.store.head()
        with pytest.raises(Stopped):
            retrieve(project.store, "Ada", watch=Watch(should_stop=lambda: True))
        assert project.store.head() == head
