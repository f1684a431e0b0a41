from pathlib import Path

import pytest

from annotator.errors import InputError
from annotator.formats.trec_topics import FORMAT
from annotator.records import Query

CLASSICAL = """
<top>

<num> Number: 303
<title> Hubble Telescope
Achievements

<desc> Description:
Identify positive accomplishments of the
Hubble telescope.

<narr> Narrative:
Documents are relevant that show AT&T &amp; others.

</top>
"""

CLOSED = "<top><num>7</num><title>a &lt; b</title></top>\n<top>\n<num> 8 </num>\n</top>"


def test_classical_topics_have_parts_that_are_not_closed(tmp_path: Path) -> None:
    (tmp_path / "t").write_text(CLASSICAL)
    guidelines = "Documents are relevant that show AT&T & others."
    described = {"description": "Identify positive accomplishments of the Hubble telescope."}
    wanted = Query("303", "Hubble Telescope Achievements", guidelines=guidelines, fields=described)
    assert FORMAT.read(tmp_path / "t").queries == [wanted]


def test_parts_may_be_closed(tmp_path: Path) -> None:
    (tmp_path / "t").write_text(CLOSED)
    assert FORMAT.read(tmp_path / "t").queries == [Query("7", "a < b"), Query("8", "")]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("<top>\n<title> x\n</top>\n", 1, "no <num>"),
        ("<top><num> 1</top>\n<top><num> 1</top>", 2, "given twice"),
        ("<top><num> 1</top>\n<top><num> 2", 1, "2 <top> and 1 </top>"),
        ("<top><num> 1 <num> 2</top>", 1, "two <num>"),
        ("nothing", 1, "0 <top>"),
    ],
)
def test_topics_that_cannot_be_taken_are_named(tmp_path: Path, text: str, line: int, what: str) -> None:
    (tmp_path / "t").write_text(text)
    with pytest.raises(InputError, match=what) as caught:
        FORMAT.read(tmp_path / "t")
    assert caught.value.problems[0].line == line
