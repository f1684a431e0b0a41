"""A project scores as the files that it is exported to, however its candidates were judged and settled."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator import api
from annotator.errors import UserError
from annotator.evaluation.grade_combination import SENTENCES
from annotator.evaluation.options import Options
from annotator.project import browse, data_export, judging, project_scores
from annotator.project.adjudication import adjudicate
from annotator.project.data_export import ExportChoices
from annotator.project.project import Project
from annotator.project.report_files import write_bundle
from annotator.project.snapshots import take_snapshot
from annotator.project.state import state_of
from annotator.project.views import AnnotatorView
from annotator.storage.ledger.current_values import candidate_key
from annotator.storage.reads.states import State
from tests.examples import examples
from tests.project.conftest import copied
from tests.project.scores import by

MEASURES = ("AP", "nDCG@10", "RR", "Rprec", "Bpref", "P@2", "Judged@5", "CG@1")
PEOPLE = ("Ann", "Ben", "Cleo")
THEN = "then"

Deed = tuple[str, int, str, str, int]

deeds: st.SearchStrategy[list[Deed]] = st.lists(
    st.tuples(
        st.sampled_from(PEOPLE),
        st.integers(1, 3),
        st.sampled_from([f"d{number}" for number in range(1, 9)]),
        st.sampled_from(("grade", "grade", "settle", "clear", "skip", "cannot tell", "open again")),
        st.integers(0, 5),
    ),
    max_size=25,
)
chosen = st.builds(
    Options,
    measures=st.just(MEASURES),
    combine=st.sampled_from([*SENTENCES]),
    annotator=st.none() | st.sampled_from(PEOPLE),
    as_of=st.sampled_from(("", THEN)),
)


def do(project: Project, deeds: Sequence[Deed]) -> None:
    """Do what was drawn, one after the other."""
    for who, query, name, what, grade in deeds:
        project.use_annotator(who)
        candidate = candidate_key(project.store.db, name)
        if what == "grade":
            judging.set_grade(project, query, candidate, grade)
        elif what == "clear":
            judging.clear(project, query, candidate)
        elif what == "skip":
            judging.skip(project, query, candidate)
        elif what == "cannot tell":
            judging.cannot_tell(project, query, candidate)
        else:
            adjudicate(by(project, who), query, candidate, grade if what == "settle" else None)


@settings(max_examples=20)
@given(before=deeds, after=deeds)
def test_who_graded_how_much_is_that_of_the_moment(
    ducks: Path, tmp_path_factory: pytest.TempPathFactory, before: list[Deed], after: list[Deed]
) -> None:
    def counted(state: State) -> list[AnnotatorView]:
        views = [AnnotatorView(name, kind, *counts) for _, name, kind, *counts in state.annotators]
        return [one for one in views if one.decided]

    with Project.open(copied(ducks, tmp_path_factory.mktemp("drawn")), annotator="Ann") as project:
        do(project, before)
        people = [one for one in browse.annotators(project) if one.decided]
        take_snapshot(by(project, "Ann"), THEN)
        do(project, after)
        assert counted(state_of(project, Options(as_of=THEN))) == people
        assert counted(state_of(project)) == [one for one in browse.annotators(project) if one.decided]


@settings(max_examples=examples(15, 40))
@given(before=deeds, after=deeds, options=chosen)
def test_a_project_scores_as_its_exported_qrels_and_runs(
    ducks: Path,
    tmp_path_factory: pytest.TempPathFactory,
    before: list[Deed],
    after: list[Deed],
    options: Options,
) -> None:
    folder = tmp_path_factory.mktemp("drawn")
    with Project.open(copied(ducks, folder), annotator="Ann") as project:
        do(project, before)
        take_snapshot(by(project, "Ann"), THEN)
        do(project, after)
        if options.annotator not in (None, *(one.name for one in browse.annotators(project))):
            options = replace(options, annotator=None)
        ours = project_scores.evaluate_project(project, options)
        choices = ExportChoices(options=options)
        if not ours.query_ids:
            with pytest.raises(UserError, match="nothing to write"):
                data_export.export(project, "trec-qrels", folder / "qrels.txt", choices)
            return
        names = write_bundle(project, folder / "files", options)
        files = [folder / "files" / name for name in names if name.endswith(".run")]
        theirs = api.evaluate(folder / "files" / "qrels.txt", files, MEASURES).result
    assert theirs.systems == ours.systems
    assert sorted(theirs.query_ids) == sorted(ours.query_ids)
    places = [theirs.query_ids.index(one) for one in ours.query_ids]
    np.testing.assert_allclose(ours.scores, theirs.scores[:, :, places], rtol=0, atol=1e-12)


def test_a_settled_pair_counts_after_its_annotators_took_their_grades_away(project: Project) -> None:
    """Alpha ranks d1 to d4; d1 is settled as relevant and d4 graded so: AP is (1/1 + 2/4) / 2."""
    do(project, [("Ann", 1, "d1", "grade", 3), ("Ann", 1, "d4", "grade", 3), ("Ben", 1, "d1", "settle", 3)])
    do(project, [("Ann", 1, "d1", "clear", 0)])
    assert project_scores.evaluate_project(project, Options(measures=("AP",))).of("alpha", "AP")[
        0
    ] == pytest.approx(0.75)
