"""Whether a window can open here at all, found out before Qt would abort the process."""

import os
import sys
from collections.abc import Mapping

from annotator.desktop import lean_pyside
from annotator.errors import UserError

HEADLESS = ("offscreen", "minimal", "vnc", "linuxfb", "eglfs")

LIBRARIES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libdbus-1.so.3": "libdbus-1-3",
}
"""What Qt loads on Linux, and the Debian package that has it."""

WINDOW_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-shape.so.0": "libxcb-shape0",
}
"""What a real X window needs beside them."""


def require_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> None:
    """Raise UserError where no window can open, saying what is missing and what works without one."""
    if not platform.startswith("linux"):
        return
    headless = environment.get("QT_QPA_PLATFORM", "").split(":")[0] in HEADLESS
    if not headless and not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        raise UserError(
            "There is no display, so the window cannot open. “annotator evaluate PROJECT” and "
            "“annotator report PROJECT -o FILE.html” work without one."
        )
    x11 = not headless and bool(environment.get("DISPLAY"))
    needed = ({} if qt_loads() else LIBRARIES) | (WINDOW_LIBRARIES if x11 else {})
    missing = [package for name, package in needed.items() if not loads(name)]
    if missing:
        raise UserError(
            "The window needs libraries that are not installed; this installs them: "
            f"sudo apt-get install --no-install-recommends {' '.join(missing)}"
        )


def qt_loads() -> bool:
    """Say whether Qt finds the libraries that it is linked with."""
    try:
        lean_pyside.load()
        import PySide6.QtWidgets  # noqa: F401
    except ImportError:
        return False
    return True


def loads(library: str) -> bool:
    """Say whether the system finds and loads a shared library."""
    import ctypes

    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
