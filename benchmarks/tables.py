"""A million rows from a file to codes and folded tuples: CPU seconds and peak memory, beside pandas and the csv module.

Every way runs in a process of its own, so that its peak is its own; imports are not counted in the seconds.
"""

from __future__ import annotations

import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = {"sex": 2, "age": 74, "race": 5, "marital-status": 7, "education": 16, "native-country": 41, "workclass": 8, "occupation": 14}
"""The quasi-identifiers of Adult and how many values each has."""
N_ROWS = 1_000_000


def make(folder: Path, n: int = N_ROWS) -> None:
    """A skewed table of Adult's shape, as Parquet and as CSV."""
    import numpy as np
    import polars as pl

    rng = np.random.default_rng(0)
    columns = {}
    for name, size in SIZES.items():
        share = 1 / np.arange(1, size + 1)
        labels = pl.Series([str(17 + i) if name == "age" else f"{name} number {i}" for i in range(size)])
        columns[name] = labels.gather(rng.choice(size, n, p=share / share.sum()))
    frame = pl.DataFrame(columns)
    frame.write_parquet(folder / "t.parquet")
    frame.write_csv(folder / "t.csv")


def shoal_way(path: str) -> int:
    from shoal.io import read
    from shoal.table.fold import fold

    table = read(path)
    coded = [table.coded(name) for name in table.columns]
    codes, weight, _ = fold([c.codes for c in coded])
    assert weight.sum() == table.n_rows
    return len(codes)


def pandas_way(path: str) -> int:
    import pandas as pd

    frame = pd.read_parquet(path) if path.endswith(".parquet") else pd.read_csv(path, dtype=str)
    codes = pd.DataFrame({name: pd.factorize(frame[name], sort=True)[0] for name in frame.columns})
    return len(codes.groupby(list(codes.columns), sort=True).size())


def plain_way(path: str) -> int:
    with open(path, newline="") as file:
        _, *rows = csv.reader(file)
    columns = []
    for cells in zip(*rows, strict=True):
        code = {value: i for i, value in enumerate(sorted(set(cells)))}
        columns.append([code[cell] for cell in cells])
    weight: dict[tuple[int, ...], int] = {}
    for row in zip(*columns, strict=True):
        weight[row] = weight.get(row, 0) + 1
    return len(sorted(weight))


WAYS = {"shoal": shoal_way, "pandas": pandas_way, "csv module": plain_way}
RUNS = [("shoal", "t.parquet"), ("pandas", "t.parquet"), ("shoal", "t.csv"), ("pandas", "t.csv"), ("csv module", "t.csv")]


def measure(way: str, path: str) -> dict[str, float]:
    """Run one way in this process, after its imports."""
    if way == "shoal":
        import pyarrow

        import shoal.io.places
        import shoal.table.fold  # noqa: F401
    elif way == "pandas":
        import pandas  # noqa: F401
        import pyarrow.parquet  # noqa: F401
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.process_time()
    n_tuples = WAYS[way](path)
    seconds = time.process_time() - start
    return {"n_tuples": n_tuples, "cpu": seconds, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "before": before}


def main() -> None:
    """Print a line for each way."""
    with tempfile.TemporaryDirectory() as folder:
        # A child's peak starts at its parent's size: the parent stays small, and the table is made by a child.
        subprocess.run([sys.executable, "-m", "benchmarks.tables", "make", folder], check=True)
        print(f"{N_ROWS:,} rows, {len(SIZES)} quasi-identifiers, from a file to codes and folded tuples")
        print(f"{'way':12} {'file':10} {'CPU s':>7} {'peak MiB':>9} {'of which imports':>17} {'tuples':>9}")
        for way, name in RUNS:
            command = [sys.executable, "-m", "benchmarks.tables", way, str(Path(folder) / name)]
            run = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
            print(f"{way:12} {name:10} {run['cpu']:7.2f} {run['peak']:9.0f} {run['before']:17.0f} {run['n_tuples']:9,}", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["make"]:
        make(Path(sys.argv[2]))
    elif len(sys.argv) == 3:
        print(json.dumps(measure(sys.argv[1], sys.argv[2])))
    else:
        main()
