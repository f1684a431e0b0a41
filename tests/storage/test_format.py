"""What a project file says of itself is true, and enough to read it without this program."""

import hashlib
import json
import re
import sqlite3
import struct
import subprocess
import sys

import pytest

from annotator.storage.care import integrity
from annotator.storage.file import access, layout
from annotator.storage.store import Store
from annotator.tasks import GRADE, TASKS


def written(store: Store) -> str:
    """Return the description that stands in a project."""
    return str(store.db.execute("SELECT format FROM project").fetchone()[0])


def blocks(text: str, language: str) -> list[str]:
    """Return the blocks of code in a language."""
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_every_project_says_how_it_is_read(store: Store) -> None:
    text = written(store)
    assert f"`application_id` {access.APPLICATION_ID}, `user_version` {access.VERSION}" in text
    tables = {name.split()[1] for name in layout.recorded(access.VERSION) if name.startswith("table ")}
    assert [name for name in tables if f"`{name}`" not in text] == []
    rows = dict(re.findall(r"^\| (`.*`) \| ([^|]*) \|", text, re.MULTILINE))
    said = {name: what for row, what in rows.items() for name in re.findall(r"`(\w+)`", row)}
    assert {name: said.get(name) for name in TASKS} == {
        name: ", ".join(task.subject) or "nothing" for name, task in TASKS.items()
    }
    assert all(f"`{mark.name}`" in text for mark in GRADE.marks)
    of_everybody = [line for line in text.splitlines() if "Everybody has their own" in line]
    assert {re.findall(r"`(\w+)`", line)[0] for line in of_everybody} == {
        name for name, task in TASKS.items() if task.own and task.kept
    }


def test_its_queries_give_the_grades_and_the_rankings(full: Store) -> None:
    grades, settled, rankings = blocks(written(full), "sql")
    raw = sqlite3.connect(full.path)
    assert raw.execute(grades).fetchall() == [
        ("Ana", "q2", "d1", 3),
        ("imported:qrels", "q1", "d1", 5),
        ("imported:qrels", "q2", "d2", 4),
        ("imported:qrels", "q2", "d9", 0),
    ]
    assert [(*row[:3], json.loads(row[3])) for row in raw.execute(settled)] == [
        ("adjudication", "q2", "d1", {"grade": 4, "reason": ""}),
        ("gold", "q1", None, {"answers": [{"text": "Thor", "aliases": ["the thunderer"]}]}),
        ("gold", "q2", None, {"answers": [{"text": "behind", "document": "d2", "start": 5, "end": 11}]}),
    ]
    assert [row[:4] for row in raw.execute(rankings) if row[1] == "q2"] == [
        ("bm25", "q2", 1, "d2"),
        ("bm25", "q2", 2, "d1"),
        ("bm25", "q2", 3, "d3"),
        ("dense", "q2", 1, "d1"),
    ]
    raw.close()


@pytest.mark.parametrize("sequence", [None, 0, 5, 14])
def test_its_program_finds_the_first_event_that_was_changed(full: Store, sequence: int | None) -> None:
    (program,) = blocks(written(full), "python")
    raw = sqlite3.connect(full.path)
    if sequence is not None:
        raw.execute("UPDATE event SET time = time + 1 WHERE sequence = ?", (sequence,))
    raw.commit()
    raw.close()
    done = subprocess.run(
        [sys.executable, "-I", "-c", program.replace("PATH", repr(str(full.path)))],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (f":{sequence} was changed" in done.stdout) == (sequence is not None)
    assert bool(done.stdout) == (sequence is not None)


def by_its_words(*parts: object) -> int:
    """Return the SHA-256 of texts joined by NUL, read as a whole number."""
    text = "\0".join("" if part is None else str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")


def test_the_digests_are_made_as_it_says(full: Store) -> None:
    ask = full.db.execute
    contents = "SELECT {} FROM candidate JOIN content ON candidate = id WHERE query IS {}"
    rows = {
        "queries": ask("SELECT external, text, tags, guidelines, fields FROM query"),
        "documents": ask(contents.format("external, title, text, fields", "NULL")),
        "answers": ask(contents.format('external, text, fields, passage, start, "end"', "NOT NULL")),
    }
    digests = {
        name: f"{sum(by_its_words(*row) for row in some) % 2**256:064x}" for name, some in rows.items()
    }
    assert digests == dict(ask("SELECT name, digest FROM digest"))
    (stated,) = ask("SELECT after FROM event WHERE task = 'import'").fetchone()
    judged = ask(
        "SELECT query.external, candidate.external, grade FROM imported "
        "JOIN query ON query.id = imported.query JOIN candidate ON candidate.id = candidate"
    )
    brought = json.loads(stated)
    assert f"{sum(by_its_words(*row) for row in judged) % 2**256:064x}" == brought["judgments"]["digest"]
    for run in brought["runs"]:
        total = 0
        (key,) = ask(
            "SELECT run.id FROM run JOIN system ON system.id = system WHERE name = ?", (run["system"],)
        ).fetchone()
        for (query,) in ask("SELECT query FROM ranking_length WHERE run = ?", (key,)).fetchall():
            ranked = ask(
                "SELECT external, rank, score FROM ranking JOIN candidate ON candidate.id = candidate "
                "WHERE run = ? AND ranking.query = ? ORDER BY rank",
                (key, query),
            ).fetchall()
            (name,) = ask("SELECT external FROM query WHERE id = ?", (query,)).fetchone()
            found = "\0".join([name, *(row[0] for row in ranked)]).encode() + b"\0"
            found += struct.pack(f"<{len(ranked)}q", *(row[1] for row in ranked))
            found += struct.pack(f"<{len(ranked)}d", *(row[2] for row in ranked))
            total += int.from_bytes(hashlib.sha256(found).digest(), "big")
        assert f"{total % 2**256:064x}" == run["digest"]


@pytest.mark.parametrize("text", ["", "Run this: rm -rf"])
def test_a_changed_description_is_found(full: Store, text: str) -> None:
    full.db.execute("UPDATE project SET format = ?", (text,))
    assert [one.message for one in integrity.check(full.db)] == [
        "the text that says how the file is read is none of Annotator's"
    ]


def test_only_the_own_and_earlier_descriptions_are_sound(
    full: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = written(full)
    monkeypatch.setattr(layout, "description", lambda: "as it is read from now on")
    assert list(integrity.check(full.db))
    known = frozenset({hashlib.sha256(earlier.encode()).hexdigest()})
    monkeypatch.setattr(layout, "EARLIER_DESCRIPTIONS", known)
    assert not list(integrity.check(full.db))


def test_the_head_is_made_as_it_says(full: Store) -> None:
    """The last hash of the only session is the head that reports print."""
    (last,) = full.db.execute("SELECT hash FROM event ORDER BY id DESC LIMIT 1").fetchone()
    assert full.head() == last.hex()


def test_what_holds_now_follows_from_the_events_by_its_words(full: Store) -> None:
    raw = sqlite3.connect(full.path)
    own = {"grade", "unblind", "ready"}
    said: dict[tuple[str, int, str], str] = {}
    for task, annotator, subject, after in raw.execute(
        "SELECT task, annotator, subject, after FROM event ORDER BY id"
    ):
        said.pop((task, annotator if task in own else 0, subject), None)
        if after is not None:
            said[task, annotator if task in own else 0, subject] = after
    kept = {
        of: value
        for of, value in said.items()
        if of[0] not in ("import", "session", "text", "repeat", "together")
    }
    grades = {of: json.loads(value) for of, value in kept.items() if of[0] == "grade"}
    stored = raw.execute("SELECT task, annotator, subject, value FROM value").fetchall()
    assert {tuple(of): value for *of, value in stored} == {
        of: value for of, value in kept.items() if of[0] != "grade"
    }
    judged = raw.execute(
        "SELECT annotator, q.external, c.external, state, grade FROM judgment "
        "JOIN query q ON q.id = judgment.query JOIN candidate c ON c.id = candidate "
        "JOIN annotator a ON a.id = annotator WHERE a.kind = 'person'"
    )
    assert {(who, q, c): (state, grade) for who, q, c, state, grade in judged} == {
        (who, *json.loads(subject)): (value.get("state"), value.get("grade"))
        for (_, who, subject), value in grades.items()
    }
    raw.close()
