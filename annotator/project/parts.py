"""More rows than one process holds: a folder of Parquet files of whole rankings, scored file by file.

A file is a part. What scores it is the same kernel wherever it runs, and is given what is judged of the
queries of its part alone; its scores come back as the bytes of a file of scores (`score_files`), are kept
until all are there if that is wanted, and are put together part by part.
"""

import hashlib
import json
import pickle
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from annotator.errors import Stopped, UserError
from annotator.evaluation.evaluator import (
    Collection,
    SystemRows,
    parsed,
    refuse_beyond,
    refuse_without_answers,
)
from annotator.evaluation.options import Options
from annotator.evaluation.partial_results import PartialResult, joined, part_of, split
from annotator.evaluation.results import EvaluationResult, Provenance
from annotator.formats import column_scanner
from annotator.formats.column_scanner import Odd
from annotator.formats.hits import RunHits
from annotator.formats.judged_pairs import Qrels, QueryNumbers
from annotator.formats.judged_pairs import unpacked as judgments_of
from annotator.formats.parquet import pyarrow_here
from annotator.formats.parquet_runs import rankings_in
from annotator.formats.registry import hits_in, qrels_in
from annotator.metrics.collection import Ranked
from annotator.metrics.ties import Ties
from annotator.project.data_import import digest
from annotator.project.engines import Engine, in_turn
from annotator.project.files import NO_JUDGMENTS
from annotator.project.kept_parts import KeptParts, kept_beside
from annotator.project.score_files import beside_in, packed, unpacked, write_scores
from annotator.project.version import version
from annotator.watch import UNWATCHED, Watch


@dataclass(frozen=True)
class Job:
    """What is asked of every part: it travels to those who work. `proof` is the hash of the judgments."""

    qrels: Path
    proof: str
    options: Options
    parts: tuple[str, ...]
    version: str

    @cached_property
    def identity(self) -> str:
        """The hash of all that scores of a part depend on beside its file."""
        measures = [one.name for one in parsed(self.options)]
        asked = (self.version, self.proof, measures, asdict(self.options), self.parts)
        return hashlib.sha256(json.dumps(asked).encode("utf-8")).hexdigest()


def parts_in(folder: Path) -> list[Path]:
    """Return the Parquet files of a folder by name; raises UserError where there is none."""
    parts = sorted(one for one in folder.glob("[!.]*.parquet") if one.is_file())
    if not parts:
        raise UserError(f"{folder} holds no Parquet file; “annotator partition” makes such a folder of runs.")
    return parts


def evaluate_folder(
    qrels: Path,
    folder: Path,
    options: Options,
    engine: Engine = in_turn,
    output: Path | None = None,
    watch: Watch = UNWATCHED,
) -> EvaluationResult:
    """Evaluate the rankings in a folder of Parquet files that hold whole rankings; the systems stand by name.

    With `output` the scores are written to that file. Until they are, finished parts are kept beside it, and
    those that are there and are of the same files and options are not scored again. Raises UserError for
    what cannot be taken and for a ranking that stands in two files, Stopped.
    """
    parts = parts_in(folder)
    job = _job(qrels, parts, options)
    store = KeptParts(output and kept_beside(output), job.identity)
    result = _together(*_scores(parts, job, engine, store, watch), job)
    if output is not None:
        write_scores(result, output)
        store.remove()
    return result


def score_some(
    qrels: Path,
    folder: Path,
    share: tuple[int, int],
    options: Options,
    engine: Engine,
    output: Path,
    watch: Watch = UNWATCHED,
) -> int:
    """Score the i-th of n shares of the parts of a folder; return how many parts that are.

    `share` is (i, n), i from 1. They are kept beside the file `output`, which `gather` makes of all shares.
    Raises as `evaluate_folder` does.
    """
    parts = parts_in(folder)
    job = _job(qrels, parts, options)
    mine = parts[share[0] - 1 :: share[1]]
    _scores(mine, job, engine, KeptParts(kept_beside(output), job.identity), watch)
    return len(mine)


def gather(qrels: Path, output: Path) -> EvaluationResult:
    """Write the file of scores of all parts that were scored and kept beside it, and return what it holds.

    Raises UserError where one is missing or damaged, or they are of different files or options.
    """
    kept = kept_beside(output)
    store = KeptParts(kept)
    found = store.all()
    if not found:
        raise UserError(f"{kept} holds no scores of parts; “annotator evaluate --part” writes them.")
    besides = [beside_in(one) for one in found]
    beside = besides[0]
    others = [one["part"] for one in besides if one["job"] != beside["job"]]
    if others:
        raise UserError(
            f"{beside['part']} and {others[0]} were not scored with the same judgments, files, options and "
            f"version; score one of them again, or remove {kept}."
        )
    if digest(qrels) != beside["qrels"]:
        raise UserError(f"{qrels} does not hold the judgments that the parts in {kept} were scored with.")
    missing = sorted(set(beside["of"]) - {one["part"] for one in besides})
    if missing:
        more = f" and {len(missing) - 1} more" if missing[1:] else ""
        raise UserError(
            f"{missing[0]}{more} of {len(beside['of'])} parts are not scored yet; nothing was gathered."
        )
    options = unpacked(BytesIO(found[0]))[0].options
    job = Job(qrels, beside["qrels"], options, tuple(beside["of"]), version())
    result = _together(_blank(_judged(job), options), found, job)
    write_scores(result, output)
    store.remove()
    return result


def _job(qrels: Path, parts: Sequence[Path], options: Options) -> Job:
    refuse_without_answers(parsed(options), ())
    path = qrels.resolve()
    return Job(path, digest(path), options, tuple(one.name for one in parts), version())


def _scores(
    parts: Sequence[Path], job: Job, engine: Engine, store: KeptParts, watch: Watch
) -> tuple[bytes, list[bytes]]:
    """Return `_blank`, and the scores of parts in their order: those that are kept, the others made now."""
    done: dict[str, bytes] = {}
    judged = _judged(job)
    blank = _blank(judged, job.options)
    _give_back_freed_memory()
    for part in parts:
        if (there := store.find(part, digest)) is not None:
            done[part.name] = there
    kept = len(done)

    def take(at: int, scores: bytes) -> None:
        part = left[at]
        store.keep(part.name, scores)
        done[part.name] = scores
        watch.tell(len(done), len(parts), _progress(len(done), len(parts), kept))

    left = [part for part in parts if part.name not in done]
    try:
        shares = dict(_shares(parts, judged, watch))
        del judged
        _give_back_freed_memory()
        watch.tell(len(done), len(parts), _progress(len(done), len(parts), kept))
        engine(_scored, [(part.resolve(), job, shares.pop(part)) for part in left], take, watch)
    except (Stopped, KeyboardInterrupt):
        if store.folder is None:
            raise
        raise Stopped(
            f"It was stopped. {len(done)} of {len(parts)} parts are scored and kept in {store.folder}; the "
            "same command goes on from there."
        ) from None
    return blank, [done[part.name] for part in parts]


def _shares(parts: Sequence[Path], judged: Qrels, watch: Watch) -> Iterator[tuple[Path, bytes]]:
    """Yield each part with the judgments of its queries, packed.

    Raises UserError for a judged query whose ranking by a system stands in two parts. A part that is no
    table of rankings alone is not looked into and has the judgments of all; `joined` refuses what it splits.
    """
    numbers = QueryNumbers(judged.query_ids)
    came_from: dict[str, NDArray[np.int32]] = {}
    everything = np.arange(len(judged.query_ids), dtype=np.int32)
    of_all = b""
    for at, part in enumerate(parts):
        watch.step(at, len(parts), "Looking for rankings that stand in two files")
        mine = np.zeros(len(judged.query_ids), bool)
        try:
            for system, query in rankings_in(part, numbers):
                of = came_from.setdefault(system, np.full(len(mine), -1, np.int32))
                query = query[query < len(of)]
                if len(twice := query[(of[query] != at) & (of[query] >= 0)]):
                    raise split(judged.query_ids[twice[0]], system, parts[of[twice[0]]].name, part.name)
                of[query] = at
                mine[query] = True
        except Odd:
            of_all = of_all or judged.packed(everything)
            yield part, of_all
        else:
            yield part, judged.packed(np.flatnonzero(mine).astype(np.int32))


def _progress(done: int, total: int, kept: int) -> str:
    before = f", {kept} kept from before" if kept else ""
    return f"Scored {done:,} of {total:,} parts{before}"


def _scored(part: Path, job: Job, share: bytes) -> bytes:
    """Score one part, wherever this runs: the bytes of a file of its scores; raises UserError."""
    if version() != job.version:
        raise UserError(
            f"Annotator {version()} is installed where {part.name} was to be scored, and {job.version} here; "
            "install the same."
        )
    judged = judgments_of(share)
    proof = digest(part)
    hits = hits_in(part, judged)
    collection = _collection(judged, hits)
    one = part_of(part.name, collection, job.options, Provenance(part.name, version()))
    beside = {
        "part": part.name,
        "sha256": proof,
        "job": job.identity,
        "qrels": job.proof,
        "of": job.parts,
        "hits": one.hits.tolist(),
    }
    return packed(one.result, beside)


def _judged(job: Job) -> Qrels:
    """Return all judgments; raises UserError where they are not those that were meant."""
    if digest(job.qrels) != job.proof:
        raise UserError(f"{job.qrels} was changed meanwhile; do it again.")
    return qrels_in(job.qrels)


def _collection(judged: Qrels, hits: Sequence[RunHits]) -> Collection:
    """Return what is judged and ranked of those queries alone that some system has a ranking for."""
    numbers = np.flatnonzero(np.stack([one.retrieved for one in hits]).any(axis=0))
    place = np.full(len(judged.query_ids), -1)
    place[numbers] = np.arange(len(numbers))
    rows = judged.of_queries(numbers.astype(np.int32))
    of, grade = place[judged.query[rows]], judged.grade[rows]
    systems = []
    for one in hits:
        ranked = Ranked.build(place[one.query], one.rank, one.grade, one.retrieved[numbers], of, grade)
        ties = Ties(one.first, one.last)
        systems.append(SystemRows(one.system, ranked, tied=one.tied[numbers], ties=ties))
    return Collection(
        query_ids=tuple(judged.query_ids[at] for at in numbers.tolist()),
        systems=tuple(systems),
        left_out=tuple(
            (query, NO_JUDGMENTS) for query in dict.fromkeys(q for one in hits for q in one.unjudged)
        ),
        notes=tuple(dict.fromkeys((*judged.notes, *(note for one in hits for note in one.notes)))),
    )


def _blank(judged: Qrels, options: Options) -> bytes:
    """Return the ids of all judged queries and an empty ranking of each, in few bytes for `_together`.

    Raises UserError for a grade above the highest of the options.
    """
    none = np.zeros(0, np.int32)
    lengths = np.zeros(len(judged.query_ids), np.int64)
    ranked = Ranked.build(none, none, none, lengths, judged.query, judged.grade)

    def names(_: str, query: str) -> tuple[list[str], dict[str, int]]:
        at = judged.query_ids.index(query)
        mine = slice(*judged.starts[at : at + 2])
        ids = (one.decode("utf-8") for one in judged.candidate[mine].tolist())
        return [], dict(zip(ids, judged.grade[mine].tolist(), strict=True))

    collection = Collection(judged.query_ids, (SystemRows("", ranked),), names=names)
    refuse_beyond(collection, options.highest_grade)
    return zlib.compress(pickle.dumps((judged.query_ids, ranked)), level=1)


@dataclass(frozen=True, slots=True)
class _Held:
    """The scores of parts as bytes, each unpacked when it is looked at."""

    scores: Sequence[bytes]

    def __iter__(self) -> Iterator[PartialResult]:
        for one in self.scores:
            scores, beside = unpacked(BytesIO(one))
            yield PartialResult(beside["part"], scores, np.array(beside["hits"], np.int64))


def _give_back_freed_memory() -> None:
    """Let what one step needed not stand beside what the next one needs: Arrow keeps memory of its own."""
    column_scanner.give_back_freed_memory()
    pyarrow_here().default_memory_pool().release_unused()


def _together(blank: bytes, found: Sequence[bytes], job: Job) -> EvaluationResult:
    _give_back_freed_memory()
    query_ids, nothing = pickle.loads(zlib.decompress(blank))
    provenance = Provenance(job.qrels.name, version())
    result = joined(_Held(found), query_ids, nothing, job.options, provenance)
    _give_back_freed_memory()
    return result
