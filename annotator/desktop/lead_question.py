"""The question before the role of lead is taken or given back: what it is, and what it is not."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from annotator.desktop.question import confirm
from annotator.project import lead_role

if TYPE_CHECKING:
    from annotator.project.project import Project
    from annotator.project.views import Change

TAKING = (
    "Who has the role says what holds for everybody who grades here, such as who judges which queries. That "
    "{who} took it is recorded in the project with the time, and everybody can read it in the history. "
)
GIVING = "That too is recorded with the time. What was said with the role stays."


def ask_lead(
    parent: QWidget,
    who: str,
    leads: Sequence[str],
    do: "Callable[[Callable[[Project], Change]], object]",
) -> None:
    """Ask whether `who` takes the role, or gives it back who has it, and `do` the verb on yes."""
    others = [one for one in leads if one != who]
    known = f"\n\nOther leads: {', '.join(others)}." if others else ""
    if who in leads:
        words, text, more = "Give it back", f"{who}, give the role of lead back?", GIVING
        verb = lead_role.give_back
    else:
        words, text = "Take the role", f"{who}, take the role of lead?"
        more, verb = TAKING.format(who=who) + lead_role.CONVENTION, lead_role.take
    confirm(parent, "The role of lead", text, more + known, words, partial(do, verb))
