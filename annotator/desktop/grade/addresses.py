"""The addresses of a document that a browser may open: http and https, nothing else."""

from PySide6.QtCore import QUrl

from annotator.project.views import CandidateView

SCHEMES = ("http", "https")


def addresses(candidate: CandidateView) -> list[QUrl]:
    """Return the addresses among a candidate's fields, and its id if that is one; each once."""
    values = [value for value in (*candidate.fields.values(), candidate.id) if isinstance(value, str)]
    return list({in_full(url): url for value in values if (url := address(value))}.values())


def address(text: str) -> QUrl | None:
    """Return the address that a text is as a whole; None for another text, scheme, or one without a host.

    An address that holds a user's name is none: what stands before its `@` looks like a host.
    """
    url = QUrl(text.strip(), QUrl.ParsingMode.StrictMode)
    if not url.isValid() or url.scheme() not in SCHEMES or not url.host() or url.userInfo():
        return None
    return url


def in_full(url: QUrl) -> str:
    """Return the whole address in plain letters: nothing in it can look like something else."""
    return url.toString(QUrl.ComponentFormattingOption.FullyEncoded)
