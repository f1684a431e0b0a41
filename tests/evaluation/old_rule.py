"""The rule that once said when to stop, as a control: it took what is unjudged for like what is judged."""

import math
from dataclasses import dataclass

import numpy as np

from annotator.evaluation.next_judgment import UNJUDGED, TwoRankings, leverage
from annotator.grades import GRADES

SURE = 0.95


@dataclass(frozen=True, slots=True)
class Decision:
    """What is known so far of which system is better by DCG.

    `second_better` is the chance, over the grades that are still missing, that the second system ends ahead;
    `open` counts unjudged candidates that matter.
    """

    second_better: float
    open: int

    @property
    def sure(self) -> bool:
        """Whether one system ends ahead with at least 95%: time to stop."""
        return max(self.second_better, 1 - self.second_better) >= SURE


def decision(pool: TwoRankings, depth: int = 10) -> Decision:
    """Return how sure the comparison is with the grades so far.

    A missing grade is expected to be spread as those given so far, with one more of each grade added, so that
    few grades claim little. Its mean is itself uncertain, by the number of grades it comes from. The sum over
    the missing grades is taken as normal. The gain is the grade.
    """
    pull = leverage(pool, depth)
    missing = pool.grade == UNJUDGED
    seen = np.append(pool.grade[~missing], GRADES).astype(np.float64)
    known = float(pull[~missing] @ pool.grade[~missing])
    expected = known + float(pull[missing].sum()) * seen.mean()
    weight = float((pull[missing] ** 2).sum()) + float(pull[missing].sum()) ** 2 / len(seen)
    spread = math.sqrt(weight * seen.var())
    if spread == 0:
        chance = 0.5 if abs(expected) < 1e-12 else float(expected > 0)
    else:
        chance = (1 + math.erf(expected / spread / math.sqrt(2))) / 2
    return Decision(chance, int((missing & (pull != 0)).sum()))
