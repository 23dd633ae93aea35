"""Adult and its enlargements as problems, for every measurement that needs them.

The files are not part of the project: they are read from ``../shared/data`` beside the repository when they are there.
"""

from __future__ import annotations

import csv
import runpy
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

from shoal import measures, registry
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from shoal.problem import Free, Problem, quasi_identifier

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"
QUASI_IDENTIFIERS = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
SENSITIVE = "salary-class"
HIERARCHIES = DATA / "adult" / "hierarchies"


def is_there() -> bool:
    """Whether the tables are beside the repository."""
    return (DATA / "adult" / "adult.csv").exists()


@cache
def tree(column: str) -> Tree:
    """ARX's hierarchy of a column."""
    with (HIERARCHIES / f"{column}.csv").open(newline="", encoding="utf-8") as file:
        return tree_from_rows([row for row in csv.reader(file, delimiter=";") if row])


@cache
def path(n_rows: int = 0) -> Path:
    """The file of Adult itself (0), or of Adult enlarged to some number of rows, made on first use."""
    if n_rows == 0:
        return DATA / "adult" / "adult.csv"
    made = Path(tempfile.gettempdir()) / f"shoal-adult-{n_rows}.csv"
    if not made.exists():
        arguments, sys.argv = sys.argv, ["enlarge.py", str(n_rows), str(made)]
        try:
            runpy.run_path(str(DATA / "enlarge.py"), run_name="__main__")
        finally:
            sys.argv = arguments
    return made


def parquet(n_rows: int) -> Path:
    """Adult enlarged to some number of rows as a Parquet file, made on first use, a million rows at a time."""
    import pyarrow.parquet as pq

    made = Path(tempfile.gettempdir()) / f"shoal-adult-{n_rows}.parquet"
    if made.exists():
        return made
    rows, rng, writer = table(), np.random.default_rng(20240501), None
    part = made.with_suffix(".part")
    for at in range(0, n_rows, 1_000_000):
        n = min(1_000_000, n_rows - at)
        drawn = rng.integers(0, rows.height, n)
        piece = pl.DataFrame([_redrawn(column, drawn, rng) for column in rows.iter_columns()]).to_arrow(
            compat_level=pl.CompatLevel.oldest()
        )
        writer = writer or pq.ParquetWriter(part, piece.schema, compression="zstd")
        writer.write_table(piece)
    if writer is not None:
        writer.close()
    return part.rename(made)


def _redrawn(column: pl.Series, drawn: np.ndarray, rng: np.random.Generator) -> pl.Series:
    """Cells of the rows that were drawn: ages shifted by up to three years, a tenth of the others drawn anew."""
    n = len(drawn)
    if column.name == "age":
        ages = column.cast(pl.Int64).to_numpy()[drawn] + rng.integers(-3, 4, n)
        return pl.Series("age", np.clip(ages, 17, 90)).cast(pl.String)
    if column.name == SENSITIVE:
        return column.gather(drawn)
    again = rng.random(n) < 0.10
    return column.gather(np.where(again, rng.integers(0, len(column), n), drawn))


@cache
def table(n_rows: int = 0) -> pl.DataFrame:
    return pl.read_csv(path(n_rows), separator=";", infer_schema=False)


def problem(
    k: int = 5,
    measure: str = "entropy",
    n_rows: int = 0,
    columns: tuple[str, ...] = QUASI_IDENTIFIERS,
    free: bool = False,
    **options: object,
) -> Problem:
    """Adult as a problem; with ``free``, any interval of ages and any subset of the other columns may be shown."""
    frame = table(n_rows)
    found = registry.find(measures.CATALOG, measure)
    codes = np.empty((frame.height, len(columns)), dtype=np.int32)
    made = []
    for j, name in enumerate(columns):
        grown = tree(name)
        code = pl.Enum(list(grown.labels[: grown.n_leaves]))
        codes[:, j] = frame[name].cast(code).to_physical().to_numpy()
        count = np.bincount(codes[:, j], minlength=grown.n_leaves).astype(np.int64)
        kind: Free | None = None if not free else "interval" if name == "age" else "subset"
        made.append(quasi_identifier(name, grown, count, found, free=kind))
    tuples, weight = fold(codes)
    kinds = np.arange(len(tuples), dtype=np.int32)
    return Problem(tuple(made), tuples, weight, kinds, weight.astype(np.int32), kinds, k, found, **options)  # type: ignore[arg-type]


def fold(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Equal rows as one: the distinct tuples, and how many rows carry each."""
    order = np.lexsort(codes.T[::-1])
    ordered = codes[order]
    new = np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)])
    number = np.cumsum(new) - 1
    weight = np.bincount(number).astype(np.int64)
    return np.ascontiguousarray(ordered[new]), weight
