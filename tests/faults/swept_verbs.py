"""Every verb that reads or writes files, each on a folder of a few small ones, for `sweeping`."""

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from annotator import kept_files
from annotator.evaluation.options import Options
from annotator.project import (
    assignments,
    browse,
    data_export,
    data_import,
    forgetting,
    lead_role,
    maintenance,
    parts,
    sharing,
    text_twin,
)
from annotator.project.assignments import Terms
from annotator.project.data_export import ExportChoices
from annotator.project.engines import in_turn
from annotator.project.partition import partition as partitioned
from annotator.project.project import Project
from annotator.project.report_files import Choice, write_bundle, write_report
from annotator.project.settings import set_setting
from annotator.storage.file import file_copies
from tests.faults import programs
from tests.faults.test_interrupted_files import journal_of, one_step

OPTIONS = Options(measures=("P@5",))
Say = Callable[[tuple[str, str, int]], None]
Act = Callable[[Path, AbstractContextManager[None], Say], None]


@dataclass(frozen=True, slots=True)
class Verb:
    """What is done while a fault waits; who repeats what is done already hears these words, if any.

    In `steps` it is done when each that is stored stays.
    """

    act: Act
    repeated: str = ""
    steps: bool = False


def make_files(here: Path) -> None:
    """Make a project with a backup, a colleague's copy of it, dumps, files to import, and broken ones."""
    project = here / "p.annot"
    programs.new_project(project)
    with Project.open(project, annotator="Ana") as opened:
        for number in range(1, 4):
            programs.grade(opened, (1, number, 5))
        text_twin.dump(opened, here / "twin")
        assert maintenance.back_up(opened)
    shutil.copy(project, here / "theirs.annot")
    with Project.open(here / "theirs.annot", annotator="Ben") as colleague:
        programs.grade(colleague, (2, 1, 2))
        data_export.export(colleague, "trec-qrels", here / "old.qrels", ExportChoices())
        data_export.export(colleague, "beir", here / "beir", ExportChoices())
    with Project.open(project, annotator="Ana") as opened:
        programs.grade(opened, (1, 4, 5))
    (here / "new.run").write_text("q1 Q0 d1 1 2.5 new\nq1 Q0 d2 2 1.5 new\nq2 Q0 d3 1 1.0 new\n")
    ranked = here / "ranked.annot"
    shutil.copy(project, ranked)
    (here / "gone.run").write_text("q1 Q0 d1 1 2.5 gone\n")
    with Project.open(ranked, annotator="Ana") as opened:
        lead_role.take(opened)
        for name in ("new.run", "gone.run"):
            data_import.run_import(opened, data_import.plan_import(opened, [here / name]))
        text_twin.dump(opened, here / "old")
        write_bundle(opened, here / "bundle", OPTIONS)
        write_report(opened, here / "old.csv", replace(OPTIONS, measures=("P@2",)), Choice("csv"))
        maintenance.withdraw(opened, maintenance.imports(opened)[0].identity)
    partitioned([here / "new.run"], here / "parts")
    parts.score_some(here / "old.qrels", here / "parts", (1, 1), OPTIONS, in_turn, here / "gathered.parquet")
    shutil.copy(ranked, here / "team.annot")
    with Project.open(here / "team.annot", annotator="Ana") as opened:
        sharing.share(opened, str(here / "carrier"))
        sharing.join(str(here / "carrier"), here / "other.annot")
        with Project.open(here / "other.annot", annotator="Ben") as colleague:
            programs.grade(colleague, (2, 1, 2))
            sharing.exchange(colleague)
        programs.grade(opened, (2, 1, 4))
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


def forget(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with faults:
        forgetting.forget(here / "p.annot")


def index(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "p.annot", "Ana") as project, faults:
        browse.prepare_search(project.store)


def assign(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "ranked.annot", "Ana") as project:
        planned = assignments.deal_out(assignments.ground(project), Terms({"Ana": 1, "Ben": 1}))
        with faults:
            assignments.assign(project, planned)


def report(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "ranked.annot", "Ana") as project, faults:
        write_report(project, here / "old.csv", OPTIONS, Choice("csv"))


def report_folder(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "ranked.annot", "Ana") as project, faults:
        write_bundle(project, here / "bundle", OPTIONS)


def partition(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with faults:
        partitioned([here / "new.run"], here / "made")


def score_parts(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with faults:
        parts.score_some(
            here / "old.qrels", here / "parts", (1, 1), OPTIONS, in_turn, here / "scores.parquet"
        )


def gather(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with faults:
        parts.gather(here / "old.qrels", here / "gathered.parquet")


def share(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "p.annot", "Ana") as project, faults:
        sharing.share(project, str(here / "made"))


def join(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with faults:
        sharing.join(str(here / "carrier"), here / "made.annot")


def exchange(here: Path, faults: AbstractContextManager[None], say: Say) -> None:
    with Project.open(here / "team.annot", "Ana") as project, faults:
        sharing.exchange(project)


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
    "grade": Verb(grade, steps=True),
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
    "forget": Verb(forget, steps=True),
    "index for searching": Verb(index),
    "assign": Verb(assign, "nothing was changed"),
    "report": Verb(report),
    "report into a folder": Verb(report_folder),
    "partition": Verb(partition, "holds"),
    "score parts": Verb(score_parts),
    "gather": Verb(gather, "holds no scores of parts"),
    "share": Verb(share),
    "join": Verb(join, THERE),
    "exchange": Verb(exchange, steps=True),
    "export a file": Verb(export_file),
    "export a folder": Verb(export_folder),
}


def kept(here: Path) -> dict[str, Path]:
    """Return the folders in which something of the project is kept outside of it, by what it is."""
    backups = file_copies.folder(file_copies.identity(here / "theirs.annot"))
    return {"backups": backups, "search": kept_files.place("search")}
