"""What a chain of hashes shows by itself, and what only against a head that was kept elsewhere."""

import hashlib
import json
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from annotator.commands.program import app
from annotator.storage.care import integrity, merger
from annotator.storage.ledger import events, heads
from annotator.storage.ledger.current_values import canonical
from annotator.storage.store import Store
from tests.faults import programs


def grade(path: Path, who: str, document: str, value: int) -> str:
    """Give a grade in a session of its own, and return the head then."""
    with Store.open(path) as store:
        store.record(who, "grade", ("q0", document), {"state": "graded", "grade": value})
        return store.head()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with three sessions of grades behind its import."""
    path = tmp_path / "p.annot"
    programs.new_project(path)
    for number, document in enumerate(("d1", "d2", "d3")):
        grade(path, "Ana", document, number + 1)
    return path


def head_of(path: Path) -> str:
    with Store.open(path, read_only=True) as store:
        return store.head()


def forge(path: Path) -> None:
    """Make of Ana's grade 1 a 5, as who knows the format would: all hashes that follow are computed anew."""
    raw = sqlite3.connect(path)
    new: dict[str, str] = {}
    ends: dict[str, str] = {}
    for *columns, found, key in raw.execute(events.SELECT + "ORDER BY event.id").fetchall():
        session, sequence, task = columns[0], columns[1], columns[6]
        after = json.loads(columns[9]) if columns[9] else None
        if task == "session":
            after["heads"] = sorted(new[one] for one in after["heads"])
        if task == "grade" and after["grade"] == 1:
            after["grade"] = 5
        if after is not None:
            columns[9] = canonical(after)
        ends[session] = events.digest(ends.get(session, events.NO_HASH), *columns)
        new[found.hex()] = ends[session]
        raw.execute(
            "UPDATE event SET after = ?, hash = ? WHERE id = ?",
            (columns[9], bytes.fromhex(ends[session]), key),
        )
        assert sequence >= 0
    raw.execute("UPDATE judgment SET grade = 5 WHERE grade = 1")
    raw.commit()
    raw.close()


def drop_the_last_session(path: Path) -> None:
    """Leave the newest session out, and what it said."""
    raw = sqlite3.connect(path)
    (last,) = raw.execute("SELECT max(id) FROM session").fetchone()
    raw.execute("DELETE FROM event WHERE session = ?", (last,))
    raw.execute("DELETE FROM session WHERE id = ?", (last,))
    raw.execute("DELETE FROM judgment WHERE grade = 3")
    raw.commit()
    raw.close()


@pytest.mark.parametrize("attack", [forge, drop_the_last_session])
def test_what_fits_together_again_shows_against_a_head_kept_elsewhere_and_not_without(
    project: Path, attack: Callable[[Path], None]
) -> None:
    kept = head_of(project)
    attack(project)
    with Store.open(project, read_only=True) as store:
        assert integrity.check(store.db) == []
        assert not heads.contains(store.db, kept)
    run = CliRunner()
    assert run.invoke(app, ["check", str(project)]).exit_code == 0
    result: Result = run.invoke(app, ["check", str(project), "--contains", kept])
    assert result.exit_code == 1
    assert f"does not hold what {kept} stood for" in " ".join(result.output.split())


def test_control_the_honest_file_holds_the_head_also_when_it_has_grown(project: Path) -> None:
    kept = head_of(project)
    grade(project, "Ben", "d1", 2)
    result = CliRunner().invoke(app, ["check", str(project), "--contains", kept, "--contains", kept.upper()])
    assert result.exit_code == 0
    assert f"holds all that {kept} stood for" in " ".join(result.output.split())


@pytest.mark.parametrize(
    "head", ["", "abc", "g" * 64, "0" * 63, "é" * 64, f"{'0' * 64}+", f"{'0' * 64}+{'1' * 63}"]
)
def test_what_is_no_head_is_refused(project: Path, head: str) -> None:
    assert CliRunner().invoke(app, ["check", str(project), "--contains", head]).exit_code == 2


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("grade"), st.integers(0, 2), st.integers(0, 9), st.integers(0, 5)),
        st.tuples(st.just("merge"), st.integers(0, 2), st.integers(0, 2), st.just(0)),
    ),
    min_size=4,
    max_size=9,
)


@given(STEPS)
@settings(max_examples=6)
def test_every_head_that_was_noted_of_a_copy_is_held_by_what_holds_its_events_and_by_no_other(
    steps: list[tuple[str, int, int, int]],
) -> None:
    with tempfile.TemporaryDirectory() as name:
        first = Path(name) / "0.annot"
        programs.new_project(first)
        paths = [first, *(Path(name) / f"{number}.annot" for number in (1, 2))]
        for path in paths[1:]:
            path.write_bytes(first.read_bytes())
        noted = {head_of(first): hashes_of(first)}
        for step, (what, at, other, value) in enumerate(steps):
            if what == "grade":
                grade(paths[at], f"person {at}", f"d{other}", value)
            elif at != other:
                merged = Path(name) / f"merged {step}.annot"
                merger.merge(paths[at], paths[other], merged)
                paths[at] = merged
            noted[head_of(paths[at])] = hashes_of(paths[at])
        for path in paths:
            held = hashes_of(path)
            with Store.open(path, read_only=True) as store:
                for head, stood_for in noted.items():
                    assert heads.contains(store.db, head) == (stood_for <= held), head


def test_a_head_of_several_ends_is_taken_as_the_command_says_it_and_as_earlier_versions_noted_it(
    tmp_path: Path,
) -> None:
    first, second, merged = (tmp_path / f"{name}.annot" for name in ("first", "second", "merged"))
    programs.new_project(first)
    second.write_bytes(first.read_bytes())
    ends = sorted((grade(first, "Ana", "d1", 1), grade(second, "Ben", "d2", 2)))
    merger.merge(first, second, merged)
    said = CliRunner().invoke(app, ["check", str(merged)]).output
    head = "".join(said.rpartition(" head is ")[2].split()).rstrip(".")
    assert head.split("+") == ends
    in_one = hashlib.sha256("\n".join(ends).encode()).hexdigest()
    grade(merged, "Cy", "d3", 3)
    for path, status in ((merged, 0), (first, 1)):
        for one in (head, in_one):
            found = CliRunner().invoke(app, ["check", str(path), "--contains", one])
            assert found.exit_code == status, found.output


def hashes_of(path: Path) -> set[bytes]:
    with closing(sqlite3.connect(path)) as db:
        return {row[0] for row in db.execute("SELECT hash FROM event")}
