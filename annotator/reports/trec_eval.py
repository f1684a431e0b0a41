"""The command with which trec_eval computes the same measures from exported qrels and runs."""

import shlex
from collections.abc import Iterable, Sequence

from annotator.metrics.measures import Measure

WITH_CUTOFF = {
    "P": "P",
    "R": "recall",
    "Success": "success",
    "nDCG": "ndcg_cut",
    "AP": "map_cut",
    "IPrec": "iprec_at_recall",
}
WHOLE = {
    "AP": "map",
    "GMAP": "gm_map",
    "RR": "recip_rank",
    "Rprec": "Rprec",
    "Bpref": "bpref",
    "infAP": "infAP",
    "nDCG": "ndcg",
    "IPrec11": "11pt_avg",
    "SetP": "set_P",
    "SetR": "set_recall",
    "SetF": "set_F",
    "NumRet": "num_ret",
    "NumRel": "num_rel",
    "NumRelRet": "num_rel_ret",
}


def option(measure: Measure) -> str | None:
    """Return what follows -m for a measure, None where trec_eval has no counterpart of ours.

    Under -c the sum of num_rel counts from grade 1 on whatever -l says, so it is none from a higher grade on.
    """
    if measure.key == "NumRel" and measure.rel != 1:
        return None
    usual = {one.name: one.default for one in measure.declaration.named} | {"rel": measure.rel}
    if any(measure.parameters[name] != usual[name] for name in measure.parameters):
        return None
    if measure.cutoff is None:
        return WHOLE.get(measure.key)
    name = WITH_CUTOFF.get(measure.key)
    return None if name is None else f"{name}.{measure.cutoff:g}"


SCRIPT = "evaluate.sh"
WRITTEN = "# Written by Annotator: "
"""What the second line of a script begins with; the files of its folder follow."""


def script(measures: Iterable[Measure], qrels: str, runs: Sequence[str], origin: Sequence[str] = ()) -> str:
    """Return a shell script that evaluates every run, one call for each relevance threshold.

    `-c` counts queries that a run misses as 0, as we do. Comments name the files beside it, its `origin` and
    the measures without a counterpart.
    """
    by_level: dict[int, list[str]] = {}
    without = []
    for measure in measures:
        flag = option(measure)
        if flag is None:
            without.append(measure.name)
        else:
            by_level.setdefault(measure.rel or 1, []).append(flag)
    lines = ["#!/bin/sh", WRITTEN + shlex.join((qrels, *runs, SCRIPT)), *(f"# {one}" for one in origin)]
    if without:
        lines.append(f"# trec_eval has no counterpart of {', '.join(without)}")
    for level, options in sorted(by_level.items()):
        flags = " ".join(f"-m {one}" for one in options)
        lines += [
            f"trec_eval -c -q -l {level} {flags} {shlex.quote(qrels)} {shlex.quote(run)}" for run in runs
        ]
    return "\n".join(lines) + "\n"


def files_of(script: str) -> list[str]:
    """Return the files that were written beside a script, and it; none for a script of somebody else's."""
    for line in script.splitlines()[1:2]:
        if line.startswith(WRITTEN):
            return shlex.split(line.removeprefix(WRITTEN))
    return []
