"""The start: `annotator PROJECT` opens the window at once, `annotator COMMAND` does one thing and ends."""

import logging
import os
import sys
from collections.abc import Sequence

from annotator.errors import UserError


def main() -> None:
    """Run the program with the words of the command line.

    Linear algebra stays in one thread: how many processors there are then changes no last digit, and a short
    command does not pay a third of its processor time for threads that find nothing to do.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    say_nothing_of_fonts()
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    words = sys.argv[1:]
    if not words or (len(words) == 1 and words[0].endswith(".annot") and os.path.exists(words[0])):
        sys.exit(_open_window(words))
    from annotator.commands.program import app

    app(prog_name="annotator")


def say_nothing_of_fonts() -> None:
    """Keep to ourselves that the drawing library lists the fonts of this computer, once: it is no error."""
    logging.getLogger("matplotlib.font_manager").addFilter(
        lambda record: "building the font cache" not in record.getMessage()
    )


def _open_window(words: Sequence[str]) -> int:
    """Open the window without loading a single command: it is painted sooner by a quarter."""
    from annotator.desktop import app

    try:
        return app.main(words)
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return 1


if __name__ == "__main__":
    main()
