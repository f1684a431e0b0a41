"""What people can say is declared without contradiction."""

import pytest

from annotator.errors import UserError
from annotator.evaluation.options import Options
from annotator.metrics import catalogue
from annotator.places import place
from annotator.project.settings import DEFAULTS
from annotator.tasks import GRADE, TASKS, checked_level


def test_every_level_has_a_key_of_its_own() -> None:
    for task in TASKS.values():
        if task.keys:
            assert len(set(task.keys)) == len(task.keys) == len(task.levels)


def test_a_mark_is_no_part_of_a_decision_and_has_its_icon() -> None:
    names = [mark.name for mark in GRADE.marks]
    assert len({*names, *GRADE.decision, "time", "milliseconds"}) == len(names) + len(GRADE.decision) + 2
    drawn = [mark.name for mark in GRADE.marks if mark.drawn]
    assert [name for name in drawn if not (place("resources") / "icons" / f"{name}.svg").is_file()] == []


def test_every_measure_reads_one_task_or_passages_or_asks_a_model() -> None:
    read = [task.measures for task in TASKS.values() if task.measures]
    assert {one.needs for one in catalogue.CATALOGUE} == {*read, "model", "passages"}
    assert len(set(read)) == len(read)


def test_several_annotators_are_combined_as_the_task_says() -> None:
    assert Options().combine == DEFAULTS["combining"] == GRADE.combine


@pytest.mark.parametrize("grade", [-1, 6, 2.0, True, "3", None])
def test_what_is_no_level_is_refused(grade: object) -> None:
    with pytest.raises(UserError, match="is not a grade; grades go from 0 to 5"):
        checked_level("grade", grade)


def test_every_level_is_taken() -> None:
    assert [checked_level("grade", grade) for grade in GRADE.levels] == [0, 1, 2, 3, 4, 5]
