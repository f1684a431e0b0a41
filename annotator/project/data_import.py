"""Importing files: everything is read and checked first, then stored in one transaction, or not at all."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import length_hint
from pathlib import Path
from typing import cast

from annotator.errors import ChoiceError, InputError, Problem
from annotator.formats import grade_rules
from annotator.formats.declaration import PARTS, Format, Part, Reading, has
from annotator.formats.grade_words import WordGrades
from annotator.formats.registry import all_problems, joined, try_file
from annotator.formats.text_lines import unreadable
from annotator.formats.whole_files import stem
from annotator.project.answer_parts import take
from annotator.project.look_alikes import count_new, last_ids
from annotator.project.project import Project
from annotator.project.same_texts import joined_by_text
from annotator.project.views import Change
from annotator.records import AnnotatorKind, Dataset, Json, JudgmentTable
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import CANCELLED, Counts, Import
from annotator.storage.reads import lookup
from annotator.text.counts import counted
from annotator.watch import UNWATCHED, Watch

MOST_NAMED = 3
SEVERAL = (
    "These are the judgments of several people, which keep their names. Nothing was imported. Leave out "
    "whose they are, or say which person is to be taken (--column annotator=NAME)."
)


@dataclass(frozen=True, slots=True)
class ImportChoices:
    """What the user says beside the files.

    `grades` is a rule such as `-1=skip,0=0,1=3,2=5`, `0..2=0..5` or `Fair=2,Good=4`; without one, grades must
    be 0 to 5.
    `model` says that a model made the judgments. `mapping` says which column holds what in a table.
    `each` says format and mapping of single files, instead of `format_key` and `mapping`. `no_answer` is a
    file of no-answer probabilities; predicted answers above `no_answer_from` become empty. `gold_separator`
    stands between the gold answers of one cell of a table.
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
    gold_separator: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of each kind an import brings: `added`, `changed`, and `same` as what is there already.

    `left_out` fits, but what it is about is not in the project. `identity` names the import once stored.
    """

    added: Mapping[str, int] = field(default_factory=dict)
    changed: Mapping[str, int] = field(default_factory=dict)
    same: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    identity: str = field(default="", compare=False)

    def sentences(self, would: bool) -> list[str]:
        """Return what an import did, or would do, one sentence for each kind."""
        return [f"{what}: {done}" for what, done in self.rows(would)]

    def rows(self, would: bool) -> list[tuple[str, str]]:
        """Return each kind of thing and what became of it, or would."""
        done = "would be " if would else ""
        rows = []
        for what in sorted({*self.added, *self.changed, *self.same, *self.left_out}):
            parts = [
                f"{counts[what]:,} {done}{verb}"
                for counts, verb in ((self.added, "added"), (self.changed, "changed"))
                if counts.get(what)
            ]
            if self.same.get(what):
                parts.append(f"{self.same[what]:,} there already")
            if self.left_out.get(what):
                parts.append(f"{self.left_out[what]:,} left out, as the project does not have the passage")
            rows.append((what, ", ".join(parts)))
        return rows


@dataclass(frozen=True, slots=True)
class FileRead:
    """One file of an import: the format it was taken for, what it brings and the reader's notes, in words.

    One with `problems` brings nothing, nor does any other; `more` of them are counted only. `holds` are the
    parts of which the file has something, where its format may hold others, too.
    """

    path: Path
    title: str = ""
    brings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    more: int = 0
    holds: frozenset[Part] = frozenset()


class Refused(InputError):
    """Some of the files cannot be taken, so none is; `files` are all of them."""

    def __init__(self, files: Sequence[FileRead]) -> None:
        self.files = tuple(files)
        whole = all_problems([InputError(one.problems, one.more) for one in files])
        super().__init__(whole.problems, whole.more)


class Undecided(ChoiceError):
    """The files are sound, but something is to be said before they are imported; `files` are all of them."""

    def __init__(self, why: ChoiceError, files: Sequence[FileRead]) -> None:
        self.files = tuple(files)
        super().__init__(str(why), *why.choices)


@dataclass(frozen=True, slots=True, eq=False)
class ImportPlan:
    """Files that were read and found sound: what they were taken for, what they hold, who it belongs to.

    `tally` is what an import would do now, None until it was tried.
    """

    files: tuple[FileRead, ...]
    dataset: Dataset
    choices: ImportChoices
    annotator: str
    kind: AnnotatorKind
    about: Mapping[str, Json]
    tally: Tally | None = None

    @property
    def judged_by(self) -> str:
        """Whose the judgments are, in words."""
        return ", ".join(self.dataset.people) or self.annotator

    @property
    def taken_for(self) -> list[str]:
        """One sentence for each file, and the readers' notes."""
        return [f"{one.path.name}: {one.title}" for one in self.files] + list(self.dataset.notes)


def plan_import(
    project: Project,
    files: Sequence[Path],
    choices: ImportChoices = ImportChoices(),
    trial: bool = True,
    watch: Watch = UNWATCHED,
) -> ImportPlan:
    """Read files and, with `trial`, find out what importing them would do; nothing is stored.

    Raises Refused with up to 100 places of each file that cannot be taken, Undecided for grades that need a
    rule, and for what the project has with other content.
    """
    reads, tries = watch.saying(CANCELLED).parts([1, 1 if trial else 0])
    sizes = [sum(one.stat().st_size for one in _within(path)) for path in files]
    words = grade_rules.parse(choices.grades or "").words
    tried = []
    for path, part in zip(files, reads.parts(sizes), strict=True):
        key, told = choices.each.get(path, (choices.format_key, choices.mapping))
        no_answer = choices.no_answer, choices.no_answer_from
        reading = Reading(choices.system, told, *no_answer, True, part, choices.gold_separator, words)
        tried.append(try_file(path, key, reading))
    tried = joined_by_text(project, files, tried)
    seen = tuple(map(_seen, files, tried))
    read = [one for one in tried if not isinstance(one, InputError)]
    wrong = [one for one in tried if isinstance(one, InputError)]
    questions = [one.question for one in wrong if isinstance(one, WordGrades)]
    if wrong and len(questions) == len(wrong):
        raise Undecided(ChoiceError(" ".join(questions), "grades"), seen)
    if wrong:
        raise Refused(seen)
    judged = [
        path for path, (_, one) in zip(files, read, strict=True) if one.judgments or one.gold or one.said
    ]
    if choices.annotator is not None and any(one.people for _, one in read):
        raise Undecided(ChoiceError(SEVERAL, "annotator"), seen)
    try:
        dataset = joined([(form, _on_the_scale(one, choices.grades)) for form, one in read])
        who, kind = _belongs_to(project, files, judged, choices, dataset)
        plan = ImportPlan(seen, dataset, choices, who, kind, _about(files, choices))
        return replace(plan, tally=_tried(project, plan, tries)) if trial else plan
    except ChoiceError as error:
        raise Undecided(error, seen) from None
    except InputError as error:
        raise Refused([_with_problems(one, error) for one in seen]) from None


def run_import(
    project: Project,
    plan: ImportPlan,
    watch: Watch = UNWATCHED,
) -> Change:
    """Store what a plan holds in one transaction; `after` is the `Tally`."""
    identity, counts = _store(project, plan, watch.saying(CANCELLED))
    tally = replace(_tally(counts), identity=identity)
    return Change("import", after=tally, said="; ".join(tally.sentences(would=False)))


def _store(project: Project, plan: ImportPlan, watch: Watch) -> tuple[str, Counts]:
    """Import what a plan holds, in a transaction; the judgments of each person are an import of their own."""
    first, *rest = watch.parts([1] * (1 + len(plan.dataset.people)))
    kinds = [plan.kind if plan.choices.model else _kind(project, who) for who in plan.dataset.people]
    with project.store.writing(checked=False) as db:
        how, before = _import(plan, first), last_ids(db)
        event, counts = import_dataset(project.store, replace(plan.dataset, people={}), how)
        take(project.store, plan.dataset.said, how, counts)
        for (who, table), kind, part in zip(plan.dataset.people.items(), kinds, rest, strict=True):
            theirs = replace(how, annotator=who, annotator_kind=kind, watch=part)
            _, more = import_dataset(project.store, Dataset(judgments=table), theirs)
            counts.take(more)
        count_new(db, before, counts)
    return event.identity, counts


def _seen(path: Path, tried: tuple[Format, Dataset] | InputError) -> FileRead:
    if isinstance(tried, InputError):
        return FileRead(path, problems=tried.problems, more=tried.more)
    form, dataset = tried
    holds = frozenset(part for part in PARTS if has(dataset, part))
    return FileRead(
        path, form.title, tuple(brings(dataset)), tuple(dict.fromkeys(dataset.notes)), holds=holds
    )


def _with_problems(one: FileRead, error: InputError) -> FileRead:
    """Return a file with those of some problems that are its own."""
    return replace(one, problems=tuple(each for each in error.problems if each.file == str(one.path)))


def brings(dataset: Dataset) -> list[str]:
    """Return what a dataset holds in words, as it stands in its files: no rule is applied to the grades."""
    by = len(dataset.people)
    rows = sum(len(one.query) for one in dataset.runs) + sum(one.rows for one in dataset.long_runs)
    parts = [
        (len(dataset.queries), "query", "queries", ""),
        (length_hint(dataset.documents), "document", "", ""),
        (len(dataset.answers), "predicted answer", "", ""),
        (len(dataset.gold), "query", "queries", " with gold answers"),
        (len(dataset.runs) + len(dataset.long_runs), "run", "", f" of {counted(rows, 'candidate')}"),
        (len(dataset.judgments.query) if dataset.judgments else 0, "judgment", "", ""),
        (sum(len(one.query) for one in dataset.people.values()), "judgment", "", f" by {by} people"),
        (len({(one.query_id, text) for one in dataset.said for text, *_ in one.nuggets}), "nugget", "", ""),
        (sum(each[2] is not None for one in dataset.said for each in one.nuggets), "assignment", "", ""),
        (sum(each[3] >= 0 for one in dataset.said for each in one.citations), "judged citation", "", ""),
    ]
    return [counted(number, one, many) + more for number, one, many, more in parts if number]


def _on_the_scale(dataset: Dataset, rule: str | None) -> Dataset:
    """Return judgments with grades from 0 to 5: as they are, or as a rule maps them or leaves them out."""
    people = {who: _scaled(table, rule) for who, table in dataset.people.items()}
    judgments = dataset.judgments and _scaled(dataset.judgments, rule)
    return replace(dataset, judgments=judgments, people=people)


def _scaled(table: JudgmentTable, rule: str | None) -> JudgmentTable:
    grade = grade_rules.parse(rule or "").apply(table.grade, table.line, table.source)
    kept = grade != grade_rules.SKIP
    query, candidate = table.query[kept], table.candidate[kept]
    return replace(table, query=query, candidate=candidate, grade=grade[kept], line=None)


def digest(path: Path) -> str:
    """Return a file's SHA-256; raises UserError where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(path, error) from error


def _within(path: Path) -> list[Path]:
    """Return a file, or the files of a folder."""
    return [path] if path.is_file() else sorted(one for one in path.rglob("*") if one.is_file())


def _about(files: Sequence[Path], choices: ImportChoices) -> dict[str, Json]:
    """Return what is kept with the import: the hashes of its files, and what was said of their numbers."""
    about: dict[str, Json] = {"files": {one.name: digest(one) for path in files for one in _within(path)}}
    if choices.grades is not None:
        about["grades"] = choices.grades
    if choices.gold_separator:
        about["gold separator"] = choices.gold_separator
    if choices.no_answer is not None:
        about["no answer"] = {"sha256": digest(choices.no_answer), "from": str(choices.no_answer_from)}
    return about


def _belongs_to(
    project: Project,
    files: Sequence[Path],
    judged: Sequence[Path],
    choices: ImportChoices,
    dataset: Dataset,
) -> tuple[str, AnnotatorKind]:
    """Return whom judgments and gold answers belong to: who is named, else the model that a file names, else
    one called as the files with them.

    What nobody judged belongs to who imports it.
    """
    models = {one.model for one in (dataset.judgments, *dataset.said) if one is not None and one.model}
    if len(models) == 1:
        return choices.annotator or f"model:{models.pop()}", "model"
    named = judged or files
    names = " and ".join(map(stem, named[:MOST_NAMED])) + (" and others" if named[MOST_NAMED:] else "")
    if choices.model:
        return choices.annotator or f"model:{names}", "model"
    if choices.annotator is not None:
        return choices.annotator, _kind(project, choices.annotator)
    return (f"imported:{names}", "import") if judged else (project.annotator, "person")


def _kind(project: Project, name: str) -> AnnotatorKind:
    """Return what an annotator is, a person where there is none of this name."""
    with project.store.reading() as db:
        kinds = {one: kind for _, one, kind, *_ in lookup.annotators(db)}
    return cast("AnnotatorKind", kinds.get(name, "person"))


class _Tried(Exception):
    """Ends a trial so that its transaction is taken back."""


def _tried(project: Project, plan: ImportPlan, watch: Watch) -> Tally:
    """Import in a transaction that is taken back, and return what it did."""
    counts = Counts()
    try:
        with project.store.writing(checked=False):
            _, counts = _store(project, plan, watch)
            raise _Tried
    except _Tried:
        return _tally(counts)


def _import(plan: ImportPlan, watch: Watch) -> Import:
    return Import(
        annotator=plan.annotator,
        source=", ".join(one.path.name for one in plan.files),
        annotator_kind=plan.kind,
        replace=plan.choices.replace,
        about=plan.about,
        watch=watch,
    )


def _tally(counts: Counts) -> Tally:
    return Tally(dict(counts.added), dict(counts.changed), dict(counts.same), dict(counts.left_out))
