"""Version 1 of the project file: the two tables in which it differs from version 2, and how to read them.

There the candidate, not its text, told the import that had named it first. `VIEWS` say of either table what
it is in version 2, so that an old file is read through them where it cannot be written, and upgraded by them.
"""

from annotator.storage import version2

TABLES = {
    "candidate": """
CREATE TABLE candidate (
    id INTEGER NOT NULL,
    external VARCHAR NOT NULL,
    "query" INTEGER,
    event INTEGER,
    CONSTRAINT pk_candidate PRIMARY KEY (id),
    CONSTRAINT uq_candidate_external UNIQUE (external),
    CONSTRAINT fk_candidate_query FOREIGN KEY("query") REFERENCES "query" (id),
    CONSTRAINT fk_candidate_event FOREIGN KEY(event) REFERENCES event (id)
)
""",
    "content": """
CREATE TABLE content (
    candidate INTEGER NOT NULL,
    title VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    fields VARCHAR NOT NULL,
    passage VARCHAR NOT NULL,
    start INTEGER,
    "end" INTEGER,
    CONSTRAINT pk_content PRIMARY KEY (candidate),
    CONSTRAINT ck_content_span CHECK ((start IS NULL) = ("end" IS NULL)),
    CONSTRAINT fk_content_candidate FOREIGN KEY(candidate) REFERENCES candidate (id)
)
""",
}

STATEMENTS = tuple(TABLES.get(one.split()[2], one) for one in version2.STATEMENTS)

VIEWS = {
    "content": "SELECT content.candidate, (SELECT event FROM main.candidate AS named "
    'WHERE named.id = content.candidate) AS event, title, text, fields, passage, start, "end" '
    "FROM main.content",
    "candidate": 'SELECT id, external, "query" FROM main.candidate',
}
"""In the order in which they can be made anew: a text is told its import before the candidate forgets it."""
