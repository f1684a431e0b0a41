"""A threshold against another source, as a table of four counts: exact match against grade >= 3, say.

A rate whose denominator is 0 is 0, and `Confusion.undefined` names it, so that a panel can say "undefined,
shown as 0".
"""

import math
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.metrics.collection import Floats

MEANINGS = {
    "tpr": "true positive rate (recall, sensitivity): tp / (tp + fn)",
    "fpr": "false positive rate: fp / (fp + tn)",
    "tnr": "true negative rate (specificity): tn / (tn + fp)",
    "fnr": "false negative rate: fn / (fn + tp)",
    "precision": "precision of the positive class: tp / (tp + fp)",
    "recall": "recall of the positive class: tp / (tp + fn)",
    "f1": "F1 of the positive class: 2 tp / (2 tp + fp + fn)",
    "negative_precision": "precision of the negative class: tn / (tn + fn)",
    "negative_recall": "recall of the negative class: tn / (tn + fp)",
    "negative_f1": "F1 of the negative class: 2 tn / (2 tn + fp + fn)",
    "accuracy": "accuracy: (tp + tn) / all",
    "mcc": "Matthews correlation coefficient: -1 inverse, 0 as by chance, 1 perfect",
}
"""Name of a rate -> what it is, for tooltips and reports."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often a prediction and the truth said yes and no: true positives, false positives and so on."""

    tp: int
    fp: int
    fn: int
    tn: int

    @classmethod
    def of(cls, truth: ArrayLike, predicted: ArrayLike) -> "Confusion":
        """Count two equally long arrays of booleans. ValueError when their lengths differ."""
        true, positive = np.asarray(truth, np.bool_), np.asarray(predicted, np.bool_)
        if true.shape != positive.shape:
            raise ValueError(f"{len(true)} true values for {len(positive)} predictions")
        cells = np.bincount(2 * true + positive, minlength=4).tolist()
        return cls(tp=cells[3], fp=cells[1], fn=cells[2], tn=cells[0])

    @property
    def rates(self) -> dict[str, float]:
        """Every rate of `MEANINGS`; 0 where it is undefined."""
        return {name: value or 0.0 for name, value in self._rates().items()}

    @property
    def undefined(self) -> tuple[str, ...]:
        """The rates whose denominator is 0."""
        return tuple(name for name, value in self._rates().items() if value is None)

    @property
    def by_true_class(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The table ((tn, fp), (fn, tp)) with each row divided by its sum: shares of each true class."""
        rates = self.rates
        return (rates["tnr"], rates["fpr"]), (rates["fnr"], rates["tpr"])

    def _rates(self) -> dict[str, float | None]:
        tp, fp, fn, tn = (getattr(self, one.name) for one in fields(self))
        squares = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
        return {
            "tpr": _share(tp, tp + fn),
            "fpr": _share(fp, fp + tn),
            "tnr": _share(tn, tn + fp),
            "fnr": _share(fn, fn + tp),
            "precision": _share(tp, tp + fp),
            "recall": _share(tp, tp + fn),
            "f1": _share(2 * tp, 2 * tp + fp + fn),
            "negative_precision": _share(tn, tn + fn),
            "negative_recall": _share(tn, tn + fp),
            "negative_f1": _share(2 * tn, 2 * tn + fp + fn),
            "accuracy": _share(tp + tn, tp + fp + fn + tn),
            "mcc": (tp * tn - fp * fn) / math.sqrt(squares) if squares else None,
        }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def sweep(truth: ArrayLike, scores: ArrayLike) -> list[tuple[float, Confusion]]:
    """Return the table for every threshold that changes something, ascending.

    `truth` is bool[n], `scores` float64[n]; a prediction is positive from the threshold on. The
    thresholds are the distinct scores.
    """
    true, value = np.asarray(truth, np.bool_), np.asarray(scores, np.float64)
    order = np.argsort(value, kind="stable")
    true, value = true[order], value[order]
    thresholds, first = np.unique(value, return_index=True)
    below_true = np.append(0, np.cumsum(true))[first]
    positives = int(true.sum())
    return [
        (
            float(threshold),
            Confusion(
                tp=positives - below,
                fp=len(true) - at - positives + below,
                fn=below,
                tn=at - below,
            ),
        )
        for threshold, at, below in zip(thresholds.tolist(), first.tolist(), below_true.tolist(), strict=True)
    ]


class Simulated(NamedTuple):
    """F1 and MCC of simulated tables; `deceptive` marks a high F1 on data that is nearly all positive."""

    f1: Floats
    mcc: Floats
    positive_share: Floats
    deceptive: NDArray[np.bool_]


def f1_against_mcc(samples: int = 100, tables: int = 20_000, seed: int = 1) -> Simulated:
    """Draw confusion tables of `samples` each, uniformly from all there are, and return their F1 and MCC.

    `deceptive`: F1 over 0.95 and over 95% of the samples positive; there MCC may be anything (after
    Chicco and Jurman 2020). Undefined values are 0. Same seed, same tables.
    """
    random = np.random.default_rng(seed)
    bars = np.sort(np.argsort(random.random((tables, samples + 3)))[:, :3])
    tp = bars[:, 0]
    fp = bars[:, 1] - bars[:, 0] - 1
    fn = bars[:, 2] - bars[:, 1] - 1
    tn = samples + 2 - bars[:, 2]
    below = 2 * tp + fp + fn
    f1 = np.divide(2 * tp, below, out=np.zeros(tables), where=below > 0)
    squares = np.sqrt(((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)).astype(np.float64))
    mcc = np.divide(tp * tn - fp * fn, squares, out=np.zeros(tables), where=squares > 0)
    share = (tp + fn) / samples
    return Simulated(f1, mcc, share, (f1 > 0.95) & (share > 0.95))
