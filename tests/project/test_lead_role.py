"""The role of lead is what somebody says of themselves, recorded like everything else that people say."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.errors import UserError
from annotator.project import browse, history, lead_role, maintenance, text_twin
from annotator.project.project import Project
from annotator.project.settings import set_setting
from annotator.storage.care import integrity
from tests.examples import examples

NAMES = ("Ann", "Bo", "“Zoë”\N{GRINNING FACE}")


def test_who_takes_the_role_has_it_and_nobody_else(project: Project) -> None:
    assert lead_role.leads(project) == ()
    change = lead_role.take(project)
    assert (change.kind, change.said) == ("lead", "Ann has the role of lead now.")
    assert lead_role.leads(project) == ("Ann",)
    assert lead_role.is_lead(project)
    project.use_annotator("Bo")
    assert not lead_role.is_lead(project)
    assert {one.name: one.lead for one in browse.annotators(project)} == {"Ann": True}


def test_it_is_recorded_once_with_who_and_in_words(project: Project) -> None:
    for verb in (lead_role.take, lead_role.take, lead_role.give_back, lead_role.give_back):
        verb(project)
    history.undo(project)
    lines = [(one.annotator, one.said) for one in history.history(project, limit=3)]
    assert lines == [
        ("Ann", "undone: gave the role of lead back"),
        ("Ann", "gave the role of lead back"),
        ("Ann", "took the role of lead"),
    ]
    assert lead_role.is_lead(project)


def test_without_the_role_one_is_told_how_to_get_it(project: Project) -> None:
    with pytest.raises(UserError, match=r"Ann has not taken the role of lead\. Take it first"):
        lead_role.refuse_others(project)
    lead_role.take(project)
    lead_role.refuse_others(project)


@settings(max_examples=examples(20, 100))
@given(
    steps=st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(["take", "give_back", "undo", "redo"])))
)
def test_any_steps_leave_what_they_say_and_a_project_that_goes_through_text(
    tmp_path_factory: pytest.TempPathFactory, steps: Sequence[tuple[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("steps")
    past: dict[str, list[bool]] = {name: [False] for name in NAMES}
    ahead: dict[str, list[bool]] = {name: [] for name in NAMES}
    with Project.create(folder / "p.annot", "Ducks", annotator="Di") as project:
        for name, step in steps:
            project.use_annotator(name)
            said, undone = past[name], ahead[name]
            if step == "undo":
                history.undo(project)
                if len(said) > 1:
                    undone.append(said.pop())
            elif step == "redo":
                history.redo(project)
                if undone:
                    said.append(undone.pop())
            else:
                getattr(lead_role, step)(project)
                if said[-1] != (step == "take"):
                    said.append(step == "take")
                    undone.clear()
        expected = {name for name in NAMES if past[name][-1]}
        assert set(lead_role.leads(project)) == expected
        assert integrity.check(project.store.db) == []
        text_twin.dump(project, folder / "text")
    with text_twin.load(folder / "text", folder / "loaded.annot") as loaded:
        assert set(lead_role.leads(loaded)) == expected


def test_roles_taken_in_two_copies_are_both_there_after_merging(project: Project, tmp_path: Path) -> None:
    other = tmp_path / "other.annot"
    maintenance.save_copy(project, other)
    lead_role.take(project)
    path = project.path
    project.close()
    with Project.open(other, annotator="Bo") as copy:
        lead_role.take(copy)
    merged = maintenance.merge(path, other, tmp_path / "merged.annot")
    assert merged.conflicts == ()
    with Project.open(tmp_path / "merged.annot") as both:
        assert sorted(lead_role.leads(both)) == ["Ann", "Bo"]


def test_the_history_names_what_a_setting_was_set_to(project: Project) -> None:
    set_setting(project, "examples", ["", "a list of names", "", "", "", "half"])
    set_setting(project, "pool_depth", 7)
    said = [one.said for one in history.history(project, limit=2)]
    assert said == ["setting pool depth: 7", "setting examples: a list of names, half"]
