"""The programs that fault tests start and kill: each grades, imports or copies through the project layer.

They are forked from one warmed server, so that a thousand of them start quickly; what they acknowledge goes
through a pipe, one message when the verb has returned.
"""

import itertools
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

from annotator.errors import UserError
from annotator.project import browse, judging, text_twin
from annotator.project.project import Project
from annotator.records import Dataset, Document, Query
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import Import
from annotator.storage.file import file_copies, file_lock
from annotator.storage.store import Store

CONTEXT = ForkServerContext()
CONTEXT.set_forkserver_preload([__name__, "annotator.storage.schema", "platformdirs"])

QUERIES, CANDIDATES = 5, 40
Acknowledged = dict[tuple[str, str], int]


def new_project(path: Path) -> None:
    """Make a project of a few queries and documents."""
    documents = [Document(f"d{number}", "", f"text {number} " * 20) for number in range(CANDIDATES)]
    with Project.create(path, "Faults", annotator="Ana") as project:
        import_dataset(
            project.store,
            Dataset(queries=[Query(f"q{number}", "what?") for number in range(QUERIES)], documents=documents),
            Import("imported:faults", "faults.json"),
        )


def steps(first: int) -> Iterator[tuple[int, int, int]]:
    """Yield (query key, candidate key, grade) without end."""
    for number in itertools.count(first):
        yield 1 + number % QUERIES, 1 + number % CANDIDATES, number % 6


def grade(project: Project, step: tuple[int, int, int]) -> tuple[str, str, int]:
    """Grade one candidate and return what is now acknowledged."""
    query, candidate, value = step
    judging.set_grade(project, query, candidate, value, milliseconds=500)
    return f"q{query - 1}", f"d{candidate - 1}", value


def grade_for_ever(path: Path, pipe: Connection, first: int) -> None:
    """Grade, acknowledge, grade, until killed."""
    with Project.open(path, annotator="Ana") as project:
        for step in steps(first):
            pipe.send(grade(project, step))


def acknowledge_too_early(path: Path, pipe: Connection, first: int) -> None:
    """Do what must not be done: acknowledge inside the transaction, and be slow to commit."""
    with Project.open(path, annotator="Ana") as project, project.store.writing():
        pipe.send(grade(project, next(steps(first))))
        pipe.recv()


def grade_and_wait(path: Path, pipe: Connection, first: int) -> None:
    """Grade once for every message that asks for it."""
    with Project.open(path, annotator="Ana") as project:
        for step in steps(first):
            pipe.recv()
            pipe.send(grade(project, step))


def open_and_read(path: Path, pipe: Connection, first: int) -> None:
    """Try to open for writing; when somebody else has it, say so and read along until told to stop."""
    try:
        with Project.open(path, annotator="Ben") as project:
            pipe.send("opened")
            for step in itertools.islice(steps(first), 50):
                pipe.send(grade(project, step))
    except UserError as error:
        pipe.send(str(error))
        with Project.open(path, annotator="Ben", read_only=True) as project:
            while not pipe.poll(0):
                assert browse.contents(project).queries == QUERIES
            pipe.send("read along")


def big_dataset() -> Dataset:
    """Return enough to be in the middle of for some time."""
    documents = [Document(f"new{number}", "", f"text {number} " * 40) for number in range(4_000)]
    return Dataset(queries=[Query(f"late{number}", "why?") for number in range(500)], documents=documents)


def import_a_lot(path: Path, pipe: Connection, first: int) -> None:
    """Import in one transaction."""
    with Store.open(path) as store:
        pipe.send("started")
        import_dataset(store, big_dataset(), Import("imported:late", "late.json"))
        pipe.send("done")


def import_in_two_steps(path: Path, pipe: Connection, first: int) -> None:
    """Do what must not be done: cut an import into two transactions."""
    whole = big_dataset()
    with Store.open(path) as store:
        import_dataset(store, Dataset(queries=whole.queries), Import("imported:late", "late.json"))
        pipe.send("started")
        pipe.recv()
        import_dataset(store, Dataset(documents=whole.documents), Import("imported:late", "late.json"))


def export_for_ever(path: Path, pipe: Connection, first: int) -> None:
    """Write a copy and the text twin again and again."""
    with Project.open(path, read_only=True) as project:
        for _ in itertools.count():
            file_copies.save_copy(path, path.with_name("copy.annot"))
            text_twin.dump(project, path.with_name("twin"))
            pipe.send("written")


def fill_the_disk(path: Path, pipe: Connection, first: int) -> None:
    """Do one thing with files limited in size, and say how it ended."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    what, size = pipe.recv()
    with Store.open(path) as store:
        project = Project(store, "Ana")
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        try:
            if what == "grade":
                for step in itertools.islice(steps(first), 150):
                    pipe.send(grade(project, step))
            elif what == "import":
                import_dataset(store, big_dataset(), Import("imported:late", "late.json"))
            elif what == "export":
                text_twin.dump(project, path.with_name("twin"))
            elif what == "carelessly":
                path.with_name("careless").write_bytes(b"x" * 1_000_000)
            else:
                file_copies.save_copy(path, path.with_name("copy.annot"))
            ending: tuple[str, str] = ("fine", "")
        except UserError as error:
            ending = ("told", str(error))
        except OSError as error:
            ending = ("untold", repr(error))
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        pipe.send(ending)


def open_as_nobody(path: Path, pipe: Connection, first: int) -> None:
    """Give up root, which may write anywhere, and open the project."""
    if os.getuid() == 0:
        become(65534, 65534)
    try:
        with Project.open(path, annotator="Ana") as project:
            pipe.send(("opened", grade(project, next(steps(first)))))
    except UserError as error:
        with Project.open(path, annotator="Ana", read_only=True) as project:
            pipe.send((type(error).__name__, str(error), browse.contents(project).queries))


def become(user: int, group: int, umask: int = 0o022) -> None:
    """Be another user from now on, in this process: one of a group, with a folder and a name of their own."""
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)
    os.umask(umask)
    os.environ["LOGNAME"] = f"user{user}"
    for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        os.environ[name] += str(user)


def as_user(path: Path, pipe: Connection, first: int) -> None:
    """Become the user that the first message names, then do the work that it names."""
    work, *who = pipe.recv()
    become(*who)
    work(path, pipe, first)


def without_a_lock(path: Path, pipe: Connection, first: int) -> None:
    """Open for writing though somebody else has the file."""
    file_lock.switch = lambda *_, **__: None  # type: ignore[assignment]
    open_and_read(path, pipe, first)


def run(
    work: Callable[[Path, Connection, int], None],
    path: Path,
    pipe: Connection,
    first: int,
    environment: Mapping[str, str],
) -> None:
    """Be the child: take over the environment of the test and work."""
    os.environ.update(environment)
    work(path, pipe, first)


@contextmanager
def started(
    work: Callable[[Path, Connection, int], None], path: Path, first: int = 0
) -> Iterator[tuple[Any, Connection]]:
    """Start a child; it is killed at the end when it still runs, and always waited for."""
    ours, theirs = CONTEXT.Pipe()
    child = CONTEXT.Process(target=run, args=(work, path, theirs, first, dict(os.environ)))
    child.start()
    theirs.close()
    try:
        yield child, ours
    finally:
        child.kill()
        child.join()
        child.close()
        ours.close()


def messages(pipe: Connection) -> Iterator[Any]:
    """Yield what a child has said, until it is dead and all is read."""
    while True:
        try:
            yield pipe.recv()
        except (EOFError, ConnectionResetError):
            return


def stored(path: Path, annotator: str = "Ana") -> Acknowledged:
    """Return the grades of an annotator that stand in a file."""
    with Store.open(path, read_only=True) as store:
        rows = store.db.execute(
            "SELECT query.external, candidate.external, grade FROM judgment "
            "JOIN annotator ON annotator.id = annotator JOIN query ON query.id = judgment.query "
            "JOIN candidate ON candidate.id = candidate WHERE name = ?",
            (annotator,),
        ).fetchall()
    return {(query, candidate): value for query, candidate, value in rows}


def lost(path: Path, acknowledged: list[tuple[str, str, int]], annotator: str = "Ana") -> int:
    """Return how many pairs do not stand in the file as they were last acknowledged.

    The one grade after the last acknowledged may be stored already: that is not a loss.
    """
    last: Acknowledged = {(query, candidate): value for query, candidate, value in acknowledged}
    found = stored(path, annotator)
    wrong = {pair for pair, value in last.items() if found.get(pair) != value}
    ahead = next(steps(len(acknowledged)))
    wrong.discard((f"q{ahead[0] - 1}", f"d{ahead[1] - 1}"))
    return len(wrong)


def cold(path: Path, first: int) -> "subprocess.Popen[str]":
    """Start the grading program from nothing, as a user does; it prints what it acknowledges."""
    code = (
        "import sys; from pathlib import Path; from tests.faults import programs\n"
        "with programs.Project.open(Path(sys.argv[1]), annotator='Ana') as project:\n"
        "    for step in programs.steps(int(sys.argv[2])):\n"
        "        print(*programs.grade(project, step), flush=True)\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code, str(path), str(first)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
