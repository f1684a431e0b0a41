"""Every expression over texts of others takes time that grows with the text and not with its square.

All expressions of the program are found, whether they are compiled once or where they are used, and each is
driven with long repetitions of its own signs.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import product
from pathlib import Path
from time import process_time

import pytest

import annotator

ROOT = Path(annotator.__file__).parent
LENGTH = 20_000
SLOW = 0.1
"""Seconds of the processor: one pass over so many letters takes a few hundredths of it, a square far more."""

Expression = re.Pattern[str] | re.Pattern[bytes]

OWN = {
    "style_sheet.py": "sheets of our own",
    "svg.py": "drawings of our own",
    "formulas.py": "formulas of our own",
    "curves.py": "measures, whose names are short",
}
"""Whose expressions never see a text of others."""

COMMON = (
    "a",
    " ",
    "\t",
    "\n",
    "0",
    "a ",
    " a",
    "\n\n",
    "- ",
    ". ",
    "<",
    "<a ",
    "[",
    "[a](",
    "*",
    "**a ",
    "'",
    ",",
)


def expressions() -> Iterator[tuple[str, bool, Expression]]:
    """Yield where an expression stands, whether it is looked for anywhere in a text, and itself."""
    for file in sorted(ROOT.rglob("*.py")):
        if file.name in OWN:
            continue
        source = file.read_text("utf-8")
        if "import re" not in source:
            continue
        module = import_module(".".join(file.relative_to(ROOT.parent).with_suffix("").parts))
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern) and re.search(rf"^{name} = ", source, re.MULTILINE):
                yield f"{file.name}:{name}", bool(re.search(rf"\b{name}\.(?!match|fullmatch)", source)), value
        for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
            if ast.unparse(call.func) in CALLS and isinstance(call.args[0], ast.Constant):
                yield f"{file.name}:{call.lineno}", True, re.compile(call.args[0].value)


CALLS = tuple(
    f"re.{name}" for name in ("sub", "split", "match", "search", "fullmatch", "findall", "finditer")
)


def pumps(pattern: str, most: int) -> list[str]:
    """Return what to repeat: usual signs, the words that an expression names, and pairs of its signs."""
    words = re.findall(r"[A-Za-z]{2,}|<[a-z/]+>?", re.sub(r"\\.", " ", pattern))
    signs = sorted(set(re.sub(r"\\[A-Za-z]", "", pattern)) - set("\\^$?+{}|")) + list("\n a0")
    pairs = ["".join(pair) for pair in product(dict.fromkeys(signs), repeat=2)]
    step = max(1, len(pairs) // most)
    return list(dict.fromkeys((*COMMON, *words, *(f"<{word}>" for word in words), *pairs[::step])))


def drive(most: int) -> None:
    """Search and match each expression in each text; say what is begun, and what took too long."""
    for where, anywhere, one in expressions():
        pattern = one.pattern if isinstance(one.pattern, str) else one.pattern.decode("latin-1")
        for unit, end in product(pumps(pattern, most), ("", "\x00")):
            text = unit * (LENGTH // len(unit)) + end
            sys.stdout.write(f"{where} {unit!r}\n")
            sys.stdout.flush()
            begun = process_time()
            seen = text if isinstance(one.pattern, str) else text.encode()
            for _ in one.finditer(seen) if anywhere else ():  # type: ignore[arg-type]
                pass
            one.match(seen)  # type: ignore[arg-type]
            if process_time() - begun > SLOW:
                sys.stdout.write(f"slow {where} {unit!r} {pattern}\n")


def test_every_expression_takes_one_pass(
    count: Callable[[int, int], int], counted: Callable[[str], None]
) -> None:
    command = [sys.executable, "-c", f"from tests.test_expressions import drive; drive({count(6, 400)})"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=count(50, 1_500), check=False)
    except subprocess.TimeoutExpired as late:
        pytest.fail(f"did not end: {(late.stdout or b'').decode().splitlines()[-1:]}")
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert not (slow := [line for line in lines if line.startswith("slow")]), "\n".join(slow)
    counted(f"expressions: {len(lines):,} texts in one pass each")


@pytest.mark.parametrize(("bad", "unit"), [(r"\s+[-]\s+", " "), (r"<top>(.*?)</top>", "<top>")])
def test_control_a_square_is_found(bad: str, unit: str) -> None:
    assert unit in pumps(bad, 400)
    assert _seconds(bad, unit) > SLOW


def _seconds(pattern: str, unit: str) -> float:
    begun = process_time()
    for _ in re.compile(pattern, re.DOTALL).finditer(unit * (LENGTH // len(unit))):
        pass
    return process_time() - begun
