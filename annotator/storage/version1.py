"""Version 1 of the project file: the two tables in which it differs from version 2, and how to read them.

There the candidate, not its text, told the import that had named it first. `VIEWS` say of either table what
it is in version 2, so that an old file is read through them where it cannot be written, and upgraded by them.
"""

from annotator.storage import version2

NAMED_IN = {
    "content": (
        ("    event INTEGER,\n", ""),
        (",\n    CONSTRAINT fk_content_event FOREIGN KEY(event) REFERENCES event (id)", ""),
    ),
    "candidate": (
        ('    "query" INTEGER,\n', '    "query" INTEGER,\n    event INTEGER REFERENCES event (id),\n'),
    ),
}
"""What of a table's statement is otherwise: (version 2, version 1)."""


def earlier(statement: str) -> str:
    """Return the statement of version 1 for one of version 2."""
    for new, old in NAMED_IN.get(statement.split()[2], ()):
        statement = statement.replace(new, old)
    return statement


STATEMENTS = tuple(map(earlier, version2.STATEMENTS))

VIEWS = {
    "content": "SELECT content.candidate, (SELECT event FROM main.candidate AS named "
    'WHERE named.id = content.candidate) AS event, title, text, fields, passage, start, "end" '
    "FROM main.content",
    "candidate": 'SELECT id, external, "query" FROM main.candidate',
}
"""In the order in which they can be made anew: a text is told its import before the candidate forgets it."""
