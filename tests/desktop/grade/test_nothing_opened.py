"""No document opens a file or an address: what the program asks of the system is watched while it shows them.

Needs strace (`apt install strace`); elsewhere `test_rich_text_fetches_nothing` and the closed doors of
`tests/journeys/test_without_network.py` stand alone.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

STRACE = shutil.which("strace")
CALLS = "open,openat,openat2,stat,lstat,newfstatat,statx,access,faccessat,faccessat2,readlink,connect,sendto"
TRAP = "a-trap-for-documents.png"
"""No name of a file or host that the program has any other reason to ask for."""

ADDRESSES = (
    "file://{folder}/{trap}",
    "{folder}/{trap}",
    "{trap}",
    "file:{trap}",
    "qrc:/{trap}",
    ":/{trap}",
    "//127.0.0.1/share/{trap}",
    "file://127.0.0.1/share/{trap}",
    r"\\127.0.0.1\share\{trap}",
    "http://127.0.0.1:9/{trap}",
    "https://127.0.0.1:9/{trap}",
    "ftp://127.0.0.1:9/{trap}",
    "data:text/css,@import 'file://{folder}/{trap}'",
)
HTML = (
    '<p>x<img src="{u}">',
    "<p><img src='{u}' srcset='{u} 2x' alt='a'>",
    '<html><head><link rel="stylesheet" href="{u}"></head><body>x',
    "<html><style>@import url({u}); p {{ background: url({u}) }}</style><p>x",
    '<body background="{u}">x',
    '<table background="{u}"><tr><td background="{u}" style="background-image: url({u})">x</table>',
    '<div style="background: url({u}); list-style-image: url({u})">x</div>',
    '<p><object data="{u}"></object><iframe src="{u}"></iframe><embed src="{u}">',
    '<p><svg><image href="{u}"/><use xlink:href="{u}"/></svg><video poster="{u}"></video>',
    '<p><a href="{u}"><img src="{u}"></a><base href="{u}"><meta http-equiv=refresh content="0; {u}">',
    '<p><input type=image src="{u}"><ul style="list-style: url({u})"><li>x</ul>',
)
MARKDOWN = (
    "![x]({u})",
    "![a[b]]({u})",
    "![a][r]\n\n[r]: {u}",
    "![r]\n\n[r]: {u} 'title'",
    "[![a]({u})]({u})",
    "![a](<{u}>)",
    '![a]({u} "title")',
    "|a|b|\n|-|-|\n|![a]({u})|![a[b]]({u})|",
    "# ![a]({u})\n\n> - ![]({u})",
    "<img src='{u}'>\n\n<{u}>",
    "![a\nb]({u}) ![*a*]({u}) !\\[a]({u}) ![![a]({u})]({u})",
    "x[^1]\n\n[^1]: ![a]({u})",
)


def texts(folder: Path, number: int) -> list[tuple[str, str]]:
    """Return kinds and texts: each form with each address, then so many drawn mixtures."""
    urls = [address.format(folder=folder, trap=TRAP) for address in ADDRESSES]
    made = [("html", form.format(u=url)) for form in HTML for url in urls]
    made += [("markdown", form.format(u=url)) for form in MARKDOWN for url in urls]
    for at in range(number):
        draw = Random(at)
        forms = draw.choices(HTML + MARKDOWN, k=6)
        mixed = "\n\n".join(form.format(u=draw.choice(urls)) for form in forms)
        made.append((draw.choice(("html", "markdown", "plain")), mixed))
    return made


def show(folder: Path, number: int) -> None:
    """Show the texts wherever the window shows texts of others."""
    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QApplication, QToolTip

    from annotator.desktop.grade.asked_panel import AskedRow
    from annotator.desktop.grade.card import Card
    from annotator.desktop.grade.full_text import Reader
    from annotator.desktop.grade.guidelines import Guidelines
    from annotator.desktop.grade.painted_text import PaintedText
    from annotator.desktop.grade.prepared import field_line, marked
    from annotator.desktop.nuggets_dialog import NuggetsDialog
    from annotator.desktop.question import confirm
    from annotator.desktop.style import label, tip
    from annotator.project.nuggets import Nugget
    from annotator.project.views import Asked, CandidateView
    from annotator.theme import LIGHT
    from tests.desktop.grade.hostile_documents import VIEW

    app = QApplication([])
    reader, card = Reader(LIGHT, None), Card(LIGHT, None)  # type: ignore[arg-type]
    guidelines, name = Guidelines(None), label()  # type: ignore[arg-type]
    row, side = AskedRow(None), PaintedText("left", None)  # type: ignore[arg-type]
    parts = (reader, card, guidelines, name, row, side)
    for part in parts:
        part.resize(800, 300)
        part.show()
    for at, (kind, text) in enumerate(texts(folder, number)):
        one = CandidateView(at, text, "document", text, fields={"format": kind, "a": text}, text=text)
        card.show_candidate(one, marked(VIEW, one), 1, ((), ()), field_line("", one), True)
        reader.show_text(VIEW, one, text, True)
        guidelines.show_texts(text, text)
        name.setText(text)
        row.show_asked(Asked("citation", (text,), text, text, (text, text), text, kind), 0, True, 800)
        row.show_passage("en")
        side.show_text(text)
        QToolTip.showText(QPoint(9, 9), tip(text), reader)
        if at % 50 == 0:
            confirm(reader, text, text, text, "Yes", lambda: None)
            NuggetsDialog(text, [Nugget(text, id=text)], lambda _: None, reader).open()
        app.processEvents()
        for part in parts:
            part.grab()
    os._exit(0)


def show_carelessly(folder: Path, number: int) -> None:
    """Show one of them as Qt would."""
    from PySide6.QtWidgets import QApplication, QTextBrowser

    app = QApplication([])
    browser = QTextBrowser()
    browser.resize(800, 300)
    browser.show()
    browser.setHtml(texts(folder, number)[0][1])
    app.processEvents()
    browser.grab()
    os._exit(0)


def asked_for(call: str, folder: Path, number: int) -> tuple[list[str], list[str]]:
    """Return what was asked of the system while texts were shown: for the trap, and of other computers."""
    assert STRACE is not None
    (folder / TRAP).write_bytes(b"")
    log = folder / "calls.txt"
    ours = f"from tests.desktop.grade.test_nothing_opened import {call}; from pathlib import Path"
    code = f"import sys; sys.path.insert(0, {os.getcwd()!r}); {ours}; {call}(Path({str(folder)!r}), {number})"
    # the kernel stops the program at those calls alone
    watched = [STRACE, "-f", "--seccomp-bpf", "-s", "400", "-e", f"trace={CALLS}", "-o", str(log)]
    watched += [sys.executable, "-c", code]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(watched, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if "PTRACE" in done.stderr or "Operation not permitted" in done.stderr:
        pytest.skip("strace may not watch programs here")
    assert done.returncode == 0, done.stderr
    lines = log.read_text("utf-8", "replace").splitlines()
    assert any("PySide6" in line for line in lines), "strace saw the program"
    away = [line for line in lines if "AF_INET" in line or "127.0.0.1" in line]
    return [line for line in lines if TRAP in line], away


@pytest.mark.skipif(STRACE is None, reason="strace is not installed")
def test_no_document_opens_a_file_or_an_address(
    tmp_path: Path, count: Callable[[int, int], int], counted: Callable[[str], None]
) -> None:
    number = count(40, 2_000)
    files, away = asked_for("show", tmp_path, number)
    assert (files, away) == ([], [])
    counted(f"documents that name files and addresses: {len(texts(tmp_path, number)):,} shown, none opened")


@pytest.mark.skipif(STRACE is None, reason="strace is not installed")
def test_control_shown_as_qt_would_a_document_opens_a_file(tmp_path: Path) -> None:
    files, _ = asked_for("show_carelessly", tmp_path, 0)
    assert files
