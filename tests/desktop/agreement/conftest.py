"""The Agreement page of a project that two people graded differently."""

import pytest
from pytestqt.qtbot import QtBot

from annotator.desktop.agreement.page import AgreementPage
from annotator.desktop.window import Window
from tests.desktop.graded import PATIENCE, grade_queries


def shown(window: Window, qtbot: QtBot) -> AgreementPage:
    """Show the Agreement page and wait until it is computed."""
    window.stack.show_page(3)
    page = window.pages[3]
    assert isinstance(page, AgreementPage)
    qtbot.waitUntil(lambda: page.found is not None and not page.job.busy, timeout=PATIENCE)
    return page


@pytest.fixture
def agreement(window: Window, qtbot: QtBot) -> AgreementPage:
    grade_queries(window, qtbot, (1, 2, 3))
    grade_queries(window, qtbot, (1, 2), annotator="bob", off=-1)
    return shown(window, qtbot)
