"""Files with something wrong inside: refused by name, file and line, quickly, with nothing changed."""

import contextlib
import functools
import gzip
import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from annotator.errors import InputError, UserError
from annotator.formats.declaration import Reading
from annotator.formats.registry import FORMATS, sniff
from annotator.formats.text_lines import Problems
from annotator.project import data_import
from annotator.records import AnswerParts, Dataset, Document, GoldAnswer, GoldList, Query
from tests.formats.datasets import judged, predictions_of, run_of

MEGABYTES = 300

FULL = Dataset(
    queries=[Query("q11", "first question"), Query("q22", "second question")],
    documents=[Document("d11", "title one", "text one"), Document("d22", "title two", "text two")],
    gold=[GoldList("q11", (GoldAnswer("gold one"),)), GoldList("q22", (GoldAnswer("gold two"),))],
    runs=[run_of("sys", [("q11", "d11", 7.5), ("q11", "d22", 6.5), ("q22", "d11", 5.5)], scored=True)],
    judgments=judged([("q11", "d11", 3), ("q11", "d22", 4), ("q22", "d11", 3)]),
)
NUGGETS = Dataset(
    said=[
        AnswerParts(
            "", 0, one, answer="said", nuggets=(("It flies.", "vital", 2), ("It swims.", "okay", None))
        )
        for one in ("q11", "q22")
    ]
)
SUPPORT = Dataset(
    said=[
        AnswerParts("", 0, one, "sys", citations=(("It flies.", 0, "d11", 2), ("It swims.", 1, "", -1)))
        for one in ("q11", "q22")
    ]
)
ONE_RUN = Dataset(runs=FULL.runs)
ONLY_QUERIES = Dataset(queries=FULL.queries)

LAYOUTS: dict[str, tuple[str, Dataset, str]] = {
    "trec-run": ("trec-run", ONE_RUN, ""),
    "trec-qrels": ("trec-qrels", FULL, ""),
    "judgments": ("judgments", FULL, ""),
    "trec-topics": ("trec-topics", ONLY_QUERIES, ""),
    "beir queries": ("beir", FULL, "queries.jsonl"),
    "beir corpus": ("beir", FULL, "corpus.jsonl"),
    "beir qrels": ("beir", FULL, "qrels/test.tsv"),
    "msmarco queries": ("msmarco", FULL, "queries.tsv"),
    "msmarco collection": ("msmarco", FULL, "collection.tsv"),
    "msmarco run": ("msmarco", FULL, "run.sys.tsv"),
    "squad": ("squad", Dataset(queries=FULL.queries, gold=FULL.gold), ""),
    "squad-predictions": ("squad-predictions", predictions_of({"q11": ["one"], "q22": ["two"]}), ""),
    "quepid": ("quepid", FULL, ""),
    "label-studio": ("label-studio", FULL, ""),
    "argilla": ("argilla", FULL, ""),
    "msmarco-segments": ("msmarco-segments", FULL, ""),
    "umbrela": ("umbrela", FULL, ""),
    "opensearch": ("opensearch", FULL, ""),
    "trec-rag": ("trec-rag", predictions_of({"q11": ["one"], "q22": ["two"]}), ""),
    "nuggets": ("nuggets", NUGGETS, ""),
    "support": ("support", SUPPORT, ""),
    "dict-json": ("dict-json", FULL, ""),
    "csv": ("csv", FULL, ""),
    "jsonl": ("jsonl", FULL, ""),
}
JSON = {
    *("beir queries", "beir corpus", "squad", "squad-predictions", "label-studio", "dict-json", "jsonl"),
    *("msmarco-segments", "umbrela", "trec-rag", "opensearch", "nuggets", "support", "argilla"),
}
RANKED_OR_GRADED = {
    "trec-run",
    "trec-qrels",
    "judgments",
    "beir qrels",
    "msmarco run",
    "quepid",
    "label-studio",
    "umbrela",
    "dict-json",
    "csv",
}


@functools.cache
def sound(layout: str) -> bytes:
    """Return a sound file of a layout."""
    key, dataset, inside = LAYOUTS[layout]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sound"
        FORMATS[key].write(dataset, path)
        return (path / inside if inside else path).read_bytes()


def middle(data: bytes, odd: bytes) -> bytes:
    """Put something into the text of the file, between two letters of an id or a word."""
    at = data.rfind(b"11") if b"11" in data else len(data) // 2
    return data[: at + 1] + odd + data[at + 1 :]


def swapped(old: bytes, new: bytes) -> Callable[[str, bytes], bytes | None]:
    def change(_: str, data: bytes) -> bytes | None:
        at = data.rfind(old)
        return None if at < 0 else data[:at] + new + data[at + len(old) :]

    return change


def repeated(layout: str, data: bytes) -> bytes | None:
    """Repeat the last row of a table."""
    if layout in JSON or layout == "csv" or layout == "trec-topics":
        return None
    return data + data.rstrip(b"\n").split(b"\n")[-1] + b"\n"


def doubled_key(layout: str, data: bytes) -> bytes | None:
    at = data.find(b"{")
    return data[: at + 1] + b'"twice":1,"twice":2,' + data[at + 1 :] if layout in JSON else None


def only_json(value: bytes) -> Callable[[str, bytes], bytes | None]:
    return lambda layout, _: value if layout in JSON else None


def wide(layout: str, data: bytes) -> bytes | None:
    if layout in JSON or layout == "trec-topics":
        return None
    between = b" " if layout.startswith("trec") or layout == "judgments" else b"\t" if b"\t" in data else b","
    return data + between.join([b"x"] * 1_000_000) + b"\n"


def short_row(layout: str, data: bytes) -> bytes | None:
    return None if layout in JSON or layout == "trec-topics" else data + b"lonely\n"


def grade_of(text: bytes) -> Callable[[str, bytes], bytes | None]:
    """Put another text where the file has its last number."""

    def change(layout: str, data: bytes) -> bytes | None:
        if layout not in RANKED_OR_GRADED:
            return None
        places = [
            at for at in range(len(data)) if data[at : at + 1] in b"3" and data[at - 1 : at] in b" \t,:"
        ]
        if layout == "trec-run":
            return data.replace(b"5.5", text)
        if layout == "csv":
            return data.replace(b",3\n", b"," + text + b"\n")
        at = places[-1] if places else data.rfind(b"1")
        return data[:at] + text + data[at + 1 :]

    return change


KINDS: dict[str, Callable[[str, bytes], bytes | None]] = {
    "empty": lambda _, __: b"",
    "only blank lines": lambda _, __: b"\n \n\n",
    "a NUL byte": lambda _, data: middle(data, b"\0"),
    "a control character": lambda _, data: middle(data, b"\x01"),
    "a delete character": lambda _, data: middle(data, b"\x7f"),
    "Latin-1": lambda _, data: middle(data, b"\xe9"),
    "overlong UTF-8": lambda _, data: middle(data, b"\xc0\xaf"),
    "a surrogate in UTF-8": lambda _, data: middle(data, b"\xed\xa0\x80"),
    "UTF-16": lambda _, data: data.decode().encode("utf-16"),
    "random bytes": lambda _, __: Random(3).randbytes(5_000),
    "a picture": lambda _, __: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "a database": lambda _, __: b"SQLite format 3\0" + bytes(2_000),
    "a web page": lambda _, __: b"<!DOCTYPE html>\n<html><body>Not found</body></html>\n",
    "a cut gzip file": lambda _, data: gzip.compress(data)[:-12],
    "a damaged gzip file": lambda _, data: gzip.compress(data)[:-8] + b"\1\2\3\4\5\6\7\0",
    "a short row": short_row,
    "a row twice": repeated,
    "a very long id": swapped(b"q11", b"q" * 2_000),
    "the query all": swapped(b"q22", b"all"),
    "a word for a number": grade_of(b"good"),
    "a number with a point": grade_of(b"3.7x"),
    "not a number": grade_of(b"NaN"),
    "a key twice": doubled_key,
    "half a JSON value": lambda layout, data: data[: len(data) * 2 // 3] if layout in JSON else None,
    "a wrong layout": only_json(b'[["a", 1], 2, null]\n'),
    "a number beyond doubles": only_json(b'{"q11": {"d11": 1e999}}\n'),
    "a number of thousands of digits": only_json(b'{"q11": {"d11": ' + b"9" * 5_000 + b"}}\n"),
    "half a surrogate pair": swapped(b"q11", b"\\ud800"),
    "a hundred thousand brackets": only_json(b"[" * 100_000),
    "a million columns": wide,
}
NO_LINE = {"a cut gzip file", "a damaged gzip file"}
NOT_ODD_HERE = {("half a surrogate pair", layout) for layout in LAYOUTS if layout not in JSON}
NOT_ODD_HERE |= {("half a JSON value", "umbrela")}  # two thirds of it are two whole lines of three


def test_every_text_format_has_a_layout_here() -> None:
    assert {key for key, _, _ in LAYOUTS.values()} == {key for key, one in FORMATS.items() if not one.magic}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_sound_file_is_read_so_that_the_others_fail_for_what_is_wrong_in_them(
    tmp_path: Path, layout: str
) -> None:
    name = LAYOUTS[layout][2].rpartition("/")[2] or "qrels"
    (tmp_path / name).write_bytes(sound(layout))
    assert FORMATS[LAYOUTS[layout][0]].read(tmp_path / name) != Dataset()
    found = sniff(tmp_path / name)
    assert found is not None
    assert found.key == ("trec-run" if layout == "judgments" else LAYOUTS[layout][0])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_wrong_is_named_with_file_and_line(tmp_path: Path, layout: str, kind: str) -> None:
    key, _, inside = LAYOUTS[layout]
    data = KINDS[kind](layout, sound(layout))
    if data is None or (kind, layout) in NOT_ODD_HERE:
        return
    path = tmp_path / (inside.rpartition("/")[2] or "qrels")
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        FORMATS[key].read(path, Reading())
    assert 1 <= len(caught.value.problems) <= 100
    for problem in caught.value.problems:
        assert problem.file == str(path)
        assert (problem.line is not None) or kind in NO_LINE
        assert 10 < len(problem.message) < 600
    assert path.read_bytes() == data


def test_control_without_the_problems_that_are_named_files_would_be_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Problems, "check", lambda _: None)
    taken = set()
    for layout, (key, _, inside) in LAYOUTS.items():
        for kind in ("a control character", "a row twice", "a word for a number", "a key twice"):
            data = KINDS[kind](layout, sound(layout))
            path = tmp_path / (inside.rpartition("/")[2] or "qrels")
            if data is not None:
                path.write_bytes(data)
                with contextlib.suppress(UserError):
                    FORMATS[key].read(path, Reading())
                    taken.add((kind, layout))
    assert {kind for kind, _ in taken} >= {"a control character", "a row twice", "a word for a number"}
    assert len(taken) > len(LAYOUTS)


HEAVY = """
import gzip, sys
from pathlib import Path
from annotator.errors import UserError
from annotator.formats.registry import FORMATS, sniff
path, key = Path(sys.argv[1]), sys.argv[2]
for kind, data in (
    ("a gzip bomb", gzip.compress(b" " * 100_000_000, 1)),
    ("a bomb of line ends", gzip.compress(b"\\n" * 100_000_000, 1)),
    ("an endless line", b"a" * 66_000_000),
    ("an endless cell", b'"' + b"a" * 66_000_000),
):
    path.write_bytes(data)
    del data
    try:
        sniff(path)
        FORMATS[key].read(path)
        print(kind, "was taken")
    except UserError as error:
        pass
    peak = int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024
    if peak > 300:
        print(kind, "took", peak, "MB")
"""
"""`ru_maxrss` would begin with the memory of the process that started this one."""


@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of memory where Linux tells it")
@pytest.mark.parametrize("layout", ["trec-run", "beir corpus", "squad", "csv"])
def test_endless_and_exploding_files_take_little_memory(tmp_path: Path, layout: str) -> None:
    key, _, inside = LAYOUTS[layout]
    path = tmp_path / (inside or "file")
    done = subprocess.run(
        [sys.executable, "-c", HEAVY, str(path), key],
        capture_output=True,
        text=True,
        check=False,
        timeout=500,
    )
    assert done.stdout + done.stderr == ""


def test_a_project_is_what_it_was_after_a_refused_import(tmp_path: Path) -> None:
    from annotator.project.project import Project

    with Project.create(tmp_path / "p.annot", "p") as project:
        good = tmp_path / "good.run"
        FORMATS["trec-run"].write(ONE_RUN, good)
        data_import.run_import(project, data_import.plan_import(project, [good]))
    before = hashlib.sha256((tmp_path / "p.annot").read_bytes()).hexdigest()
    kinds = ("a NUL byte", "a short row", "not a number", "half a JSON value", "a key twice")
    with Project.open(tmp_path / "p.annot") as project:
        for layout in ("trec-qrels", "csv", "jsonl", "beir corpus"):
            for kind in kinds:
                data = KINDS[kind](layout, sound(layout))
                bad = tmp_path / "bad.txt"
                if data is None:
                    continue
                bad.write_bytes(data)
                with pytest.raises(UserError):
                    data_import.run_import(project, data_import.plan_import(project, [good, bad]))
    assert hashlib.sha256((tmp_path / "p.annot").read_bytes()).hexdigest() == before


def test_files_made_of_odd_parts_are_read_or_refused_but_never_crash(
    tmp_path: Path, count: Callable[[int, int], int]
) -> None:
    random = Random(11)
    parts = [
        b"q1",
        b" ",
        b"\t",
        b"\n",
        b'"',
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b"1",
        b"-",
        b".5",
        b"\xc3\xa9",
        b"\xff",
    ]
    parts += [
        b"<top>",
        b"<num>",
        b"</top>",
        b"query,docid,rating\n",
        b'"_id"',
        b'"data"',
        b"null",
        b"\r",
        b"\0",
        b"#",
    ]
    refused = 0
    for _ in range(count(200, 2_200)):
        path = tmp_path / random.choice(["queries.tsv", "a.json", "run.x"])
        path.write_bytes(b"".join(random.choices(parts, k=random.randint(1, 60))))
        for form in FORMATS.values():
            try:
                form.read(path)
            except UserError:
                refused += 1
    assert refused


def test_json_of_a_wrong_shape_is_refused_wherever_it_is_wrong(tmp_path: Path) -> None:
    """Put a value of another type at every place of a sound file."""
    for layout in ("squad", "squad-predictions", "label-studio", "dict-json"):
        value = json.loads(sound(layout))
        refused = 0
        for broken in _broken(value):
            (tmp_path / "qrels").write_text(json.dumps(broken))
            try:
                FORMATS[LAYOUTS[layout][0]].read(tmp_path / "qrels")
            except InputError:
                refused += 1
        assert refused >= 2, layout


def _broken(value: object) -> list[object]:
    """Return the value with one part after the other replaced by true."""
    found: list[object] = [True]
    if isinstance(value, dict):
        for name, held in value.items():
            found += [{**value, name: one} for one in _broken(held)]
    if isinstance(value, list):
        for at, held in enumerate(value):
            found += [[*value[:at], one, *value[at + 1 :]] for one in _broken(held)]
    return found
