"""Language models for the measures and matches that need one: found when an evaluation asks for them."""

from dataclasses import replace
from pathlib import Path

from annotator.evaluation.evaluator import parsed
from annotator.evaluation.options import Options
from annotator.evaluation.results import EvaluationResult
from annotator.metrics.answers import AnswerTable
from annotator.metrics.semantic import semantic_match
from annotator.semantics.answer_scores import SemanticMatches, semantic_matches
from annotator.semantics.models import INSTALL, extra_is_installed, installed, models_folder, open_model
from annotator.watch import UNWATCHED, Watch


def models_for(options: Options, watch: Watch = UNWATCHED) -> SemanticMatches:
    """Return the matches with a model that the options ask for; none is looked for when they ask for none.

    Raises MissingExtra without the extra, UserError when there is no model or it is damaged.
    """
    names = [semantic_match(one) for one in parsed(options)]
    if options.relevance is not None:
        names.append(options.relevance.match)
    return semantic_matches(names, options.model, watch)


def with_models(table: AnswerTable, models: SemanticMatches | None) -> AnswerTable:
    """Return a table of answers that can be scored with the models."""
    return replace(table, semantic=models.matches) if models is not None and models.matches else table


def naming(models: SemanticMatches, result: EvaluationResult) -> EvaluationResult:
    """Return a result whose notes say what the models are, and how many texts they cut."""
    return replace(result, notes=(*result.notes, *models.notes))


def make_model(
    source: str,
    target: Path | None = None,
    name: str = "",
    layer: int | None = None,
    download: bool = False,
    watch: Watch = UNWATCHED,
) -> Path:
    """Make a model from a Hugging Face folder, or from the hub ("owner/name") when `download` agrees to it.

    Raises UserError for what cannot be taken, MissingExtra, Stopped.
    """
    from annotator.semantics.hub import fetch
    from annotator.semantics.onnx_export import export

    if Path(source).is_dir():
        return export(Path(source), target, name, layer)
    watch = watch.saying("The download was cancelled; nothing was kept.")
    return fetch(source, download, target, name, layer, watch)


def model_sentences() -> list[str]:
    """Return one sentence per installed model, with the hash of its weights, or that there is none."""
    models = [open_model(folder, allow_quantised=True) for folder in installed()]
    if not models:
        return [f"There are no models in {models_folder()}."]
    return [f"{one.description.kind}: {one.sentence}" for one in models]


def why_unavailable(needs: str) -> str:
    """Say why measures with this need cannot be computed here and what to do, empty when they can."""
    if needs != "model":
        return ""
    if not extra_is_installed():
        return f"Needs a part that is not installed. Install it with: {INSTALL}"
    return "" if installed() else "Needs a language model. Make one with “annotator model export FOLDER”."
