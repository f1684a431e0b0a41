"""Run the benchmarks, all or those named: each makes its own data, runs its peer too and prints a ratio."""

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    """Run `bench_NAME.py`'s `main()` for every NAME given, or for all."""
    known = sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))
    wanted = sys.argv[1:] or known
    for name in wanted:
        if name not in known:
            sys.exit(f"no benchmark {name}; there are {', '.join(known)}")
    for name in wanted:
        print(f"{name}:", flush=True)
        importlib.import_module(f"tests.benchmarks.bench_{name}").main()


if __name__ == "__main__":
    main()
