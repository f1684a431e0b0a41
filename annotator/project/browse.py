"""What a project holds, as the current annotator may see it."""

import sqlite3
from collections.abc import Mapping, Sequence
from functools import partial, reduce
from typing import cast

import numpy as np
from numpy.typing import NDArray

from annotator.errors import ProjectError
from annotator.project import blind_order
from annotator.project.citations import Cited, cited_in
from annotator.project.finished import finished_among, finished_beside, questions, revealed, side_by_side
from annotator.project.judged_by import offered
from annotator.project.passages import passage_of
from annotator.project.project import Project
from annotator.project.settings import setting
from annotator.project.stored_values import gold_list, judgment_view
from annotator.project.views import (
    AnnotatorView,
    CandidateView,
    Contents,
    Filters,
    JudgmentView,
    Order,
    Placed,
    QueryRow,
    QueryView,
    SystemView,
)
from annotator.records import AnnotatorKind
from annotator.storage.ledger import current_values, events
from annotator.storage.reads import arrays, holdings, practice, query_list, said_beside, search
from annotator.storage.reads import lookup as stored
from annotator.storage.store import Store
from annotator.tasks import GRADE
from annotator.watch import UNWATCHED, Watch

SHOWN_TEXT = 20_000
"""So many characters of a document come with its query; the rest on demand."""

UNRANKED = 1 << 40

STATE_TESTS = {
    "skipped": "state = 'skipped'",
    "cannot_tell": "state = 'cannot_tell'",
    **{mark.name: f"beside -> '$.{mark.name}' IS NOT NULL" for mark in GRADE.marks},
}


def contents(project: Project) -> Contents:
    """Return what the project holds, counted; to be judged are practice queries, or all others."""
    with project.store.reading() as db:
        people = annotator_views(db)
        pool = arrays.pools(db, setting(db, "pool_depth")).query
        me = stored.annotator_key(db, project.annotator)
        due = practice.due(db, me)
        practising, left_out = bool(due), due or practice.queries(db).tolist()
        mine = _assigned(db, me, project.annotator)
        by_grades = due or query_list.grades(db, me)
        beside = {} if by_grades else _done_beside(db, me, pool[~np.isin(pool, left_out)])
        decided = sum(one.decided for one in people if one.name == project.annotator) + sum(beside.values())
        of_practice = sum(query_list.decided(db, me, left_out).values())
        return Contents(
            name=str(setting(db, "name")),
            **stored.counts(db),
            pool=int((np.isin(pool, left_out) == practising).sum()),
            decided=of_practice if practising else decided - of_practice,
            systems=tuple(
                SystemView(one.key, one.name, one.source, one.queries, one.rows, one.time)
                for one in holdings.runs(db)
            ),
            annotators=tuple(people),
            tags=tuple(stored.tags(db)),
            judged_by=tuple(
                name
                for name, one in offered({"aspects": setting(db, "aspects")}, [*holdings.tasks(db)]).items()
                if one.of_pairs
            ),
            practising=practising,
            queue=frozenset(mine.tolist()),
            queue_pool=int(np.isin(pool, mine).sum()),
            queue_decided=sum(query_list.decided(db, me, mine.tolist()).values())
            + sum(beside.get(one, 0) for one in mine.tolist()),
            beside=beside,
            clock=events.tips(db)[1],
        )


def done_beside(project: Project, query: int | None = None) -> dict[int, int]:
    """Return how many candidates each query (by key) has that is finished for who never grades: one, or all.

    Practice queries are none of them.
    """
    with project.store.reading() as db:
        me, depth = stored.annotator_key(db, project.annotator), setting(db, "pool_depth")
        if query_list.grades(db, me):
            return {}  # before the pool of a large project is read while somebody grades
        if query is None:
            pool = arrays.pools(db, depth).query
        else:
            pool = np.full(query_list.pool_sizes(db, [query], depth).get(query, 0), query)
        return _done_beside(db, me, pool[~np.isin(pool, practice.queries(db))])


def _done_beside(db: sqlite3.Connection, me: int, pool: NDArray[np.int64]) -> dict[int, int]:
    """Return how many candidates those queries of a pool (a key for each) have that are finished so."""
    queries, sizes = np.unique(pool, return_counts=True)
    done = finished_beside(db, me, queries.tolist())
    return {one: size for one, size in zip(queries.tolist(), sizes.tolist(), strict=True) if one in done}


def annotators(project: Project) -> tuple[AnnotatorView, ...]:
    """Return everybody who has judged something, people, models and imports."""
    with project.store.reading() as db:
        return tuple(annotator_views(db))


def last_person(project: Project) -> str:
    """Return who worked in the project last, empty when nobody did."""
    with project.store.reading() as db:
        return stored.last_person(db)


def full_text(project: Project, candidate: int) -> str:
    """Return the whole text of a candidate."""
    with project.store.reading() as db:
        return stored.full_text(db, int(candidate))


def key_of(project: Project, query_id: str) -> int:
    """Return the key of a query by its external id."""
    with project.store.reading() as db:
        return current_values.query_key(db, query_id)


def annotator_views(db: sqlite3.Connection) -> list[AnnotatorView]:
    """Return everybody who has judged something, in the order they came."""
    leads = stored.leads(db)
    return [
        AnnotatorView(name, cast("AnnotatorKind", kind), graded, decided, name in leads)
        for _, name, kind, graded, decided in stored.annotators(db)
    ]


def query_keys(project: Project, filters: Filters = Filters()) -> NDArray[np.int64]:
    """Return the keys of the queries that the filters let through, in the order of their import."""
    with project.store.reading() as db:
        me = stored.annotator_key(db, project.annotator)
        conditions = _of_practice(db, me, filters)
        if "unjudged" in filters.states:
            depth = filters.depth or setting(db, "pool_depth")
            conditions.append(query_list.unfinished(me, depth, query_list.has_runs(db)))
        tests = [STATE_TESTS[one] for one in filters.states if one in STATE_TESTS]
        if tests:
            conditions.append(query_list.judged_so(me, " OR ".join(tests)))
        if filters.grades:
            marks = ", ".join("?" * len(filters.grades))
            conditions.append(query_list.judged_so(me, f"grade IN ({marks})", filters.grades))
        if filters.pairs:
            asked = sorted({key for key, _ in filters.pairs})
            conditions.append((f"query.id IN {query_list.SOME}", (query_list.keys_text(asked),)))
        if filters.tags:
            conditions.append(query_list.tagged(filters.tags))
        if filters.system is not None:
            conditions.append(query_list.answered_by(filters.system))
        if filters.order == "disagreements":
            conditions.append(query_list.disputed())
        if filters.order == "my earlier ones":
            conditions.append(query_list.judged_so(me, "state IS NOT NULL"))
        words = filters.text.strip()
        sets = [_mentioning(project.store, db, me, words)] if words else []
        if filters.assigned and len(mine := _assigned(db, me, project.annotator)):
            sets.append(mine)
        if conditions or not sets:
            sets.append(query_list.query_keys(db, conditions, in_pieces="unjudged" in filters.states))
        keys = reduce(partial(np.intersect1d, assume_unique=True), sets)
        if "unjudged" in filters.states:
            keys = keys[~np.isin(keys, [*finished_beside(db, me, keys.tolist())])]
        return keys


def _assigned(db: sqlite3.Connection, me: int, name: str) -> NDArray[np.int64]:
    """Return the keys of what is assigned to somebody, ascending; none for who practises."""
    return np.zeros(0, np.int64) if practice.due(db, me) else query_list.assigned(db, name)


def _of_practice(db: sqlite3.Connection, me: int, filters: Filters) -> list[query_list.Condition]:
    """Return the condition that who practises sees practice queries alone; nobody else need judge any."""
    if not len(practice.queries(db)):
        return []
    if practice.due(db, me):
        return [practice.only()]
    return [practice.only(False)] if "unjudged" in filters.states else []


def _mentioning(store: Store, db: sqlite3.Connection, me: int, words: str) -> NDArray[np.int64]:
    """Return the keys of the queries that say the words, or whose candidates or notes do, ascending."""
    keys = store.query_texts.containing(db, words)
    also = search.queries_noted(db, me, words)
    also += search.queries_with(db, setting(db, "pool_depth"), words)
    return np.union1d(keys, also).astype(np.int64) if also else keys


def query_rows(project: Project, keys: Sequence[int] | NDArray[np.int64]) -> list[QueryRow]:
    """Return the lines of the query list with these keys, in the order asked for."""
    keys = [int(key) for key in keys]
    with project.store.reading() as db:
        me = stored.annotator_key(db, project.annotator)
        pools = query_list.pool_sizes(db, keys, setting(db, "pool_depth"))
        decided = query_list.decided(db, me, keys)
        unblinded = query_list.unblinded_among(db, me, keys)
        marked = set(practice.queries(db).tolist())
        complete = {key for key in keys if 0 < pools.get(key, 0) <= decided.get(key, 0)}
        done = finished_among(db, me, keys, complete)
        return [
            QueryRow(
                key=key,
                id=one.id,
                text=one.text,
                decided=pools.get(key, 0) if key in done else decided.get(key, 0),
                pool=pools.get(key, 0),
                tags=one.tags,
                revealed=key in unblinded or key in done,
                practice=key in marked,
            )
            for key, one in holdings.queries(db, keys)
        ]


def query(project: Project, key: int, order: Order = "batches", blind: bool = False) -> QueryView:
    """Return one query with its pool: blind in seeded order, by the first system's rank once revealed.

    With `blind` it is shown as before it was revealed.
    """
    with project.store.reading() as db:
        rows = holdings.queries(db, [key])
        if not rows:
            raise ProjectError("This query is no longer in the project; open the project again.")
        asked = rows[0][1]
        me = stored.annotator_key(db, project.annotator)
        pool = stored.pool(db, key, setting(db, "pool_depth"))
        judgments = stored.judgments_of(db, key, me)
        may_see = not blind and revealed(db, project.annotator, key)
        unblinded = may_see and key in query_list.unblinded_among(db, me, [key])
        texts = stored.contents(db, pool, SHOWN_TEXT)
        places = stored.places(db, key, pool) if may_see else []
        others = stored.grades_of_others(db, key, me) if may_see and setting(db, "show_others") else []
        best = dict.fromkeys(pool) | query_list.best_ranks(db, key, pool)
        keys = _arranged(project, asked.id, order, best, {one: texts[one].id for one in pool})
        disputed = query_list.disputed_among(db, key) if order == "disagreements" else ()
        marked = key in practice.queries(db)
        learning = marked and me not in practice.judges(db, key)
        notes = stored.notes_of(db, key)
        language = setting(db, "language")
        asked_of_each, grades = questions(db, key), query_list.grades(db, me)
        cited = cited_in(db, texts.values(), SHOWN_TEXT)
        said = said_beside.said_of(db, key, me) if asked_of_each or cited.answers or not grades else {}
        preferred = () if grades else tuple(side_by_side(db, key, said))
        gold = gold_list(asked.id, stored.gold_of(db, key))
        passage = (
            passage_of(asked, gold, partial(stored.document_text, db))
            if any(one.query is not None for one in texts.values())
            else ""
        )
    if places:
        ranks = {one.candidate: one.rank for one in places if one.system == places[0].system}
        keys.sort(key=lambda one: ranks.get(one, UNRANKED))
    return QueryView(
        key=key,
        id=asked.id,
        text=asked.text,
        tags=asked.tags,
        guidelines=asked.guidelines,
        fields=asked.fields,
        language=language,
        note=notes.get("note", ""),
        difficulty=notes.get("difficulty", ""),
        gold=gold.answers,
        unanswerable=gold.unanswerable,
        candidates=tuple(
            _candidate(
                texts[one],
                passage,
                judgment_view(judgments.get(one)),
                tuple(Placed(at.name, at.rank, at.score) for at in places if at.candidate == one),
                tuple((name, grade) for _, at, name, grade in others if at == one),
                said.get(one, {}),
                cited,
            )
            for one in keys
        ),
        revealed=may_see,
        asked=frozenset(disputed),
        unblinded=unblinded,
        practice=marked,
        learning=learning,
        questions=asked_of_each,
        grades=grades,
        preferred=preferred,
    )


def _arranged(
    project: Project, query_id: str, order: Order, best: Mapping[int, int | None], ids: Mapping[int, str]
) -> list[int]:
    """Return candidates as a blind annotator sees them: in an order of their own for each query."""
    arrange = blind_order.by_depth if order == "by pool depth" else blind_order.blind_order
    return arrange(f"{project.store.identity}\0{project.annotator}\0{query_id}", best, ids)


def _candidate(
    content: holdings.StoredContent,
    passage: str,
    judgment: JudgmentView,
    places: tuple[Placed, ...],
    others: tuple[tuple[str, int], ...],
    said: Mapping[tuple[str, ...], int],
    cited: Cited,
) -> CandidateView:
    return CandidateView(
        key=content.key,
        id=content.id,
        kind="document" if content.query is None else "answer",
        title=content.title,
        judgment=judgment,
        places=places,
        fields=content.fields,
        text=content.text,
        length=content.length,
        passage=content.passage or (passage if content.query is not None else ""),
        start=content.start,
        end=content.end,
        others=others,
        said=said,
        questions=cited.questions(content.key),
        missing=cited.missing(content.key),
    )


def prepare_search(store: Store, watch: Watch = UNWATCHED) -> None:
    """Index the words of documents and answers, so that the text filter finds them; raises Stopped.

    Until this was done once, the filter looks at queries and notes alone.
    """
    with store.reading() as db:
        search.build(db, setting(db, "pool_depth"), watch)
