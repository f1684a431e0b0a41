"""The tables of one project file, declared once.

Content (queries, candidates and their texts, runs) is what was imported. Events are what people did; the
tables `judgment` and `value` are what the events fold to. Whole-number keys are internal: external ids stand
in `query.external` and `candidate.external`. Times are UTC milliseconds. JSON stands as canonical text.
`format.md`, which stands in every file, describes them for those who read one without this program.
"""

import sqlite3

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    create_engine,
    event,
)
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import registry
from sqlalchemy.pool import StaticPool
from sqlalchemy.schema import UniqueConstraint
from sqlmodel import Field, SQLModel

from annotator.storage.file.access import APPLICATION_ID, TOP, VERSION

tables = registry(
    metadata=MetaData(
        naming_convention={
            "pk": "pk_%(table_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "ix": "ix_%(table_name)s_%(column_0_name)s",
        }
    )
)


class Table(SQLModel, registry=tables):
    """A table of the project file, apart from every other SQLModel table in the same program."""


def key(refers_to: str | None = None) -> Column[int]:
    """Return a column of whole numbers that is part of a composite key."""
    references = [] if refers_to is None else [ForeignKey(refers_to)]
    return Column(Integer, *references, primary_key=True, autoincrement=False)


def whole(column: str, low: int | None = None) -> CheckConstraint:
    """Return the named check that a column holds whole numbers: SQLite itself takes anything."""
    rule = f"typeof({column}) = 'integer'" + ("" if low is None else f" AND {column} >= {low}")
    return CheckConstraint(rule, name=column)


KEYED = {"sqlite_with_rowid": False}


class Project(Table, table=True):
    """The one row that says which project this is, and how its file is to be read."""

    __table_args__ = (CheckConstraint("id = 1", name="one"),)
    id: int | None = Field(default=None, primary_key=True)
    identity: str
    created: int
    format: str


class Annotator(Table, table=True):
    """A person, a model or an import that judgments belong to."""

    __table_args__ = (CheckConstraint("kind IN ('person', 'model', 'import')", name="kind"),)
    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    kind: str


class Query(Table, table=True):
    """What was asked; `tags` and `fields` are JSON, `event` the import that brought it."""

    id: int | None = Field(default=None, primary_key=True)
    external: str = Field(unique=True)
    text: str
    tags: str
    guidelines: str
    fields: str
    event: int | None = Field(default=None, foreign_key="event.id")


class Candidate(Table, table=True):
    """What is judged: a document, or a predicted answer (which belongs to one query)."""

    id: int | None = Field(default=None, primary_key=True)
    external: str = Field(unique=True)
    query: int | None = Field(default=None, foreign_key="query.id")


class Content(Table, table=True):
    """What a candidate says, and the import that brought it; a document that only a run names has no row."""

    __table_args__ = (CheckConstraint('(start IS NULL) = ("end" IS NULL)', name="span"),)
    candidate: int | None = Field(default=None, primary_key=True, foreign_key="candidate.id")
    event: int | None = Field(default=None, foreign_key="event.id")
    title: str
    text: str
    fields: str
    passage: str
    start: int | None = None
    end: int | None = None


class System(Table, table=True):
    """What produced rankings; its current run is the one that counts."""

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)


class Session(Table, table=True):
    """One time that the project was opened and written to."""

    id: int | None = Field(default=None, primary_key=True)
    identity: str = Field(unique=True)


class Event(Table, table=True):
    """One thing somebody did; rows stand in fold order, and `hash` covers the one before in the session."""

    __table_args__ = (
        UniqueConstraint("session", "sequence"),
        whole("sequence", 0),
        whole("clock", 1),
        CheckConstraint("blind IN (0, 1)", name="blind"),
        CheckConstraint("length(hash) = 32", name="hash"),
    )
    id: int | None = Field(default=None, primary_key=True)
    session: int = Field(foreign_key="session.id")
    sequence: int
    clock: int
    time: int
    annotator: int = Field(foreign_key="annotator.id", index=True)
    task: str
    subject: str = Field(index=True)
    before: str | None = None
    after: str | None = None
    milliseconds: int | None = None
    blind: int
    how: str
    undoes: str | None = None
    hash: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class Run(Table, table=True):
    """One import of a system's rankings over all queries; never changed."""

    __table_args__ = (CheckConstraint("order_rule IN ('score', 'given')", name="order_rule"),)
    id: int | None = Field(default=None, primary_key=True)
    system: int = Field(foreign_key="system.id", index=True)
    event: int = Field(foreign_key="event.id", index=True)
    source: str
    sha256: str
    order_rule: str
    queries: int
    rows: int
    digest: str
    current: int


class Ranking(Table, table=True):
    """Where a run put a candidate for a query."""

    __table_args__ = (whole("rank", 1), KEYED)
    run: int = Field(sa_column=key("run.id"))
    query: int = Field(sa_column=key("query.id"))
    candidate: int = Field(sa_column=key("candidate.id"))
    rank: int
    score: float | None = None


Index(
    "ix_candidate_query",
    Candidate.__table__.c.query,  # type: ignore[attr-defined]
    sqlite_where=Candidate.__table__.c.query.is_not(None),  # type: ignore[attr-defined]
)
Index(
    "ix_ranking_top",
    *(Ranking.__table__.c[name] for name in ("run", "query", "rank")),  # type: ignore[attr-defined]
    sqlite_where=Ranking.__table__.c.rank <= TOP,  # type: ignore[attr-defined]
)


class RankingLength(Table, table=True):
    """How many candidates a run returned for a query."""

    __tablename__ = "ranking_length"
    __table_args__ = (whole("length", 1), KEYED)
    run: int = Field(sa_column=key("run.id"))
    query: int = Field(sa_column=key("query.id"))
    length: int


class Imported(Table, table=True):
    """One judgment that an import event brought."""

    __table_args__ = (
        CheckConstraint("typeof(grade) = 'integer' AND grade BETWEEN 0 AND 5", name="grade"),
        KEYED,
    )
    event: int = Field(sa_column=key("event.id"))
    query: int = Field(sa_column=key("query.id"))
    candidate: int = Field(sa_column=key("candidate.id"))
    grade: int


class Judgment(Table, table=True):
    """What one annotator now says of one candidate of one query; `beside` is JSON with reason and marks."""

    __table_args__ = (
        CheckConstraint(
            "CASE state WHEN 'graded' THEN typeof(grade) = 'integer' AND grade BETWEEN 0 AND 5 "
            "ELSE grade IS NULL END",
            name="grade",
        ),
        CheckConstraint("state IS NULL OR state IN ('graded', 'skipped', 'cannot_tell')", name="state"),
        KEYED,
    )
    annotator: int = Field(sa_column=key("annotator.id"))
    query: int = Field(sa_column=key("query.id"))
    candidate: int = Field(sa_column=key("candidate.id"))
    state: str | None = None
    grade: int | None = None
    time: int | None = None
    beside: str


class Value(Table, table=True):
    """What was last said under any other task; `annotator` is 0 where it is the project's, `subject` JSON.

    `query` and `candidate` are the keys of the first ones that the subject names.
    """

    __table_args__ = (Index("ix_value_query", "query", "task"), KEYED)
    task: str = Field(primary_key=True)
    annotator: int = Field(sa_column=key())
    subject: str = Field(primary_key=True)
    query: int | None = Field(default=None, foreign_key="query.id")
    candidate: int | None = Field(default=None, foreign_key="candidate.id")
    value: str


class Digest(Table, table=True):
    """The digest of a whole set of content: `queries`, `documents` or `answers`."""

    name: str = Field(primary_key=True)
    rows: int
    digest: str


def create(connection: sqlite3.Connection) -> None:
    """Create all tables in one transaction on a connection that is in driver autocommit.

    Raises sqlite3.Error, as the connection does.
    """
    engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)

    @event.listens_for(engine, "begin")
    def begin(sqlalchemy: Connection) -> None:
        sqlalchemy.exec_driver_sql("BEGIN IMMEDIATE")

    try:
        with engine.begin() as sqlalchemy:
            tables.metadata.create_all(sqlalchemy)
            sqlalchemy.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
            sqlalchemy.exec_driver_sql(f"PRAGMA user_version = {VERSION}")
    except DBAPIError as error:
        raise (error.orig or error) from error
