"""PostgreSQL as a carrier: rights, passwords, notices, and a server that goes away."""

import socket
import threading
from collections.abc import Callable, Iterator
from itertools import count as counting
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner

from annotator.carriers import addresses
from annotator.carriers.carrier import CarrierError
from annotator.carriers.postgres import Postgres
from annotator.commands.program import app
from annotator.errors import MissingExtra
from annotator.project import judging, sharing, text_twin
from annotator.project.project import Project
from annotator.project.share_record import ShareRecord
from tests.carriers import database
from tests.storage.projects import fill

SECRET = "correct horse 7"
TABLES = ("segments", "contents")
BAD_PORTS = ("127.0.0.1:99999", "localhost:543x", "127.0.0.1:5a", "localhost:0")


def role(server: database.Server, place: str, name: str, rights: str, password: str = "") -> str:
    """Return the address of a place for a new role with some rights on its tables."""
    server.run(f"CREATE ROLE {name} LOGIN" + (f" PASSWORD '{password}'" if password else ""))
    schema = place.rpartition("%3D")[2]
    server.run(f"GRANT USAGE ON SCHEMA {schema} TO {name}")
    if rights:
        server.run(f"GRANT {rights} ON segments, contents TO {name}", place)
    return server.address(f"search_path={schema}", name)


@pytest.fixture
def ana(tmp_path: Path) -> Iterator[Project]:
    """Return a project with something of everything in it."""
    with Project.create(tmp_path / "ana.annot", "Team", annotator="Ana") as made:
        fill(made.store)
        yield made


def joined(server: database.Server, ana: Project, name: str, rights: str) -> tuple[str, str]:
    """Let somebody with some rights join Ana's project; return the owner's address and theirs."""
    place = server.new_place()
    sharing.share(ana, place)
    theirs = role(server, place, f"{name}_{place[-3:].strip('D')}", rights)
    sharing.join(theirs, ana.path.with_name(f"{name}.annot"))
    return place, theirs


def test_who_may_add_and_read_rows_can_do_all_and_change_none(
    server: database.Server, ana: Project, tmp_path: Path
) -> None:
    place, bens = joined(server, ana, "ben", "SELECT, INSERT")
    with Project.open(tmp_path / "ben.annot", annotator="Ben") as ben:
        judging.set_grade(ben, 2, 1, 5)
        assert sharing.exchange(ben).went == 2
    assert sharing.exchange(ana).came == 2
    for table in TABLES:
        for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET data = ''", f"TRUNCATE {table}"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                server.run(statement, bens)
    reader = role(server, place, f"eve_{place[-3:].strip('D')}", "")
    with pytest.raises(CarrierError, match="GRANT SELECT, INSERT"):
        sharing.join(reader, tmp_path / "eve.annot")
    assert not (tmp_path / "eve.annot").exists()


def test_who_may_read_rows_alone_takes_in_what_others_did_and_is_told_so(
    server: database.Server, ana: Project, tmp_path: Path
) -> None:
    joined(server, ana, "fay", "SELECT")
    judging.set_grade(ana, 2, 1, 5)
    came = sharing.exchange(ana).went
    with Project.open(tmp_path / "fay.annot", annotator="Fay") as fay:
        judging.set_grade(fay, 2, 1, 4)
        with pytest.raises(CarrierError, match=rf"GRANT SELECT, INSERT.*was taken in \({came} events\)"):
            sharing.exchange(fay)
        known = fay.store.db.execute("SELECT count(*) FROM event").fetchone()
        assert known == (ana.store.db.execute("SELECT count(*) FROM event").fetchone()[0] + 2,)


def test_a_password_comes_from_the_usual_places_and_stands_nowhere(
    server: database.Server, ana: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = server.new_place()
    sharing.share(ana, place)
    server.demand_password("guarded")
    address = role(server, place, "guarded", "SELECT, INSERT", SECRET)
    passwords = tmp_path / "pgpass"
    monkeypatch.setenv("PGPASSFILE", str(passwords))
    mine, said = tmp_path / "mine.annot", []

    def run(*words: object) -> int:
        result = CliRunner().invoke(app, [str(one) for one in words])
        said.append(result.output)
        return result.exit_code

    wrongs = {"": "asks for a password", "*:*:*:guarded:another horse": "refuses this name or password"}
    for wrong, plainly in wrongs.items():
        passwords.write_text(wrong)
        passwords.chmod(0o600)
        assert run("join", address, "-o", mine) == 1
        assert not mine.exists()
        words = " ".join(said[-1].split())
        assert plainly in words
        assert "PGPASSWORD or the password file of PostgreSQL, ~/.pgpass. No file was made." in words
        assert "fe_sendauth" not in words
    passwords.write_text(f"*:*:*:guarded:{SECRET}")
    assert run("join", address, "-o", mine) == 0
    assert run("share", mine) == 0
    assert run("report", mine, "-o", tmp_path / "report.html") == 0
    with Project.open(mine, read_only=True) as project:
        kept = ShareRecord.of(project.identity, mine).path
    assert address in kept.read_text().replace("\\/", "/")
    written = [kept, mine, tmp_path / "report.html"]
    assert not any(SECRET.encode() in one.read_bytes() for one in written)
    assert not any("horse" in one for one in said)


def test_what_keeps_one_from_a_database_is_said_in_plain_words(
    server: database.Server, tmp_path: Path
) -> None:
    for address, plainly in (
        (server.address().replace("/postgres?", "/search?"), 'the server has no database "search": look'),
        (server.address(user="zoe"), 'the server knows nobody named "zoe": look'),
        ("postgresql://ana@127.0.0.1:1/search", 'no server takes connections at "127.0.0.1", port 1: look'),
        ("postgresql://ana@nowhere.invalid/search", "no computer of this name is found: look"),
        *((f"postgresql://ana@{place}/search", "its port is no number") for place in BAD_PORTS),
        (
            "postgresql://ana@127.0.0.1/search?sslmode=verify",
            "its sslmode, verify, is none of disable, allow",
        ),
        ("postgresql:///search?service=nobody", "PostgreSQL's service files on this computer name no"),
        *(
            (f"postgresql://ana@127.0.0.1:1/search?{option}=x", f"what stands there for {option} is nothing")
            for option in ("connect_timeout", "gssencmode", "keepalives_idle", "ssl_min_protocol_version")
        ),
    ):
        with pytest.raises(CarrierError) as said:
            sharing.join(address, tmp_path / "no.annot")
        assert str(said.value).startswith(f"The database {address} cannot be used: {plainly}")
        assert str(said.value).endswith(". No file was made.")
        assert "failed" not in str(said.value)


@pytest.mark.parametrize(
    ("answer", "plainly"),
    [
        (b"N", "its sslmode asks for encryption"),
        (b"HTTP/1.1 400\r\n", "is no PostgreSQL server: look at the"),
    ],
)
def test_a_server_of_something_else_and_one_without_encryption_are_told_apart(
    answer: bytes, plainly: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            taken, _ = listening.accept()
            with taken:
                taken.recv(8)
                taken.sendall(answer)

        serving = threading.Thread(target=serve)
        serving.start()
        address = f"postgresql://ana@127.0.0.1:{listening.getsockname()[1]}/team?sslmode=require"
        with pytest.raises(CarrierError, match=plainly):
            addresses.carrier(address).names("segments")
        serving.join()


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://ana:{SECRET.replace(' ', '%20')}@server/team",
        "postgres://ana@server/team?password=correct%20horse",
    ],
)
def test_an_address_with_a_password_is_refused_and_not_repeated(
    ana: Project, address: str, tmp_path: Path
) -> None:
    path = ana.path
    ana.close()
    for words in (["share", str(path), address], ["join", address, "-o", str(tmp_path / "no.annot")]):
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 1
        assert "password file" in result.output
        assert "horse" not in result.output
    assert not (tmp_path / "no.annot").exists()


@pytest.mark.parametrize(
    "address", ["smb://ana:horse@server/team", "PostgreSQL://ana:horse@server/team", "host=x password=horse"]
)
def test_an_address_of_something_else_is_no_folder(address: str) -> None:
    with pytest.raises(CarrierError, match="neither a folder of this computer nor a database") as caught:
        addresses.carrier(address, begin=True)
    assert "horse" not in str(caught.value)


def test_what_is_no_address_and_a_missing_extra_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CarrierError, match="no address"):
        addresses.carrier("postgresql://a b@?x")
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"\[postgres\]"):
        addresses.carrier("postgresql://ana@server/team")


def test_who_waits_is_told_of_what_another_adds(server: database.Server) -> None:
    place = server.new_place()
    one, other = addresses.carrier(place, begin=True), addresses.carrier(place)
    assert one.wait(0), "what came before was told to nobody"
    assert not one.wait(0)
    told: list[bool] = []
    waiting = threading.Thread(target=lambda: told.append(one.wait(60)))
    waiting.start()
    other.append("segments", "a", b"a")
    waiting.join()
    assert told == [True]
    other.append("segments", "a", b"a")
    assert not one.wait(0), "nothing was added"
    one.close()
    other.append("segments", "b", b"b")
    assert one.wait(0), "while it was closed something may have come"
    one.close()
    other.close()


def breaking(server: database.Server, at: int, after: bool) -> Callable[..., object]:
    """Return an `_ask` at whose n-th call the server breaks off, before it is asked or before it answers."""
    ask, asked = Postgres._ask, counting(1)

    def asks(self: Postgres, *words: Any) -> object:
        if (number := next(asked)) == at and not after:
            server.break_off()
        answer = ask(self, *words)
        if number == at:
            server.break_off()
            raise CarrierError("the answer was lost on its way")
        return answer

    return asks


def exchange_all(copies: list[Project]) -> list[sharing.Exchanged]:
    return [sharing.exchange(one) for one in copies]


def test_a_server_that_is_stopped_again_and_again_loses_nothing(
    tmp_path: Path, worker_id: str, monkeypatch: pytest.MonkeyPatch, count: Callable[[int, int], int]
) -> None:
    random = Random(7)
    with database.running(f"stopped-{worker_id}-{tmp_path.name}") as server:
        place = server.new_place()
        with Project.create(tmp_path / "ana.annot", "Team", annotator="Ana") as ana:
            fill(ana.store)
            sharing.share(ana, place)
            copies = [ana]
            for name in ("Ben", "Cy"):
                sharing.join(place, tmp_path / f"{name}.annot")
                copies.append(Project.open(tmp_path / f"{name}.annot", annotator=name))
            done = set()
            for _ in range(count(1, 20)):
                for one in copies:
                    value = {"state": "graded", "grade": random.randint(0, 5), "note": str(len(done))}
                    event = one.store.record(one.annotator, "grade", ("q2", "d1"), value)
                    done.add(event.hash)
                at, after = random.randint(1, 6), random.random() < 0.5

                with monkeypatch.context() as patch:
                    patch.setattr(Postgres, "_ask", breaking(server, at, after))
                    with pytest.raises(CarrierError):
                        exchange_all(random.sample(copies, 3))
                with pytest.raises(CarrierError, match="no server takes connections"):
                    sharing.exchange(ana)
                server.come_back()
            assert all(done.problems == () for done in exchange_all(copies * 2))
            for one in copies:
                held = {row[0].hex() for row in one.store.db.execute("SELECT hash FROM event")}
                assert done <= held
            assert len({text_twin.dump(one, one.path.with_suffix(".text")) for one in copies}) == 1
            for one in copies[1:]:
                one.close()


def test_what_came_later_is_told_also_where_its_transaction_began_before_the_listing(
    server: database.Server,
) -> None:
    place = server.new_place()
    carrier = Postgres.begun(place)
    assert carrier.later("segments") is None, "before anything was listed"
    carrier.append("segments", "early", b"1")
    with psycopg.connect(place) as slow:
        slow.execute("INSERT INTO segments VALUES ('slow', '2')")
        names = carrier.names("segments")
        assert names.keys() == {"early"}
        carrier.append("segments", "late", b"3")
        told = carrier.later("segments")
        assert told is not None
        assert "late" in told
    told = carrier.later("segments")
    assert told is not None
    assert "slow" in told
    assert told.items() <= carrier.names("segments").items()
    few = ("early" not in (carrier.later("segments") or {}) for _ in range(100))
    assert any(few), "unless others on this server are at work all the time"
    carrier.close()
    assert carrier.later("segments") is None, "all is read after a connection was lost"
