"""Loading ahead: what a page needs is there, and closing stops it."""

import subprocess
import sys

from annotator.desktop.preload import LIBRARIES, warm_up
from annotator.watch import UNWATCHED, Watch

SCRIPT = """
import sys
from annotator.desktop.preload import LIBRARIES, warm_up
from annotator.watch import Watch
before = [name for name in LIBRARIES if name in sys.modules and name != "numpy"]
asked = iter([False] * LIBRARIES.index("scipy.special") + [True])
warm_up(lambda: True, Watch(should_stop=lambda: next(asked)))
print(before, "matplotlib.figure" in sys.modules, "scipy.special" in sys.modules)
"""


def test_nothing_is_loaded_before_and_nothing_more_once_asked_to_stop() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] True False"


def test_every_library_can_be_loaded() -> None:
    warm_up(lambda: True, UNWATCHED)
    assert set(LIBRARIES) <= set(sys.modules)


def test_nothing_is_loaded_while_the_annotator_is_at_work() -> None:
    rests = iter([False, False, *[True] * len(LIBRARIES)])
    asked = []
    warm_up(lambda: next(rests), Watch(should_stop=lambda: bool(asked.append(1))))
    assert len(asked) == len(LIBRARIES) + 2
    assert not list(rests)
