"""A team on one project: what everybody does reaches everybody, and comes to the same everywhere."""

import shutil
from collections.abc import Iterator
from errno import ENOSPC
from pathlib import Path

import pytest
from typer.testing import CliRunner

from annotator import kept_files
from annotator.carriers import addresses
from annotator.carriers.carrier import SHELVES, CarrierError, Shelf
from annotator.carriers.folder import Folder
from annotator.commands.program import app
from annotator.errors import DiskError, ReadOnlyError
from annotator.project import forgetting, judging, lead_role, maintenance, practice, sharing, text_twin
from annotator.project.project import Project
from annotator.project.share_record import ShareRecord
from annotator.records import Dataset, Document, Query
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from tests.carriers.conftest import NewPlace
from tests.storage.projects import fill, run_of


@pytest.fixture
def ana(tmp_path: Path) -> Iterator[Project]:
    """Return Ana's project, with something of everything in it."""
    with Project.create(tmp_path / "ana.annot", "Team", annotator="Ana") as made:
        fill(made.store)
        yield made


def joined(address: str, path: Path) -> Project:
    """Return the copy of a newcomer, named as its file."""
    sharing.join(address, path)
    return Project.open(path, annotator=path.stem.title())


def events_of(project: Project) -> int:
    """Return how many events a project holds."""
    return int(project.store.db.execute("SELECT count(*) FROM event").fetchone()[0])


def twin(project: Project) -> str:
    """Return the hash of everything that a project holds, once it is checked anew."""
    found = maintenance.check(project.path)[0]
    assert found == (), (project.path.name, found)
    return text_twin.dump(project, project.path.with_suffix(".text"))


def test_who_joins_has_all_that_is_there(ana: Project, new_place: NewPlace, tmp_path: Path) -> None:
    place = new_place()
    done = sharing.share(ana, place)
    assert (done.went, done.came, done.behind, done.problems) == (events_of(ana), 0, 0, ())
    with joined(place, tmp_path / "ben.annot") as ben:
        assert ben.identity == ana.identity
        assert twin(ben) == twin(ana)
        again = sharing.exchange(ben)
        assert (again.went, again.came, again.behind, again.problems) == (0, 0, 0, ())


def test_offline_both_go_on_and_later_all_is_there(ana: Project, new_place: NewPlace, tmp_path: Path) -> None:
    place = new_place()
    sharing.share(ana, place)
    with joined(place, tmp_path / "ben.annot") as ben:
        for grade in range(5):
            judging.set_grade(ben, 2, 1, grade)
            judging.set_grade(ana, 2, 2, grade)
            ana.store.record("Ana", "setting", ("about",), f"by Ana {grade}")
            ben.store.record("Ben", "setting", ("about",), f"by Ben {grade}")
        assert twin(ana) != twin(ben)
        sharing.exchange(ana)
        done = sharing.exchange(ben)
        assert [one.name for one in done.people] == ["Ana", "Ben"]
        sharing.exchange(ana)
        assert twin(ana) == twin(ben)
        judging.set_grade(ben, 2, 2, 5)
        judging.set_grade(ana, 2, 2, 1)
        for one in (ana, ben, ana):
            sharing.exchange(one)
        assert twin(ana) == twin(ben)


def test_an_import_of_later_arrives_and_so_does_its_taking_back(
    ana: Project, new_place: NewPlace, tmp_path: Path
) -> None:
    place = new_place()
    sharing.share(ana, place)
    with joined(place, tmp_path / "ben.annot") as ben:
        judging.set_grade(ben, 2, 1, 5)
        later = Dataset(
            queries=[Query("q3", "late"), Query("q2", "parking, again", fields={"site": 3})],
            documents=[Document("d7", "New", "Text"), Document("d3", "", "Now it has one.")],
            runs=[run_of("bm25", {"q3": ["d7", "d8"], "q2": ["d3"]})],
        )
        event, _ = import_dataset(ana.store, later, Import("Ana", "later", "person", replace=True))
        sharing.exchange(ana)
        assert sharing.exchange(ben).problems == ()
        judging.set_grade(ben, 3, 1, 2)
        for one in (ben, ana):
            sharing.exchange(one)
        assert twin(ana) == twin(ben)
        maintenance.withdraw(ana, event.identity)
        for one in (ana, ben, ana):
            assert sharing.exchange(one).problems == ()
        assert twin(ana) == twin(ben)
        with joined(place, tmp_path / "cy.annot") as cy:
            assert twin(cy) == twin(ana)


def test_roles_practice_and_blindness_hold_on_every_computer(
    ana: Project, new_place: NewPlace, tmp_path: Path
) -> None:
    place = new_place()
    lead_role.take(ana)
    practice.mark(ana, 1)
    sharing.share(ana, place)
    with joined(place, tmp_path / "cy.annot") as cy:
        assert lead_role.leads(cy) == ("Ana",)
        assert not lead_role.is_lead(cy)
        practised = practice.practising(cy)
        assert practised is not None
        assert practised.queries == (1,)
        practice.begin_work(cy)
        cy.store.record("Cy", "unblind", ("q2",), True)
        sharing.exchange(cy)
        sharing.exchange(ana)
        assert ana.store.value("Cy", "unblind", ("q2",)) is True
        assert ana.store.value("Cy", "ready", ()) is True
        assert twin(ana) == twin(cy)


def test_the_commands_share_join_and_exchange(ana: Project, new_place: NewPlace, tmp_path: Path) -> None:
    place, path, bens = new_place(), ana.path, tmp_path / "bens.annot"
    events = events_of(ana)
    ana.close()

    def run(*words: object) -> tuple[int, str]:
        result = CliRunner().invoke(app, [str(one) for one in words])
        return result.exit_code, result.output

    code, said = run("share", path, place)
    assert code == 0
    assert "Blindness and roles are this program's manners, not a protection." in said
    assert f"Events handed over: {events}, taken in: 0." in said
    code, said = run("join", place, "-o", bens)
    assert code == 0
    assert f"Made {bens}." in said
    assert f"Events handed over: 0, taken in: {events}." in said
    assert "Who can read" in said
    with Project.open(bens, annotator="Ben") as ben:
        judging.set_grade(ben, 2, 1, 5)
    assert "Events handed over: 2, taken in: 0." in run("share", bens)[1]
    assert "Events handed over: 0, taken in: 2." in run("share", path)[1]
    assert run("join", place, "-o", bens)[0] == 1
    code, said = run("join", tmp_path / "none", "-o", tmp_path / "no.annot")
    assert (code, "is safe" in said) == (1, False)
    assert "No file was made." in said
    assert not (tmp_path / "no.annot").exists()


def test_what_is_not_shared_or_is_another_project_is_refused(
    ana: Project, new_place: NewPlace, tmp_path: Path
) -> None:
    with pytest.raises(CarrierError, match="is not shared"):
        sharing.exchange(ana)
    place = new_place()
    sharing.share(ana, place)
    carrier = addresses.carrier(place)
    before = carrier.names("segments")
    with (
        Project.create(tmp_path / "other.annot", "Other") as other,
        pytest.raises(CarrierError, match="another project"),
    ):
        sharing.share(other, place)
    with Project.open(ana.path, read_only=True) as seen, pytest.raises(ReadOnlyError):
        sharing.begin(seen, place)
    assert carrier.names("segments") == before
    carrier.close()


def test_sharing_follows_a_file_that_is_moved_and_a_copy_beside_it_says_whose_it_is(
    ana: Project, tmp_path: Path
) -> None:
    place, moved = str(tmp_path / "team"), tmp_path / "moved" / "search.annot"
    sharing.share(ana, place)
    ana.close()
    moved.parent.mkdir()
    ana.path.rename(moved)
    shared = kept_files.place("shared")
    assert set(shared.iterdir()) <= set(forgetting.kept_of(moved).paths)
    copy = Path(shutil.copy(moved, tmp_path / "copy.annot"))
    with Project.open(moved, annotator="Ana") as here:
        judging.set_grade(here, 2, 1, 5)
        done = sharing.exchange(here)
        assert (done.went, done.came) == (2, 0)
        with Project.open(copy, annotator="Ana") as other:
            with pytest.raises(CarrierError, match=rf"copy of “{moved}”, which is shared through {place}"):
                sharing.exchange(other)
            judging.set_grade(other, 2, 2, 4)
            sharing.share(other, place)
            assert sharing.exchange(here).came == 2
            assert twin(other) == twin(here)
        assert len(list(shared.iterdir())) == 2
    moved.rename(tmp_path / "again.annot")
    copy.unlink()
    with Project.open(tmp_path / "again.annot") as again:
        assert sharing.exchange(again).problems == ()
    assert len(list(shared.iterdir())) == 1


def test_an_exchange_that_was_given_up_notes_nothing_over_the_new_place(
    ana: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sharing.begin(ana, str(tmp_path / "team"))
    one, append, new = sharing.Exchange(ana), Folder.append, str(tmp_path / "new")

    def late(self: Folder, shelf: Shelf, name: str, data: bytes) -> None:
        monkeypatch.setattr(Folder, "append", append)
        one.give_up()
        sharing.begin(ana, new)
        append(self, shelf, name, data)

    monkeypatch.setattr(Folder, "append", late)
    assert one.hand_over() == events_of(ana)
    assert ShareRecord.of(ana.identity, ana.path).carrier == new


def test_what_was_altered_in_a_place_is_told_before_what_does_no_harm(ana: Project, tmp_path: Path) -> None:
    shelf = tmp_path / "team" / "segments"
    sharing.share(ana, str(shelf.parent))
    with joined(str(shelf.parent), tmp_path / "ben.annot") as ben:
        there = {*shelf.iterdir()}
        judging.set_grade(ana, 2, 1, 5)
        sharing.exchange(ana)
        (new,) = {*shelf.iterdir()} - there
        new.chmod(0o600)
        new.write_bytes(b"{}")
        (shelf / "0 note.txt").write_text("of somebody")
        altered, harmless = sharing.exchange(ben).problems
    assert altered.startswith(new.name)
    assert "it was changed after it was written" in altered
    assert harmless == f"0 note.txt in {shelf}: it is nothing that Annotator writes."


def test_a_place_that_was_emptied_is_filled_again_or_another_project_s(ana: Project, tmp_path: Path) -> None:
    place = tmp_path / "team"
    sharing.share(ana, str(place))
    shutil.rmtree(place)
    place.mkdir()
    with pytest.raises(CarrierError, match="holds no shared project"):
        sharing.exchange(ana)
    for shelf in SHELVES:
        (place / shelf).mkdir()
    sharing.exchange(ana)
    with joined(str(place), tmp_path / "ben.annot") as ben:
        assert twin(ben) == twin(ana)
        judging.set_grade(ben, 2, 1, 5)
        shutil.rmtree(place)
        for again in (place, tmp_path / "elsewhere"):
            sharing.share(ben, str(again))
            with joined(str(again), tmp_path / f"{again.name}-cy.annot") as cy:
                assert twin(cy) == twin(ben), "what ana did is there without her"
    shutil.rmtree(place)
    with Project.create(tmp_path / "other.annot", "Other", annotator="Ann") as other:
        sharing.share(other, str(place))
        before, events = list(place.rglob("*")), events_of(ana)
        with pytest.raises(CarrierError, match="another project"):
            sharing.exchange(ana)
        assert (list(place.rglob("*")), events_of(ana)) == (before, events)


def test_a_full_disk_is_said_where_an_import_is_fetched_and_the_next_exchange_goes_on(
    ana: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = str(tmp_path / "team")
    sharing.share(ana, place)

    def full(path: Path) -> None:
        raise OSError(ENOSPC, "No space left on device", str(path))

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("annotator.kept_files.new", full)
        with pytest.raises(DiskError, match="No space left"):
            sharing.join(place, tmp_path / "ben.annot")
    with joined(place, tmp_path / "ben.annot") as ben:
        assert twin(ben) == twin(ana)


DAMAGED_NOTES = (
    *("", "5", "[]", "{}", "[" * 100_000, "\x00"),
    '{"file": "p", "carrier": ["x"], "came": [], "seen": {}}',
    '{"file": "p", "carrier": "x", "came": "abc", "seen": {}}',
    '{"file": "p", "carrier": "x", "came": [1, "a"], "seen": {}}',
    '{"file": "p", "carrier": "x", "came": [], "seen": {"a": 1}}',
    '{"file": "p", "carrier": "x", "came": [], "seen": ["a"]}',
)


def test_a_damaged_note_of_where_a_project_is_shared_is_said_and_sharing_again_mends_it(
    ana: Project, tmp_path: Path
) -> None:
    """Taken for none, nothing would be handed over any more, and nobody would know."""
    place = str(tmp_path / "place")
    sharing.share(ana, place)
    note = ShareRecord.of(ana.identity, ana.path).path
    judging.set_grade(ana, 1, 1, 2)
    for damaged in DAMAGED_NOTES:
        note.write_text(damaged)
        with pytest.raises(CarrierError, match=r"is damaged .* Share it again through the same"):
            sharing.exchange(ana)
        assert note.read_text() == damaged
    assert sharing.share(ana, place).behind == 0
    assert sharing.exchange(ana).went == 0
