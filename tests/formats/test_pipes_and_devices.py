"""A pipe is not waited for and a device is not replaced: one clear line, at once."""

import os
import sys
from pathlib import Path

import pytest

from annotator.errors import UserError
from annotator.formats.registry import sniff
from annotator.formats.text_lines import open_bytes
from annotator.formats.whole_files import replacing, replacing_bytes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


@pytest.fixture(params=["pipe", "device"])
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a pipe without a writer, or a way to a device."""
    path = tmp_path / "odd.run"
    if request.param == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    return path


@pytest.mark.timeout(10)
def test_it_is_not_read(odd: Path) -> None:
    with pytest.raises(UserError, match="is a pipe or a device"):
        sniff(odd)
    with pytest.raises(UserError, match="is a pipe or a device"):
        open_bytes(odd)


@pytest.mark.timeout(10)
@pytest.mark.parametrize("way", [replacing, replacing_bytes])
def test_it_is_not_replaced(odd: Path, way: type) -> None:
    before = os.lstat(odd)
    with pytest.raises(UserError, match="nothing was written"), way(odd):
        raise AssertionError("nothing is begun")
    assert os.lstat(odd) == before
    assert os.listdir(odd.parent) in (["odd.run", "home"], ["home", "odd.run"])
