"""JSON without its traps: keys given twice, NaN, numbers beyond a double and endless nesting are refused."""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from json import decoder, scanner
from pathlib import Path
from typing import Any, NoReturn, TextIO, cast

from annotator.formats.declaration import Reading
from annotator.formats.rows import query_id_problem
from annotator.formats.text_lines import Problems, text_lines, whole_text
from annotator.records import Json, id_problem, text_problem


class _Refused(ValueError):
    """Something that JSON or Python would let pass; `position` is known once it was looked for."""

    position: int | None = None


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _Refused(f"an object holds the key {twice[:60]!r} twice; keep one of them")
    return members


def _constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is not a number; write one, or null")


def _finite(token: str) -> float:
    value = float(token)
    if value in (float("inf"), float("-inf")):
        raise _Refused(f"the number {token[:40]} is too large")
    return value


_strict = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_constant, parse_float=_finite)


class _Locating(json.JSONDecoder):
    """The same decoder, slower, which tells where the object begins that is refused."""

    def __init__(self) -> None:
        super().__init__(object_pairs_hook=_unique, parse_constant=_constant, parse_float=_finite)
        plain = cast("Any", decoder).JSONObject

        def parse_object(text_and_end: tuple[str, int], *rest: Any) -> Any:
            try:
                return plain(text_and_end, *rest)
            except _Refused as refused:
                if refused.position is None:
                    refused.position = text_and_end[1] - 1
                raise

        self.parse_object = parse_object
        self.scan_once = cast("Any", scanner).py_make_scanner(self)


def parse(text: str, problems: Problems, first_line: int = 1) -> Json:
    """Return the value a text holds, or None after naming why it holds none; `first_line` is its line."""
    message, position = "", 0
    try:
        return cast("Json", _strict.decode(text))
    except json.JSONDecodeError as error:
        message, position = f"is not valid JSON here ({error.msg}); mend it or export it again", error.pos
    except RecursionError:
        message = "is nested too deeply to be data"
    except _Refused as error:
        message, position = str(error), _place(text)
    except ValueError:
        message = "holds a number with thousands of digits"
    line = first_line + text.count("\n", 0, position)
    problems.add(line, message, position - text.rfind("\n", 0, position))
    return None


def _place(text: str) -> int:
    try:
        _Locating().decode(text)
    except _Refused as error:
        return error.position or 0
    except RecursionError:
        return 0
    return 0


def json_lines(path: Path, problems: Problems, reading: Reading) -> Iterator[tuple[int, dict[str, Json]]]:
    """Yield (line, object) of every line; a line that holds no object is a problem."""
    for number, text in text_lines(path, problems, reading):
        before = len(problems)
        value = parse(text, problems, number)
        if isinstance(value, dict):
            yield number, value
        elif len(problems) == before:
            problems.add(number, "holds no JSON object; each line needs one, such as {...}")


def json_file(path: Path, problems: Problems, reading: Reading) -> Json:
    """Return what a whole file holds; raises InputError when that is not valid."""
    text = whole_text(path, problems, reading)
    value = parse(text, problems)
    problems.check()
    return value


class Members:
    """An object's members, taken out with their type checked; what is wrong becomes a problem of its line.

    `where` names the object for the person who mends the file ("question 3 of 'Normans'").
    """

    def __init__(self, value: Json, problems: Problems, line: int | None, where: str = "") -> None:
        self.value: Mapping[str, Json] = value if isinstance(value, dict) else {}
        self.problems = problems
        self.line = line
        self.where = f"{where}: " if where else ""
        if not isinstance(value, dict):
            self.wrong("is no JSON object")

    def wrong(self, message: str) -> None:
        """Name a problem of this object."""
        self.problems.add(self.line, self.where + message)

    def text(self, name: str, default: str | None = None) -> str:
        """Return a text; without a default it has to be there."""
        value = self.value.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            self.wrong(f'{name!r} is {"missing" if value is None else "no text"}; give it as "..."')
            return ""
        if wrong := text_problem(value, name):
            self.wrong(wrong)
        return value

    def id(self, name: str) -> str:
        """Return an external id, given as text or as a whole number."""
        value = self.value.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        text = value if isinstance(value, str) else ""
        if wrong := (id_problem(text) if isinstance(value, str) else f"{name!r} is missing or no id"):
            self.wrong(wrong)
        return text

    def query_id(self, name: str) -> str:
        """Return a query's id."""
        identity = self.id(name)
        if identity and (wrong := query_id_problem(identity)) != id_problem(identity):
            self.wrong(str(wrong))
        return identity

    def items(self, name: str) -> list[Json]:
        """Return a list; nothing where it is missing."""
        value = self.value.get(name)
        if value is not None and not isinstance(value, list):
            self.wrong(f"{name!r} is no list; give it as [...]")
        return value if isinstance(value, list) else []

    def fields(self, name: str) -> dict[str, Json]:
        """Return an object as it is; nothing where it is missing."""
        value = self.value.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.wrong(f"{name!r} is no JSON object; give it as {{...}}")
            return {}
        if wrong := text_problem(compact(value), name):
            self.wrong(wrong)
        return value

    def place(self, name: str) -> int | None:
        """Return a count of characters, or None where it is missing."""
        value = self.value.get(name)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            self.wrong(f"{name!r} is no count of characters; give a whole number from 0")
            return None
        return value


class Once:
    """Says so when an id is given twice."""

    def __init__(self, what: str, problems: Problems) -> None:
        self.problems = problems
        self._what = what
        self._seen: set[str] = set()

    def check(self, identity: str, line: int | None) -> None:
        """Name a problem when the id came before."""
        if identity in self._seen:
            self.problems.add(line, f"the {self._what} id {identity[:60]!r} is given twice; keep one")
        self._seen.add(identity)


MEMBER = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*')


def first_value(text: str) -> str:
    """Return what stands behind the first name of an object, "" for what does not begin as one."""
    member = MEMBER.match(text)
    return text[member.end() :] if member else ""


def number_of(value: Json) -> float | None:
    """Return a JSON number as a finite double, or None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > sys.float_info.max:
        return None
    return float(value)


def compact(value: object) -> str:
    """Return JSON on one line, as short as it gets, readable in every script."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write_object(file: TextIO, members: Iterable[tuple[str, object]]) -> None:
    """Write an object member by member: written at once, a large one keeps every other thread waiting."""
    between = "{"
    for name, value in members:
        file.write(f"{between}{compact(name)}:{compact(value)}")
        between = ","
    file.write("{}\n" if between == "{" else "}\n")
