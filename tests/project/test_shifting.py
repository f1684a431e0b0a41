"""The shift of grades by unblinding."""

import pytest

from annotator.evaluation.options import Options
from annotator.project.agreement import tables
from annotator.project.project import Project
from annotator.project.shifting import blind_shifts


def test_the_shift_is_that_from_blind_to_seen(project: Project) -> None:
    key = project.query_keys().tolist()[0]
    first, second, third, fourth, *_ = project.query(key).candidates
    project.set_grade(key, first.key, 1)
    project.set_grade(key, second.key, 2)
    assert blind_shifts(project.state()) == []
    project.unblind(key)
    project.set_grade(key, third.key, 4)
    project.set_grade(key, fourth.key, 5)
    (one,) = blind_shifts(project.state())
    assert (one.blind, one.seen, one.blind_mean, one.seen_mean) == (2, 2, 1.5, 4.5)
    assert one.shift.value == pytest.approx(3)
    (table,) = tables(project.state(), Options())
    assert table.rows[0][:6] == ("annotator 1", 2, 2, 1.5, 4.5, 3.0)


def test_a_changed_grade_counts_each_time_and_notes_flags_and_undo_do_not(project: Project) -> None:
    key = project.query_keys().tolist()[0]
    first, second, *_ = project.query(key).candidates
    for grade in (1, 5, 3):
        project.set_grade(key, first.key, grade)
    project.set_mark(key, first.key, "note", "changed my mind")
    project.undo()
    project.undo()
    project.unblind(key)
    project.set_grade(key, second.key, 3)
    (one,) = blind_shifts(project.state())
    assert (one.blind, one.blind_mean, one.seen) == (3, 3, 1)


def test_without_grades_there_is_no_shift(project: Project) -> None:
    assert blind_shifts(project.state()) == []
