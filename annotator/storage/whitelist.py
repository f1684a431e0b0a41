"""The schema as a white list: a file is opened only when its structure is exactly the expected one.

Compared are tables, columns, types, defaults, keys, foreign keys, indexes, named checks and options, as
SQLite itself reports them; the text of the SQL is read only for the checks, which SQLite reports nowhere
else. A view, trigger, virtual table, generated column, or any other object is a difference.
"""

import re
import sqlite3
from functools import cache

from annotator.storage import opening, version1, version2

Structure = dict[str, object]

TOKEN = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\w+|[^\s\w]")


def tokens(sql: str) -> list[str]:
    """Split SQL into words and signs: names without quotes and in lower case, literals as they are.

    A damaged file may hold anything in the place of SQL, which then makes other words than the expected.
    """
    found = []
    for token in TOKEN.findall(str(sql)):
        if token.startswith('"'):
            token = token[1:-1]
        found.append(token if token.startswith("'") else token.lower())
    return found


def checks(sql: str) -> dict[str, str]:
    """Return the named CHECK rules of a CREATE TABLE statement; an unnamed one stands under its place."""
    words = tokens(sql)
    rules = {}
    for place, word in enumerate(words):
        if word != "check" or place + 1 == len(words) or words[place + 1] != "(":
            continue
        depth, end = 0, place + 1
        while end < len(words):
            depth += {"(": 1, ")": -1}.get(words[end], 0)
            end += 1
            if depth == 0:
                break
        name = words[place - 1] if words[place - 2] == "constraint" else f"unnamed {place}"
        rules[name] = " ".join(words[place + 1 : end])
    return rules


def partial(sql: str | None) -> str:
    """Return the condition of a partial index, or nothing."""
    words = tokens(sql or "")
    return " ".join(words[words.index("where") :]) if "where" in words else ""


def structure(connection: sqlite3.Connection) -> Structure:
    """Return the structure of a database as plain values that can be compared."""
    ask = connection.execute
    parts: Structure = {}
    objects = ask("SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT 1000").fetchall()
    for kind, name, table, sql in objects:
        if kind == "table":
            words = tokens(sql or "")
            parts[f"table {name}"] = {
                "options": ask(
                    "SELECT type, wr, strict FROM pragma_table_list WHERE name = ? AND schema = 'main'",
                    (name,),
                ).fetchall(),
                "columns": ask("SELECT * FROM pragma_table_xinfo(?, 'main')", (name,)).fetchall(),
                "foreign keys": sorted(
                    ask(
                        'SELECT "table", "from", "to", on_update, on_delete, match '
                        "FROM pragma_foreign_key_list(?, 'main')",
                        (name,),
                    ).fetchall()
                ),
                "checks": checks(sql or ""),
                "other": sorted(
                    {"collate", "generated", "conflict", "autoincrement", "deferrable"} & {*words}
                ),
            }
        elif kind == "index":
            parts[f"index {name}"] = {
                "table": table,
                "kind": ask(
                    "SELECT \"unique\", origin, partial FROM pragma_index_list(?, 'main') WHERE name = ?",
                    (table, name),
                ).fetchall(),
                "columns": ask("SELECT * FROM pragma_index_xinfo(?, 'main')", (name,)).fetchall(),
                "condition": partial(sql),
            }
        else:
            parts[f"{kind} {name}"] = sql
    return parts


@cache
def expected(version: int) -> Structure:
    """Return the structure of an empty project of a version."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        for statement in (version1 if version == 1 else version2).STATEMENTS:
            connection.execute(statement)
        return structure(connection)
    finally:
        connection.close()


def differences(connection: sqlite3.Connection) -> list[str]:
    """Return what in a database is missing, added or changed against the structure of its version."""
    found, wanted = structure(connection), expected(opening.version(connection))
    return [
        *(f"{name} is missing" for name in sorted(wanted.keys() - found.keys())),
        *(f"{name} does not belong there" for name in sorted(found.keys() - wanted.keys())),
        *(
            f"{name} is changed"
            for name in sorted(wanted.keys() & found.keys())
            if found[name] != wanted[name]
        ),
    ]
