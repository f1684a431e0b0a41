"""Errors as a notebook shows them: of a user's mistake the sentence, not the way through our modules."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from annotator.errors import UserError

P = ParamSpec("P")
T = TypeVar("T")


def in_a_sentence(verb: Callable[P, T]) -> Callable[P, T]:
    """Let a verb raise its UserErrors as if it had no inside; everything else is a bug and tells all.

    Half a surrogate pair, which is no text, is such an error.
    """

    @wraps(verb)
    def called(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return verb(*args, **kwargs)
        except UserError as error:
            raise error.with_traceback(None) from None
        except UnicodeEncodeError as error:
            if error.reason != "surrogates not allowed":
                raise
            half = ascii(error.object[error.start : error.end])
            raise UserError(
                f"An id or a name holds {half}, half a surrogate pair; that is no text."
            ) from None

    return called
