"""Nobody else reads what the program keeps, and what it keeps of a project can be removed."""

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from typer.testing import Result

from annotator import kept_files, unfinished
from annotator.commands.program import COMMANDS
from annotator.project import background_check, maintenance
from annotator.project.project import Project
from annotator.storage.file import file_copies, file_lock, proof
from tests.faults import programs

Run = Callable[..., Result]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")

WRITING: dict[str, tuple[str, ...]] = {
    "new": ("{out}/new.annot", "--name", "New"),
    "import": ("{project}", "{data}/more.csv", "--annotator", "Ana"),
    "dump": ("{project}", "{out}/twin"),
    "load": ("{out}/twin", "{out}/loaded.annot"),
    "sample": ("site-search", "-o", "{out}/sample.annot"),
    "retrieve": ("{project}",),
    "aggregate": ("{project}", "-s", "one", "-s", "bm25-standard"),
    "evaluate": ("{project}", "-m", "P@5", "--format", "csv", "-o", "{out}/scores.csv"),
    "partition": ("{data}/more.run", "-o", "{out}/parts"),
    "gather": ("--qrels", "{data}/more.qrels", "-o", "{out}/scores.parquet"),
    "report": ("{project}", "-o", "{out}/report.md", "-m", "P@5"),
    "export": ("{project}", "--format", "jsonl", "-o", "{out}/all.jsonl"),
    "check": ("{project}",),
    "snapshot": ("{project}", "monday"),
    "backup": ("{project}", "-o", "{out}/copy.annot"),
    "nuggets": ("{project}", "-o", "{out}/nuggets.jsonl"),
    "history": ("{project}", "-o", "{out}/history.csv"),
    "merge": ("{project}", "{out}/copy.annot", "-o", "{out}/merged.annot"),
    "recover": ("{project}", "-o", "{out}/recovered.annot"),
    "share": ("{project}", "{out}/carrier"),
    "join": ("{out}/carrier", "-o", "{out}/joined.annot"),
    "forget": ("{project}", "--yes"),
}
"""Every command that may write a file, in an order in which they find what they need."""

SHARED = (
    "partition {data}/more.run -o {data}/parts",
    "evaluate --qrels {data}/more.qrels --run {data}/parts --part 1/1 -m P@5 -o {out}/scores.parquet",
)
"""What `gather` puts together is made first."""

READING = {
    *("explain", "measures", "compare", "what-if", "agreement", "ranking-effect", "classify", "audit"),
    *("preferences", "coverage", "next", "assign", "practice", "formats", "imports", "partition", "gather"),
}
"""The others: they print, or write what `-o` names as `evaluate` does, or an event into the project."""

TABLE = "query_id,query,document_id,system,rank\nmore,text 1,d1,one,1\nmore,text 1,d2,one,2\n"

OF_PROJECTS = {"copy.annot", "merged.annot", "recovered.annot"}


def test_every_command_is_known_here() -> None:
    assert set(WRITING) | READING == set(COMMANDS)


def modes(folder: Path) -> dict[Path, int]:
    """Return who may do what with every file below a folder."""
    return {one: stat.S_IMODE(one.stat().st_mode) for one in folder.rglob("*") if one.is_file()}


def ours(home: Path) -> dict[Path, int]:
    """Return the modes of what Annotator keeps, of matplotlib's list of fonts not."""
    return {one: mode for place in home.glob("*/annotator") for one, mode in modes(place).items()}


@pytest.fixture
def kept_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("kept_umask")
@given(
    umask=st.sampled_from([0o000, 0o002, 0o022, 0o027, 0o077]),
    mode=st.sampled_from([0o600, 0o640, 0o660, 0o644, 0o666, 0o400, 0o444]),
)
@settings(max_examples=2, phases=(Phase.explicit, Phase.generate), suppress_health_check=list(HealthCheck))
def test_no_file_is_open_to_more_people_than_it_should_be(run: Run, umask: int, mode: int) -> None:
    """Of every verb, every new file: ours for us alone, a copy as the project, what was asked for as said."""
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        top = Path(name)
        folders = {one: top / one for one in ("home", "out", "data", "passing")}
        for one in folders.values():
            one.mkdir()
        for word in ("DATA", "CACHE", "STATE", "CONFIG"):
            patch.setenv(f"XDG_{word}_HOME", str(folders["home"] / word))
        patch.setattr(tempfile, "tempdir", str(folders["passing"]))
        project = top / "p.annot"
        programs.new_project(project)
        (folders["data"] / "more.csv").write_text(TABLE)
        (folders["data"] / "more.run").write_text("q1 Q0 d1 1 2.0 one\n")
        (folders["data"] / "more.qrels").write_text("q1 0 d1 1\n")
        os.umask(umask)
        project.chmod(mode)
        words = {"project": project, "out": folders["out"], "data": folders["data"]}
        for line in SHARED:
            assert run(*line.format(**words).split()).exit_code == 0
        for command, arguments in WRITING.items():
            if command == "forget":
                keep_all(project)
                assert ours(folders["home"])
            result = run(command, *(one.format(**words) for one in arguments))
            assert result.exit_code == 0, (command, result.output)
            for path, found in ours(folders["home"]).items():
                assert found == 0o600, (command, path, oct(found))
        for place in folders["home"].glob("*/annotator"):
            assert stat.S_IMODE(place.stat().st_mode) == 0o700
        for path, found in modes(folders["out"]).items():
            by_umask = (0o644 if "carrier" in path.parts else 0o666) & ~umask
            asked = mode | 0o600 if path.name in OF_PROJECTS else by_umask
            assert found == asked, (path, oct(found))
        assert stat.S_IMODE(project.stat().st_mode) == mode
        assert not modes(folders["passing"])


def keep_all(path: Path) -> None:
    """Let everything be kept of a project that can be kept without a window."""
    with Project.open(path, annotator="Ana", read_only=True) as opened:
        maintenance.back_up(opened, every_hour=False)
    background_check.look_after(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proof, "LARGE", 0)
        proof.keep(path, proof.stamp(path))


@pytest.mark.usefixtures("kept_umask")
@pytest.mark.parametrize("there", [0o600, 0o640, 0o666])
def test_a_restored_file_may_be_read_by_whom_the_one_before_could_be(tmp_path: Path, there: int) -> None:
    project = tmp_path / "p.annot"
    programs.new_project(project)
    with Project.open(project, annotator="Ana") as opened:
        made = maintenance.back_up(opened, every_hour=False)
    assert made is not None
    project.chmod(there)
    os.umask(0)
    aside = maintenance.restore(made.path, project)
    assert aside is not None
    assert kept_files.mode_of(project) == kept_files.mode_of(aside) == there
    project.unlink()
    maintenance.restore(made.path, project)
    assert kept_files.mode_of(project) == 0o600


@pytest.mark.usefixtures("kept_umask")
def test_an_export_that_replaces_a_private_file_is_private(run: Run, tmp_path: Path) -> None:
    project, target = tmp_path / "p.annot", tmp_path / "x.jsonl"
    programs.new_project(project)
    kept_files.new(target)
    assert run("export", project, "--format", "jsonl", "-o", target).exit_code == 0
    assert kept_files.mode_of(target) == 0o600


@pytest.mark.usefixtures("kept_umask")
def test_the_note_of_who_writes_may_be_read_by_whom_the_project_may_be(tmp_path: Path) -> None:
    project = tmp_path / "p.annot"
    programs.new_project(project)
    for mode in (0o600, 0o660):
        project.chmod(mode)
        with Project.open(project, annotator="Ana"):
            assert kept_files.mode_of(file_lock.note_of(project)) == mode


def test_forgetting_asks_and_lists_first_and_leaves_the_project_and_others(run: Run, tmp_path: Path) -> None:
    project, other = tmp_path / "p.annot", tmp_path / "other.annot"
    for path in (project, other):
        programs.new_project(path)
        keep_all(path)
    begun = kept_files.place("search") / f".{unfinished.computer()}-01234567.part" / unfinished.CONTENT
    begun.mkdir(parents=True)  # by a program that was killed; it may hold the texts
    (begun.parent / unfinished.LOCK).touch()
    before = project.read_bytes()
    kept = set(modes(tmp_path / "home")) - {begun.parent / unfinished.LOCK}
    result = run("forget", project)
    assert "Remove them?" in result.output
    assert set(modes(tmp_path / "home")) >= kept
    (tmp_path / "link").symlink_to(tmp_path)
    result = run("forget", tmp_path / "link" / "home" / ".." / "p.annot", "--yes")
    gone = kept - set(modes(tmp_path / "home"))
    assert not begun.exists()
    identity = file_copies.identity(project)
    assert len(gone) == len(kept) // 2
    assert {one.relative_to(tmp_path / "home").parts[2] for one in gone} == {"backups", "search", "proved"}
    for path in gone:
        assert identity in str(path) or proof.name(project) in str(path)
        assert any(str(path).startswith(line) for line in result.output.splitlines() if line)
    assert project.read_bytes() == before
    assert file_copies.backups(file_copies.identity(other))


def test_what_is_open_for_writing_is_not_forgotten(run: Run, tmp_path: Path) -> None:
    project = tmp_path / "p.annot"
    programs.new_project(project)
    keep_all(project)
    kept = set(modes(tmp_path / "home"))
    with Project.open(project, annotator="Ana"):
        result = run("forget", project, "--yes")
    assert result.exit_code == 1
    assert kept == set(modes(tmp_path / "home"))


def test_what_does_not_say_which_project_it_is_cannot_be_forgotten(run: Run, tmp_path: Path) -> None:
    project = tmp_path / "p.annot"
    programs.new_project(project)
    keep_all(project)
    kept = set(modes(tmp_path / "home"))
    for content in (None, b"", b"text"):
        project.unlink()
        if content is not None:
            project.write_bytes(content)
        assert run("forget", project, "--yes").exit_code != 0
        project.touch()
    assert kept == set(modes(tmp_path / "home"))
