"""The passage in which a question's answers stand, where an import or a gold answer names it."""

from collections.abc import Callable

from annotator.records import PARAGRAPH, GoldList, Query


def passage_of(asked: Query, gold: GoldList, text_of: Callable[[str], str]) -> str:
    """Return the text of the document that the import names for a question's answers, or a gold answer.

    `text_of` gives a document's text, "" where it is not known, as this does where none is.
    """
    named = (str(asked.fields.get(PARAGRAPH, "")), *(one.document_id for one in gold.answers))
    return next(filter(None, (text_of(one) for one in named if one)), "")
