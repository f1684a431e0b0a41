"""Judgments in a run's columns, `query Q0 document grade confidence tag`, as handed in to TREC RAG.

The columns are those of a TREC run, so a file is only read as judgments where it is said to be. Confidence
and tag are not kept. Source: "Relevance Judgment Subtask" of the TREC 2025 RAG Track Guidelines
(trec-rag.github.io).
"""

from dataclasses import replace
from pathlib import Path

from annotator.formats.declaration import Format, Reading, Writing
from annotator.formats.trec_qrels import read_columns, write_columns
from annotator.records import Dataset

COLUMNS = "query, Q0, document, grade, confidence and tag"


def read(path: Path, reading: Reading) -> Dataset:
    """Return the judgments with the file's own grades; raises InputError for those of several tags."""
    found = read_columns(path, reading, COLUMNS, 6)
    left_out = f"{path.name}: left out, as judgments have no place for them: confidence, tag."
    return replace(found, notes=(left_out, *found.notes))


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write the judgments in their order, with the confidence 1 that the guidelines ask for without one."""
    write_columns(dataset, path, writing, "Q0", " 1 judgments")


FORMAT = Format(
    key="judgments",
    title="TREC judgments in six columns",
    extensions=(".txt", ".tsv"),
    holds=frozenset({"judgments"}),
    reader=read,
    writer=write,
)
