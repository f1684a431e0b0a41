"""More rows than one process holds: who scores the parts of a folder, a share of them, and all gathered."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from annotator.commands import printout, progress
from annotator.commands.forms import flag_of
from annotator.commands.output import ORIGIN, file_option
from annotator.commands.speech import say
from annotator.evaluation.options import Options

if TYPE_CHECKING:
    from annotator.evaluation.results import EvaluationResult
    from annotator.project.engines import Engine

SCORES = ".parquet"

EngineName = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="Who scores a folder of Parquet files: local processes, or dask[:ADDRESS]; else one after the "
        "other.",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="So many processes of this computer; with --engine as many as it has processors.",
    ),
]
Share = Annotated[
    str | None,
    typer.Option(
        "--part", metavar="I/N", help="Score the I-th of N shares of the folder alone; gather ends it."
    ),
]


@dataclass(frozen=True, slots=True)
class Scoring:
    """Runs in files, or a folder of parts, to be scored against judgments once the options are known."""

    qrels: Path
    runs: Sequence[Path]
    engine: "Engine"
    output: Path | None

    @property
    def folder(self) -> Path | None:
        """The folder of parts, None where runs are files."""
        return _folder_of(self.runs)

    def __call__(self, options: Options) -> "EvaluationResult":
        """Score, and show how far it is; what is finished of a folder is kept beside a file of scores."""
        if self.folder is None:
            from annotator.project import files

            with progress.shown("Reading") as watch:
                return files.evaluate_runs(self.qrels, self.runs, options, watch)
        from annotator.project import parts

        with progress.shown("Scoring parts") as watch:
            return parts.evaluate_folder(
                *(self.qrels, self.folder, options, self.engine),
                output=self.output if is_scores(self.output) else None,
                watch=watch,
            )


def check_words(
    run: Sequence[Path] | None,
    engine: str | None,
    jobs: int | None,
    share: str | None,
    output: Path | None,
    other: bool,
) -> None:
    """End with wrong usage for words about a folder of parts without one, and beside a file of scores.

    `other` says that another table or layout is asked for, which a file of scores does not hold.
    """
    if is_scores(output) and other:
        raise typer.BadParameter(
            f"a {SCORES} holds all scores in its own layout; print tables of it: annotator evaluate {output}",
            param_hint="--output",
        )
    if share is not None and not is_scores(output):
        raise typer.BadParameter(f"give -o NAME{SCORES}, the same for every share", param_hint="--part")
    for flag, given in (("engine", engine), ("jobs", jobs), ("part", share)):
        if given is not None and _folder_of(run or ()) is None:
            raise typer.BadParameter(
                "it goes with --run FOLDER, a folder of Parquet files that hold whole rankings",
                param_hint=f"--{flag}",
            )


def scoring(
    qrels: Path, runs: Sequence[Path], engine: str | None, jobs: int | None, output: Path | None
) -> Scoring:
    """Return what scores runs, with the engine that the words name."""
    return Scoring(qrels, runs, _engine_of(engine, jobs), output)


def _folder_of(runs: Sequence[Path]) -> Path | None:
    """Return the folder of parts that is given as the only run, None where runs are files."""
    folders = [one for one in runs if one.is_dir()]
    if folders and len(runs) > 1:
        raise typer.BadParameter("a folder of Parquet files stands alone", param_hint="--run")
    return folders[0] if folders else None


def _engine_of(name: str | None, jobs: int | None) -> "Engine":
    """Return who is asked to do the work; ends with wrong usage for a name that is none."""
    from annotator.project import engines

    kind, colon, address = (name or "").partition(":")
    if kind not in ("", "local", "dask") or (colon and (kind != "dask" or not address)):
        raise typer.BadParameter(f"{name!r} is none of local, dask, dask:ADDRESS", param_hint="--engine")
    if address and jobs is not None:
        raise typer.BadParameter("the cluster at that address has its own workers", param_hint="--jobs")
    if kind == "dask":
        return engines.dask(address, jobs)
    return engines.local(jobs) if kind or jobs else engines.in_turn


def score_share(asked: Scoring, share: str, options: Options) -> None:
    """Score one share of the parts of a folder and keep them beside the file of scores that is to be."""
    from annotator.project import parts
    from annotator.project.kept_parts import kept_beside

    found = re.fullmatch(r"(\d{1,6})/(\d{1,6})", share)
    which = (int(found[1]), int(found[2])) if found else (0, 0)
    if not 1 <= which[0] <= which[1]:
        raise typer.BadParameter("write it as 3/8: the third of eight shares", param_hint="--part")
    assert asked.folder is not None
    assert asked.output is not None
    with progress.shown("Scoring parts") as watch:
        count = parts.score_some(
            *(asked.qrels, asked.folder, which, options, asked.engine, asked.output, watch)
        )
    kept = kept_beside(asked.output)
    say(f"{count} {'part is' if count == 1 else 'parts are'} scored and kept in {kept}")


def is_scores(output: Path | None) -> bool:
    """Say whether a file of scores is named, by its ending."""
    return output is not None and output.suffix == SCORES


def scores_in(path: Path, options: Options) -> "EvaluationResult":
    """Return the chosen scores of a file; ends with wrong usage for an option that is settled there."""
    from annotator.evaluation.conventions_text import head
    from annotator.project.score_files import CHOSEN, scores_of

    for one in fields(Options):
        if one.name not in CHOSEN and getattr(options, one.name) != one.default:
            raise typer.BadParameter("it is settled in a file of scores", param_hint=flag_of(one.name))
    result = scores_of(path, options)
    ORIGIN.set(tuple(head(result.provenance)))
    return result


def put_scores(result: "EvaluationResult", output: Path) -> None:
    """Write a file of scores, and say so."""
    from annotator.project.score_files import write_scores

    write_scores(result, output)
    say(str(output))
    printout.put_remarks(result)


def partition(
    run: Annotated[
        list[Path], typer.Argument(metavar="RUN…", help="TREC runs or Parquet tables, in any order.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Write to this folder, new or empty.")],
    rows: Annotated[int, typer.Option(min=1, help="So many rows a file holds, about.")] = 1_000_000,
) -> None:
    """Write runs of any size as a folder of Parquet files that hold whole rankings, for evaluate.

    Example: `annotator partition bm25.run dense.run.gz -o parts`
    """
    from annotator.project.partition import partition as partitioned

    with progress.shown("Reading runs") as watch:
        found = partitioned(run, output, rows, watch)
    say(
        f"{found.rows:,} rows of {', '.join(found.systems)} in {found.files} "
        f"{'file' if found.files == 1 else 'files'} of {output}"
    )


def gather(
    qrels: Annotated[Path, typer.Option("--qrels", help="The judgments that the parts were scored with.")],
    output: Annotated[Path, file_option(f"The file of scores ({SCORES}) that the shares named.")],
) -> None:
    """Put the scores of all parts together that `annotator evaluate --part` wrote: one file of scores.

    Example: `annotator gather --qrels qrels.txt -o scores.parquet`
    """
    from annotator.project import parts

    if not is_scores(output):
        raise typer.BadParameter(f"it ends in {SCORES}", param_hint="--output")
    result = parts.gather(qrels, output)
    say(str(output))
    printout.put_remarks(result)
