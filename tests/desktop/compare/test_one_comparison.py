"""One comparison has one p: on the Compare page, in its table, in reports, on the command line, in Python."""

import csv
import json
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from html import unescape
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot
from typer.testing import CliRunner

from annotator import api
from annotator.commands.program import app
from annotator.desktop.compare.page import ComparePage
from annotator.desktop.report.page import ReportPage
from annotator.desktop.results.evaluated_page import EvaluatedPage
from annotator.desktop.window import Window
from annotator.evaluation.options import Options
from annotator.evaluation.statistics import CORRECTIONS, OVER, TESTS
from annotator.metrics.catalogue import parse
from annotator.project import browse, judging
from annotator.project.project import Project
from annotator.project.settings import set_setting
from annotator.project.snapshots import take_snapshot
from annotator.records import Dataset, Document, Query
from tests.desktop.conftest import OpenWindow
from tests.desktop.graded import PATIENCE
from tests.examples import examples
from tests.project.conftest import add, run_table
from tests.project.scores import by

QUERIES, DEPTH = 9, 5
SYSTEMS = tuple(f"system {letter}" for letter in "abcdefgh")
MEASURES = ("nDCG@3", "AP", "RR", "P@2", "RBP")
SECTIONS = ("comparisons", "provenance")
BESIDE = ("p", "p_alone", "test", "correction", "comparisons", "identity")


@dataclass(frozen=True)
class Asked:
    """What somebody chooses on the Compare page: options of the evaluation, and how systems are compared."""

    options: Mapping[str, Any]
    test: str = "randomisation"
    correction: str = "holm"
    baseline: str | None = None
    alpha: float = 0.05
    over: str = "measure"

    @property
    def systems(self) -> tuple[str, ...]:
        return self.options.get("systems") or SYSTEMS

    @property
    def measures(self) -> tuple[str, ...]:
        return self.options.get("measures") or ("nDCG@10", "AP", "RR", "P@5")

    @property
    def choice(self) -> dict[str, Any]:
        """How systems are compared, as commands and notebooks take it; what is usual is not said."""
        names = ("test", "correction", "baseline", "alpha", "over")
        usual = {one.name: one.default for one in fields(Asked)}
        return {name: getattr(self, name) for name in names if getattr(self, name) != usual[name]}

    @property
    def words(self) -> list[str]:
        flags = {"measures": "-m", "systems": "-s", "queries": "-q", "tags": "--tag"}
        words = []
        for name, value in {**self.options, **self.choice}.items():
            many = value if isinstance(value, tuple) else (value,)
            flag = flags.get(name, f"--{name.replace('_', '-')}")
            words += [word for one in many for word in (flag, str(one))]
        return words


@st.composite
def asked(draw: st.DrawFn) -> Asked:
    """Draw what is chosen; a choice that is not drawn is not said."""
    systems = draw(st.lists(st.sampled_from(SYSTEMS), min_size=2, unique=True))
    measures = draw(st.lists(st.sampled_from(MEASURES), min_size=1, unique=True))
    subset = st.lists(st.sampled_from([f"q{at}" for at in range(QUERIES)]), min_size=3, unique=True)
    options = {
        "systems": tuple(systems),
        "measures": tuple(measures),
        **draw(st.sampled_from([{}, {"as_of": "before"}])),
        **draw(st.sampled_from([{}, {"annotator": "bob"}, {"combine": "max"}])),
        **draw(
            st.one_of(
                st.just({}), subset.map(lambda one: {"queries": tuple(one)}), st.just({"tags": ("odd",)})
            )
        ),
    }
    return Asked(
        options,
        draw(st.sampled_from(TESTS)),
        draw(st.sampled_from(CORRECTIONS)),
        draw(st.sampled_from([None, *systems])),
        draw(st.sampled_from([0.05, 0.01])),
        draw(st.sampled_from(OVER)),
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A project of eight systems that two people judged, and judged on after a snapshot.

    Its settings say from when on a candidate is relevant, and how two grades become one.
    """
    random = np.random.default_rng(5)
    names = [f"d{at}" for at in range(DEPTH)]
    dataset = Dataset(
        queries=[Query(f"q{at}", f"query {at}", ("odd" if at % 2 else "even",)) for at in range(QUERIES)],
        documents=[Document(name, name, "Text.") for name in names],
        runs=[
            run_table(system, {f"q{at}": random.permutation(names).tolist() for at in range(QUERIES)})
            for system in SYSTEMS
        ],
    )
    with Project.create(tmp_path / "made.annot", "Made", annotator="ann") as project:
        add(project, dataset)
        for moment, people in (("before", ("ann", "bob")), ("after", ("ann",))):
            for person in people:
                project.use_annotator(person)
                for query in browse.query_keys(project).tolist():
                    for one in browse.query(project, query).candidates:
                        if moment == "before" or random.random() < 0.3:
                            judging.set_grade(project, query, one.key, int(random.integers(0, 6)))
            take_snapshot(by(project, "ann"), moment)
        project.use_annotator("ann")
        set_setting(project, "relevant_from", 3)
        set_setting(project, "combining", "min")
        return project.path


def choose(box: QComboBox, value: object) -> None:
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def settle(page: EvaluatedPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not page.job.busy and not page.stale, timeout=PATIENCE)


def shown_on(window: Window, number: int, qtbot: QtBot) -> Any:
    window.stack.show_page(number)
    page = window.pages[number]
    settle(page, qtbot)
    return page


def chosen_on_the_page(page: ComparePage, qtbot: QtBot, one: Asked, usual: Options) -> None:
    """Choose as a user does, one thing after the other; the rest is as it was before anybody chose."""
    page.options.change(**{**asdict(usual), **one.options})
    settle(page, qtbot)
    for box, value in (
        (page.bar.test, one.test),
        (page.bar.correction, one.correction),
        (page.bar.level, one.alpha),
        (page.bar.over, one.over),
    ):
        choose(box, value)
        settle(page, qtbot)
    choose(page.bar.against, "every")
    settle(page, qtbot)
    first = one.baseline or one.systems[-1]
    second = next(system for system in one.systems if system != first)
    by = parse(one.measures[-1], rel=usual.rel).name
    for box, text in ((page.bar.first, first), (page.bar.second, second), (page.bar.measure, by)):
        box.setCurrentIndex(box.findText(text))
        box.activated.emit(box.currentIndex())
        settle(page, qtbot)
    choose(page.bar.against, "every" if one.baseline is None else "first")
    settle(page, qtbot)


def keyed(rows: list[dict[str, Any]]) -> dict[tuple[str, ...], tuple[Any, ...]]:
    """Return (p, p alone, test, correction, how many, identity) by measure and pair."""

    def plain(name: str, cell: Any) -> Any:
        number = name.startswith("p") or name == "comparisons"
        return (float(cell) if cell not in ("", None) else None) if number else cell

    return {
        (row["measure"], row["first"], row["second"]): tuple(plain(name, row[name]) for name in BESIDE)
        for row in rows
    }


def in_html(text: str) -> tuple[dict[tuple[str, ...], float | None], str]:
    """Return the p of each pair in a report, and what stands below the table."""
    part = text.split('<h3 id="table-comparisons">', 1)[1]
    table, rest = part.split("</table>", 1)
    heads = [unescape(head) for head in re.findall(r"<th[^>]*><button[^>]*>(.*?)</button>", table)]
    found = {}
    for row in re.findall(r"<tr>(.*?)</tr>", table.split("<tbody>")[1], re.DOTALL):
        cells = re.findall(r"<td([^>]*)>(.*?)</td>", row)
        values = dict(zip(heads, cells, strict=True))
        key = tuple(unescape(values[name][1]) for name in ("Measure", "First", "Second"))
        exact = re.search(r'data-v="([^"]*)"', values["p"][0])
        found[key] = float(exact[1]) if exact else None
    return found, unescape(re.search(r'<p class="quiet">(.*?)</p>', rest)[1])


def run(words: list[object]) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def report_of(qtbot: QtBot, tmp_path: Path) -> Callable[[Window], str]:
    """Return a function that writes the report from the Report page and gives its text."""

    def of(window: Window) -> str:
        page = shown_on(window, 4, qtbot)
        assert isinstance(page, ReportPage)
        page.sections.blockSignals(True)
        for at in range(page.sections.count()):
            item = page.sections.item(at)
            on = item.data(Qt.ItemDataRole.UserRole) in SECTIONS
            item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        page.sections.blockSignals(False)
        page.named.toggled.emit(page.named.isChecked())
        settle(page, qtbot)
        with qtbot.waitSignal(page.said, timeout=PATIENCE):
            page.write_to(tmp_path / "window.html")
        return (tmp_path / "window.html").read_text("utf-8")

    return of


def test_a_comparison_has_the_same_p_wherever_it_is_shown(
    open_window: OpenWindow,
    qtbot: QtBot,
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    report_of: Callable[[Window], str],
) -> None:
    monkeypatch.chdir(tmp_path)
    window = open_window(path)
    compare = shown_on(window, 2, qtbot)
    with qtbot.waitSignal(compare.changed, timeout=PATIENCE):
        compare.unblind()
    settle(compare, qtbot)
    usual = compare.options.options

    @settings(
        max_examples=examples(3, 8),
        phases=(Phase.explicit, Phase.generate),  # a smaller failure is not worth minutes
        suppress_health_check=list(HealthCheck),
    )
    @given(asked())
    @example(Asked({}))
    @example(Asked({"measures": MEASURES, "systems": SYSTEMS[:3]}, baseline=SYSTEMS[1]))
    @example(Asked({"measures": MEASURES}, alpha=0.01, over="all"))
    def everywhere(one: Asked) -> None:
        window.stack.show_page(2)
        chosen_on_the_page(compare, qtbot, one, usual)
        compare.tabs.look_at("List of pairs")
        found = keyed(
            [
                {name: getattr(each, name) for name in ("measure", "first", "second", *BESIDE)}
                for each in compare.found
            ]
        )
        found = {key: tuple(None if cell != cell else cell for cell in value) for key, value in found.items()}
        p = {key: value[0] for key, value in found.items()}
        pairs = (
            combinations(one.systems, 2)
            if one.baseline is None
            else [(one.baseline, other) for other in one.systems if other != one.baseline]
        )
        named = {(parse(measure, rel=usual.rel).name, *pair) for pair in pairs for measure in one.measures}
        assert set(p) == named, "what is compared is what was chosen"

        shown = compare.compared
        beside = f"{shown.p:.3f}" if shown.p >= 0.001 else "p < 0.001"
        assert p[shown.measure, shown.first, shown.second] in (shown.p, None)
        sentence = compare.sentence.text().replace("\u00a0", " ")
        assert beside in sentence or shown.p != shown.p or "same" in sentence
        grid = compare.pairs.grid.table
        names = [column.name for column in grid.columns]
        rows = [dict(zip(names, row, strict=True)) for row in grid.rows]
        of_grid = {(row["measure"], row["first"], row["second"]): row["p"] for row in rows}
        assert {key: None if cell != cell else cell for key, cell in of_grid.items()} == p

        html = report_of(window)
        in_report, caption = in_html(html)
        assert in_report == p
        assert caption == grid.caption
        assert shown.identity in caption
        assert shown.identity in compare.numbers.text()

        printed = unescape(re.search(r"<pre><code>(.*?)</code>", html)[1])
        run(shlex.split(printed)[1:])
        assert (tmp_path / "report.html").read_text("utf-8") == html, "the printed command makes it again"

        words = [path, *one.words]
        run(["report", *words, "-o", "tests.csv", "--table", "tests"])
        with open("tests.csv", encoding="utf-8", newline="") as file:
            assert keyed(list(csv.DictReader(file))) == found
        assert keyed(json.loads(run(["compare", *words, "--format", "json"]))) == found
        assert keyed(list(csv.DictReader(run(["compare", *words, "--format", "csv"]).splitlines()))) == found
        scores = api.evaluate(path, **one.options)
        for (measure, first, second), value in found.items():
            there = scores.compare(first, second, measure, **one.choice)
            back = scores.compare(second, first, measure, **one.choice)
            for other in (there, back):
                known = tuple(getattr(other, name) for name in BESIDE)
                assert tuple(None if cell != cell else cell for cell in known) == value
            assert back.difference == -there.difference or there.n == 0

    everywhere()
