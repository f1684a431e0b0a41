"""PySide6 loaded without what only its own tools ask of it.

It can parse the signatures of its calls, which it does to say which arguments a call takes that was given
wrong ones, and to write stubs. For that it compiles six modules from their source at each start, and long
regular expressions with them: a fifth of the time until a bare window is painted. And to learn who may spell
its names in other ways it reads the source of every module that is imported after it.
"""

import builtins
import sys
from typing import Any

DEFERRED = ("parser", "layout", "errorhandler", "lib/tool", "lib/enum_sig", "lib/pyi_generator")
"""Its modules that take most time and are not asked before a signature is."""

LATER = """
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    names = globals()
    del names["__getattr__"]
    exec(compile({source!r}, {filename!r}, "exec"), names)
    try:
        return names[name]
    except KeyError:
        raise AttributeError(name) from None
"""
"""A module that becomes what it is when something in it is first asked for."""


def load() -> None:
    """Load PySide6, its parser of signatures when it is first needed; it works as otherwise."""
    if "shiboken6" not in sys.modules:
        compiled, late = builtins.compile, {f"shibokensupport/signature/{name}.py" for name in DEFERRED}

        def put_off(source: Any, filename: Any, *rest: Any, **more: Any) -> Any:
            if filename in late:
                source = LATER.format(source=source, filename=filename)
            return compiled(source, filename, *rest, **more)

        builtins.compile = put_off
        try:
            import PySide6.QtCore  # noqa: F401
        finally:
            builtins.compile = compiled
    give_imports_back()


def give_imports_back() -> None:
    """Let Python alone import again: nothing here asks for PySide6's other spellings of its names.

    Looking for who may ask takes a fifth of the time that numpy, pandas and matplotlib take to load, and an
    eighth of the window's own start.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
