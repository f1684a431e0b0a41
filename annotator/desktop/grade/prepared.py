"""What the Grade page needs of one query, made ready in the storage thread before it is wanted."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from textwrap import shorten
from typing import TYPE_CHECKING

from annotator.desktop.grade.offsets import Span
from annotator.desktop.grade.passage import Marked
from annotator.desktop.grade.rich_text import words_of
from annotator.project import browse, near_duplicates, self_agreement
from annotator.project.views import EMPTY_ANSWER, CandidateView, Change, JudgmentView, Order, QueryView
from annotator.text.excerpts import around, excerpt
from annotator.text.matches import phrase_spans, word_spans
from annotator.text.templates import beginning, filled, short, told
from annotator.text.visible import visible

if TYPE_CHECKING:
    from annotator.project.project import Project

EXCERPT = 320
"""Characters of a document that a card shows."""

LINE = EXCERPT // 4
"""As many a line of it counts as that ends before; so many of an answer stand in its card's title line."""

NAMED = 60
"""A predicted answer is named by so many characters of it."""

ANSWER = "Answer"
"""The title of an answer whose words are read below it."""

NO_TEXT = "This document has no text"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A query, and for each candidate in order the marked text of its card.

    `alike` are the near-duplicates of those that have any, by key.
    """

    view: QueryView
    texts: tuple[Marked, ...]
    alike: Mapping[int, tuple[int, ...]] = field(default_factory=dict)

    def position(self, candidate: int) -> int | None:
        """Return a candidate's place in the order shown."""
        keys = [one.key for one in self.view.candidates]
        return keys.index(candidate) if candidate in keys else None

    def judged(self, judgments: Mapping[int, JudgmentView]) -> "Prepared":
        """Return the same query with other judgments of some candidates."""
        candidates = tuple(
            replace(one, judgment=judgments[one.key]) if one.key in judgments else one
            for one in self.view.candidates
        )
        return replace(self, view=replace(self.view, candidates=candidates))

    def told(self, change: Change) -> "Prepared":
        """Return the same query with what was said of a candidate beside its grade."""
        of = (change.kind, *change.ending)

        def after(one: CandidateView) -> CandidateView:
            said = {name: level for name, level in one.said.items() if name != of}
            return replace(one, said=said | ({of: change.after} if isinstance(change.after, int) else {}))

        candidates = (after(one) if one.key == change.candidate else one for one in self.view.candidates)
        return replace(self, view=replace(self.view, candidates=tuple(candidates)))

    def near(self, position: int) -> list[int]:
        """Return the places of a candidate's near-duplicates, in the order shown."""
        alike = self.alike.get(self.view.candidates[position].key, ())
        return [at for at, one in enumerate(self.view.candidates) if one.key in alike] if alike else []

    def next_unjudged(self, after: int) -> int | None:
        """Return the next candidate without grade or state, from `after` on and round to the start."""
        count = len(self.view.candidates)
        places = (at % count for at in range(after + 1, after + 1 + count))
        return next((at for at in places if self.view.candidates[at].judgment.state is None), None)


def prepare(project: "Project", key: int, order: Order) -> Prepared:
    """Read a query and choose the sentences and marks of its cards."""
    return with_texts(browse.query(project, key, order))


def prepare_again(project: "Project", query: int | None = None) -> Prepared | None:
    """Do the same for the candidates that are asked again, of one query or of any; None when none are."""
    view = self_agreement.next_again(project, query)
    return with_texts(view) if view is not None else None


def with_texts(view: QueryView) -> Prepared:
    """Choose the sentences and marks of a query's cards, and find out which are near-duplicates."""
    return Prepared(view, tuple(marked(view, one) for one in view.candidates), near_duplicates.alike(view))


def marked(view: QueryView, candidate: CandidateView) -> Marked:
    """Return a document's best sentences for the query; for an answer the passage around it, if known."""
    if candidate.kind == "answer":
        return mark(_passage(candidate), view)
    words = words_of(candidate)
    whole = candidate.text if words is None else words
    best = excerpt(whole if told(whole) else "", view.text, EXCERPT, view.language, LINE)
    return mark(Marked(best.text, excerpt=best, as_it_is=words is None), view)


def _passage(candidate: CandidateView) -> Marked:
    """Return what is shown of an answer: its passage, or itself where it is long and stands in none."""
    words = words_of(candidate) if candidate.passage else None
    whole = candidate.passage if words is None else words
    places = answer_places(candidate) if words is None else places_in(whole, candidate)
    long = len(candidate.text) > LINE or told(candidate.text) != candidate.text
    passage = whole if places or not long else candidate.text
    best = around(passage, sum(places[0]) // 2 if places else 0, EXCERPT)
    first, last = best.parts[0] if best.parts else (0, 0)
    inside = [(max(start, first), min(end, last)) for start, end in places]
    spans = tuple((best.place(start), best.place(end)) for start, end in inside if start < end)
    return Marked(best.text, answer=spans, excerpt=best, as_it_is=words is None)


def answer_places(candidate: CandidateView) -> tuple[Span, ...]:
    """Return where a predicted answer stands in its passage: where the import said, else all its words do."""
    if candidate.start is not None and candidate.end is not None:
        return ((candidate.start, candidate.end),)
    return places_in(candidate.passage, candidate)


def places_in(text: str, candidate: CandidateView) -> tuple[Span, ...]:
    """Return where the words of a predicted answer stand in a text, such as its passage without its tags."""
    return tuple(phrase_spans(text, [candidate.text]))


def named(candidate: CandidateView) -> str:
    """Return what people call a candidate: its title, an answer's words, else its name in the data."""
    words = shorten(candidate.text, NAMED, placeholder="…") or EMPTY_ANSWER
    answer = words if candidate.kind == "answer" else ""
    return visible(short(told(candidate.title)) or answer or candidate.id)


def field_line(template: str, candidate: CandidateView) -> str:
    """Return a document's other fields in one line: by the project's template, or all of them by name.

    Those of an answer, which say what it cites, are only shown where a template asks for them.
    """
    if template:
        line = filled(template, {"id": candidate.id, "title": candidate.title, **candidate.fields})
    elif candidate.kind == "answer":
        line = ""
    else:
        fields = {name: told(value) for name, value in candidate.fields.items() if name != "format"}
        line = "  ·  ".join(f"{name}: {value}" for name, value in fields.items() if value)
    without = NO_TEXT if candidate.kind == "document" and not candidate.text.strip() else ""
    return visible(beginning("  ·  ".join(filter(None, (without, line)))))


def mark(plain: Marked, view: QueryView) -> Marked:
    """Mark the query's words and the gold answers in a text."""
    wordings = [wording for gold in view.gold for wording in gold.wordings]
    words = tuple(word_spans(plain.text, view.text, view.language))
    return replace(plain, words=words, gold=tuple(phrase_spans(plain.text, wordings)))
