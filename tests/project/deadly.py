"""Work for other processes that ends one of them in its midst: they load it by its name."""

import os
import signal
from pathlib import Path


def squared(number: int, deaths: Path, dying: tuple[int, ...]) -> int:
    """Return a square; of the numbers named, the process dies over the first try, which a file remembers."""
    if number in dying and not (deaths / str(number)).exists():
        (deaths / str(number)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def die(_: int) -> None:
    """End the process at once."""
    os.kill(os.getpid(), signal.SIGKILL)
