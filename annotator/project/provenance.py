"""Where a result comes from, and the words that make it again."""

import shlex
from collections.abc import Container, Iterator
from typing import Any

import numpy as np

from annotator.evaluation.conventions_text import head
from annotator.evaluation.grade_combination import SENTENCES
from annotator.evaluation.options import Options
from annotator.evaluation.results import PartJudges, Provenance
from annotator.metrics import catalogue
from annotator.project.judged_by import by, sentence
from annotator.project.state import judged_of, stems_of
from annotator.project.version import version
from annotator.storage.reads.arrays import HOWS
from annotator.storage.reads.states import State
from annotator.tasks import JUDGED, settling
from annotator.text.levels import as_levels

LEFT_OUT = "Queries that the annotator who made this has not finished are left out"
HIDDEN = f"{LEFT_OUT}; the command would write all."


def provenance(state: State, options: Options, only: Container[str] | None = None) -> Provenance:
    """Say where a result comes from and how to make it again; `only` these queries' grades are counted."""
    people = _counting(state, options)
    judged = judged_of(state, only)
    return Provenance(
        name=state.settings["name"],
        version=version(),
        command=command(state, options),
        ledger_head=state.head,
        changed=state.changed,
        annotators=tuple(name for _, name in people),
        judged_by=sentence(state),
        combining=_combining(state, options) if len(people) > 1 else "",
        settled=0 if options.annotator else len(state.settled[1]),
        unblinded=state.unblinded,
        practice=len(state.practice),
        parts=tuple(_judges_of_parts(state, options, only)),
        together=tuple(
            tuple(np.bincount(judged.how[judged.annotator == key], minlength=len(HOWS))[1:3].tolist())
            for key, _ in people
        ),
    )


def _combining(state: State, options: Options) -> str:
    """Return how several annotators' judgments became one; levels that stand for grades are called so."""
    said = SENTENCES[options.combine]
    return as_levels(said) if state.judged_by else said


def _counting(state: State, options: Options) -> list[tuple[int, str]]:
    """Return (key, name) of those whose judgments count: one that is asked for, else all but models."""
    return [
        (key, name)
        for key, name, kind, graded, _ in state.annotators
        if (name == options.annotator if options.annotator else graded and kind != "model")
    ]


def _judges_of_parts(state: State, options: Options, only: Container[str] | None) -> Iterator[PartJudges]:
    """Yield who judged the parts of answers that the chosen measures read, as nuggets."""
    needs = {one.needs for one in catalogue.parse_all(options.measures, rel=options.relevant_from)}
    for task in JUDGED:
        if task.measures in needs and {task.name, settling(task).name} & state.said.keys():
            said = by(state, task.name)
            judged = judged_of(said, only).annotator
            people = _counting(said, options)
            counts = tuple(int((judged == key).sum()) for key, _ in people)
            settled = 0 if options.annotator else len(said.settled[1])
            yield PartJudges(task.measures, tuple(name for _, name in people), counts, settled)


def origin(state: State, options: Options, only: Container[str] | None = None) -> tuple[str, ...]:
    """Return of which state of a project a table is, a sentence each, and whether it is of `only` some."""
    known = provenance(state, options, only)
    whose = f"Judgments of {known.name}, compared with Annotator {known.version}, seed {options.seed}."
    return (whose, *head(known), *(() if only is None else (f"{LEFT_OUT}.",)))


def command_of_scores(file: str, options: Options) -> str:
    """Return the words of the command line that choose the same scores of a file."""
    seed = ["--seed", str(options.seed)] if options.seed != Options().seed else []
    return shlex.join([*_choosing(file, options), *seed])


def _choosing(file: str, options: Options) -> list[str]:
    """Return the words that choose measures, systems and queries."""
    words = ["annotator", "evaluate", f"./{file}" if file.startswith("-") else file]
    for flag, values in (
        ("-m", options.measures),
        ("-s", options.systems),
        ("-q", options.queries),
        ("--tag", options.tags),
    ):
        words += [word for value in values for word in (flag, value)]
    return words


def command(state: State, options: Options) -> str:
    """Return the words of the command line that give the same result."""
    plain = Options()
    named: dict[str, tuple[Any, Any]] = {
        "--combine": (options.combine, None),  # not said, it is the project's, which may be another one then
        "--annotator": (options.annotator, None),
        "--fully-judged-to": (options.fully_judged_to, None),
        "--language": (stems_of(state, options), None),
        "--normaliser": (options.normaliser, plain.normaliser),
        "--model": (options.model, plain.model),
        "--as-of": (options.as_of, plain.as_of),
        "--judged-by": (options.judged_by, plain.judged_by),
        "--seed": (options.seed, plain.seed),
    }
    if options.relevance is None:
        named["--rel"] = options.rel, None
    else:
        named |= {
            "--match": (options.relevance.match, None),
            "--threshold": (options.relevance.threshold, 1.0),
            "--credit": (options.relevance.credit, "once"),
            "--gains": (options.relevance.gains, "binary"),
        }
    words = _choosing(state.store.path.name, options)
    words += [word for flag, (value, usual) in named.items() if value != usual for word in (flag, str(value))]
    switches = ("judged_only", "skip_without_relevant", "stemming", "count_ties")
    words += [f"--{name.replace('_', '-')}" for name in switches if getattr(options, name)]
    return shlex.join(words)
