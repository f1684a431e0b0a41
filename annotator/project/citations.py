"""What the sentences of a generated answer cite, and which of those passages can be read here."""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from annotator.formats.trec_rag import cited_by
from annotator.project.views import Asked, written_in
from annotator.records import Answer
from annotator.storage.ledger.current_values import known_keys
from annotator.storage.reads import lookup
from annotator.storage.reads.holdings import StoredContent
from annotator.tasks import CITATION


class Sentence(NamedTuple):
    """A sentence of an answer: its name (where it stands), its text, and the passages it cites (ids)."""

    name: str
    text: str
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cited:
    """The sentences of answers by key, and the passages that they cite and that can be read, by id."""

    answers: Mapping[int, tuple[Sentence, ...]]
    passages: Mapping[str, StoredContent]

    def questions(self, answer: int) -> tuple[Asked, ...]:
        """Return what is asked of an answer: each of its sentences against each passage that it cites."""
        return tuple(
            Asked(
                CITATION.name,
                (one.name, name),
                one.text,
                f"cites {passage.title or name}",
                CITATION.words,
                passage.text,
                written_in(passage.fields),
            )
            for one in self.answers.get(answer, ())
            for name in one.cites
            if (passage := self.passages.get(name)) is not None
        )

    def missing(self, answer: int) -> tuple[str, ...]:
        """Return the passages that an answer cites and that cannot be read here, each once."""
        if answer not in self.answers:
            return ()
        cited = (name for one in self.answers[answer] for name in one.cites)
        return tuple(dict.fromkeys(name for name in cited if name not in self.passages))


def _sentences(db: sqlite3.Connection, content: StoredContent) -> tuple[Sentence, ...]:
    """Return the sentences of an answer, whose text may be cut; one that cites nothing at all is one."""
    if content.length > len(content.text):
        content = replace(content, text=lookup.full_text(db, content.key))
    _, placed = cited_by(Answer("", content.text, fields=content.fields))
    return tuple(
        Sentence(f"{start}-{end}", content.text[start:end], tuple(dict.fromkeys(cites)))
        for start, end, cites in placed
        if start < end
    )


def cited_in(db: sqlite3.Connection, contents: Iterable[StoredContent], first: int) -> Cited:
    """Return what the answers among some candidates cite, with the first characters of each passage.

    A passage without a text cannot be read; those that are in the project but were only named are such.
    """
    answers = {one.key: _sentences(db, one) for one in contents if one.query is not None and one.fields}
    names = {name for some in answers.values() for one in some for name in one.cites}
    keys = known_keys(db, "candidate", names) if names else {}
    passages = lookup.contents(db, keys.values(), first) if keys else {}
    there = (one for one in passages.values() if _whole(db, one).text.strip())
    return Cited(answers, {one.id: one for one in there})


def cited_words(db: sqlite3.Connection, subjects: Iterable[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """Return what is judged of citations in words: the sentence, and what the passage is called."""
    subjects = list(subjects)
    keys = known_keys(db, "candidate", {name for one in subjects for name in (one[1], one[3])})
    contents = {one.id: one for one in lookup.contents(db, keys.values(), 0).values()}
    texts = {name: lookup.full_text(db, keys[name]) for name in {one[1] for one in subjects}}
    found = {}
    for one in subjects:
        start, _, end = one[2].partition("-")
        sentence = texts[one[1]][int(start) : int(end)]
        passage = contents.get(one[3])
        found[one] = f"{sentence} · {(passage and passage.title) or one[3]}"
    return found


def _whole(db: sqlite3.Connection, content: StoredContent) -> StoredContent:
    """Return what a candidate says with its whole text, if that was cut where nothing was to be read yet."""
    cut = content.length > len(content.text) and not content.text.strip()
    return replace(content, text=lookup.full_text(db, content.key)) if cut else content
