"""Working together: where a project is shared, who is at work, what is left; and joining a team."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QWidget,
)

from annotator.desktop.controls import button
from annotator.desktop.dialog import Dialog, Standard
from annotator.desktop.layouts import row
from annotator.desktop.line_field import LineField
from annotator.desktop.results.job_bar import JobBar
from annotator.desktop.row_table import Rows
from annotator.desktop.style import breakable, prose, px, tip
from annotator.desktop.worker import Worker
from annotator.errors import ProjectError
from annotator.places import SUFFIX
from annotator.project import sharing
from annotator.text.names import short
from annotator.text.times import MINUTES, local_time
from annotator.text.visible import telling
from annotator.theme import STEPS
from annotator.watch import Watch

if TYPE_CHECKING:
    from annotator.desktop.team.exchange_thread import Standing
    from annotator.desktop.team.exchanging import Team
    from annotator.project.project import Project

HINT = (
    "Each person keeps a project file of their own, which works at full speed, also offline. What everybody "
    "does travels through the carrier: a folder that all can reach, or a PostgreSQL database."
)
FOLDER_OR_DATABASE = "A folder, or postgresql://…"
MOVED = (
    "If the shared folder was moved, or the database has another address, name that here. Everybody does "
    "so in their own copy."
)
NOT_YET = "Nothing has been exchanged yet."

SHOWN_PROBLEMS = 8
MORE = "and {more:,} more: “annotator share” names all"

WORD_AT_MOST = 60
LONG = re.compile(rf"\S{{{WORD_AT_MOST + 1},}}")
"""Of a name or path of more letters the middle is left out: its ends tell most, and no line is too wide."""

PLACE_AT_MOST = 30
"""A longer address of the carrier, which stands above, is left out of what is said of things in it."""


def carrier_field(parent: Dialog) -> tuple[LineField, QHBoxLayout]:
    """Return a field for a carrier's address, and a row with the way to choose a folder."""
    field = LineField(parent=parent)
    field.setAccessibleName("Carrier")
    field.setPlaceholderText(FOLDER_OR_DATABASE)
    field.setMinimumWidth(px(340))

    def browse() -> None:
        if name := QFileDialog.getExistingDirectory(parent, "The team's folder", field.text()):
            field.setText(name)

    return field, row((field, 1), button("Choose a folder…", browse, parent))


class CarrierDialog(Dialog):
    """Asks for a carrier, says what that means, and does in a bar what takes long."""

    def __init__(self, title: str, worker: Worker, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.field, self.choose = carrier_field(self)
        self.said = prose(sharing.SAID.format(address="the carrier"), "muted", self)
        self.problem = prose("", "danger", self)
        self.problem.hide()
        self.bar = JobBar(worker, self, cancels=False)
        self.bar.problem.connect(self._refuse)
        self.bar.busy_changed.connect(self._rest)

    def _rest(self, busy: bool) -> None:
        """Offer Cancel alone while something is done, and have the keys where Enter does not press it."""
        if busy:
            self.setFocus()
        cancel = self.findChildren(QDialogButtonBox)[0].button(Standard.Cancel)
        for one in (*self.findChildren(QLineEdit), *self.findChildren(QAbstractButton)):
            one.setEnabled(one is cancel or not busy)
        if not busy:
            self.field.setFocus()

    def _refuse(self, message: str) -> None:
        self.problem.setText(breakable(message))
        self.problem.show()

    def done(self, result: int) -> None:
        """Give up what is under way."""
        self.bar.cancel()
        super().done(result)


class ShareDialog(CarrierDialog):
    """Asks where a project is to be shared, or shared from now on. `shared` follows when that is settled."""

    shared = Signal()

    def __init__(self, project: "Project", team: "Team", worker: Worker, parent: QWidget) -> None:
        self._moves = team.standing is not None
        super().__init__("Go on at another place" if self._moves else "Work together", worker, parent)
        self._project = project
        self._team = team
        beside = team.record.beside if team.record else None
        named = beside or team.record
        known = team.standing.address if team.standing else named.carrier if named else ""
        self.field.setText(known)
        self.anew = QCheckBox("Nothing is there yet: put everything there", self)
        self.anew.setVisible(self._moves)
        found = team.record if team.record and (beside or team.record.damaged) else None
        hint = MOVED if self._moves else sharing.not_shared(project.path, found) if found else HINT
        take = self.question("Go on there" if self._moves else "Share the project", self._share)
        self.lay_out(self.choose, self.anew, self.said, self.problem, self.bar, 1, take, hint=hint)
        try:
            sharing.refuse_unwritable(project)
        except ProjectError as error:
            super()._refuse(str(error))
            self._rest(busy=True)  # for good

    def _share(self) -> None:
        address, project = self.field.text().strip(), self._project
        anew = self.anew.isChecked() or not self._moves
        if not address:
            self._refuse("Name a folder that all of the team can reach, or the address of a database.")
        elif not self.bar.busy:
            self.problem.hide()
            self._team.leave_place()  # which notes nothing more: what is noted next is the new place
            self.bar.run(
                "Looking at what is there",
                lambda watch: sharing.begin(project, address, anew, watch),
                self._begun,
                elsewhere=True,
            )

    def _begun(self, _: None) -> None:
        self.accept()
        self.shared.emit()

    def _refuse(self, message: str) -> None:
        super()._refuse(message)
        self._team.begin()

    def done(self, result: int) -> None:
        """Exchange with the place that is named now, or as before."""
        super().done(result)
        self._team.begin()


class TeamDialog(Dialog):
    """Shows how the sharing of a project stands, and follows it. `move_wanted` asks for another place."""

    move_wanted = Signal()

    def __init__(self, team: "Team", parent: QWidget) -> None:
        super().__init__("Work together", parent)
        self._team = team
        self._shown: tuple[sharing.Person, ...] = ()
        self.place = prose("", "", self)
        self.trouble = prose("", "danger", self)
        self.people = Rows(
            "Who is at work", ("Person", "Judged", "Last, by their own clock"), self, wide=0, numbers={1}
        )
        self.problems = prose("", "", self)
        self.said = prose("", "muted", self)
        now = button("Exchange now", team.exchange_now, self)
        below = row(now, button("Another place…", self._move, self), 1, self.way_out(), gap=STEPS[0])
        self.lay_out(self.place, self.trouble, (self.people, 1), self.problems, self.said, below)
        self.resize(px(620), 0)
        team.told.connect(self.show_standing)
        assert team.standing is not None
        self.show_standing(team.standing)

    def _move(self) -> None:
        self.accept()
        self.move_wanted.emit()

    def show_standing(self, standing: "Standing") -> None:
        """Show what was exchanged and is left."""
        done = standing.exchanged
        went_well = done.sentence if done.people else NOT_YET
        self.place.setText(breakable(f"Shared through {standing.address}. {went_well}"))
        self.trouble.setText(breakable(standing.trouble))
        self.trouble.setVisible(bool(standing.trouble))
        if done.people != self._shown:  # else who scrolls in them would be taken back to the first
            self._shown = done.people
            self.people.show_rows(
                [(telling(one.name), f"{one.judged:,}", local_time(one.time, MINUTES)) for one in done.people]
            )
        shown, more = done.problems[:SHOWN_PROBLEMS], len(done.problems) - SHOWN_PROBLEMS
        place = standing.address
        lines = [one.replace(place, "…") if len(place) > PLACE_AT_MOST else one for one in shown]
        lines = [LONG.sub(lambda word: short(word[0], WORD_AT_MOST), one) for one in lines]
        lines += [MORE.format(more=more)] if more > 0 else []
        self.problems.setText("\n".join(f"• {one}" for one in lines))
        self.problems.setToolTip(tip("\n".join(shown)))
        self.problems.setVisible(bool(done.problems))
        self.said.setText(sharing.SAID.format(address="the carrier"))


class JoinDialog(CarrierDialog):
    """Asks for a carrier and a file, and makes the file from what the carrier holds. `joined(path)`."""

    joined = Signal(Path)

    def __init__(self, folder: Path, worker: Worker, parent: QWidget) -> None:
        super().__init__("Join a team", worker, parent)
        self._folder = folder
        self.field.textChanged.connect(self._follow)
        self.file = LineField(parent=self)
        form = QFormLayout()
        form.addRow("Carrier", self.choose)
        form.addRow("Your file", row((self.file, 1), button("Choose…", self._browse, self)))
        self._follow("")
        take = self.question("Join", self._join)
        self.lay_out(form, self.said, self.problem, self.bar, 1, take, hint=HINT)

    def _follow(self, address: str) -> None:
        self.file.setText(str(self._folder / sharing.file_name(address.strip() or "team")))

    def _browse(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Your file", self.file.text(), f"Projects (*{SUFFIX})")
        if name:
            self.file.setText(name)

    def _join(self) -> None:
        address, named = self.field.text().strip(), Path(self.file.text().strip())
        if self.bar.busy:
            return
        if not address:
            self._refuse("Name the folder or the database that the team shares its project through.")
            return
        if not named.name:
            self._refuse("Name a file for your own copy.")
            return
        path = named.with_suffix(SUFFIX)

        def join(watch: Watch) -> Path:
            sharing.join(address, path, watch)
            return path

        self.problem.hide()
        self.bar.run("Joining", join, self._made, elsewhere=True)

    def _made(self, path: Path) -> None:
        self.accept()
        self.joined.emit(path)
