"""What commands say to people, beside what they print for programs."""

import typer

from annotator.text.visible import visible


def say(text: str, err: bool = False) -> None:
    """Print lines for people, on stderr where they are no result; no name in them moves the terminal."""
    typer.echo(visible(text), err=err)
