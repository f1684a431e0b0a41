"""How much is done is right whatever was stored while the project was being counted."""

from itertools import combinations_with_replacement
from pathlib import Path

from annotator.desktop.grade.tally import Tally
from annotator.project import browse, history, judging
from annotator.project.project import Project
from tests.desktop.building import make_project


def test_what_is_stored_while_the_project_is_counted_is_done_once_however_late_the_count_comes(
    tmp_path: Path,
) -> None:
    with Project.open(make_project(tmp_path, topics=2, documents=4), annotator="ann") as project:
        query = browse.key_of(project, "q1")
        first, second, *others = (one.key for one in browse.query(project, query).candidates)
        counts, changes = [browse.contents(project)], []
        for verb in (
            lambda: judging.set_grade(project, query, first, 3),
            lambda: judging.skip(project, query, second),
            lambda: history.undo(project),
            lambda: judging.set_grade(project, query, first, 5),
            lambda: judging.grade_rest(project, query, [second, *others]),
            lambda: judging.clear(project, query, first),
            lambda: history.undo(project),
            lambda: history.undo(project),
            lambda: history.redo(project),
        ):
            changes.append(verb())
            counts.append(browse.contents(project))
    assert {one.decided for one in counts} == {0, 1, 2, 3, 4}, "it goes up and down"
    for counted, told in combinations_with_replacement(range(len(counts)), 2):
        tally = Tally()
        tally.count(counts[0])
        for at, change in enumerate(changes):
            if at == told:
                tally.count(counts[counted])
            tally.follow(change)
            assert tally.of(own_queue=False)[0] == counts[at + 1].decided, (counted, told, at)
