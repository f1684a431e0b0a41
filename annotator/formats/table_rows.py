"""Rows of plain tables: one row may state a query, a document, a place in a ranking, a grade, a gold answer.

A row states what its cells hold: a table with everything repeated in every row reads like one with a row for
each thing. A cell that is empty states nothing; where a row names a system, a rank, a score or a grade but
no document, its answer is the predicted answer, also when it is empty. Where it names both, the document is
what the answer was found in: its text is the answer's passage.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from annotator.errors import UserError
from annotator.formats import numbers
from annotator.formats.declaration import Reading, RowReader
from annotator.formats.grade_words import GradeWords, mended
from annotator.formats.other_columns import OtherColumns
from annotator.formats.rows import JudgmentRows, RunRows, query_id_problem
from annotator.formats.strict_json import parse
from annotator.formats.table_cells import Structure
from annotator.formats.table_columns import mapping_of
from annotator.formats.text_lines import Problems, refusal
from annotator.formats.whole_files import stem
from annotator.records import (
    Answer,
    Dataset,
    Document,
    GoldAnswer,
    GoldList,
    Json,
    Query,
    RunTable,
    id_problem,
    text_problem,
)

IDS = {"query_id": query_id_problem, "document_id": id_problem, "gold_document": id_problem}
STATED_OF_QUERIES = ("document_id", "answer", "system", "rank", "score", "grade", "gold", "unanswerable")
LIST = re.compile(r'\[\s*(?:"|\]\Z)')
UNDIVIDED = ("|", ";", "\n", "['")
"""What lets a cell look as if it held several gold answers."""

TEXTS = ("query", "guidelines", "title", "text", "answer", "passage", "gold")


_Place = tuple[str, str, float | None, float | None, bool, int]
"""A row of a ranking: query, candidate, rank, score, whether it is an answer, line."""


def read_rows(path: Path, reading: Reading, rows: RowReader) -> Dataset:
    """Return what the rows of a table state whose first one has all columns; raises InputError."""
    problems = Problems(path)
    table = TableReader(path, problems, reading)
    read_any = False
    for line, row in rows(path, problems, reading):
        if not read_any:
            table.columns(row)
            read_any = True
        table.add(row, line)
    problems.named.sort(key=lambda one: (one.line or 0, one.column or 0))
    table.words.ask(path, problems)
    problems.check()
    if not read_any:
        raise refusal(path, "holds no rows below a header; give a table with a header", 1)
    return table.dataset()


class TableReader:
    """Takes rows and holds what they state."""

    def __init__(self, path: Path, problems: Problems, reading: Reading) -> None:
        self._path = path
        self._problems = problems
        self._told = reading.mapping
        self._system = reading.system
        self._separator = reading.gold_separator
        self.words = GradeWords(reading.words)
        self._undivided = 0
        self._roles: dict[str, str] = {}
        self._others = OtherColumns((), self._roles, problems)
        self._queries: dict[str, Query] = {}
        self._documents: dict[str, Document] = {}
        self._answers: dict[str, Answer] = {}
        self._found_in: dict[str, tuple[str, int | None, int | None, int]] = {}
        self._gold: dict[str, GoldList] = {}
        self._systems: dict[str, list[_Place]] = {}
        self._grades: dict[tuple[str, str], tuple[int, int]] = {}

    def columns(self, header: Iterable[str]) -> None:
        """Decide what the columns hold; raises InputError when nothing can be made of them."""
        names = list(header)
        try:
            self._roles = mapping_of(names, self._told, f"{self._path.parent.name}/{self._path.name}")
        except UserError as error:
            raise refusal(self._path, str(error), 1) from None
        if not {"query_id", "document_id"} & self._roles.keys():
            shown = ", ".join(names)[:300]
            message = f"has no column for the query's or document's id, only {shown}"
            if len(names) == 1:
                raise refusal(self._path, f"{message}; cells stand between tabs, semicolons or commas", 1)
            raise refusal(self._path, f"{message}; say what they hold, such as query_id={names[0]}", 1)
        self._others = OtherColumns(names, self._roles, self._problems)

    def add(self, row: Mapping[str, str], line: int) -> None:
        """Take one row."""
        cells = {role: row.get(column, "") for role, column in self._roles.items()}
        query, document = cells.get("query_id", ""), cells.get("document_id", "")
        before = len(self._problems)
        self._check(cells, line)
        self._others.add(row, cells, line)
        if len(self._problems) > before:
            return
        placed = any(cells.get(role) for role in ("system", "rank", "score"))
        judged = bool(cells.get("grade"))
        said = bool(cells.get("answer"))
        answered = said or (not document and "answer" in cells and (placed or judged))
        if document:
            self._add_document(document, cells, placed or judged or answered, line)
        if query:
            self._add_query(query, cells, line)
        if not query or not (document or answered):
            if placed or judged:
                self._wrong(line, *self._lacking(cells))
            return
        candidate = self._add_answer(query, cells, line) if answered else document
        if placed:
            self._add_place(query, candidate, cells, answered, line)
        if judged:
            grade, wrong = self.words.grade(cells["grade"], line)
            if wrong:
                self._wrong(line, wrong, "grade")
            elif grade is not None and self._grades.setdefault((query, candidate), (grade, line))[0] != grade:
                message = f"{candidate[:60]!r} was graded otherwise before; keep one grade"
                self._wrong(line, message, "grade")

    def _wrong(self, line: int, message: str, role: str) -> None:
        """Keep a problem of what a row holds for a role."""
        self._problems.add(line, message, cell=self._roles.get(role, ""))

    def _lacking(self, cells: Mapping[str, str]) -> tuple[str, str]:
        """Return what a row with a rank or a grade lacks, and the role where that should stand."""
        roles = ("query_id",) if not cells.get("query_id") else ("document_id", "answer")
        given = [self._roles[role] for role in ("system", "rank", "score", "grade") if cells.get(role)]
        columns = [self._roles[role] for role in roles if role in self._roles]
        needed = "a query" if roles == ("query_id",) else "a document or an answer"
        where = f"{_names(columns)} is empty; fill it" if columns else f"say in which column {needed} stands"
        stand = "stand" if given[1:] else "stands"
        return f"{_names(given)} {stand} in a row without {needed}: {where}", roles[0]

    def _check(self, cells: Mapping[str, str], line: int) -> None:
        for role, wrong_with in IDS.items():
            if cells.get(role) and (wrong := wrong_with(cells[role])):
                if role == "query_id" and self._roles[role] == self._roles.get("query"):
                    wrong += ", or add a column query_id: without one the text is the id too"
                self._wrong(line, wrong, role)
        for role in (*IDS, *TEXTS, "system"):
            if role != "gold" and isinstance(cells.get(role), Structure):
                parts = "give a text, and its parts as members or columns of their own"
                self._wrong(line, f"{self._roles[role]!r} holds a list or an object; {parts}", role)
        for role in TEXTS:
            if wrong := text_problem(cells.get(role, ""), role):
                self._wrong(line, wrong, role)

    def _add_query(self, identity: str, cells: Mapping[str, str], line: int) -> None:
        stated = Query(
            identity,
            cells.get("query", ""),
            tuple(self._texts(cells.get("tags", ""), line, "tags")),
            cells.get("guidelines", ""),
            self._fields(cells, "query_fields", line),
        )
        others = any(cells.get(role) for role in STATED_OF_QUERIES)
        if stated != Query(identity, "") or not others:
            known = self._queries.setdefault(identity, stated)
            if known != stated:
                message = f"the query {identity[:60]!r} was stated otherwise before; keep one"
                self._wrong(line, message, "query_id")
        if cells.get("gold") or cells.get("unanswerable"):
            self._add_gold(identity, cells, line)

    def _add_gold(self, query: str, cells: Mapping[str, str], line: int) -> None:
        known = self._gold.get(query, GoldList(query))
        mark = cells.get("unanswerable", "").strip().lower()
        if mark not in ("", "0", "false", "no", "1", "true", "yes"):
            message = f"{mark[:20]!r} does not say whether it is unanswerable; write true or false"
            self._wrong(line, message, "unanswerable")
        answers = known.answers
        for text in self._wordings(cells.get("gold", ""), line):
            answer = GoldAnswer(
                text,
                tuple(self._texts(cells.get("aliases", ""), line, "aliases")),
                cells.get("gold_document") or None,
                self._count(cells, "gold_start", line),
                self._count(cells, "gold_end", line),
            )
            answers = answers if answer in answers else (*answers, answer)
        self._gold[query] = GoldList(query, answers, known.unanswerable or mark in ("1", "true", "yes"))

    def _wordings(self, cell: str, line: int) -> list[str]:
        """Return the gold answers of a cell: those of a JSON list or between separators, else its text."""
        if LIST.match(cell):
            return [one for one in self._texts(cell, line, "gold") if one]
        if self._separator:
            return [one for one in map(str.strip, cell.split(self._separator)) if one]
        self._undivided += any(sign in cell for sign in UNDIVIDED)
        return [cell] if cell else []

    def _add_document(self, identity: str, cells: Mapping[str, str], used: bool, line: int) -> None:
        fields = self._fields(cells, "document_fields", line)
        stated = Document(identity, cells.get("title", ""), cells.get("text", ""), fields)
        if stated == Document(identity) and used:
            return
        if self._documents.setdefault(identity, stated) != stated:
            message = f"the document {identity[:60]!r} was stated otherwise before; keep one"
            self._wrong(line, message, "document_id")

    def _add_answer(self, query: str, cells: Mapping[str, str], line: int) -> str:
        start, end = (self._count(cells, role, line) for role in ("start", "end"))
        fields = self._fields(cells, "answer_fields", line)
        answer = Answer(query, cells["answer"], cells.get("passage", ""), start, end, fields)
        if (document := cells.get("document_id", "")) and not answer.passage:
            self._found_in.setdefault(answer.id, (document, start, end, line))
            answer = Answer(query, answer.text, fields=fields)
        elif start is not None and answer.passage[start:end] != answer.text:
            self._wrong(line, f"the answer does not stand at character {start} of its passage", "start")
        known = self._answers.setdefault(answer.id, answer)
        fuller = answer if answer.passage and not known.passage else known
        self._answers[answer.id] = replace(fuller, fields=known.fields or fields)
        return answer.id

    def _in_their_documents(self) -> tuple[list[Answer], int]:
        """Return the answers with the texts they were found in, and of how many the text is not here."""
        answers, without = [], 0
        for answer in self._answers.values():
            if answer.passage or answer.id not in self._found_in:
                answers.append(answer)
                continue
            document, start, end, line = self._found_in[answer.id]
            text = self._documents[document].text if document in self._documents else ""
            without += not text
            if not text:
                start = end = None
            elif start is not None and text[start:end] != answer.text:
                message = f"the answer does not stand at character {start} of the document {document[:60]!r}"
                self._problems.add(line, message)
            answers.append(replace(answer, passage=text, start=start, end=end))
        return answers, without

    def _add_place(
        self, query: str, candidate: str, cells: Mapping[str, str], is_answer: bool, line: int
    ) -> None:
        name = self._system or cells.get("system") or stem(self._path)
        rank = numbers.whole_cell(cells["rank"]) if cells.get("rank") else None
        score = numbers.decimal(cells["score"]) if cells.get("score") else None
        for role, value in (("rank", rank), ("score", score)):
            if cells.get(role) and value is None:
                shown = f"the {role} {cells[role][:40]!r}"
                self._wrong(line, f"{shown} is not a number; {mended(cells[role], role == 'rank')}", role)
        self._systems.setdefault(name, []).append((query, candidate, rank, score, is_answer, line))

    def _texts(self, cell: str, line: int, role: str) -> list[str]:
        """Return the texts of a cell: a JSON list, or a single one."""
        if not cell.startswith("["):
            return [cell] if cell else []
        value = parse(cell, self._problems, line)
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return [one for one in value if isinstance(one, str)]
        message = f"{cell[:40]!r} is no JSON list of texts; mend it or write a single text"
        self._wrong(line, message, role)
        return []

    def _fields(self, cells: Mapping[str, str], role: str, line: int) -> dict[str, Json]:
        cell = cells.get(role, "")
        value = parse(cell, self._problems, line) if cell else {}
        if not isinstance(value, dict):
            self._wrong(line, f"{cell[:40]!r} is no JSON object; mend it or leave it empty", role)
            return {}
        return value

    def _count(self, cells: Mapping[str, str], role: str, line: int) -> int | None:
        cell = cells.get(role, "")
        value = numbers.whole_cell(cell)
        if cell and (value is None or value < 0):
            self._wrong(line, f"{cell[:40]!r} is no count of characters; give a whole number from 0", role)
        return value

    def dataset(self) -> Dataset:
        """Return everything the rows stated; raises InputError when something was wrong."""
        answers, without = self._in_their_documents()
        runs = [self._run(name, given) for name, given in self._systems.items()]
        judged = JudgmentRows(self._problems)
        for (query, candidate), (grade, line) in self._grades.items():
            judged.add(query, candidate, grade, line, word=self.words.is_word(grade))
        judgments = judged.table(self._path.name) if len(judged) else None
        self._problems.check()
        return Dataset(
            self._others.kept_by("query_id", self._queries.values()),
            [
                *self._others.kept_by("document_id", self._documents.values()),
                *self._others.only_fields(self._documents),
            ],
            answers,
            list(self._gold.values()),
            runs,
            judgments,
            tuple(self._notes(without)),
        )

    def _notes(self, without: int) -> Iterator[str]:
        """Yield what became of columns, answers and gold answers that the file does not say plainly."""
        yield from self._others.notes(self._path.name)
        if without:
            yield self._without_passage(without)
        if self._undivided:
            cells = "one cell" if self._undivided == 1 else f"{self._undivided:,} cells"
            yield (
                f"{self._path.name}: {cells} of gold answers with | or ; or a line break, or like a list: "
                "each is taken as one gold answer; give each answer a row of its own, write a JSON list into "
                "the cell, or name a separator (--gold-separator; in the window More choices, Gold answers)."
            )

    def _without_passage(self, answers: int) -> str:
        which = "of one answer" if answers == 1 else f"of {answers:,} answers"
        return f"{self._path.name}: the document {which} has no text in this table, so no passage is shown."

    def _run(self, system: str, given: list[_Place]) -> RunTable:
        ranked, scored = (sum(row[at] is not None for row in given) for at in (2, 3))
        answers = sum(row[4] for row in given)
        for at, count in ((2, ranked), (3, scored)):
            if 0 < count < len(given):
                line = next(row[5] for row in given if row[at] is None)
                self._problems.add(
                    line, "has no rank or score while other rows of its system do; give every row one"
                )
                break
        if 0 < answers < len(given):
            self._problems.add(given[0][5], f"{system}'s ranking mixes documents and answers")
        by_rank, by_score = ranked == len(given), scored == len(given)
        rows = RunRows(self._problems, system)
        for place, (query, candidate, rank, score, _, line) in enumerate(given):
            value = rank if by_rank else score if by_score else place
            rows.add(query, candidate, value or 0.0, line, score)
        if by_rank or not by_score:
            return rows.by_rank(self._path.name, by_score, bool(answers))
        return rows.by_score(self._path.name, bool(answers))


def _names(columns: Sequence[str]) -> str:
    *most, last = (repr(one[:60]) for one in columns)
    return f"{', '.join(most)} and {last}" if most else last
