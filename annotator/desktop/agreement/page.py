"""The Agreement page: how far annotators agree, on what they do not, and what that does to the ranking."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from annotator.desktop.agreement.adjudication import Adjudication
from annotator.desktop.agreement.again_tab import AgainTab
from annotator.desktop.agreement.threshold_tab import ThresholdTab
from annotator.desktop.evaluate.figures_tab import FiguresTab
from annotator.desktop.messages import Message
from annotator.desktop.pages import Page, Surroundings
from annotator.desktop.results.evaluated_page import LIVE_MS, SCORES, BlindNotice, remembered_options
from annotator.desktop.results.grid_view import GridView
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.style import label
from annotator.desktop.worker import Progress, ShouldStop
from annotator.errors import Stopped, UserError
from annotator.evaluation import agreeing
from annotator.evaluation.options import Options
from annotator.evaluation.result_table import Column, Table
from annotator.figures.subject import Subject
from annotator.project.views import Change
from annotator.theme import Theme

if TYPE_CHECKING:
    from annotator.project.agreement import Disagreement, ProjectAgreement, RankingEffect
    from annotator.project.project import Project

FIGURES_SHOWN = ("agreement", "confusion", "grades", "time", "drift")


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What the page shows; `seen` are the queries of which a blind annotator may see others' grades."""

    agreement: "ProjectAgreement"
    disagreements: "list[Disagreement]"
    effect: "RankingEffect | None"
    subject: Subject
    coefficients: Table
    alone: list[Table]
    hidden: int
    seen: frozenset[str]


def gather(project: "Project", options: Options, with_settled: bool, should_stop: ShouldStop) -> Found:
    """Read and compute everything, beside the window's thread."""
    from annotator.project import agreement, picturing

    seen, hidden = project.seen_queries()
    only = seen if hidden else None
    found = agreement.agreement(project.store, only=only)
    people = [(one.first, one.second, one.agreement) for one in found.pairs]
    try:
        effect = agreement.ranking_effect(project.store, options, should_stop=should_stop, only=only)
    except Stopped:
        raise
    except UserError:
        effect = None
    subject = picturing.judging_subject(project.store, named=True, only=only, found=found)
    return Found(
        found,
        agreement.disagreements(project.store, with_settled=with_settled, only=only),
        effect,
        subject,
        agreeing.by_group(found.overall, people),
        agreement.with_oneself(
            project.store, {name: name for name in ([project.annotator] if hidden else found.annotators)}
        ),
        hidden,
        seen,
    )


class AgreementPage(Page):
    """Coefficients, pairs, figures, queries, the queue to settle, the effect on the ranking of systems."""

    def __init__(self, surroundings: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(surroundings, parent)
        self.found: Found | None = None
        self._stale = True
        self.message = Message(self)
        self.job = JobBar(self.worker)
        self.job.problem.connect(lambda text: self.message.say("No agreement yet", text))
        self.blind = BlindNotice()
        self.blind.unblind_wanted.clicked.connect(self._unblind)
        self.sentence = label(kind="title")
        self.sentence.setWordWrap(True)
        self.coefficients = GridView("Coefficients of agreement", self.theme)
        self.pair = QComboBox()
        self.pair.setAccessibleName("Pair of annotators")
        self.pair.activated.connect(self._show_pair)
        self.confusion = GridView("Grades of one against grades of the other", self.theme)
        self.figures = FiguresTab(self.worker, self.theme, FIGURES_SHOWN)
        self.queries = GridView("Queries, least agreement first", self.theme)
        self.queries.opened.connect(self._open_query)
        self.with_settled = QCheckBox("show settled ones too")
        self.with_settled.toggled.connect(self.refresh)
        self.adjudication = Adjudication(self.project, self.worker, self.theme)
        self.adjudication.settled.connect(self.changed)
        self.adjudication.query_wanted.connect(self.query_wanted)
        self.threshold = ThresholdTab(self.project, self.worker, self.theme)
        self.again = AgainTab(self.theme)
        self.effect = GridView("Means of the systems by each annotator alone", self.theme)
        self._live = QTimer(self, singleShot=True, interval=LIVE_MS)
        self._live.timeout.connect(self.refresh)
        self._lay_out()

    def _lay_out(self) -> None:
        pairs = QWidget()
        column = QVBoxLayout(pairs)
        column.setContentsMargins(16, 12, 16, 12)
        column.addWidget(self.pair)
        column.addWidget(self.confusion)
        queue = QWidget()
        column = QVBoxLayout(queue)
        column.setContentsMargins(0, 8, 0, 0)
        row = QHBoxLayout()
        row.setContentsMargins(16, 0, 16, 0)
        row.addWidget(self.with_settled)
        row.addStretch(1)
        column.addLayout(row)
        column.addWidget(self.adjudication, 1)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        for widget, title in (
            (self.coefficients, "Coefficients"),
            (pairs, "Confusion"),
            (self.figures, "Figures"),
            (self.queries, "Queries"),
            (queue, "To settle"),
            (self.effect, "Effect on the ranking"),
            (self.threshold, "Threshold"),
            (self.again, "With oneself"),
        ):
            self.tabs.addTab(widget, title)
        self.message.say("Comparing annotators…")
        self.sentence.setContentsMargins(16, 16, 16, 12)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        for part in (self.blind, self.job, self.sentence):
            whole.addWidget(part)
        whole.addWidget(self.message, 1)
        whole.addWidget(self.tabs, 1)
        self.tabs.hide()
        self.sentence.hide()

    def shown(self) -> None:
        """Bring the figures up to date."""
        if self._stale:
            self.refresh()

    def project_changed(self, change: Change) -> None:
        """Follow what was judged: at once while in front, otherwise when shown."""
        if change.kind in SCORES:
            self._stale = True
            if self.isVisible():
                self._live.start()

    def theme_changed(self, theme: Theme) -> None:
        """Paint in another theme or text size."""
        super().theme_changed(theme)
        views = (self.coefficients, self.confusion, self.queries, self.effect)
        for part in (*views, self.figures, self.adjudication, self.threshold, self.again):
            part.theme_changed(theme)

    def refresh(self) -> None:
        """Compute anew; what is shown stays meanwhile."""
        self._stale = False
        project, with_settled = self.project, self.with_settled.isChecked()
        options = remembered_options(self.surroundings.settings.get("evaluate", dict[str, object]()))

        def job(_: Progress, should_stop: ShouldStop) -> Found:
            return gather(project, options, with_settled, should_stop)

        self.job.run("Comparing annotators", job, self._show)

    def _show(self, found: Found) -> None:
        self.found = found
        anybody, several = bool(found.agreement.annotators), bool(found.agreement.pairs)
        self.blind.show_hidden(found.hidden, len(found.seen))
        self.message.setVisible(not anybody)
        self.tabs.setVisible(anybody)
        self.sentence.setVisible(anybody)
        self.message.say("No grades yet", "Agreement is about the grades of two people or more.")
        for at in range(self.tabs.count()):
            alone = self.tabs.widget(at) in (self.figures, self.threshold, self.again)
            self.tabs.setTabVisible(at, several or alone)
        self.tabs.setTabVisible(self.tabs.indexOf(self.threshold), not found.hidden)
        self.threshold.show_annotators(found.agreement.annotators)
        self.figures.show_subject(found.subject)
        self.again.show_tables(found.alone)
        if not several:
            self.sentence.setText("Agreement takes two people who graded the same candidates.")
            return
        best = next(one for one in found.agreement.overall if one.name.endswith("ordinal"))
        self.sentence.setText(f"{best.said}.")
        self.coefficients.show_table(found.coefficients)
        self._show_pairs(found)
        columns = (
            Column("Query", "text"),
            Column("Mean range", decimals=2, note="Highest minus lowest grade of a candidate."),
            Column("Candidates", "count", note="Graded by two or more."),
        )
        rows = [(one.query_id, one.mean_range, one.items) for one in found.agreement.queries]
        self.queries.show_table(Table.of_rows("queries", "Queries", columns, rows))
        self.adjudication.show_disagreements(found.disagreements)
        if found.effect is not None:
            effect = found.effect
            table = agreeing.rankings(
                effect.measure, effect.systems, effect.annotators, effect.means, effect.taus
            )
            self.effect.show_table(table)
        self.tabs.setTabVisible(self.tabs.indexOf(self.effect), found.effect is not None)

    def _show_pairs(self, found: Found) -> None:
        kept = self.pair.currentText()
        self.pair.clear()
        for one in found.agreement.pairs:
            note = " (a model's judgments)" if one.with_model else ""
            self.pair.addItem(f"{one.first} – {one.second}{note}")
        self.pair.setCurrentIndex(max(self.pair.findText(kept), 0))
        self._show_pair()

    def _show_pair(self) -> None:
        from annotator.project.picturing import confusion_of

        if self.found is None or self.pair.currentIndex() < 0:
            return
        one = self.found.agreement.pairs[self.pair.currentIndex()]
        self.confusion.show_table(agreeing.confusion(one.first, one.second, one.agreement))
        self.figures.show_subject(replace(self.found.subject, confusion=confusion_of(one)))

    def _open_query(self, row: int, _column: int) -> None:
        if self.found is not None:
            self.query_wanted.emit(self.found.agreement.queries[row].query)

    def _unblind(self) -> None:
        def done(change: Change) -> None:
            self.changed.emit(change)
            self.refresh()

        self.worker.submit(self, self.project.unblind_all, done)
