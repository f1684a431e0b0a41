"""Settings for every test: offscreen Qt, folders of the user in a temporary place, counts of fault tests."""

import functools
import gc
import os
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
import typer.testing
from hypothesis import HealthCheck, settings

from annotator.desktop import lean_pyside
from annotator.storage.file import access

SYNCHRONOUS, FSYNC = access.SYNCHRONOUS, os.fsync

settings.register_profile(
    "ci", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile("nightly", settings.get_profile("ci"), derandomize=False)

try:
    import PySide6.QtWidgets  # noqa: F401
except ImportError:  # without Qt's libraries everything that needs no window still runs
    collect_ignore = ["desktop", "journeys"]
else:
    lean_pyside.give_imports_back()  # as the program does


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--nightly", action="store_true", help="run the fault tests at their full counts")
    if "pytestqt.plugin" not in sys.modules:
        for name in ("qt_api", "qt_log_level_fail", "qt_log_ignore"):
            parser.addini(name, "read by pytest-qt, which is not loaded without Qt", type="linelist")


def pytest_configure(config: pytest.Config) -> None:
    """Choose how hypothesis draws, before the tests are read; workers are told on their own command line."""
    settings.load_profile("nightly" if config.getoption("--nightly") else "ci")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give tests at their full counts more time than CI allows a test."""
    if config.getoption("--nightly"):
        for item in items:
            item.add_marker(pytest.mark.timeout(7_200))


def pytest_collection_finish() -> None:
    """Look for no garbage among the tests themselves, some thousand of them, each time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _each_command_built_once() -> Iterator[None]:
    """Build the command line once for all tests that run it in their process, as a program does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.testing, "_get_command", functools.cache(typer.testing._get_command))
        yield


@pytest.fixture
def count(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """Return how often a fault test repeats: `count(in_ci, nightly)`."""
    nightly = bool(request.config.getoption("--nightly"))
    return lambda in_ci, at_night: at_night if nightly else in_ci


@pytest.fixture
def counted(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Return what a test says its counts with; they stand at the end of a nightly run."""
    return lambda text: record_property("counted", text)


def reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return in one line which test failed, and of what."""
    crash = getattr(report.longrepr, "reprcrash", None)
    told = [line[1:].strip() for line in report.longreprtext.splitlines() if line.startswith("E ")]
    lines = told[-1:] if crash is None else crash.message.splitlines()
    return f"{report.nodeid}: {next(filter(None, lines), 'see below')}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> Generator[None, None, None]:
    """Print why tests failed above where they did; below it, in a nightly run, what was counted."""
    failed = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
    for report in failed:
        terminalreporter.write_line(reason(report), red=True)
    yield
    if config.getoption("--nightly"):
        for report in (*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")):
            for name, text in report.user_properties:
                if name == "counted":
                    terminalreporter.write_line(str(text))


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_the_disk() -> Iterator[None]:
    """Let commits return before they are on the disk: most tests say nothing of a power cut."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(access, "SYNCHRONOUS", "OFF")
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture
def on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commits wait for the disk, as they do in the program."""
    monkeypatch.setattr(access, "SYNCHRONOUS", SYNCHRONOUS)
    monkeypatch.setattr(os, "fsync", FSYNC)


@pytest.fixture(autouse=True)
def _user_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the user's real folders out of every test, also in the programs a test starts."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))


@pytest.fixture(scope="session")
def qapp_cls() -> type:
    """Return the program's own application, for pytest-qt to make."""
    from annotator.desktop.program import Program

    return Program


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """Return the folder of real data with known results, or skip: it is not part of the project."""
    folder = os.environ.get("ANNOTATOR_REFERENCE_DATA")
    if not folder:
        pytest.skip("ANNOTATOR_REFERENCE_DATA names no folder of reference data")
    return Path(folder)
