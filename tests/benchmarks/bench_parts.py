"""Jobs of several processes: rows per CPU second and memory as rows grow, partitioning, and 200 runs.

Of 7M and 30M rows, and with ANNOTATOR_BENCH_NIGHTLY of 120M: the cost of a row and the memory stay as they
are. DuckDB is a peer where it is installed, which the tests do not need it for.
"""

import importlib.util
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import polars
import pyarrow as pa
import pyarrow.parquet as pq

from tests.benchmarks.made_runs import DEPTH, PASSAGES, PROGRAM, Cost, cost

MILLIONS = (7, 30, 120) if os.environ.get("ANNOTATOR_BENCH_NIGHTLY") else (7, 30)
FIRST = 2
"""So many million rows are two parts, so that each of two jobs begins: what they take is taken off."""
RANKS_AT_ONCE = 20
PARTED, AS_MANY = "partition", "partition, as many queries"
IN_HELP = (
    "partition, rows in no order",
    f"partition, always {MILLIONS[-1] * 1_000:,} queries",
    "evaluate, three measures",
    "evaluate `--jobs 2`",
)
MOST_FILES = 500
MEASURES = ("-m", "nDCG@10", "-m", "AP", "-m", "RR")

POLARS = """
import sys, polars as pl
source, folder, files = sys.argv[1:]
rows = pl.scan_csv(source, separator=" ", has_header=False, quote_char=None, schema={
    "q": pl.String, "z": pl.String, "d": pl.String, "r": pl.String, "s": pl.Float64, "t": pl.String,
}).select(system="t", query_id="q", document_id="d", score="s")
rows = rows.with_columns(part=pl.col("query_id").hash(0) % int(files))
keys = ["part", "system", "query_id", "score", "document_id"]
rows = rows.sort(keys, descending=[False, False, False, True, True])
rows.sink_parquet(pl.PartitionBy(folder, key="part"), mkdir=True, compression="zstd", engine="streaming")
"""

DUCKDB = """
import sys, duckdb
source, folder, files = sys.argv[1:]
db = duckdb.connect(config={"threads": 1, "memory_limit": "400MB", "temp_directory": folder + ".duck"})
db.execute("SET preserve_insertion_order=false")
db.execute(f\"\"\"COPY (SELECT t AS system, q AS query_id, d AS document_id, s AS score,
hash(q) % {files} AS part FROM read_csv('{source}', delim=' ', header=false,
quote='', auto_detect=false, columns={{'q': 'VARCHAR',
'z': 'VARCHAR', 'd': 'VARCHAR', 'r': 'VARCHAR', 's': 'DOUBLE', 't': 'VARCHAR'}})
ORDER BY part, system, query_id, score DESC, document_id DESC)
TO '{folder}' (FORMAT parquet, PARTITION_BY (part), COMPRESSION zstd)\"\"\")
"""

RANX = """
import sys
from ranx import Qrels, Run, evaluate
qrels = Qrels.from_file(sys.argv[1], kind="trec")
for path in sys.argv[2:]:
    evaluate(qrels, Run.from_file(path, kind="trec"), ["ndcg@10", "map", "mrr"])
"""

IR_MEASURES = """
import sys, ir_measures
from ir_measures import AP, RR, nDCG
qrels = list(ir_measures.read_trec_qrels(sys.argv[1]))
evaluator = ir_measures.evaluator([nDCG @ 10, AP, RR], qrels)
for path in sys.argv[2:]:
    evaluator.calc_aggregate(ir_measures.read_trec_run(path))
"""


def mixed_rows(queries: int, depth: int = DEPTH) -> Iterator[dict[str, np.ndarray]]:
    """Yield the rows of a run in no order at all, some ranks of every query at a time."""
    numbers = np.arange(queries)
    for first in range(0, depth, RANKS_AT_ONCE):
        rank = np.repeat(np.arange(first, min(first + RANKS_AT_ONCE, depth)), queries)
        query = np.tile(numbers, len(rank) // queries)
        document = (rank * 7_919 + query * 104_729) % PASSAGES
        score = (rank * 7_919 + query * 31) % 1_000_003 / 1e4  # no two of a query are equal
        yield {"query": query, "document": document, "score": score}


def write_mixed(path: Path, queries: int, text: bool, depth: int = DEPTH) -> None:
    """Write such a run as a TREC run or as a Parquet table."""
    if text:
        with path.open("wb") as file:
            for rows in mixed_rows(queries, depth):
                table = polars.DataFrame(rows).with_columns(
                    q0=polars.lit("Q0"), rank=polars.lit(0), tag=polars.lit("made")
                )
                table.select("query", "q0", "document", "rank", "score", "tag").write_csv(
                    file, include_header=False, separator=" "
                )
        return
    schema = pa.schema(
        [
            ("query_id", pa.string()),
            ("document_id", pa.string()),
            ("system", pa.string()),
            ("score", pa.float64()),
        ]
    )
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for rows in mixed_rows(queries, depth):
            ids = [pa.array(rows[name]).cast(pa.string()) for name in ("query", "document")]
            system = pa.array(np.full(len(ids[0]), "made"))
            writer.write_table(pa.table([*ids, system, pa.array(rows["score"])], schema), 1 << 17)


def write_judgments(path: Path, queries: int, each: int = 10) -> Path:
    """Write so many judgments of each query of such runs, most of them of retrieved candidates."""
    rng = np.random.default_rng(6)
    query = np.repeat(np.arange(queries), each)
    rank = rng.integers(0, DEPTH, queries * each).reshape(queries, each)
    rank = ((rank[:, :1] + np.arange(each) * 97) % (DEPTH + DEPTH // 4)).ravel()
    document = (rank * 7_919 + query * 104_729) % PASSAGES
    table = polars.DataFrame(
        {"query": query, "zero": 0, "document": document, "grade": rng.integers(0, 4, len(query))}
    )
    table.write_csv(path, include_header=False, separator=" ")
    return path


def annotator(*words: object) -> list[str]:
    return [sys.executable, "-c", PROGRAM, *map(str, words)]


def per_million(what: str, rows: int, found: Cost) -> str:
    return f"{what} {1e6 * found.seconds / rows:.3f} CPU s a million rows, {found.megabytes:.0f} MB"


def partitioned(folder: Path, queries: int, depth: int, times: int) -> Cost:
    """Partition a table of rankings of one depth, in no order, so many times, and return the least cost."""
    folder.mkdir(exist_ok=True)
    write_mixed(folder / "mixed.parquet", queries, text=False, depth=depth)
    made = [
        cost(annotator("partition", folder / "mixed.parquet", "-o", folder / f"{queries}x{depth}-{again}"), 1)
        for again in range(times)
    ]
    return min(made, key=lambda one: one.seconds)


def growing(folder: Path) -> None:
    """Print what a row costs beyond the first two million, and the largest process, as the rows grow.

    Partitioning is measured with 1,000 rows a query, and with one number of queries whose rankings grow: a
    row in no order costs more the more queries there are. The last lines are those of the table in
    `resources/help/large.md`.
    """
    begun: dict[str, float] = {}
    all_found: dict[str, list[Cost]] = {}
    for millions in (FIRST, *MILLIONS):
        queries, times = millions * 1_000, 5 if millions == FIRST else 2
        qrels = write_judgments(folder / "qrels", queries)
        parted = partitioned(folder, queries, DEPTH, times - 1)
        most = MILLIONS[-1] * 1_000
        as_many = partitioned(folder / "as-many", most, DEPTH * queries // most, times - 1)
        run, scores = folder / f"{queries}x{DEPTH}-0", folder / "scores.parquet"
        words = ("evaluate", "--qrels", qrels, "--run", run, *MEASURES, "-o", scores)
        for what, found in (
            (PARTED, parted),
            (AS_MANY, as_many),
            ("evaluate", cost(annotator(*words), times)),
            ("evaluate --jobs 2", cost(annotator(*words, "--jobs", 2), times)),
        ):
            if millions == FIRST:
                begun[what] = found.seconds
                continue
            each = Cost((found.seconds - begun[what]) / (millions - FIRST), found.megabytes)
            all_found.setdefault(what, []).append(each)
            first = all_found[what][0]
            print(
                f"{millions}M rows: {what} {each.seconds:.3f} CPU s a million rows beyond {FIRST}M, "
                f"{each.megabytes:.0f} MB in the largest process; a row {each.seconds / first.seconds:.2f}x, "
                f"memory {each.megabytes / first.megabytes:.2f}x of {MILLIONS[0]}M (goals 0.9 to 1.1x, 1x); "
                f"{1 / each.seconds:.1f}M rows a CPU second"
            )
    for some, name in zip(all_found.values(), IN_HELP, strict=True):
        seconds = " | ".join(f"{one.seconds:.2f}" for one in some)
        print(f"| {name} | {seconds} | {', '.join(f'{one.megabytes:.0f}' for one in some)} MB |")


def partitioning(folder: Path) -> None:
    """Print what partitioning an unsorted TREC run costs, beside polars and DuckDB, and into 500 files."""
    for millions in MILLIONS[:2]:
        run, rows = folder / "mixed.run", millions * 1_000_000
        write_mixed(run, millions * 1_000, text=True)
        peers = {"polars": POLARS} | ({"DuckDB": DUCKDB} if importlib.util.find_spec("duckdb") else {})
        done = {"ours": cost(annotator("partition", run, "-o", folder / f"ours{millions}"), 1)}
        os.environ["POLARS_MAX_THREADS"] = "1"
        for name, program in peers.items():
            target = str(folder / f"{name}{millions}")
            done[name] = cost([sys.executable, "-c", program, str(run), target, str(millions)], 1)
        told = "; ".join(per_million(name, rows, found) for name, found in done.items())
        print(f"partition of a TREC run, {millions}M rows: {told}")
        if millions == MILLIONS[0]:
            words = ("partition", run, "--rows", rows // MOST_FILES, "-o", folder / "many")
            print(per_million(f"into {MOST_FILES} files", rows, cost(annotator(*words), 1)))


def many_runs(folder: Path, runs: int = 200, queries: int = 50) -> None:
    """Print how 200 runs are evaluated, from their TREC files and from a folder, beside peers."""
    qrels = write_judgments(folder / "qrels", queries, each=100)
    files = []
    for number in range(runs):
        rng = np.random.default_rng(number)
        rank = np.tile(np.arange(DEPTH), queries)
        query = np.repeat(np.arange(queries), DEPTH)
        document = ((rank * 7_919 + query * 104_729) % PASSAGES).reshape(queries, DEPTH)
        score = np.sort(rng.gamma(3, 4, (queries, DEPTH)), axis=1)[:, ::-1].round(6)
        table = polars.DataFrame(
            {
                "q": query,
                "z": "Q0",
                "d": rng.permuted(document, axis=1).ravel(),
                "r": rank,
                "s": score.ravel(),
            }
        ).with_columns(t=polars.lit(f"run{number:03d}"))
        files.append(folder / f"run{number:03d}.run")
        table.write_csv(files[-1], include_header=False, separator=" ")
    rows = runs * queries * DEPTH
    from_files = cost(
        annotator("evaluate", "--qrels", qrels, *MEASURES, *(f"--run={one}" for one in files)), 1
    )
    made = cost(annotator("partition", *files, "-o", folder / "parts"), 1)
    of_folder = cost(annotator("evaluate", "--qrels", qrels, *MEASURES, "--run", folder / "parts"), 1)
    print(f"{runs} runs x {queries} queries x {DEPTH:,}: {per_million('from their files', rows, from_files)}")
    print(f"{per_million('partitioned', rows, made)}; {per_million('from the folder', rows, of_folder)}")
    for name, program in (("ranx", RANX), ("ir_measures", IR_MEASURES)):
        words: Sequence[str] = [sys.executable, "-W", "ignore", "-c", program, str(qrels), *map(str, files)]
        theirs = cost(words, 1)
        print(
            f"{per_million(name, rows, theirs)}: {theirs.seconds / from_files.seconds:.1f}x of ours from "
            f"files, {theirs.seconds / of_folder.seconds:.1f}x of ours from the folder"
        )


def main() -> None:
    """Print every figure."""
    for told in (growing, partitioning, many_runs):
        with tempfile.TemporaryDirectory() as name:
            told(Path(name))


if __name__ == "__main__":
    main()
