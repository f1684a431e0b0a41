"""Files that open to gigabytes, nest without an end or are no text: refused shortly, in little memory."""

import gzip
import json
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from annotator.carriers.carrier import SHELVES, CarrierError
from annotator.carriers.folder import Folder
from annotator.errors import UserError
from annotator.formats import registry, text_lines
from annotator.formats.declaration import Format, Reading
from annotator.project import score_files, text_twin
from annotator.project.project import Project
from annotator.storage.file import file_lock
from annotator.watch import Watch
from tests.faults import programs

MEGABYTES = 400
"""The program may need so many more than before its first file, whatever the file opens to."""

COMMAND = """
import json
import sys
from pathlib import Path
from typer.testing import CliRunner
from annotator.commands.program import app

def peak():
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) // 1_000

run, project, tables, *files = CliRunner(), *sys.argv[1:]
assert run.invoke(app, ["new", project]).exit_code == 0
assert run.invoke(app, ["import", project, tables]).exit_code == 0
assert run.invoke(app, ["import", project, project]).exit_code == 1
before = peak()
for verb, file in zip(files[::2], files[1::2]):
    words = [project, file] if verb == "import" else ["--qrels", file, "--run", file]
    done = run.invoke(app, [verb, *words])
    print(json.dumps((file, verb, done.exit_code, done.output, peak() - before)))
"""

UNITS = {
    "judgments": b"q1 0 d1 1\n",
    "letters": b"a",
    "blanks": b" ",
    "lines": b"\n",
    "objects": b'{"_id": "a", "text": "b"}\n',
    "brackets": b"[",
}
CHANCE = random.Random(19).randbytes
BINARY = {
    "program": Path(sys.executable).resolve().read_bytes()[:1_000_000],
    "noise": CHANCE(1_000_000),
    "picture": b"\x89PNG\r\n\x1a\n" + CHANCE(100_000),
    "database": b"SQLite format 3\0" + bytes(100_000),
    "nothing": bytes(1_000_000),
    "wide": "q1\t0\td1\t1\n".encode("utf-16") * 1_000,
}
NESTED = {"objects": b'{"a":' * 60_000 + b"1" + b"}" * 60_000, "lists": b"[" * 60_000 + b"]" * 60_000}
Count = Callable[[int, int], int]
ENDINGS = ("json", "jsonl", "csv", "tsv", "txt", "run", "xlsx", "parquet")


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the peak is read as Linux tells it")
def test_no_file_takes_more_than_a_little_memory_or_a_few_lines(tmp_path: Path, count: Count) -> None:
    files: list[Path] = []
    for name, unit in [*UNITS.items()][: count(1, len(UNITS))]:
        member = gzip.compress(unit * (10_000_000 // len(unit)))
        files.append(tmp_path / f"{name}.gz")
        files[-1].write_bytes(member * 40)
    for at, (name, content) in enumerate((BINARY | {f"deep {one}": NESTED[one] for one in NESTED}).items()):
        files.append(tmp_path / f"{name}.{ENDINGS[at]}")
        files[-1].write_bytes(content)
    tables = tmp_path / "tables.jsonl"
    tables.write_text(json.dumps({"_id": "d1", "title": "", "text": "<table><tr><td>a" * 30_000}) + "\n")
    asked = [("evaluate", files[0]), *(("import", one) for one in files[1:])]
    asked += count(0, 1) * [("evaluate", one) for one in files[1:]]
    command = [sys.executable, "-c", COMMAND, tmp_path / "p.annot", tables, *chain.from_iterable(asked)]
    told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    assert len(told) == len(asked)
    for line in told:
        file, verb, status, output, more = json.loads(line)
        said = output.replace("\n", " ")
        assert (status, "Traceback" in said) == (1, False), (file, verb, said)
        assert Path(file).name in said, "which file it is"
        assert output.count("\n") <= 4, (file, verb, output)
        assert more < MEGABYTES, (file, verb, more)


def test_a_gzipped_file_that_says_how_far_it_unpacks_is_refused_before_it_is(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(b"q1 0 d1 1\n"))
    path = tmp_path / "far.qrels.gz"
    path.write_bytes(packed)
    assert text_lines.beginning(path) == "q1 0 d1 1\n"
    packed[-4:] = (3_000_000_000).to_bytes(4, "little")
    path.write_bytes(packed)
    with pytest.raises(UserError, match="unpacks to far more than its size; unpack it yourself"):
        text_lines.beginning(path)


def test_a_small_bomb_is_refused_before_a_line_of_it_is_parsed(tmp_path: Path) -> None:
    path = tmp_path / "bomb.qrels.gz"
    path.write_bytes(gzip.compress(b"q1 0 d1 1\n" * 1_000_000) * 10 + gzip.compress(b"q1 0 d1 1\n"))
    assert text_lines.beginning(path, 10) == "q1 0 d1 1\n"
    with pytest.raises(UserError, match="unpacks to far more than its size; unpack it yourself"):
        next(text_lines.blocks(path, Reading()))


def test_what_unpacks_to_a_lot_is_not_tried_in_every_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Path] = []
    monkeypatch.setattr(Format, "read", lambda _, path: tried.append(path))
    for size, path in ((registry.SMALL + 1, tmp_path / "much.gz"), (1_000, tmp_path / "little.gz")):
        path.write_bytes(gzip.compress(b"a" * size))
        assert "is in no format known here" in registry.unknown(path)[0].message
    assert set(tried) == {path}


def test_progress_of_a_packed_file_tells_how_much_of_it_was_read(tmp_path: Path) -> None:
    path, told = tmp_path / "noise.gz", list[float]()
    path.write_bytes(gzip.compress(random.Random(19).randbytes(4_000_000).hex("\n", 50).encode()))
    watch = Watch(on_progress=lambda done, total, _: told.append(done / total))
    for _ in text_lines.blocks(path, Reading(watch=watch)):
        pass
    assert told == sorted(told)
    assert sum(0.2 < one < 0.8 for one in told) > 3


def test_what_annotator_wrote_itself_is_no_sounder_for_that(tmp_path: Path) -> None:
    """Lists in lists in what a dump, a project, a note, a file of scores or a model holds."""
    project, dumped, told = tmp_path / "p.annot", tmp_path / "dumped", []
    programs.new_project(project)
    with Project.open(project) as opened:
        text_twin.dump(opened, dumped)
    deep = NESTED["lists"].decode()
    for name, content in (("events.jsonl", deep), ("project.toml", f"a = {deep}")):
        (dumped / name).write_text(content)
        with pytest.raises(UserError) as caught:
            text_twin.load(dumped, tmp_path / "loaded.annot")
        told.append(str(caught.value))
    file_lock.note_of(project).write_text("[" * 1_000)
    assert file_lock.holder(project) is None
    scores = tmp_path / "scores.parquet"
    pq.write_table(pa.table({"a": [1]}).replace_schema_metadata({score_files.KEY: deep}), scores)
    with pytest.raises(UserError) as caught:
        score_files.read_scores(scores)
    told.append(str(caught.value))
    raw = sqlite3.connect(project)
    raw.execute("UPDATE content SET fields = ?", (deep,))
    raw.commit()
    raw.close()
    with Project.open(project) as opened:
        assert opened.damage
    assert [one for one in told if len(one) > 300 or "\n" in one] == []


def test_a_pipe_in_a_shared_folder_is_not_waited_for(tmp_path: Path) -> None:
    folder = Folder.begun(tmp_path / "shared")
    place = tmp_path / "shared" / SHELVES[0]
    place.mkdir(exist_ok=True)
    os.mkfifo(place / "pipe")
    with pytest.raises(CarrierError, match="is no file"):
        folder.read(SHELVES[0], "pipe")
