"""The verbs for notebooks: evaluate dicts, DataFrames, files or a project.

>>> from annotator import api
>>> scores = api.evaluate({"q1": {"a": 3, "b": 0}}, {"q1": {"a": 0.2, "b": 0.9}}, ["RR", "nDCG@10"])
>>> scores.mean("RR")
0.5

`qrels` is a dict `{query: {document: grade}}` (pytrec_eval's and ranx's), a DataFrame with the columns
`query_id, doc_id, relevance` (ir_measures'), a file, or a project. `run` is a dict
`{query: {document: score}}`, a DataFrame with `query_id, doc_id, score`, a file, or several of these as
`{name: run}`; several files without names are a list. Ids may be strings or whole numbers, and DataFrames
those of pandas or polars.

>>> answers = api.evaluate_answers({"q1": ["Tony Stark", "Stark"]}, {"q1": "the Stark"})
>>> answers.mean("EM")
1.0
"""

from annotator.errors import InputError, MeasureError, UserError
from annotator.evaluation.options import GoldMatch
from annotator.notebook.answers import evaluate_answers
from annotator.notebook.evaluation import evaluate, read_scores
from annotator.notebook.judging import agreement, coverage, leniency, overlap, preferences
from annotator.notebook.pictures import Picture
from annotator.notebook.scores import Scores

__all__ = [
    "GoldMatch",
    "InputError",
    "MeasureError",
    "Picture",
    "Scores",
    "UserError",
    "agreement",
    "coverage",
    "evaluate",
    "evaluate_answers",
    "leniency",
    "overlap",
    "preferences",
    "read_scores",
]
