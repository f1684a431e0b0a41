"""Nuggets, and what is said of the parts of answers, in and out of files: taken whole or not at all."""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotator.errors import ChoiceError, InputError, Problem, UserError
from annotator.evaluation.options import Options
from annotator.formats.text_lines import Problems
from annotator.project.citation_support import citation_support
from annotator.project.citations import Cited, cited_in
from annotator.project.nugget_matches import nugget_matches
from annotator.project.nuggets import Nugget, named, nuggets_of, refuse_unfit, stored_nugget
from annotator.records import AnswerParts, answer_id
from annotator.storage.content.contents import Counts, Import
from annotator.storage.ledger.current_values import known_keys
from annotator.storage.reads import arrays, holdings, lookup
from annotator.storage.reads.states import State
from annotator.storage.store import Store
from annotator.tasks import CITATION, NUGGET, SUPPORT, Task, settling

IN_FILE = 1_000_000
"""Characters of an answer that are written."""

NOT_JUDGED = -1

Subject = tuple[str, ...]
Wrong = Callable[[AnswerParts, str], None]


def take(store: Store, said: Sequence[AnswerParts], how: Import, counts: Counts) -> None:
    """Store what files say of nuggets and of parts of answers, in the transaction of their import.

    Raises InputError with the lines that fit nothing in the project, ChoiceError where the annotator has
    said otherwise before and `replace` is off.
    """
    problems: dict[str, Problems] = {}

    def wrong(one: AnswerParts, message: str) -> None:
        problems.setdefault(one.file, Problems(Path(one.file))).add(one.line, message)

    with store.writing() as db:
        keys = known_keys(db, "query", {one.query_id for one in said})
        lines = [one for one in said if one.query_id in keys]
        for one in said:
            if one.query_id not in keys:
                wrong(one, f"the project has no query {one.query_id[:60]!r}; import it first")
        before = {
            one: nuggets_of(lookup.nuggets_of(db, keys[one])) for one in {one.query_id for one in lines}
        }
        wanted = {one: list(now) for one, now in before.items()}
        for one in lines:
            _add_nuggets(one, wanted[one.query_id], wrong)
        after = {one: tuple(named(one, some, before[one])) for one, some in wanted.items()}
        levels = _levels(db, keys, lines, after, counts, wrong)
        if problems:
            found = sorted({one for each in problems.values() for one in each.named}, key=_place)
            raise InputError(found, sum(each.more for each in problems.values()))
        for query, some in after.items():
            for place, nugget in enumerate(some):
                if nugget not in before[query]:
                    subject = (query, nugget.id)
                    _record(store, how, NUGGET, subject, stored_nugget(nugget, place))
                    counts.count(counts.added, "nuggets", 1)
        there = {(query, one.text) for query, some in before.items() for one in some}
        if same := there & {(one.query_id, text) for one in lines for text, *_ in one.nuggets}:
            counts.count(counts.same, "nuggets", len(same))
        for task, what in ((SUPPORT, "assignments"), (CITATION, "judged citations")):
            _store_levels(store, how, task, what, levels[task.name], counts)


def _place(problem: Problem) -> tuple[str, int, str]:
    return problem.file, problem.line or 0, problem.message


def _add_nuggets(line: AnswerParts, wanted: list[Nugget], wrong: Wrong) -> None:
    known = {one.text: one for one in wanted}
    for text, importance, _ in line.nuggets:
        if text not in known:
            one = Nugget(text, "vital" if importance == "vital" else "okay")
            try:
                refuse_unfit([one])
            except UserError as error:
                wrong(line, str(error))
            wanted.append(one)
            known[text] = one
        elif known[text].importance != importance:
            wrong(line, f"the nugget {text[:60]!r} is {known[text].importance} already, not {importance}")


def _levels(
    db: sqlite3.Connection,
    keys: Mapping[str, int],
    lines: Sequence[AnswerParts],
    nuggets: Mapping[str, Sequence[Nugget]],
    counts: Counts,
    wrong: Wrong,
) -> dict[str, dict[Subject, int]]:
    """Return what lines say, by task and subject."""
    whose = dict(zip(lines, _candidates(db, keys, lines), strict=True))
    judged = [one for one in lines if one.citations]
    of = known_keys(db, "candidate", {whose[one] for one in judged if whose[one]})
    cited = cited_in(db, lookup.contents(db, of.values(), IN_FILE).values(), 1) if of else Cited({}, {})
    found: dict[str, dict[Subject, int]] = {SUPPORT.name: {}, CITATION.name: {}}

    def say(line: AnswerParts, task: Task, subject: Subject, level: int, words: str) -> None:
        if found[task.name].setdefault(subject, level) != level:
            wrong(line, f"{words[:60]!r} was judged otherwise before; keep one")

    for line in lines:
        ids = {one.text: one.id for one in nuggets[line.query_id]}
        assigned = [(text, level) for text, _, level in line.nuggets if level is not None]
        if (assigned or line.citations) and not whose[line]:
            wrong(line, "the project does not have the answer of these judgments; import the answers first")
            continue
        for text, level in assigned:
            say(line, SUPPORT, (line.query_id, whose[line], ids[text]), level, text)
        sentences = cited.answers.get(of.get(whose[line], 0), ())
        for text, place, passage, level in line.citations:
            if place >= len(sentences) or sentences[place].text != text:
                wrong(line, f"{text[:60]!r} is not sentence {place + 1} of the answer")
            elif passage and passage not in sentences[place].cites:
                wrong(line, f"sentence {place + 1} does not cite {passage[:60]!r}")
            elif level != NOT_JUDGED and passage not in cited.passages:
                counts.count(counts.left_out, "judged citations", 1)
            elif level != NOT_JUDGED:
                subject = (line.query_id, whose[line], sentences[place].name, passage)
                say(line, CITATION, subject, level, text)
    return found


def _candidates(db: sqlite3.Connection, keys: Mapping[str, int], lines: Sequence[AnswerParts]) -> list[str]:
    """Return the id of whose the judgments of each line are, "" where it is not in the project."""
    wanted = {answer_id(one.query_id, one.answer) for one in lines if one.answer is not None}
    there = known_keys(db, "candidate", wanted | {one.document for one in lines if one.document})
    firsts = {run.name: arrays.firsts(db, run.key) for run in holdings.runs(db)}
    ranked = sorted({key for first in firsts.values() for key in first.values()})
    names = dict(zip(ranked, lookup.candidate_ids(db, ranked), strict=True))

    def name(one: AnswerParts) -> str:
        if one.answer is not None or one.document:
            called = one.document or answer_id(one.query_id, one.answer or "")
            return called if called in there else ""
        return names.get(firsts.get(one.system, {}).get(keys[one.query_id], 0), "")

    return [name(one) for one in lines]


def _store_levels(
    store: Store, how: Import, task: Task, what: str, levels: Mapping[Subject, int], counts: Counts
) -> None:
    values = {one: store.value(how.annotator, task.name, one) for one in levels}
    other = sum(value is not None and value["grade"] != levels[one] for one, value in values.items())
    if other and not how.replace:
        raise ChoiceError(
            f"{how.annotator!r} has judged {other} of these {what} already, otherwise. Nothing was imported; "
            "import under another annotator's name, or choose to replace.",
            "annotator",
            "replace",
        )
    for subject, level in levels.items():
        if values[subject] is not None and values[subject]["grade"] == level:
            counts.count(counts.same, what, 1)
            continue
        value = {"grade": level, "as": task.words[level], "time": store.moment}
        _record(store, how, task, subject, value)
        counts.count(counts.added if values[subject] is None else counts.changed, what, 1)


def _record(store: Store, how: Import, task: Task, subject: Subject, value: dict[str, Any]) -> None:
    store.record(how.annotator, task.name, subject, value, how="import", annotator_kind=how.annotator_kind)


def stored(
    state: State, db: sqlite3.Connection, options: Options, ids: Mapping[int, str]
) -> Iterator[AnswerParts]:
    """Yield what a state says of the queries with these keys and ids, combined as the evaluator does."""
    if NUGGET.name in state.said:
        yield from _stored_nuggets(state, db, options, ids)
    if {CITATION.name, settling(CITATION).name} & state.said.keys():
        yield from _stored_support(state, db, options, ids)


def _stored_nuggets(
    state: State, db: sqlite3.Connection, options: Options, ids: Mapping[int, str]
) -> Iterator[AnswerParts]:
    matches = nugget_matches(state, db, options)
    if matches is None:
        return
    judged: dict[int, set[int]] = defaultdict(set)
    for query, candidate, *_ in matches.levels:
        judged[query].add(candidate)
    for query, nuggets in matches.queries.items():
        if query not in ids:
            continue
        if not judged[query]:
            listed = tuple((one.text, one.importance, None) for one in nuggets)
            yield AnswerParts("", 0, ids[query], nuggets=listed)
        for key, one in sorted(lookup.contents(db, judged[query], IN_FILE).items()):
            levels = (matches.levels.get((query, key, each.id)) for each in nuggets)
            said = tuple(
                (each.text, each.importance, level) for each, level in zip(nuggets, levels, strict=True)
            )
            answer, document = (None, one.id) if one.query is None else (one.text, "")
            yield AnswerParts("", 0, ids[query], answer=answer, document=document, nuggets=said)


def _stored_support(
    state: State, db: sqlite3.Connection, options: Options, ids: Mapping[int, str]
) -> Iterator[AnswerParts]:
    support = citation_support(state, db, options)
    if support is None:
        return
    judged = {of[:2] for of in support.levels}
    for run in state.runs:
        firsts = {query: one for query, one in arrays.firsts(db, run.key).items() if (query, one) in judged}
        texts = lookup.contents(db, firsts.values(), IN_FILE)
        for query, answer in firsts.items():
            cited = [
                (one.text, place, passage, support.levels.get((query, answer, one.name, passage), NOT_JUDGED))
                for place, one in enumerate(support.cited.answers.get(answer, ()))
                for passage in one.cites or ("",)
            ]
            if query in ids:
                text = texts[answer].text
                yield AnswerParts("", 0, ids[query], run.name, text, citations=tuple(cited))
