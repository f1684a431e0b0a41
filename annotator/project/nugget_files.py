"""Nuggets and assignments in and out of files: what one would bring is said first, and taken whole or not."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotator.errors import UserError
from annotator.formats import nugget_lines
from annotator.formats.nugget_lines import NuggetFile, NuggetLine
from annotator.project.nuggets import Nugget, nuggets_of, refuse_unfit, set_nuggets
from annotator.project.project import Project
from annotator.records import AnnotatorKind, answer_id
from annotator.storage.ledger.current_values import known_keys
from annotator.storage.reads import arrays, holdings, lookup
from annotator.tasks import SUPPORT
from annotator.text.counts import counted

IN_FILE = 1_000_000
"""Characters of an answer that are written."""


@dataclass(frozen=True, slots=True)
class NuggetPlan:
    """What a file would bring: nuggets by query (key); levels by query, candidate (ids) and nugget text."""

    path: Path
    nuggets: Mapping[int, tuple[Nugget, ...]]
    new: int
    levels: Mapping[tuple[str, str, str], int]
    left_out: tuple[str, ...]

    @property
    def said(self) -> str:
        """Return what it brings, in words, and which fields are left out."""
        both = counted(self.new, "new nugget"), counted(len(self.levels), "assignment")
        parts = [f"{self.path.name}: {', '.join(both)}."]
        if self.left_out:
            parts.append(f"Left out, as nuggets have no place for them: {', '.join(self.left_out)}.")
        return " ".join(parts)


def plan_nuggets(project: Project, path: Path) -> NuggetPlan:
    """Say what a file of nuggets or assignments would bring; raises InputError for what cannot be taken."""
    file = nugget_lines.read(path)
    with project.store.reading() as db:
        ids = {line.query for line in file.lines}
        queries = known_keys(db, "query", ids)
        now = {key: nuggets_of(lookup.nuggets_of(db, key)) for key in queries.values()}
        runs = {run.name: arrays.firsts(db, run.key) for run in holdings.runs(db)}
        named = {key for first in runs.values() for key in first.values()}
        called = lookup.candidate_ids(db, sorted(named))
        firsts = {
            name: {key: dict(zip(sorted(named), called, strict=True))[one] for key, one in first.items()}
            for name, first in runs.items()
        }
        wanted = {answer_id(line.query, line.answer) for line in file.lines if line.answer is not None}
        there = set(known_keys(db, "candidate", wanted | {line.document for line in file.lines}))
    wanted_now = {key: list(some) for key, some in now.items()}
    levels: dict[tuple[str, str, str], int] = {}
    for line in file.lines:
        if line.query not in queries:
            file.problems.add(line.line, f"the project has no query {line.query[:60]!r}; import it first")
            continue
        key = queries[line.query]
        _take_nuggets(file, line, wanted_now[key])
        if any(level is not None for _, _, level in line.nuggets):
            candidate = _candidate(line, there, firsts.get(line.system, {}).get(key, ""))
            _take_levels(file, line, candidate, levels)
    file.problems.check()
    new = sum(not one.id for some in wanted_now.values() for one in some)
    nuggets = {key: tuple(some) for key, some in wanted_now.items()}
    return NuggetPlan(path, nuggets, new, levels, file.left_out)


def _take_nuggets(file: NuggetFile, line: NuggetLine, wanted: list[Nugget]) -> None:
    known = {one.text: one for one in wanted}
    for text, importance, _ in line.nuggets:
        if text not in known:
            one = Nugget(text, "vital" if importance == "vital" else "okay")
            try:
                refuse_unfit([one])
            except UserError as error:
                file.problems.add(line.line, str(error))
            wanted.append(one)
            known[text] = one
        elif known[text].importance != importance:
            file.problems.add(
                line.line, f"the nugget {text[:60]!r} is {known[text].importance} already, not {importance}"
            )


def _candidate(line: NuggetLine, there: set[str], first: str) -> str:
    """Return the id of whose the assignments of a line are, "" where it is not in the project."""
    if line.answer is not None:
        name = answer_id(line.query, line.answer)
        return name if name in there else ""
    return (line.document if line.document in there else "") if line.document else first


def _take_levels(
    file: NuggetFile, line: NuggetLine, candidate: str, levels: dict[tuple[str, str, str], int]
) -> None:
    if not candidate:
        file.problems.add(
            line.line,
            "the project does not have the answer of these assignments; import the answers first",
        )
        return
    for text, _, level in line.nuggets:
        of = line.query, candidate, text
        if level is not None and levels.setdefault(of, level) != level:
            file.problems.add(line.line, f"the nugget {text[:60]!r} was assigned otherwise before; keep one")


def take_nuggets(project: Project, plan: NuggetPlan, annotator: str, kind: AnnotatorKind) -> str:
    """Store what a plan brings, in one transaction, assignments as the annotator's; say what was done."""
    with project.store.writing() as db:
        ids: dict[tuple[str, str], str] = {}
        for key, wanted in plan.nuggets.items():
            set_nuggets(project, key, wanted, how="import")
            query = lookup.query_id(db, key)
            for one in nuggets_of(lookup.nuggets_of(db, key)):
                ids[query, one.text] = one.id
        moment = project.store.moment
        for (query, candidate, text), level in plan.levels.items():
            value: dict[str, Any] = {"grade": level, "as": SUPPORT.words[level], "time": moment}
            subject = (query, candidate, ids[query, text])
            if (project.store.value(annotator, SUPPORT.name, subject) or {}).get("grade") == level:
                continue  # said already
            project.store.record(annotator, SUPPORT.name, subject, value, how="import", annotator_kind=kind)
    return plan.said


def write_nuggets(project: Project, path: Path, annotator: str = "") -> str:
    """Write the nuggets of all queries, or with an annotator what that one assigned to which answers.

    Nuggets that were merged into others are left out. Returns what was written.
    """
    lines: list[dict[str, Any]] = []
    count = merged = 0
    with project.store.reading() as db:
        who = lookup.annotator_key(db, annotator) if annotator else 0
        if annotator and not who:
            raise UserError(f"Nobody called {annotator!r} has done anything here.")
        for key, query in holdings.queries(db):
            stored = nuggets_of(lookup.nuggets_of(db, key))
            kept = [one for one in stored if not one.into]
            merged += len(stored) - len(kept)
            if not annotator:
                listed = [(one.text, one.importance, None) for one in kept]
                count += len(listed)
                lines += [nugget_lines.line_of(query.id, query.text, listed)] if listed else []
                continue
            said = lookup.said_of(db, key, who)
            texts = lookup.contents(db, sorted(said), IN_FILE)
            for candidate in sorted(said):
                given = {of[1]: level for of, level in said[candidate].items() if of[0] == SUPPORT.name}
                assigned = [(one.text, one.importance, given[one.id]) for one in kept if one.id in given]
                if not assigned:
                    continue
                count += len(assigned)
                content = texts[candidate]
                whose = {"document": content.id} if content.query is None else {"answer": content.text}
                lines.append(nugget_lines.line_of(query.id, query.text, assigned, **whose))
    nugget_lines.write(path, lines)
    what = "assignment" if annotator else "nugget"
    left = f" {counted(merged, 'nugget was', 'nuggets were')} left out, merged into others." if merged else ""
    return f"{path.name}: {counted(count, what)} of {counted(len(lines), 'line')} written.{left}"
