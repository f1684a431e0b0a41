"""Small projects for the tests of the window, made from files as a user would make them."""

import json
from pathlib import Path

from annotator.project import data_import
from annotator.project.project import Project

TOPICS = ("volcanoes of Iceland", "rivers of France", "moons of Saturn", "bridges of Prague")
DOCUMENTS = 6


def make_project(folder: Path, topics: int = 3, documents: int = DOCUMENTS, systems: int = 2) -> Path:
    """Return a project with queries q1, q2, …, each with its own documents and a ranking per system."""
    queries, corpus, runs = [], [], [[] for _ in range(systems)]
    for number in range(1, topics + 1):
        topic = TOPICS[(number - 1) % len(TOPICS)]
        queries.append({"_id": f"q{number}", "text": f"{topic} {number}"})
        for rank in range(1, documents + 1):
            name = f"d{number}-{rank}"
            text = f"About {topic}, part {rank}. " + "Nothing to see in this sentence. " * rank * 4
            corpus.append({"_id": name, "title": f"The {topic}, {rank}", "text": text})
            for system, rows in enumerate(runs):
                at = rank if system == 0 else documents + 1 - rank
                rows.append(f"q{number} Q0 {name} {at} {100 - at} sys{system + 1}")
    files = {
        "queries.jsonl": "\n".join(map(json.dumps, queries)),
        "corpus.jsonl": "\n".join(map(json.dumps, corpus)),
        **{f"sys{at + 1}.run": "\n".join(rows) for at, rows in enumerate(runs)},
    }
    return imported(folder, files)


def make_questions(folder: Path, count: int = 10) -> Path:
    """Return a project of questions with predicted answers of one system and no gold answers."""
    questions = [
        {"id": f"q{number}", "question": f"Who is hero number {number}?", "answers": []}
        for number in range(1, count + 1)
    ]
    paragraphs = [{"context": "", "qas": questions}]
    nbest = {
        f"q{number}": [{"text": f"Hero {number}"}, {"text": f"The hero {number}!"}, {"text": "Nobody"}]
        for number in range(1, count + 1)
    }
    files = {
        "questions.json": json.dumps({"version": "1.1", "data": [{"title": "t", "paragraphs": paragraphs}]}),
        "nbest_predictions.json": json.dumps(nbest),
    }
    return imported(folder, files)


def imported(folder: Path, files: dict[str, str]) -> Path:
    """Write files and return a project that imported them."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in files.items():
        path = folder / name
        path.write_text(text + "\n", encoding="utf-8")
        paths.append(path)
    with Project.create(folder / "project.annot", "Heroes and rivers", annotator="ann") as project:
        for path in paths:
            data_import.run_import(project, data_import.plan_import(project, [path]))
    return folder / "project.annot"
