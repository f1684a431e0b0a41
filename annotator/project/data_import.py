"""Importing files: everything is read and checked first, then stored in one transaction, or not at all."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from annotator.formats import grade_rules
from annotator.formats.declaration import Reading
from annotator.formats.registry import joined, read_each
from annotator.formats.whole_files import stem
from annotator.project.project import Project
from annotator.project.views import Change
from annotator.records import AnnotatorKind, Dataset, Json, JudgmentTable
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import CANCELLED, Counts, Import
from annotator.storage.reads import lookup
from annotator.watch import UNWATCHED, Watch

MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class ImportChoices:
    """What the user says beside the files.

    `grades` is a rule such as `-1=skip,0=0,1=3,2=5` or `0..2=0..5`; without one, grades must be 0 to 5.
    `model` says that a model made the judgments. `mapping` says which column holds what in a table.
    `each` says format and mapping of single files, instead of `format_key` and `mapping`. `no_answer` is a
    file of no-answer probabilities; predicted answers above `no_answer_from` become empty.
    """

    format_key: str | None = None
    system: str | None = None
    annotator: str | None = None
    model: bool = False
    grades: str | None = None
    replace: bool = False
    mapping: Mapping[str, str] = field(default_factory=dict)
    each: Mapping[Path, tuple[str | None, Mapping[str, str]]] = field(default_factory=dict)
    no_answer: Path | None = None
    no_answer_from: float = 1.0


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of each kind an import brings: `added`, `changed`, and `same` as what is there already.

    `identity` names the import once it is stored.
    """

    added: Mapping[str, int] = field(default_factory=dict)
    changed: Mapping[str, int] = field(default_factory=dict)
    same: Mapping[str, int] = field(default_factory=dict)
    identity: str = field(default="", compare=False)

    def sentences(self, would: bool) -> list[str]:
        """Return what an import did, or would do, one sentence for each kind."""
        done = "would be " if would else ""
        lines = []
        for what in sorted({*self.added, *self.changed, *self.same}):
            parts = [
                f"{counts[what]:,} {done}{verb}"
                for counts, verb in ((self.added, "added"), (self.changed, "changed"))
                if counts.get(what)
            ]
            if self.same.get(what):
                parts.append(f"{self.same[what]:,} there already")
            lines.append(f"{what}: {', '.join(parts)}")
        return lines


@dataclass(frozen=True, slots=True, eq=False)
class ImportPlan:
    """Files that were read and found sound: what they were taken for, what they hold, who it belongs to.

    `tally` is what an import would do now, None until it was tried.
    """

    files: tuple[tuple[Path, str], ...]
    dataset: Dataset
    choices: ImportChoices
    annotator: str
    kind: AnnotatorKind
    about: Mapping[str, Json]
    tally: Tally | None = None

    @property
    def taken_for(self) -> list[str]:
        """One sentence for each file, and the readers' notes."""
        return [f"{path.name}: {title}" for path, title in self.files] + list(self.dataset.notes)


def plan_import(
    project: Project,
    files: Sequence[Path],
    choices: ImportChoices = ImportChoices(),
    trial: bool = True,
    watch: Watch = UNWATCHED,
) -> ImportPlan:
    """Read files and, with `trial`, find out what importing them would do; nothing is stored.

    Raises InputError with up to 100 places that cannot be taken, ProjectError for what the project has with
    other content.
    """
    reads, tries = watch.saying(CANCELLED).parts([1, 1 if trial else 0])
    each = {}
    sizes = [sum(one.stat().st_size for one in _within(path)) for path in files]
    for path, part in zip(files, reads.parts(sizes), strict=True):
        key, told = choices.each.get(path, (choices.format_key, choices.mapping))
        no_answer = choices.no_answer, choices.no_answer_from
        each[path] = key, Reading(choices.system, told, *no_answer, True, part)
    read = read_each(files, None, None, each)
    dataset = joined(read)
    if dataset.judgments is not None:
        dataset = replace(dataset, judgments=on_the_scale(dataset.judgments, choices.grades))
    judged = [path for path, (_, one) in zip(files, read, strict=True) if one.judgments or one.gold]
    who, kind = _belongs_to(project, files, judged, choices)
    about: dict[str, Json] = {"files": {one.name: digest(one) for path in files for one in _within(path)}}
    if choices.grades is not None:
        about["grades"] = choices.grades
    if choices.no_answer is not None:
        about["no answer"] = {"sha256": digest(choices.no_answer), "from": str(choices.no_answer_from)}
    titles = tuple((path, one.title) for path, (one, _) in zip(files, read, strict=True))
    plan = ImportPlan(titles, dataset, choices, who, kind, about)
    return replace(plan, tally=_tried(project, plan, tries)) if trial else plan


def run_import(
    project: Project,
    plan: ImportPlan,
    watch: Watch = UNWATCHED,
) -> Change:
    """Store what a plan holds in one transaction; `after` is the `Tally`."""
    event, counts = import_dataset(project.store, plan.dataset, _import(plan, watch.saying(CANCELLED)))
    tally = replace(_tally(counts), identity=event.identity)
    return Change("import", after=tally, said="; ".join(tally.sentences(would=False)))


def on_the_scale(table: JudgmentTable, rule: str | None) -> JudgmentTable:
    """Return judgments with grades from 0 to 5: as they are, or as a rule maps them or leaves them out."""
    grade = grade_rules.parse(rule or "").apply(table.grade)
    kept = grade != grade_rules.SKIP
    return replace(table, query=table.query[kept], candidate=table.candidate[kept], grade=grade[kept])


def digest(path: Path) -> str:
    """Return a file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _within(path: Path) -> list[Path]:
    """Return a file, or the files of a folder."""
    return [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())


def _belongs_to(
    project: Project, files: Sequence[Path], judged: Sequence[Path], choices: ImportChoices
) -> tuple[str, AnnotatorKind]:
    """Return whom judgments and gold answers belong to: who is named, else one called as the files with them.

    What nobody judged belongs to who imports it.
    """
    named = judged or files
    names = " and ".join(map(stem, named[:MOST_NAMED])) + (" and others" if named[MOST_NAMED:] else "")
    if choices.model:
        return choices.annotator or f"model:{names}", "model"
    if choices.annotator is not None:
        with project.store.reading() as db:
            kinds = {name: kind for _, name, kind, *_ in lookup.annotators(db)}
        return choices.annotator, cast("AnnotatorKind", kinds.get(choices.annotator, "person"))
    return (f"imported:{names}", "import") if judged else (project.annotator, "person")


class _Tried(Exception):
    """Ends a trial so that its transaction is taken back."""


def _tried(project: Project, plan: ImportPlan, watch: Watch) -> Tally:
    """Import in a transaction that is taken back, and return what it did."""
    counts = Counts()
    try:
        with project.store.writing(checked=False):
            _, counts = import_dataset(project.store, plan.dataset, _import(plan, watch))
            raise _Tried
    except _Tried:
        return _tally(counts)


def _import(plan: ImportPlan, watch: Watch) -> Import:
    return Import(
        annotator=plan.annotator,
        source=", ".join(path.name for path, _ in plan.files),
        annotator_kind=plan.kind,
        replace=plan.choices.replace,
        about=plan.about,
        watch=watch,
    )


def _tally(counts: Counts) -> Tally:
    return Tally(dict(counts.added), dict(counts.changed), dict(counts.same))
