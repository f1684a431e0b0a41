"""P12: EM and token F1 of 100,000 predictions against the algorithm of the official SQuAD script."""

import random
import time

from annotator.metrics import answer_parts, answers
from tests.metrics import squad_scripts

PREDICTIONS = 100_000
GOAL = 5.0


def questions(count: int, seed: int = 1) -> list[tuple[str, list[str]]]:
    """Return (prediction, 1 to 4 gold wordings) as SQuAD's dev set has them: short spans, partly repeated."""
    chance = random.Random(seed)
    words = ["the", "a", "of", "New", "York", *(f"Word{i}" for i in range(20_000))]
    made = []
    for _ in range(count):
        gold = [" ".join(chance.choices(words, k=chance.randint(1, 6))) + chance.choice(["", ".", ","])]
        gold += [chance.choice([gold[0], "the " + gold[0], gold[0].split()[-1]]) for _ in range(3)]
        right = chance.random() < 0.6
        made.append((gold[-1] if right else " ".join(chance.choices(words, k=3)), gold))
    return made


def main() -> None:
    """Score the same questions with the script's algorithm and with ours, and print the ratio."""
    made = questions(PREDICTIONS)
    start = time.process_time()
    theirs = [squad_scripts.squad1(prediction, gold) for prediction, gold in made]
    middle = time.process_time()
    table = answers.AnswerTable.build(
        range(len(made)), [1] * len(made), [text for text, _ in made], [[gold] for _, gold in made]
    )
    em, f1 = (answer_parts.best_in_top(table, match) for match in ("em", "f1"))
    end = time.process_time()
    difference = max(abs(em[i] - a) + abs(f1[i] - b) for i, (a, b) in enumerate(theirs))
    ratio = (middle - start) / (end - middle)
    print(f"P12 EM and token F1 of {PREDICTIONS:,} predictions: {ratio:.1f}x (goal {GOAL:.0f}x), ", end="")
    print(f"ours {end - middle:.2f} s, largest difference {difference:.0e}")


if __name__ == "__main__":
    main()
