"""Language models for semantic answer scores, on the command line: model export, model list."""

from pathlib import Path
from typing import Annotated

import typer

from annotator.commands import progress
from annotator.commands.speech import say

app = typer.Typer(help="Language models for semantic answer scores.", no_args_is_help=True)


@app.command()
def export(
    source: Annotated[str, typer.Argument(metavar="FOLDER", help="A Hugging Face folder, or OWNER/NAME.")],
    name: Annotated[
        str, typer.Option(help="What the model is called here; default: the folder's name.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this folder, not to your models.")
    ] = None,
    layer: Annotated[int | None, typer.Option(min=1, help="The hidden layer that BERTScore reads.")] = None,
    download: Annotated[
        bool,
        typer.Option("--download", help="Fetch OWNER/NAME from the Hugging Face hub; nothing else does."),
    ] = False,
) -> None:
    """Make a model from a Hugging Face folder, so that BiEncoder, BERTScore or SAS can use it.

    Examples:

    `annotator model export ~/models/all-MiniLM-L6-v2`

    `annotator model export cross-encoder/stsb-roberta-large --download`
    """
    from annotator.project.answer_models import make_model

    with progress.shown("Downloading") as watch:
        made = make_model(source, output, name, layer, download, watch)
    say(f"Made {made}.")


@app.command("list")
def list_models() -> None:
    """List the models that are installed, with the hashes of their weights.

    Example: `annotator model list`
    """
    from annotator.project.answer_models import model_sentences

    say("\n".join(model_sentences()))
