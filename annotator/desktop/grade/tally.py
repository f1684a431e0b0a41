"""How many candidates there are to judge and how many are done: of the project, and of one's own queue."""

from annotator.project.views import Change, Contents


class Tally:
    """Counted with the project, and kept up with each judgment since."""

    def __init__(self) -> None:
        self._contents: Contents | None = None
        self._since = self._since_in_queue = 0

    def count(self, contents: Contents) -> None:
        """Begin anew with what was counted."""
        self._contents = contents
        self._since = self._since_in_queue = 0

    def follow(self, change: Change) -> None:
        """Take in judgments that were given or taken away."""
        self._since += change.more_decided
        if self._contents is not None and change.query in self._contents.queue:
            self._since_in_queue += change.more_decided

    @property
    def said(self) -> str:
        """What is counted, where that is not the work itself."""
        return "Practice: " if self._contents is not None and self._contents.practising else ""

    def of(self, own_queue: bool) -> tuple[int, int]:
        """Return how many are done and how many there are, 0 before they were counted."""
        counted = self._contents
        if counted is None:
            return 0, 0
        if own_queue:
            return counted.queue_decided + self._since_in_queue, counted.queue_pool
        return counted.decided + self._since, counted.pool
