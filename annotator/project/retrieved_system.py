"""A baseline run: the project's own documents ranked for its queries, stored as a new system."""

from annotator.errors import UserError
from annotator.evaluation.options import with_stems
from annotator.project.project import Project
from annotator.project.settings import setting
from annotator.project.views import Change
from annotator.records import Dataset
from annotator.retrieval import analysers, bm25
from annotator.storage.content.bulk import import_dataset
from annotator.storage.content.contents import CANCELLED, Import
from annotator.storage.reads import holdings
from annotator.text.counts import counted
from annotator.watch import UNWATCHED, Watch

ANALYSERS = analysers.SENTENCES
"""Name of an analyser -> what it does."""

PRESETS = bm25.PRESETS
"""Name of a preset -> (k1, b)."""


def retrieve(
    project: Project,
    analyser: str = "standard",
    *,
    system: str = "",
    language: str = "",
    without_stop_words: bool = False,
    k1: float = 0.9,
    b: float = 0.4,
    top_k: int = 100,
    replace: bool = False,
    watch: Watch = UNWATCHED,
) -> Change:
    """Rank the documents for every query and keep the best of each as one system's run.

    An empty `language` is the project's, an empty `system` is named after the analyser. Raises UserError
    without queries or documents, and for a language without stems where they are asked for, ProjectError when
    the system is there and `replace` is off, and Stopped.
    """
    with project.store.reading() as db:
        queries = [query for _, query in holdings.queries(db)]
        if not queries:
            raise UserError("There are no queries to retrieve for; import queries first.")
        spoken = language or setting(db, "language")
        if analyser == "stemming" or without_stop_words:
            with_stems(spoken)
        options = bm25.RetrievalOptions(analyser, spoken, without_stop_words, k1, b, top_k)
        ranks = watch.saying("The run was cancelled; nothing was changed.")
        run = bm25.rank(holdings.documents(db), queries, options, system, ranks)
    how = Import(project.annotator, run.source, "person", replace, watch=watch.saying(CANCELLED))
    import_dataset(project.store, Dataset(runs=[run]), how)
    candidates, of = counted(len(run.rank), "ranked candidate"), counted(len(queries), "query", "queries")
    sentence = f"{run.system}: {candidates} for {of} ({run.source})."
    return Change("system", after=run.system, said=sentence)
