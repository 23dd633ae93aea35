"""The proof of a bound, written down: a price for each distinct tuple of quasi-identifiers, and what is needed to check it.

A proof is a zip archive with two members. ``proof.json`` says what is claimed: measure, k, the hierarchies as rows of text,
attribute weights, and the unit of the prices. ``prices.parquet`` has one line for each distinct tuple: its values as text, how many
released rows carry it, and its price as an integer, rounded down.

A proof shows the original values of every row that was released. It is for the owner of the table and an auditor whom the
owner trusts with the table; never publish it with a release.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from shoal import registry
from shoal.errors import Refused
from shoal.problem import Bound, Problem, QuasiIdentifier

FORMAT = "shoal-proof-1"
FINEST = 40
"""Prices are integers in units of 2^-40, coarser where sums of k of them would not fit 62 bits."""


def write_proof(path: str | Path, problem: Problem, bound: Bound) -> None:
    """Write the witness of a bound: ``problem`` is the one over the released rows that the bound was computed for.

    Raises :class:`shoal.Refused` for a bound without prices, and where columns are generalized freely: their bound goes
    through a stand-in hierarchy that a checker has no need to believe.
    """
    if not problem.is_laminar:
        raise Refused("Columns that may show any interval or any subset have no proof to write. Give them hierarchies.")
    if bound.prices is None:
        raise Refused(f"The bound '{bound.name}' has no prices that prove it.")
    shift = finest_shift(problem)
    priced = frame(problem, bound, shift)
    header = {
        "format": FORMAT,
        "measure": problem.measure.name,
        "k": problem.k,
        "n_released": problem.n_rows,
        "n_rows": int(problem.columns[0].count.sum()),
        "shift": shift,
        "bound": bound.name,
        "lower_bound": bound.value,
        "total": int((priced["rows"] * priced["price"]).sum()),
        "columns": [about(column) for column in problem.columns],
    }
    prices = io.BytesIO()
    priced.write_parquet(prices, compression="zstd")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (("proof.json", json.dumps(header, ensure_ascii=False).encode()), ("prices.parquet", prices.getvalue())):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    registry.load("shoal.io.atomic:write_bytes")(path, packed.getvalue(), private=True)


def finest_shift(problem: Problem) -> int:
    """How many binary places prices get: sums of k of them, and of all rows, must fit a signed 64-bit integer."""
    largest = max(problem.price_of_nothing, 1.0) * max(problem.n_rows, problem.k, 2) * 2
    return max(0, min(FINEST, 62 - math.ceil(math.log2(largest))))


def frame(problem: Problem, bound: Bound, shift: int) -> pl.DataFrame:
    """The prices as integers. Node prices are rounded down by the checker, by at most two units a column, so that prices are
    lowered by that much for each of the k rows that share them."""
    assert bound.prices is not None
    margin = 2 * problem.n_columns * problem.k
    whole = np.floor(np.ldexp(bound.prices, shift)).astype(np.int64) - margin
    cells: dict[str, Any] = {}
    for j, column in enumerate(problem.columns):
        labels = pl.Series(list(column.tree.labels[: column.tree.n_leaves]), dtype=pl.String)
        cells[f"c{j}"] = labels.gather(pl.Series(problem.codes[:, j]))
    return pl.DataFrame({**cells, "rows": problem.weight, "price": np.maximum(whole, 0)})


def about(column: QuasiIdentifier) -> dict[str, Any]:
    """A column's hierarchy as rows of text, one a leaf, from the leaf up; with the intervals of its nodes where it has them."""
    tree = column.tree
    cuts = [tree.cut(level) for level in range(tree.height + 1)]
    rows = [[tree.labels[int(cut[leaf])] for cut in cuts] for leaf in range(tree.n_leaves)]
    intervals = None
    if tree.bounds is not None:
        ends = [[None if math.isnan(x) else float(x) for x in pair] for pair in tree.bounds]
        intervals = [[[*ends[int(cut[leaf])]] for cut in cuts] for leaf in range(tree.n_leaves)]
    missing = [leaf for leaf in range(tree.n_leaves) if tree.labels[leaf] is None]
    starred = any(int(column.shown[leaf]) == tree.root and tree.root != leaf for leaf in missing)
    return {"name": column.name, "weight": column.weight, "starred": starred, "rows": rows, "intervals": intervals}
