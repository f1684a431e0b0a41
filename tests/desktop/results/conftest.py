"""The program's look, which every painted widget relies on."""

import pytest
from PySide6.QtWidgets import QApplication

from annotator.desktop.style import Appearance


@pytest.fixture(scope="session", autouse=True)
def look(qapp: QApplication) -> Appearance:
    return Appearance(qapp, "light")
