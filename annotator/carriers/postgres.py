"""A PostgreSQL database as a carrier: a table for each shelf, whose rows are added and never changed.

Who works on the project needs SELECT and INSERT on the two tables and no more. All that is asked is a whole
listing or one row, so nothing is missed after a lost connection, and a notice that something new has come
only shortens the wait. Passwords come from where PostgreSQL's programs look for them: PGPASSWORD, the
password file, a service file.
"""

import re
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any, LiteralString

from annotator.carriers.carrier import LIMIT, SHELVES, CarrierError, Shelf, SilentError, TakenError
from annotator.errors import MissingExtra, how_to_install

if TYPE_CHECKING:
    import psycopg

SCHEMES = ("postgresql://", "postgres://")

PASSWORDS = "PGPASSWORD or the password file of PostgreSQL, ~/.pgpass"

CHANNEL: LiteralString = "annotator"

REFUSALS = (
    (
        '[Ss]ervname not supported|Errno 10109|invalid port number|for connection option "port"',
        "its port is no number from 1 to 65535: look at the address, where it follows the server and a colon",
    ),
    (
        'invalid sslmode value: "(.*?)"',
        "its sslmode, {0}, is none of disable, allow, prefer, require, verify-ca and verify-full: mend it",
    ),
    (
        r'(?:invalid "?|bad value for |for connection option ")(\w+)(?="? value: |: \'|")',
        "what stands there for {0} is nothing that PostgreSQL knows: mend it in the address, or leave it out",
    ),
    (
        'definition of service "(.*?)" not found|service file (".*?") not found',
        "PostgreSQL's service files on this computer name no such service: look at service= in the address",
    ),
    (
        "server does not support SSL, but SSL was required",
        "its sslmode asks for encryption, which the server does not offer: ask whoever runs it for that",
    ),
    (
        r'to server at (".+?", port \d+) failed: received invalid response to SSL negotiation',
        "what answers at {0} is no PostgreSQL server: look at the port",
    ),
    ("no password supplied", f"it asks for a password, and there is none: put yours into {PASSWORDS}"),
    ("password authentication failed", f"it refuses this name or password: look what is in {PASSWORDS}"),
    (
        r"failed to resolve host|could not translate host name|\[Errno -\d+\]",
        "no computer of this name is found: look at the name in the address, and at your network",
    ),
    (
        r"to server (?:at|on socket) (\".+?\"(?:, port \d+)?) failed: (?:Connection refused|No such)",
        "no server takes connections at {0}: look at the address, or ask whoever runs the server to start it",
    ),
    (
        "timeout|timed out",
        "nothing answered in time: look at the address and at your network; a firewall may be in between",
    ),
    (
        'database (".+?") does not exist',
        "the server has no database {0}: look at the end of the address, or let it be made there",
    ),
    (
        'role (".+?") does not exist',
        "the server knows nobody named {0}: look before the @, or let that name be added there",
    ),
    (
        "no pg_hba.conf entry",
        "the server takes nobody of this name from this computer: who runs it can allow that in pg_hba.conf",
    ),
)
"""What PostgreSQL's library says when there is no connection, and what that is to who asked for one."""

MANNERS = {
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
    "application_name": "annotator",
}
"""How a connection behaves unless its address says otherwise: who is gone is missed in half a minute."""

MAKE: LiteralString = "CREATE TABLE IF NOT EXISTS {} (name text PRIMARY KEY, data bytea NOT NULL)"
LIST: LiteralString = "SELECT name, xmin::text || ' ' || octet_length(data) FROM {}"
OPEN: LiteralString = "SELECT txid_snapshot_xmin(txid_current_snapshot())"
"""The first transaction that may still be under way: rows of all earlier ones are in the next listing."""

LATER: LiteralString = f"{LIST} WHERE age(xmin) <= age(%s::text::xid)"
READ: LiteralString = (
    "SELECT octet_length(data), CASE WHEN octet_length(data) <= %s THEN data END FROM {} WHERE name = %s"
)
ADD: LiteralString = "INSERT INTO {} (name, data) VALUES (%s, %s) ON CONFLICT DO NOTHING"


class Postgres:
    """A carrier that is a database; `address` is a `postgresql://` address without a password.

    Raises CarrierError for an address that holds a password or cannot be understood, MissingExtra without
    the extra `postgres`. It connects when it is first asked, and anew after it lost its connection.
    """

    pause = 1.0

    def __init__(self, address: str) -> None:
        try:
            from psycopg import ProgrammingError
            from psycopg.conninfo import conninfo_to_dict
        except ImportError as error:
            raise MissingExtra(
                f"A database is reached by the extra “postgres”: {how_to_install('postgres')}. Nothing was "
                "written."
            ) from error
        try:
            parts = conninfo_to_dict(address)
        except ProgrammingError as error:
            raise CarrierError(
                "This is no address of a PostgreSQL database; write it like postgresql://ana@server/team."
            ) from error
        if {"password", "sslpassword"} & parts.keys():
            raise CarrierError(
                "The address holds a password, which would be kept beside the project and shown. Leave it "
                f"out and put it into {PASSWORDS}; nothing was written."
            )
        self.address = address
        self._manners = {key: value for key, value in MANNERS.items() if key not in parts}
        self._open: psycopg.Connection[tuple[Any, ...]] | None = None
        self._lock = Lock()
        self._listens = False
        self._listed: dict[Shelf, int] = {}

    @classmethod
    def begun(cls, address: str) -> "Postgres":
        """Return a carrier in a database, with its two tables, which are made where they are missing."""
        database = cls(address)
        for shelf in SHELVES:
            if not database._ask("SELECT to_regclass(%s)", shelf, shelf)[0][0]:
                database._ask(MAKE, shelf)
        return database

    def where(self, shelf: Shelf) -> str:
        """Return the table of a shelf."""
        return f"the table {shelf}"

    def names(self, shelf: Shelf) -> dict[str, str]:
        """Return the rows of a table, each with the transaction that wrote it and its length."""
        ((still_open,),) = self._ask(OPEN, shelf)
        names = dict(self._ask(LIST, shelf))
        self._listed[shelf] = still_open
        return names

    def later(self, shelf: Shelf) -> dict[str, str] | None:
        """Return the rows of transactions that were not over at the last listing through this connection."""
        if (since := self._listed.get(shelf)) is None:
            return None
        ((still_open,),) = self._ask(OPEN, shelf)
        names = dict(self._ask(LATER, shelf, str(since % (1 << 32))))
        self._listed[shelf] = still_open
        return names

    def read(self, shelf: Shelf, name: str) -> bytes | None:
        """Return the bytes of a row, None where it is not there."""
        for length, data in self._ask(READ, shelf, LIMIT, name):
            if data is None:
                raise CarrierError(
                    f"{name} in {self.address} holds {length:,} bytes, more than anything that Annotator "
                    "writes there."
                )
            return bytes(data)
        return None

    def append(self, shelf: Shelf, name: str, data: bytes) -> None:
        """Add a row, which is on the server's disk when this returns, and let those who wait know."""
        if not self._ask(ADD, shelf, name, data) and self.read(shelf, name) != data:
            raise TakenError(f"{name} in {self.address} holds something else than it should.")

    def wait(self, seconds: float) -> bool:
        """Return True as soon as the server tells of a new row, False after so long without one."""
        import psycopg

        with self._lock:
            try:
                connection = self._connected()
                if not self._listens:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._listens = True
                    return True  # what came before was told to nobody
                return bool(list(connection.notifies(timeout=seconds, stop_after=1)))
            except psycopg.Error as error:
                raise self._silent(error) from error

    def close(self) -> None:
        """Close the connection, if there is one; what is asked next opens another."""
        connection, self._open, self._listens, self._listed = self._open, None, False, {}
        if connection is not None:
            with suppress(Exception):
                connection.close()

    def _connected(self) -> "psycopg.Connection[tuple[Any, ...]]":
        import psycopg
        from psycopg.conninfo import make_conninfo

        if self._open is None:
            self._open = psycopg.connect(make_conninfo(self.address, **self._manners), autocommit=True)
            self._open.execute("SET synchronous_commit TO on")
        return self._open

    def _ask(self, statement: LiteralString, shelf: Shelf, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a statement about a shelf; of one that adds a row, a row unless it was there."""
        import psycopg
        from psycopg.sql import SQL, Identifier

        with self._lock:
            try:
                connection = self._connected()
                with connection.transaction():
                    answer = connection.execute(SQL(statement).format(Identifier(shelf)), values, binary=True)
                    if answer.description is not None:
                        return answer.fetchall()
                    if statement is ADD and answer.rowcount:
                        return connection.execute("SELECT pg_notify(%s, '')", (CHANNEL,)).fetchall()
                    return []
            except psycopg.Error as error:
                raise self._silent(error) from error

    def _silent(self, error: "psycopg.Error") -> SilentError:
        import psycopg

        self.close()
        said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        if isinstance(error, psycopg.errors.UndefinedTable):
            said = (
                "no tables of Annotator are seen there: “annotator share PROJECT ADDRESS” makes them, the "
                "owner of a schema may GRANT USAGE ON it"
            )
        elif isinstance(error, psycopg.errors.InsufficientPrivilege):
            said += "; its owner may GRANT SELECT, INSERT on segments and contents"
        else:
            found = ((re.search(why, str(error)), words) for why, words in REFUSALS)
            said = next((words.format(*one.groups()) for one, words in found if one), said)
        return SilentError(f"The database {self.address} cannot be used: {said}.")
