"""A page that shows the scores of the project, or those of a file that `annotator evaluate -o` wrote."""

from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from annotator.desktop.pages import Surroundings
from annotator.desktop.results.evaluated_page import EvaluatedPage, Found
from annotator.desktop.style import tip
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult
from annotator.project.state import State
from annotator.watch import Watch

SCORES, BACK = "Scores from a file…", "Back to the project"


def say_source(chooser: QPushButton, path: Path | None) -> None:
    """Let a button offer scores from a file, or the project's again while those of a file are shown."""
    chooser.setText(SCORES if path is None else BACK)
    what = (
        "Take what “annotator evaluate -o” wrote" if path is None else f"The scores of {path.name} are shown"
    )
    chooser.setToolTip(tip(what))


class ScoresPage(EvaluatedPage):
    """`scores` is the file whose scores are shown; None while they are the project's.

    A file holds no rankings and no judgments, so there is no `state` then, and its options are settled: the
    bar of options is out of sight and keeps what is chosen for the project.
    """

    def __init__(self, surroundings: Surroundings, parent: QWidget | None = None) -> None:
        super().__init__(surroundings, parent)
        self.scores: Path | None = None

    def prepare(self, result: EvaluationResult, state: State | None, watch: Watch) -> Any:
        """Make what is shown of a result, beside the window's thread; without a state it is of a file."""
        raise NotImplementedError

    def source_changed(self) -> None:
        """Say whose scores are shown from now on."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Evaluate anew, or read the file again; the last result stays until the new one is complete."""
        if self.scores is None:
            super().refresh()
        else:
            self.read_scores(self.scores)

    def choose_scores(self) -> None:
        """Ask for a file of scores; where one is shown, go back to the project's."""
        if self.scores is not None:
            self._show_source(None)
            self.refresh()
            return
        from annotator.project.score_files import ENDING

        name, _ = QFileDialog.getOpenFileName(self, "A file of scores", "", f"Scores (*{ENDING})")
        if name:
            self.read_scores(Path(name))

    def read_scores(self, path: Path) -> None:
        """Show the scores of a file; what was shown before stays where it cannot be taken."""
        self.stale = False

        def job(watch: Watch) -> Found:
            from annotator.project.score_files import scores_of

            result = scores_of(path, Options(measures=()))
            return Found(result, None, 0, None, (), self.prepare(result, None, watch))

        def show(found: Found) -> None:
            self._show_source(path)
            self._show(found)

        self.job.run("Reading scores", job, show)

    def _show_source(self, path: Path | None) -> None:
        self.scores = path
        self.source_changed()
