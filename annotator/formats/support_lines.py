"""Support of sentences by what they cite, as TREC's RAG track and RAGDoll write it, an answer a line of JSON.

Each line names `run_id` and `topic_id` (or `narrative_id`) and has `sentences`, in the order of the answer's,
with `text` and `citations`, each with `reference` (the id of a passage) and `support`: 2 full, 1 partial,
0 none, -1 not judged. `sentenceID` and `citationID` count them. Source: RAGDoll (`support/metrics.py`,
`assemble_support_assignments`), which scores the human judgments of 2025 so.
"""

from itertools import groupby
from pathlib import Path
from typing import Any

from annotator.formats.declaration import Format, Head, Reading, Writing
from annotator.formats.strict_json import Members, compact, json_lines, parse
from annotator.formats.text_lines import Problems
from annotator.formats.whole_files import replacing
from annotator.records import AnswerParts, Dataset

TOPICS = ("topic_id", "narrative_id", "qid", "query_id")
TAKEN = ("run_id", "sentences", *TOPICS)
TAKEN_OF_SENTENCES = ("sentenceID", "text", "citations")
TAKEN_OF_CITATIONS = ("citationID", "reference", "support")
LEVELS = {"-1": -1, "0": 0, "1": 1, "2": 2}
NOT_JUDGED = -1
Citation = tuple[str, int, str, int]


def recognises(head: Head) -> bool:
    """Say whether the first line is an object with sentences of a topic."""
    first = head.lines[0] if head.lines else ""
    value = parse(first, Problems(Path(head.name))) if first.startswith("{") else None
    return (
        isinstance(value, dict)
        and isinstance(value.get("sentences"), list)
        and any(name in value for name in TOPICS)
    )


def read(path: Path, reading: Reading) -> Dataset:
    """Return what was judged of each citation; raises InputError."""
    problems, lines = Problems(path), []
    others: dict[str, None] = {}
    for number, value in json_lines(path, problems, reading):
        members = Members(value, problems, number)
        others |= dict.fromkeys(name for name in members.value if name not in TAKEN)
        topic = next((name for name in TOPICS if name in members.value), TOPICS[0])
        if "sentences" not in members.value:
            members.wrong("'sentences' is missing; give it as [...]")
        cited: list[Citation] = []
        place = 0
        for at, one in enumerate(members.items("sentences"), 1):
            sentence = Members(one, problems, number, f"sentence {at}")
            others |= _others("sentences", sentence, TAKEN_OF_SENTENCES)
            text = sentence.text("text")
            for each, given in enumerate(sentence.items("citations"), 1):
                citation = Members(given, problems, number, f"sentence {at}, citation {each}")
                others |= _others("sentences.citations", citation, TAKEN_OF_CITATIONS)
                cited.append((text, place, citation.id("reference"), _level(citation)))
            if not sentence.value.get("citations"):
                cited.append((text, place, "", NOT_JUDGED))
            place += bool(text)
        system, query = members.id("run_id"), members.query_id(topic)
        lines.append(AnswerParts(str(path), number, query, system, citations=tuple(cited)))
    if not lines:
        problems.add(1, 'holds no sentences; each line needs an object with "sentences" and "topic_id"')
    problems.check()
    left_out = f"{path.name}: left out, as support has no place for them: {', '.join(others)}."
    return Dataset(said=lines, notes=(left_out,) if others else ())


def _others(where: str, members: Members, taken: tuple[str, ...]) -> dict[str, None]:
    return dict.fromkeys(f"{where}.{name}" for name in members.value if name not in taken)


def _level(citation: Members) -> int:
    value = citation.value.get("support")
    level = LEVELS.get(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) else None
    if level is None:
        citation.wrong(f"'support' is {compact(value)[:40]}, none of {', '.join(LEVELS)}")
    return NOT_JUDGED if level is None else level


def write(dataset: Dataset, path: Path, writing: Writing) -> None:
    """Write a line for each answer of which a citation is judged, sentence by sentence."""
    with replacing(path, writing.step) as file:
        for one in dataset.said:
            if one.citations and one.system:
                file.write(f"{compact(_line(one))}\n")


def _line(one: AnswerParts) -> dict[str, Any]:
    sentences = [
        {
            "sentenceID": place,
            "text": text,
            "citations": [
                {"citationID": at, "reference": passage, "support": str(level)}
                for at, (*_, passage, level) in enumerate(cited)
                if passage
            ],
        }
        for (place, text), cited in groupby(one.citations, lambda each: (each[1], each[0]))
    ]
    return {"topic_id": one.query_id, "run_id": one.system, "sentences": sentences}


FORMAT = Format(
    key="support",
    title="Judged citations",
    extensions=(".jsonl",),
    holds=frozenset({"support"}),
    recognises=recognises,
    reader=read,
    writer=write,
)
