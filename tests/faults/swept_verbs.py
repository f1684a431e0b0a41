"""Every verb that reads or writes files, each on a folder of a few small ones, for `sweeping`."""

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from annotator.project import data_export, data_import, maintenance, text_twin
from annotator.project.data_export import ExportChoices
from annotator.project.project import Project
from annotator.project.settings import set_setting
from annotator.storage.file import file_copies
from tests.faults import programs
from tests.faults.test_interrupted_files import journal_of, one_step

Say = Callable[[tuple[str, str, int]], None]
Act = Callable[[Path, AbstractContextManager[None], Say], None]


@dataclass(frozen=True, slots=True)
class Verb:
    """What is done while a fault waits; who repeats what is done already hears these words, if any."""

    act: Act
    repeated: str = ""


def make_files(here: Path) -> None:
    """Make a project with a backup, a colleague's copy of it, dumps, files to import, and broken ones."""
    project = here / "p.annot"
    programs.new_project(project)
    with Project.open(project, annotator="Ana") as opened:
        for number in range(1, 4):
            programs.grade(opened, (1, number, 5))
        text_twin.dump(opened, here / "twin")
        text_twin.dump(opened, here / "old")
        assert maintenance.back_up(opened)
    shutil.copy(project, here / "theirs.annot")
    with Project.open(here / "theirs.annot", annotator="Ben") as colleague:
        programs.grade(colleague, (2, 1, 2))
        data_export.export(colleague, "trec-qrels", here / "old.qrels", ExportChoices())
        data_export.export(colleague, "beir", here / "beir", ExportChoices())
    with Project.open(project, annotator="Ana") as opened:
        programs.grade(opened, (1, 4, 5))
    (here / "new.run").write_text("q1 Q0 d1 1 2.5 new\nq1 Q0 d2 2 1.5 new\nq2 Q0 d3 1 1.0 new\n")
    content = bytearray(project.read_bytes())
    content[content.index(b"text 7 text 7")] ^= 1
    (here / "damaged.annot").write_bytes(content)
    interrupted = here / "interrupted.annot"
    shutil.copy(project, interrupted)
    one_step(interrupted, (1, 5, 5))
    before, journal = interrupted.read_bytes(), one_step(interrupted, (1, 6, 5))
    half = bytearray(interrupted.read_bytes())
    half[8_192:] = before[8_192:]
    interrupted.write_bytes(half)
    journal_of(interrupted).write_bytes(journal)


def new(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with faults:
        Project.create(here / "made.annot", "Made", "Ana").close()


def open_(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with faults, Project.open(here / "p.annot", "Ana"):
        pass


def open_interrupted(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with faults, Project.open(here / "interrupted.annot", "Ana"):
        pass


STEPS = ((1, 6, 1), (1, 7, 2), (1, 1, 3))
"""What is graded; the last one is graded anew."""


def grade(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "p.annot", "Ana") as project, faults:
        for step in STEPS:
            say(programs.grade(project, step))


def settings(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "p.annot", "Ana") as project, faults:
        set_setting(project, "pool_depth", 20)


def import_(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "p.annot", "Ana") as project, faults:
        data_import.run_import(project, data_import.plan_import(project, [here / "new.run"]))


def take_back(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "p.annot", "Ana") as project:
        newest = maintenance.imports(project)[0]
        with faults:
            maintenance.withdraw(project, newest.identity)


def merge(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with faults:
        maintenance.merge(here / "p.annot", here / "theirs.annot", here / "made.annot")


def merge_into(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with faults:
        tried = maintenance.try_merge(here / "p.annot", here / "theirs.annot")
        maintenance.take(tried, here / "p.annot")


def backup(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "p.annot", "Ana") as project, faults:
        maintenance.back_up(project, every_hour=False)


def copy(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "p.annot", "Ana") as project, faults:
        maintenance.save_copy(project, here / "theirs.annot")


def restore(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    oldest = maintenance.backups_of(here / "p.annot")[-1]
    with faults:
        maintenance.restore(oldest.path, here / "p.annot")


def restore_over_interrupted(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    oldest = maintenance.backups_of(here / "p.annot")[-1]
    with faults:
        maintenance.restore(oldest.path, here / "interrupted.annot")


def recover(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with faults:
        maintenance.keep(maintenance.try_recovery(here / "damaged.annot"), here / "made.annot")


def dump(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "p.annot", "Ana") as project, faults:
        text_twin.dump(project, here / "made")


def dump_again(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "p.annot", "Ana") as project, faults:
        text_twin.dump(project, here / "old")


def load(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with faults:
        text_twin.load(here / "twin", here / "made.annot").close()


def export_file(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "p.annot", "Ana") as project, faults:
        data_export.export(project, "trec-qrels", here / "old.qrels", ExportChoices())


def export_folder(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "p.annot", "Ana") as project, faults:
        data_export.export(project, "beir", here / "beir", ExportChoices())


THERE = "exists already"

VERBS: dict[str, Verb] = {
    "new": Verb(new, THERE),
    "open": Verb(open_),
    "open what was interrupted": Verb(open_interrupted),
    "grade": Verb(grade),
    "settings": Verb(settings),
    "import": Verb(import_, "already"),
    "take back an import": Verb(take_back, "taken back already"),
    "merge": Verb(merge, THERE),
    "merge into the project": Verb(merge_into),
    "backup": Verb(backup),
    "save a copy": Verb(copy),
    "restore": Verb(restore),
    "restore over what was interrupted": Verb(restore_over_interrupted),
    "recover": Verb(recover, THERE),
    "dump": Verb(dump),
    "dump again": Verb(dump_again),
    "load": Verb(load, THERE),
    "export a file": Verb(export_file),
    "export a folder": Verb(export_folder),
}


def backups(here: Path) -> Path:
    """Return the folder of the project's backups."""
    return file_copies.folder(file_copies.identity(here / "theirs.annot"))
