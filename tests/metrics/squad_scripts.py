"""The rules of the published SQuAD, TriviaQA and MLQA scorers, restated plainly as a peer of ours.

One answer at a time, every text normalised again for every comparison, as those scripts do.
"""

import re
import string
from collections import Counter
from collections.abc import Callable
from unicodedata import category


def _finish(text: str) -> str:
    without_articles = re.sub(r"\b(a|an|the)\b", " ", text)
    return " ".join(without_articles.split())


def normalize_squad(text: str) -> str:
    """Lower case, delete ASCII punctuation, drop articles, squeeze white space."""
    exclude = set(string.punctuation)
    return _finish("".join(char for char in text.lower() if char not in exclude))


def normalize_triviaqa(text: str) -> str:
    """Lower case, punctuation to spaces, drop articles, squeeze white space."""
    exclude = set(string.punctuation + "‘’´`")
    lower = text.replace("_", " ").lower()
    return _finish("".join(" " if char in exclude else char for char in lower)).strip()


MLQA_ARTICLES = {
    "ar": "ال",
    "de": "ein eine einen einem eines einer der die das den dem des",
    "en": "a an the",
    "es": "un una unos unas el la los las",
    "hi": "",
    "vi": "của là cái chiếc những",
    "zh": "",
}


def normalize_mlqa(text: str, language: str) -> str:
    """Lower case, delete punctuation, drop articles, squeeze white space; in Chinese part ideographs."""
    kept = "".join(
        char for char in text.lower() if char not in string.punctuation and not category(char).startswith("P")
    )
    if language == "ar":
        kept = kept.replace(MLQA_ARTICLES["ar"], " ")
    for article in MLQA_ARTICLES[language].split() if language != "ar" else []:
        kept = re.sub(rf"\b{article}\b", " ", kept)
    if language == "zh":
        kept = "".join(f" {char} " if "\u4e00" <= char <= "\u9fa5" else char for char in kept)
    return " ".join(kept.split())


def exact(prediction: str, gold: str, normalize: Callable[[str], str] = normalize_squad) -> float:
    """Exact match of one pair."""
    return float(normalize(prediction) == normalize(gold))


def f1(
    prediction: str, gold: str, normalize: Callable[[str], str] = normalize_squad, version: int = 1
) -> float:
    """Token F1 of one pair; in version 2 nothing against nothing is 1."""
    found, wanted = normalize(prediction).split(), normalize(gold).split()
    if version == 2 and (not found or not wanted):
        return float(found == wanted)
    same = sum((Counter(found) & Counter(wanted)).values())
    if same == 0:
        return 0.0
    precision, recall = same / len(found), same / len(wanted)
    return 2 * precision * recall / (precision + recall)


def squad1(prediction: str, golds: list[str]) -> tuple[float, float]:
    """EM and F1 of one question, best over its gold answers."""
    return max(exact(prediction, gold) for gold in golds), max(f1(prediction, gold) for gold in golds)


def squad2(prediction: str, golds: list[str]) -> tuple[float, float]:
    """EM and F1 of one question; no gold answer left after normalising means that the empty one is right."""
    golds = [gold for gold in golds if normalize_squad(gold)] or [""]
    return (
        max(exact(prediction, gold) for gold in golds),
        max(f1(prediction, gold, version=2) for gold in golds),
    )


def best_threshold(
    scores: dict[str, float],
    doubts: dict[str, float],
    predictions: dict[str, str],
    answerable: dict[str, bool],
) -> float:
    """SQuAD 2.0's best score: from all answers emptied on, keep one more at a time, the surest first."""
    current = best = float(sum(not one for one in answerable.values()))
    for question in sorted(doubts, key=doubts.__getitem__):
        current += scores[question] if answerable[question] else -bool(predictions[question])
        best = max(best, current)
    return best / len(scores)
