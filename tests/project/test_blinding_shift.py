"""The shift of grades by unblinding."""

import pytest

from annotator.evaluation.options import Options
from annotator.project import blindness, browse, history, judging
from annotator.project.annotator_agreement import tables
from annotator.project.blinding_shift import blind_shifts
from annotator.project.project import Project
from annotator.project.state import state_of


def test_the_shift_is_that_from_blind_to_seen(project: Project) -> None:
    key = browse.query_keys(project).tolist()[0]
    first, second, third, fourth, *_ = browse.query(project, key).candidates
    judging.set_grade(project, key, first.key, 1)
    judging.set_grade(project, key, second.key, 2)
    assert blind_shifts(state_of(project)) == []
    blindness.unblind(project, key)
    judging.set_grade(project, key, third.key, 4)
    judging.set_grade(project, key, fourth.key, 5)
    (one,) = blind_shifts(state_of(project))
    assert (one.blind, one.seen, one.blind_mean, one.seen_mean) == (2, 2, 1.5, 4.5)
    assert one.shift.value == pytest.approx(3)
    (table,) = tables(state_of(project), Options())
    assert table.rows[0][:6] == ("annotator 1", 2, 2, 1.5, 4.5, 3.0)


def test_a_changed_grade_counts_each_time_and_notes_flags_and_undo_do_not(project: Project) -> None:
    key = browse.query_keys(project).tolist()[0]
    first, second, *_ = browse.query(project, key).candidates
    for grade in (1, 5, 3):
        judging.set_grade(project, key, first.key, grade)
    judging.set_mark(project, key, first.key, "note", "changed my mind")
    history.undo(project)
    history.undo(project)
    blindness.unblind(project, key)
    judging.set_grade(project, key, second.key, 3)
    (one,) = blind_shifts(state_of(project))
    assert (one.blind, one.blind_mean, one.seen) == (3, 3, 1)


def test_without_grades_there_is_no_shift(project: Project) -> None:
    assert blind_shifts(state_of(project)) == []
