"""A small project of generated answers that cite passages, of which one has no text and one is not there."""

import json
from pathlib import Path

from annotator.project import data_import
from annotator.project.project import Project
from annotator.records import Dataset, Document
from tests.project.conftest import add

PARTS = {"p1": "Ducks live long.", "p2": "Ducks swim. A duck flies well, as drakes do."}
ANSWERS = {
    "long": [("Ducks live for ten years.", ["p1"]), ("Ducks fly.", ["p2", "p1"]), ("They are nice.", [])],
    "brief": [("Ducks are cited here.", ["p9", "p2"]), ("Nobody has this.", ["p8"]), ("Ducks dive.", ["p1"])],
}


def line(system: str) -> str:
    """Return an answer of a system in the layout of 2024."""
    answer = [{"text": text, "citations": cites} for text, cites in ANSWERS[system]]
    references = ["p1", "p2", "p8", "p9"]
    told = {"run_id": system, "topic_id": "q", "topic": "what do ducks do", "references": references}
    return json.dumps({**told, "answer": answer}) + "\n"


def made(path: Path) -> None:
    """Make a project: one query, answers of two systems, the texts of two of the four passages they cite."""
    file = path.with_suffix(".jsonl")
    file.write_text("".join(map(line, ANSWERS)), "utf-8")
    with Project.create(path, "Cited", annotator="ann") as project:
        texts = [Document(key, f"Title {key}", text) for key, text in PARTS.items()]
        add(project, Dataset(documents=[*texts, Document("p9", "A title alone", "")]))
        data_import.run_import(project, data_import.plan_import(project, [file]))
