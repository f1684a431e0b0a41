"""The program of a bundle: `annotator`, and the process that looks after an open project."""

import sys

if sys.argv[1:2] == ["-c"]:  # as that one is started where there is a Python for it
    from annotator.project.background_check import main

    del sys.argv[1:3]
else:
    from annotator.cli import main

main()
