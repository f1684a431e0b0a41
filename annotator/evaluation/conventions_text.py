"""The conventions of a result in words, so that a reader need not guess what a number means."""

from datetime import UTC, datetime

from annotator.evaluation.results import Assigned, EvaluationResult, PartJudges, Provenance
from annotator.evaluation.summary_tables import judgment_basis, other_aggregates
from annotator.metrics.conventions import in_words
from annotator.metrics.measures import Measure
from annotator.text.counts import counted
from annotator.text.normalisers import SENTENCES

LEFT_OUT = "Queries without a relevant candidate are left out."
SHOWN = 5
"""So many of the queries that are left out for one reason are named."""


def conventions(result: EvaluationResult) -> tuple[str, ...]:
    """Return the choices that the scores depend on, a sentence each."""
    options = result.options
    graded = any(measure.needs == "grades" for measure in result.measures)
    sentences = _of_judgments(result) if graded else [LEFT_OUT] if options.skip_without_relevant else []
    if options.fully_judged_to is not None:
        sentences.append(f"Only queries whose top {options.fully_judged_to} is fully judged count.")
    if options.tags:
        sentences.append(f"Only queries with one of these tags: {', '.join(options.tags)}.")
    if options.queries:
        sentences.append(f"Only {len(options.queries)} chosen queries.")
    whole = "Recall, AP and the ideal ordering look at all judged candidates of the query, retrieved or not. "
    order = "Rankings are ordered by score, ties by id, both descending, unless they came in their own order."
    sentences.append(whole + order if graded else order)
    sentences.extend(ties(result))
    sentences.extend(f"{one.name}: {in_words(one)}." for one in result.measures if one.needs == "grades")
    sentences.extend(_of_answers(result))
    counting = "that have judgments" if graded else "that can be scored"
    means = f"Means are arithmetic, over the queries {counting}{other_aggregates(result)}"
    sentences.append(f"{means}; nothing is rounded before.")
    return tuple(sentences)


def _of_judgments(result: EvaluationResult) -> list[str]:
    """Return what is relevant, and what becomes of candidates and queries where nothing says so."""
    options = result.options
    sentences = [judgment_basis(options, result.provenance)]
    if options.relevance is None and any(measure.rel is not None for measure in result.measures):
        sentences.append(
            f"A candidate is relevant from grade {options.rel} on, unless a measure names its own threshold."
        )
    sentences.append(
        "Unjudged candidates were removed from the rankings first."
        if options.judged_only
        else "An unjudged candidate counts as not relevant and has no gain."
    )
    sentences.append(
        LEFT_OUT
        if options.skip_without_relevant
        else "A query without a relevant candidate counts as 0"
        + (f"; there are {int((result.relevant == 0).sum())}." if result.relevant is not None else ".")
    )
    return sentences


def _of_answers(result: EvaluationResult) -> list[str]:
    """Return how answers are compared with gold answers, and what each measure of them tells."""
    options, sentences = result.options, []
    needs = {one.needs for one in result.measures}
    if needs & {"answers", "passages"}:
        stems = ", taken to their stems" if options.stemming else ""
        sentences.append(f"Texts are compared {SENTENCES[options.normaliser]}{stems} ({options.normaliser}).")
    if needs & {"answers", "model"}:
        sentences += [
            "An answer fits a gold answer as well as the wording of it that fits best.",
            "A question marked unanswerable is right exactly when the predicted answer is empty.",
            "A question without a prediction scores 0; one with neither gold answer nor mark is left out.",
        ]
    for one in result.measures:
        if one.needs != "grades":
            clauses = (one.sentence[0].lower() + one.sentence[1:].rstrip("."), _match(one), in_words(one))
            sentences.append(f"{one.name}: {'; '.join(filter(None, clauses))}.")
    return sentences


def _match(measure: Measure) -> str:
    """Return from which match on an answer counts as right, "" where a measure names none."""
    given = measure.parameters
    if "threshold" not in given:
        return ""
    exactly = given["match"] == "em" and given["threshold"] == 1
    return (
        "it matches exactly" if exactly else f"it matches by {given['match']} from {given['threshold']:g} on"
    )


def ties(result: EvaluationResult) -> list[str]:
    """Return, for each system with ties, how many there are and between what values their order decides."""
    sentences = []
    for system in result.systems:
        many = result.n_tied(system)
        if not many:
            continue
        ends = {name: (f"{low:.4f}", f"{high:.4f}") for name, (low, high) in reach(result, system).items()}
        could = [f"{name} {low} to {high}" for name, (low, high) in ends.items() if low != high]
        order = f"by their order alone: {', '.join(could)}" if could else "their order changes no digit shown"
        sentences.append(f"{many:,} candidates of {system} share their score with another; {order}.")
    return sentences


def reach(result: EvaluationResult, system: str) -> dict[str, tuple[float, float]]:
    """Return, by measure, the lowest and highest mean that orders of equal scores could give, where known."""
    names = [one.name for one in result.measures if one.needs == "grades"]
    ends = {name: result.mean_by_ties(system, name) for name in names}
    return {name: both for name, both in ends.items() if both is not None}


def remarks(result: EvaluationResult) -> list[str]:
    """Return what to mind: notes, ties, and which queries no mean contains, for each reason the first."""
    reasons: dict[str, list[str]] = {}
    for query, why in result.left_out:
        reasons.setdefault(why, []).append(query)
    sentences = [*result.notes, *practice(result), *ties(result)]
    for why, queries in reasons.items():
        more = f" and {len(queries) - SHOWN} more" if len(queries) > SHOWN else ""
        each = "each " if len(queries) > 1 else ""
        sentences.append(f"left out, {each}because {why}: {', '.join(queries[:SHOWN])}{more}")
    return sentences


def practice(result: EvaluationResult) -> list[str]:
    """Return that practice queries are left out, if there are any."""
    count = result.provenance.practice
    return [practice_left_out(count)] if count else []


def practice_left_out(count: int) -> str:
    """Say that practice queries do not count."""
    return f"{counted(count, 'practice query is', 'practice queries are')} left out."


TOGETHER = ("with the rest of a query", "with a near-duplicate")
"""How grades were given together, as `Provenance.together` counts them."""


def _judges_of(parts: PartJudges) -> str:
    """Return who judged how many parts of answers, and how many of them are settled."""
    said = [f"{name} ({count:,})" for name, count in zip(parts.names, parts.counts, strict=True)]
    settled = f"; {parts.settled:,} settled" if parts.settled else ""
    return f"Support of {parts.what} by {', '.join(said) or 'nobody that counts'}{settled}."


def provenance(result: EvaluationResult) -> tuple[str, ...]:
    """Return where a result comes from, a sentence each; nothing in it depends on when it is printed."""
    known = result.provenance
    sentences = [f"Evaluated with Annotator {known.version} from {known.name}, seed {result.options.seed}."]
    if known.annotators:
        sentences.append(f"Judgments by {', '.join(known.annotators)}.")
    sentences += [_judges_of(one) for one in known.parts]
    sentences += practice(result)
    given = [
        f"{name} gave {' and '.join(words)}"
        for name, both in zip(known.annotators, known.together, strict=False)
        if (words := [f"{count:,} {how}" for count, how in zip(both, TOGETHER, strict=True) if count])
    ]
    if given:
        sentences.append(
            f"Grades that nobody decided on one by one: {'; '.join(given)}. They count in scores; "
            "times leave them out, and so does, unless asked otherwise, what holds annotators against each "
            "other or against matches."
        )
    sentences += [assigned(known.assigned)] if known.assigned is not None else []
    sentences += state(result)
    if known.unblinded:
        them, was = ("it", "it was") if known.unblinded == 1 else ("them", "they were")
        sentences.append(
            f"In {counted(known.unblinded, 'query', 'queries')} somebody who judged {them} had asked to see "
            f"ranks and scores before {was} complete."
        )
    return tuple(sentences)


def assigned(one: Assigned) -> str:
    """Say who was to judge what, by which event, and how far it is."""
    to = ", ".join(f"{name} {share:,}" for name, share in one.shares)
    shares = "by numbers of queries" if one.numbers else "in shares"
    far = f"; {one.decided / one.places:.1%}" if one.places else ""
    return (
        f"Assigned: {counted(one.queries, 'query', 'queries')}, {shares} ({to}), with "
        f"{counted(one.judgments, 'judgment')} of each candidate, seed {one.seed}, event {one.event}. Of "
        f"{counted(one.places, 'judgment')} that this takes {one.decided:,} are there{far}."
    )


def state(result: EvaluationResult) -> list[str]:
    """Return of which state of a project a result is, and how to come back to it, a sentence each."""
    known = result.provenance
    sentences = head(known)
    if known.changed is not None and not result.options.as_of:
        moment = datetime.fromtimestamp(known.changed / 1000, UTC).isoformat(" ", "milliseconds")
        sentences.append(
            "Once the project has changed, the command takes the judgments, gold answers and runs of "
            f'this state with --as-of "{moment}".'
        )
    return sentences


def head(known: Provenance) -> list[str]:
    """Return by which ledger head and time a state of a project is known, a sentence each."""
    sentences = []
    if known.ledger_head:
        sentences.append(f"Ledger head {known.ledger_head}: a later change of any judgment would change it.")
    if known.changed is not None:
        sentences.append(f"Last change of what was evaluated: {utc(known.changed)}.")
    return sentences


def utc(milliseconds: int) -> str:
    """Return a time as people write it, in UTC to the second."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
