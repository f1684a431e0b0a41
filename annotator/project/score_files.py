"""Files of scores: one Parquet table that bears everything an `EvaluationResult` holds, and reads back so.

A row is a system and a query: `system`, `query`, `text` and `tags` where there are any, a column for each
measure under its printed name, `counted` (in the means), `retrieved`, `relevant`, `judged`, `judged_at_10`,
`tied`, and where scores are shared `MEASURE worst` and `MEASURE best`. What holds for all rows stands as JSON
under `annotator` in the metadata of the file: the options, where the scores come from, what is left out.
"""

import io
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import numpy as np

from annotator.errors import MeasureError, UserError
from annotator.evaluation.evaluator import parsed
from annotator.evaluation.options import GoldMatch, Options
from annotator.evaluation.results import Assigned, EvaluationResult, Provenance
from annotator.evaluation.subsets import of_chosen, selected
from annotator.formats.declaration import refuse_odd
from annotator.formats.parquet import pyarrow_here
from annotator.formats.whole_files import replacing_bytes
from annotator.metrics import catalogue

ENDING = ".parquet"
LAYOUT = 1
KEY = b"annotator"
MOST_LISTED = 20
CHOSEN = ("measures", "systems", "queries", "tags", "seed")
"""The options that choose among scores; all others are settled with them."""
WORST, BEST = "{} worst", "{} best"

T = TypeVar("T")


def write_scores(result: EvaluationResult, path: Path) -> None:
    """Write a file of scores, whole or not at all; raises UserError, and MissingExtra without pyarrow."""
    made = packed(result)
    with replacing_bytes(path) as file:
        file.write(made)


def read_scores(path: Path) -> EvaluationResult:
    """Return the result in a file of scores; raises UserError for any other file."""
    refuse_odd(path)
    with _refusing(path), path.open("rb") as file:
        return unpacked(file)[0]


def scores_of(path: Path, options: Options) -> EvaluationResult:
    """Return the scores of a file that the options choose: measures, systems, queries and tags, or all.

    All else that scores depend on is settled in the file; the seed is, unless the options have another than
    the usual one. Raises MeasureError for what is not there.
    """
    from annotator.project.provenance import command_of_scores

    result = read_scores(path)
    asked = replace(result.options, measures=options.measures)
    measures = [one.name for one in parsed(asked)] or [one.name for one in result.measures]
    systems = tuple(dict.fromkeys(options.systems)) or result.systems
    tags = sorted({tag for own in result.tags for tag in own})
    there = (result.systems, result.query_ids, tags, [one.name for one in result.measures])
    for what, names, known in zip(
        ("system", "query", "tag", "measure"),
        (systems, options.queries, options.tags, measures),
        there,
        strict=True,
    ):
        for name in names:
            if name not in known:
                listed = ", ".join(known[:MOST_LISTED]) or "none"
                raise MeasureError(f"{path} holds no scores of the {what} {name}; of this kind: {listed}.")
    chosen = of_chosen(selected(result, systems, measures), options)
    usual = Options()
    settled = replace(
        result.options,
        measures=tuple(measures),
        systems=options.systems or result.options.systems,
        queries=options.queries or result.options.queries,
        tags=options.tags or result.options.tags,
        seed=result.options.seed if options.seed == usual.seed else options.seed,
    )
    known_by = replace(result.provenance, command=command_of_scores(path.name, options))
    return replace(chosen, options=settled, provenance=known_by)


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Turn what is wrong with a file into a sentence."""
    arrow = pyarrow_here()
    try:
        yield
    except FileNotFoundError:
        raise UserError(f"There is no file {path}; name one of scores.") from None
    except (
        arrow.ArrowException,
        OSError,
        LookupError,
        TypeError,
        ValueError,
        RecursionError,
        MeasureError,
    ) as error:
        raise UserError(
            f"{path} is no file of scores ({' '.join(str(error).split())[:200]}); make one with: annotator "
            f"evaluate … -o NAME{ENDING}"
        ) from None


def packed(result: EvaluationResult, beside: Mapping[str, object] | None = None) -> bytes:
    """Return a result as the bytes of a file; `beside` is kept with it. The same result, the same bytes."""
    arrow = pyarrow_here()
    told = {
        "layout": LAYOUT,
        "measures": [one.name for one in result.measures],
        "systems": result.systems,
        "queries": len(result.query_ids),
        "options": asdict(result.options),
        "provenance": asdict(result.provenance),
        "left_out": result.left_out,
        "notes": result.notes,
        "beside": beside or {},
    }
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    table = arrow.table(_columns(result, arrow)).replace_schema_metadata({KEY: text.encode("utf-8")})
    coded = ["system", "query", "text"]
    file = io.BytesIO()
    arrow.parquet.write_table(table, file, compression="zstd", use_dictionary=coded)
    return file.getvalue()


def _columns(result: EvaluationResult, arrow: Any) -> dict[str, Any]:
    systems, queries = len(result.systems), len(result.query_ids)

    def each(values: Any, kind: Any = None) -> Any:
        """Return what is the same for every system."""
        return arrow.array(list(values) * systems, kind)

    columns = {
        "system": arrow.array(np.repeat(np.array(result.systems, object), queries), arrow.string()),
        "query": each(result.query_ids, arrow.string()),
    }
    if result.query_texts:
        columns["text"] = each(result.query_texts, arrow.string())
    if result.tags:
        columns["tags"] = each(map(list, result.tags), arrow.list_(arrow.string()))
    for at, one in enumerate(result.measures):
        columns[one.name] = result.scores[:, at].ravel()
    columns["counted"] = result.counted.ravel()
    whole = {"retrieved": result.retrieved, "judged_at_10": result.judged_at_10, "tied": result.tied}
    columns |= {name: values.ravel() for name, values in whole.items() if values is not None}
    for name, values in (("relevant", result.relevant), ("judged", result.judged)):
        if values is not None:
            columns[name] = np.tile(values, systems)
    if result.tie_range is not None:
        for at, one in enumerate(result.measures):
            for end, name in enumerate((WORST, BEST)):
                columns[name.format(one.name)] = result.tie_range[end, :, at].ravel()
    return columns


def beside_in(scores: bytes) -> dict[str, Any]:
    """Return what was kept beside a result in the bytes of its file; raises as `unpacked` does."""
    told = _told(pyarrow_here().parquet.read_schema(io.BytesIO(scores)))
    return dict(told["beside"])


def _told(schema: Any) -> dict[str, Any]:
    """Return what holds for all rows of a file."""
    text = (schema.metadata or {}).get(KEY)
    if text is None:
        raise ValueError("it does not say that it is one")
    told: dict[str, Any] = json.loads(text)
    if told["layout"] != LAYOUT:
        raise ValueError(f"its layout is {told['layout']}, and {LAYOUT} is known here")
    return told


def unpacked(file: BinaryIO) -> tuple[EvaluationResult, dict[str, Any]]:
    """Return the result in a file and what was kept beside it; raises ValueError and the like for another."""
    arrow = pyarrow_here()
    table = arrow.parquet.read_table(file, use_threads=False)
    told = _told(table.schema)
    systems, queries = tuple(told["systems"]), int(told["queries"])
    shape = len(systems), queries

    def column(name: str) -> np.ndarray[Any, Any] | None:
        return table[name].to_numpy().reshape(shape) if name in table.column_names else None

    def first(name: str) -> list[Any]:
        return table[name].slice(0, queries).to_pylist() if name in table.column_names else []

    def of_query(name: str) -> np.ndarray[Any, Any] | None:
        values = column(name)
        return None if values is None else values[0]

    measures = catalogue.parse_all(told["measures"])
    counted = column("counted")
    if counted is None or [one.name for one in measures] != told["measures"]:
        raise ValueError("its columns are not those of scores")
    ends = [[column(name.format(one.name)) for one in measures] for name in (WORST, BEST)]
    return EvaluationResult(
        systems=systems,
        measures=measures,
        query_ids=tuple(first("query")),
        scores=_stacked([column(one.name) for one in measures]),
        counted=counted,
        options=_value(Options, told["options"]),
        provenance=_value(Provenance, told["provenance"]),
        query_texts=tuple(first("text")),
        tags=tuple(map(tuple, first("tags"))),
        retrieved=column("retrieved"),
        relevant=of_query("relevant"),
        judged=of_query("judged"),
        judged_at_10=column("judged_at_10"),
        tied=column("tied"),
        tie_range=np.stack([_stacked(one) for one in ends]) if ends[0][0] is not None else None,
        left_out=tuple((str(query), str(why)) for query, why in told["left_out"]),
        notes=tuple(map(str, told["notes"])),
    ), told["beside"]


def _stacked(values: list[np.ndarray[Any, Any] | None]) -> np.ndarray[Any, Any]:
    """Return the columns of all measures as [system, measure, query]; raises ValueError without one."""
    there = [one for one in values if one is not None]
    if len(there) < len(values):
        raise ValueError("it lacks the column of a measure")
    return np.stack(there, axis=1)


NESTED = {"relevance": GoldMatch, "assigned": Assigned}


def _value(kind: type[T], told: Mapping[str, Any]) -> T:
    """Return a frozen value from what JSON made of it; raises TypeError for what it has no field for."""

    def plain(value: object) -> object:
        return tuple(map(plain, value)) if isinstance(value, list) else value

    known = {one.name for one in fields(kind)}  # type: ignore[arg-type]
    if set(told) - known:
        raise TypeError(f"it says {sorted(set(told) - known)[0]}, which is not known here")
    made = {
        name: _value(NESTED[name], value) if name in NESTED and value is not None else plain(value)
        for name, value in told.items()
    }
    return kind(**made)
