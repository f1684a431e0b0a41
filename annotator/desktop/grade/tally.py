"""How many candidates there are to judge and how many are done: of the project, and of one's own queue."""

from collections.abc import Mapping

from annotator.project.views import Change, Contents


class Tally:
    """Counted with the project, and kept up with each judgment since."""

    def __init__(self) -> None:
        self._contents: Contents | None = None
        self._later: list[Change] = []
        self._since = self._since_in_queue = 0
        self._beside: dict[int, int] = {}

    def count(self, contents: Contents) -> None:
        """Begin anew with what was counted; what was stored while it was counted comes on top."""
        later = [one for one in self._later if one.clock > contents.clock]
        self._contents, self._later = contents, []
        self._since = self._since_in_queue = 0
        self._beside = dict(contents.beside)
        for change in later:
            self.follow(change)

    def follow(self, change: Change) -> None:
        """Take in judgments that were given or taken away."""
        self._later.append(change)
        self._since += change.more_decided
        if self._contents is not None and change.query in self._contents.queue:
            self._since_in_queue += change.more_decided

    def take_beside(self, query: int | None, done: Mapping[int, int]) -> set[int]:
        """Take in how much of a query, or of all, is done by what is said beside the grade.

        Return the queries of which that is otherwise than before.
        """
        looked_at = {*self._beside, *done} if query is None else {query}
        changed = {one for one in looked_at if self._beside.get(one) != done.get(one)}
        kept = {one: size for one, size in self._beside.items() if one not in looked_at}
        self._beside = kept | {one: done[one] for one in looked_at if one in done}
        return changed

    @property
    def said(self) -> str:
        """What is counted, where that is not the work itself."""
        return "Practice: " if self._contents is not None and self._contents.practising else ""

    @property
    def by_grades(self) -> int:
        """How many are done by a grade, a skip or a can't tell."""
        counted = self._contents
        return self._since + (counted.decided - sum(counted.beside.values()) if counted is not None else 0)

    def of(self, own_queue: bool) -> tuple[int, int]:
        """Return how many are done and how many there are, 0 before they were counted."""
        counted = self._contents
        if counted is None:
            return 0, 0
        queries = self._beside.keys() | counted.beside.keys()
        if own_queue:
            queries &= counted.queue
        beside = sum(self._beside.get(one, 0) - counted.beside.get(one, 0) for one in queries)
        if own_queue:
            return counted.queue_decided + self._since_in_queue + beside, counted.queue_pool
        return counted.decided + self._since + beside, counted.pool
