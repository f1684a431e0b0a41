"""The program of the sweep: lets the n-th file operation of a verb fail, and judges what is left.

It runs with `failing_calls.c` preloaded and answers one line of JSON with another. The verb runs in a fork of
this warm program; another one looks at what the first left, and tries the verb once more on a sound disk.
"""

import ctypes
import hashlib
import json
import os
import re
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from annotator.errors import UnclearError, UserError
from annotator.storage.care import integrity
from annotator.storage.file import file_copies
from annotator.storage.store import Store
from tests.faults import programs, swept_verbs
from tests.faults.swept_verbs import VERBS

FOR_EVER = 1 << 60
SECONDS = 20

FAULTS = {
    "the disk is full": (1, FOR_EVER),
    "the disk is full for a moment": (1, 1),
    "the disk fails": (2, FOR_EVER),
    "the disk fails for a moment": (2, 1),
    "half is written": (3, 1),
    "a signal comes": (4, 1),
    "killed": (5, 1),
}
"""What happens, by name: which fault of `failing_calls.c`, and how many operations meet it."""

HARMLESS = {"half is written", "a signal comes"}
"""What a program does not notice: it goes on with the rest."""

UNCLEANED = {"the disk fails", "killed"}
"""What lets nobody put away what was begun."""

UNTOUCHED = "[Nn]othing was changed|nothing of this step"
"""What is said only where all files are as they were."""

State = dict[str, object]


class Sweep:
    """Files to begin with, a folder in which they are put for each case, and the library that counts."""

    def __init__(self, root: Path) -> None:
        self.calls = ctypes.CDLL(None)
        self.calls.arm.argtypes = (ctypes.c_char_p, ctypes.c_int, ctypes.c_long, ctypes.c_long)
        self.calls.could_meet.restype = ctypes.c_long
        self.here = root / "here"
        self.start = root / "start"
        os.environ |= {
            f"XDG_{kind}_HOME": str(self.here / "home" / kind.lower())
            for kind in ("DATA", "STATE", "CACHE", "CONFIG")
        }
        os.environ |= {"HOME": str(self.here / "home"), "TMPDIR": str(self.here / "tmp")}
        (self.here / "tmp").mkdir(parents=True)
        swept_verbs.make_files(self.here)
        shutil.rmtree(self.here / "home" / "state", ignore_errors=True)
        self.here.rename(self.start)
        self.before: dict[str, State] = {}
        self.after: dict[str, State] = {}
        self.counts: dict[str, dict[str, int]] = {}

    def counted(self, verb: str) -> dict[str, int]:
        """Return how many operations of a verb each fault could meet, and learn what it comes to."""
        if verb not in self.counts:
            self.fresh()
            self.before[verb] = state(self.here)
            self.fresh()
            faults = self.faults(0, 0, 0)
            VERBS[verb].act(self.here, faults, lambda _: None)
            self.counts[verb] = {name: self.calls.could_meet(which) for name, (which, _) in FAULTS.items()}
            self.after[verb] = state(self.here)
        return self.counts[verb]

    def fresh(self) -> None:
        """Put the files back."""
        shutil.rmtree(self.here, ignore_errors=True)
        shutil.copytree(self.start, self.here)

    @contextmanager
    def faults(self, which: int, at: int, lasts: int) -> Iterator[None]:
        """Let operations fail while this is entered."""
        self.calls.arm(os.fsencode(self.here), which, at, lasts)
        try:
            yield
        finally:
            self.calls.disarm()

    def case(self, verb: str, fault: str, at: int) -> list[str]:
        """Let one operation fail and return what is wrong with what is left."""
        self.counted(verb)
        self.fresh()
        which, lasts = FAULTS[fault]
        first = forked(lambda say: self.ended(verb, say, which, at, lasts))
        try:
            return [
                finding
                for line in forked(lambda say: say(self.judged(verb, fault, first)))
                for finding in line
            ]
        except ValueError as error:
            return [f"cannot be judged: {error}"]

    def ended(self, verb: str, say: Callable[[object], None], *fault: int) -> None:
        """Do the verb; say what is acknowledged and how it ended: done, told, or neither."""
        try:
            VERBS[verb].act(self.here, self.faults(*fault), say)
            say(["done", ""])
        except UserError as error:
            say(["unclear" if isinstance(error, UnclearError) else "told", str(error)])
        except BaseException:  # noqa: BLE001
            say(["untold", traceback.format_exc()])

    def judged(self, verb: str, fault: str, first: list[Any]) -> list[str]:
        """Return what is wrong after a verb that has said these lines."""
        acknowledged = [tuple(line) for line in first if len(line) == 3]
        ending, said = next((line for line in first if len(line) == 2), ("killed", ""))
        before, after = self.before[verb], self.after[verb]
        now = state(self.here)
        found = [f"untold: {said}"] if ending == "untold" else []
        found += [f"said: {said!r}"] if ending in ("told", "unclear") and not clear(said) else []
        if ending == "killed" and fault != "killed":
            found.append("hung or crashed")
        if fault in HARMLESS and ending != "done":
            found.append(f"told of {fault}: {said}")
        lost = lost_grades(self.here / "p.annot", acknowledged, restored=verb == "restore")
        found += [f"lost {lost}"] if lost else []
        several = VERBS[verb].steps
        if not several and re.search(UNTOUCHED, said) and placed(now) != before:
            found.append(f"not as it was, but said: {said!r}")
        for name in sorted(now.keys() | before.keys() | after.keys()):
            mine, either = now.get(name), (before.get(name), after.get(name))
            if several and name.endswith(".annot"):
                found += [f"{name}: {mine}"] if "findings" in str(mine) else []
            elif not (
                whole(ending, fault, mine, either)
                or (begun(name) and (fault in UNCLEANED or not mine))
                or (f"{name} is written" in said and mine == either[1])
            ):
                found.append(f"{ending}, and {name} is {mine}; before: {either[0]}; after: {either[1]}")
        if not found or ending != "untold":
            found += self.second(verb, ending, now)
        return [f"{one}   [{ending} {said}]" for one in found]

    def second(self, verb: str, ending: str, now: State) -> list[str]:
        """Try once more on a disk that is sound."""
        heard: list[Any] = []
        self.ended(verb, heard.append, 0, 0, 0)
        again, words = heard[-1]
        complete = ending == "done" or placed(now) == self.after[verb]
        if again == "told" and complete and VERBS[verb].repeated and VERBS[verb].repeated in words:
            return []
        if again != "done":
            return [f"a second try is {again}: {words}"]
        left = state(self.here)
        if now == self.before[verb] and left != self.after[verb]:
            apart = {
                name: left.get(name)
                for name in left.keys() | now.keys()
                if left.get(name) != self.after[verb].get(name)
            }
            return [f"a second try leaves {apart}"]
        return [f"a second try leaves {name}" for name, one in left.items() if begun(name) and one]


def whole(ending: str, fault: str, now: object, either: tuple[object, object]) -> bool:
    """Tell whether a file, or each file of a folder, is as it may be after a verb that ended like this."""
    if isinstance(either[1], dict):
        parts = [one if isinstance(one, dict) else {} for one in (now, *either)]
        names = {name for one in parts for name in one if not begun(name) or fault not in UNCLEANED}
        files = [(parts[0].get(name), (parts[1].get(name), parts[2].get(name))) for name in names]
        return all(mine in (two[1:] if ending == "done" else two) for mine, two in files)
    if ending == "done":
        return now == either[1]
    return now == either[0] or (now == either[1] and (ending != "told" or fault in UNCLEANED))


def placed(found: State) -> State:
    """Return what stands at its place, without what was only begun."""
    kept: State = {}
    for name, one in found.items():
        inside = placed(one) if isinstance(one, dict) else one
        if not begun(name) and inside != {}:
            kept[name] = inside
    return kept


def begun(name: str) -> bool:
    """Tell whether something is what was being written, or in it."""
    return re.search(r"[.]part($|/)", name) is not None


def clear(said: str) -> bool:
    """Tell whether a sentence is one line for people."""
    return bool(said) and not re.search(r"\n|[Ee]rrno|None|Traceback|sqlite3\.", said) and said.endswith(".")


def lost_grades(project: Path, acknowledged: list[tuple[Any, ...]], restored: bool) -> dict[Any, Any]:
    """Return the grades that were acknowledged and are not there."""
    known = {("q0", f"d{number}"): 5 for number in range(3 if restored else 4)}
    known |= {(query, candidate): grade for query, candidate, grade in acknowledged}
    there = programs.stored(project)
    anew = ("q0", "d0")
    if len(acknowledged) == len(swept_verbs.STEPS) - 1 and there.get(anew) == swept_verbs.STEPS[-1][2]:
        known[anew] = there[anew]  # the step that was not acknowledged is stored, as one may be
    return {pair: (grade, there.get(pair)) for pair, grade in known.items() if there.get(pair) != grade}


def state(here: Path) -> State:
    """Return what all files come to that a verb may touch; looking changes none of them."""
    files: list[tuple[str, object]] = []
    kept = {f"{what}/": place for what, place in swept_verbs.kept(here).items() if place.is_dir()}
    for prefix, folder in {"": here, **kept}.items():
        for path in folder.iterdir():
            if not re.search("^home$|^tmp$|^interrupted |-journal$|[.]writer$", path.name):
                name = re.sub(r"\d{4}-\d\d-\d\dT\d{6}Z( [0-9a-f]{12})?", "STAMP", path.name)
                files.append((prefix + name, content(path)))
    found: State = {}
    files = [one for one in files if one[1] != {}]  # an empty folder
    for name, held_there in sorted(files, key=str):  # of files of one name what they hold, not when they came
        while name in found:
            name += "+"
        found[name] = held_there
    return found


KNOWN: dict[str, str] = {}


def content(path: Path) -> object:
    """Return what a file or folder holds: a project by what is in it, all else by its bytes."""
    if path.is_dir():
        return {str(one.relative_to(path)): content(one) for one in sorted(path.rglob("*")) if one.is_file()}
    journal = swept_verbs.journal_of(path)
    digest = hashlib.sha256(
        path.read_bytes() + (journal.read_bytes() if journal.exists() else b"")
    ).hexdigest()[:8]
    if path.suffix != ".annot" or path.stem.startswith("damaged"):
        return digest
    if digest not in KNOWN:
        KNOWN[digest] = held(path)
    return KNOWN[digest]


def held(path: Path) -> str:
    """Return what a project holds, or what is wrong with it."""
    try:
        with Store.open(path, read_only=True) as store:
            findings = [str(one) for one in integrity.check(store.db)]
            events = store.db.execute("SELECT task, count(*) FROM event GROUP BY 1").fetchall()
        inside = file_copies.inside(path)
    except UserError as error:
        return f"findings: {error}"
    counts = inside.queries, inside.documents, inside.judgments
    return f"findings: {findings}" if findings else f"{counts} {dict(events)}"


def forked(work: Callable[[Callable[[object], None]], object]) -> list[Any]:
    """Work in a fork of this process and return what it said, each as one line of JSON."""
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        os.close(ours)
        signal.alarm(SECONDS)

        def send(what: object) -> None:
            os.write(theirs, json.dumps(what).encode() + b"\n")

        try:
            work(send)
        except BaseException:  # noqa: BLE001
            send([f"the sweep itself: {traceback.format_exc()}"])
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as said:
        lines = [json.loads(line) for line in said]
    os.waitpid(child, 0)
    return lines


def main() -> None:
    """Answer questions: [verb] with the counts of operations, [verb, fault, n] with what was found."""
    sweep = Sweep(Path(sys.argv[1]))
    for line in sys.stdin:
        asked = json.loads(line)
        answer: object = sweep.counted(*asked) if len(asked) == 1 else sweep.case(*asked)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
