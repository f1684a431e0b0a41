"""What a format says of itself: its name, what it can hold, how it is recognised, read and written.

A format is one module with one constant `FORMAT`; the registry finds it there.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from annotator.errors import UserError
from annotator.formats.whole_files import replacing_all
from annotator.records import Dataset
from annotator.watch import UNWATCHED, Watch

if TYPE_CHECKING:
    from annotator.formats.text_lines import Problems

Part = Literal["queries", "documents", "answers", "gold", "runs", "judgments", "nuggets", "support"]

PARTS: tuple[Part, ...] = get_args(Part)

IN_TABLES = frozenset(PARTS) - {"nuggets", "support"}
"""What the columns of a plain table can hold."""

MOST_LINES = 200

PART_WORDS: Mapping[Part, str] = {
    "queries": "the texts of the queries",
    "documents": "the documents' titles and texts",
    "answers": "the predicted answers' texts",
    "gold": "the gold answers",
    "runs": "the systems' rankings",
    "judgments": "the judgments",
    "nuggets": "the nuggets, and which answers support them",
    "support": "whether passages support the sentences that cite them",
}

IN_PROJECTS_ALONE: Mapping[str, str] = {
    "aspects": "what people said under questions of the project's own",
    "preferences": "which of two answers people prefer",
}
"""What a project may have and no format holds."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader is told beside the file.

    `system` names the run where the file does not, or instead of what the file says. `mapping` says which
    column holds what (`{"query_id": "question"}`) in formats without a fixed layout. `no_answer` is a file of
    no-answer probabilities beside SQuAD predictions, `no_answer_from` the one above which an answer is empty.
    `gold_separator` stands between the gold answers of one cell of a plain table. `words` are grades that are
    no numbers, each with the number to be taken for it. With `in_pieces` a run may come as a `LongRun`, which
    takes no memory.
    """

    system: str | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    no_answer: Path | None = None
    no_answer_from: float = 1.0
    in_pieces: bool = False
    watch: Watch = UNWATCHED
    gold_separator: str = ""
    words: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Writing:
    """How a file is written. `for_spreadsheets` guards cells that a spreadsheet would take for a formula;
    what it guards no longer reads back as it was. `step(bytes)` is told how much of a file is written; when
    it raises Stopped the file stays as it was. `notes` is what a writer has to say of what it wrote.
    """

    for_spreadsheets: bool = False
    step: Callable[[int], None] | None = None
    notes: list[str] = field(default_factory=list)


def refuse_odd(path: Path) -> None:
    """Raise UserError for a pipe or a device, which no reader may wait for."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise UserError(f"{path} is a pipe or a device; copy what it holds to a file and give that.")


@dataclass(frozen=True)
class Head:
    """The beginning of a file, for recognising what it is."""

    name: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        """The first lines that are not blank, without a last one that is cut."""
        lines = self.text.split("\n", MOST_LINES)
        whole = lines[:-1] if len(lines) > 1 else lines
        return [line.rstrip("\r") for line in whole if line.strip()]


Reader = Callable[[Path, Reading], Dataset]
RowReader = Callable[[Path, "Problems", Reading], Iterator[tuple[int, dict[str, str]]]]
"""Yields (line, cells by the names of their columns) of a plain table."""
Writer = Callable[[Dataset, Path, Writing], None]


@dataclass(frozen=True, slots=True)
class Format:
    """One layout of files.

    `holds` are the parts it can carry; those `beside` are written, but when it is read they are left to other
    files. `recognises` judges by content (a name only decides where two layouts
    look the same); a binary format is known by the first bytes, its `magic`. `rows` are those of a plain
    table, of whose columns the user may say what they hold. `details` lists in sentences what of the held
    parts would be lost on export. With `folder`
    true it is written as a folder of files and read from the folder or any of them; with `one_system` true a
    file holds the ranking of one system. Of a project without any of the parts that it `needs`, which are
    all that it holds unless said otherwise, nothing is written. `partly` says in words what of a part it
    holds where that is not all; with `answers_alone` it holds the answers that systems gave, and of rankings
    only theirs; `either` is said of a dataset with several of the parts where a file holds only one of them.
    `named_by_text` says that a file may have no ids: a query is then called by its text. A format that
    `guards` can be written for spreadsheets.
    """

    key: str
    title: str
    extensions: tuple[str, ...]
    holds: frozenset[Part]
    reader: Reader
    writer: Writer
    recognises: Callable[[Head], bool] = lambda _: False
    magic: bytes = b""
    rows: RowReader | None = None
    details: Callable[[Dataset], Sequence[str]] = lambda _: ()
    folder: bool = False
    one_system: bool = False
    needs: frozenset[Part] = frozenset()
    beside: frozenset[Part] = frozenset()
    partly: Mapping[Part, str] = field(default_factory=dict)
    answers_alone: bool = False
    either: str = ""
    named_by_text: bool = False
    guards: bool = False

    def read(self, path: Path, reading: Reading = Reading()) -> Dataset:
        """Return what a file holds; raises InputError with the places that cannot be taken.

        A pipe or a device is refused (UserError): what is read twice must be there twice.
        """
        refuse_odd(path)
        return self.reader(path, reading)

    def write(self, dataset: Dataset, path: Path, writing: Writing = Writing()) -> None:
        """Write what the format can hold, whole or not at all; raises UserError for ids it cannot write."""
        with replacing_all(path) if self.folder else nullcontext(path) as part:
            self.writer(dataset, part, writing)

    def held(self, dataset: Dataset) -> list[str]:
        """Return in words what of a dataset would be written."""
        if self.nothing(dataset):
            return []
        parts = [part for part in PARTS if part in self.written and self._has(dataset, part)]
        return [self.either] if self.either and len(parts) > 1 else list(map(self._words, parts))

    def _words(self, part: Part) -> str:
        return self.partly.get(part, PART_WORDS[part])

    def _has(self, dataset: Dataset, part: Part) -> bool:
        """Say whether a dataset has of a part what the format holds of it."""
        if part in ("answers", "runs", "support") and self.answers_alone and not self._runs(dataset):
            return False
        return has(dataset, part)

    def _runs(self, dataset: Dataset) -> int:
        """Return how many rankings of a dataset it can hold."""
        return sum(1 for run in dataset.runs if run.ids_of_answers or not self.answers_alone)

    @property
    def written(self) -> frozenset[Part]:
        """The parts that stand in a file of it."""
        return self.holds | self.beside

    def nothing(self, dataset: Dataset) -> str:
        """Return a sentence when of a dataset nothing can be written, else ""."""
        needs = self.needs or self.holds
        if any(self._has(dataset, part) for part in needs):
            judged = "judgments" in self.holds and self._has(dataset, "judgments")
            several = self._runs(dataset) if self.one_system and not judged else 0
            one = f"A file of {self.title} holds one system; choose one of the {several}."
            return one if several > 1 else ""
        parts = ", ".join(self._words(part) for part in PARTS if part in needs)
        return f"There is nothing to write: {self.title} would hold {parts}, and there are none."

    def losses(self, dataset: Dataset) -> list[str]:
        """Return sentences that say what of a dataset would not be written."""
        missing = [
            PART_WORDS[part]
            for part in PARTS
            if has(dataset, part)
            and (part not in self.written or (part == "runs" and not self._has(dataset, part)))
        ]
        missing += [words for name, words in IN_PROJECTS_ALONE.items() if name in dataset.also]
        sentences = [f"{self.title} cannot hold {words}." for words in missing]
        return [*filter(None, [self.nothing(dataset)]), *sentences, *self.details(dataset)]


def has(dataset: Dataset, part: Part) -> bool:
    """Say whether a dataset holds anything of a part; documents that come one by one count as present."""
    if part == "nuggets":
        return any(one.nuggets for one in dataset.said)
    if part == "support":
        return any(one.citations for one in dataset.said)
    value = getattr(dataset, part)
    if part == "runs" and dataset.long_runs:
        return True
    if part == "judgments":
        return bool(dataset.people) or (value is not None and len(value.query) > 0)
    return len(value) > 0 if isinstance(value, Sized) else True
