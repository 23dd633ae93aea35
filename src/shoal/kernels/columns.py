"""How the search prices what a group shows: trees through tables or by climbing, free columns by their own sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.kernels.native import doubles, ffi, ints, lib

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

LARGEST_TABLE = 1 << 18
"""Joins of nodes and leaves are looked up in tables of up to this many entries, beyond that by climbing."""
LARGEST_JOINED = 1 << 16
"""What a join costs is looked up at once in tables of up to this many entries, so that they stay in a cache."""
LARGEST_MASK = 12
"""Prices of subsets of up to this many leaves are looked up."""
LARGEST_GRID = 256
"""Prices of intervals of up to this many leaves are looked up."""


class Formula(IntEnum):
    """What a free set costs, from its rows, its leaves or its width."""

    BITS = lib.SHOAL_FORMULA_BITS
    ROWS_BITS = lib.SHOAL_FORMULA_ROWS_BITS
    LOG_ROWS = lib.SHOAL_FORMULA_LOG_ROWS
    LEAVES = lib.SHOAL_FORMULA_LEAVES
    WIDTH = lib.SHOAL_FORMULA_WIDTH
    SEVERAL = lib.SHOAL_FORMULA_SEVERAL
    ROOT_ROWS = lib.SHOAL_FORMULA_ROOT_ROWS


@dataclass(frozen=True, eq=False)
class TreeColumn:
    """A column that shows nodes of a tree."""

    parent: Ints
    price: Floats
    n_leaves: int


@dataclass(frozen=True, eq=False)
class FreeColumn:
    """A column that shows any interval of its leaves, or any subset."""

    is_interval: bool
    formula: Formula
    scale: float
    weight: Floats
    """Rows of each leaf."""
    low: Floats | None = None
    high: Floats | None = None
    """Where each leaf begins and ends on its line, for the width."""
    grid: Floats | None = None
    """Where no formula gives it: the price of each interval, at [low, high], or of each subset, at its mask."""

    @property
    def n_leaves(self) -> int:
        return len(self.weight)


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns as C sees them, with the arrays that must live as long."""

    pointer: Any
    n_columns: int
    n_leaves: tuple[int, ...]
    alive: list[Any]


def make_columns(columns: Sequence[TreeColumn | FreeColumn]) -> Columns:
    """Lay columns out for the search."""
    made = ffi.new("shoal_column[]", max(len(columns), 1))
    alive: list[Any] = [made]
    width = len(columns)
    for column, out in zip(columns, made, strict=False):
        out.n_leaves = column.n_leaves
        if isinstance(column, TreeColumn):
            _fill_tree(column, out, alive)
        else:
            _fill_free(column, out, alive)
        if out.kind == lib.SHOAL_CELL_LONG:
            out.extra = width
            width += 2
    pointer = ffi.new("shoal_columns *", {"n_columns": len(columns), "width": width, "column": made})
    return Columns(pointer, len(columns), tuple(c.n_leaves for c in columns), alive)


def _fill_tree(column: TreeColumn, out: Any, alive: list[Any]) -> None:
    parent = np.ascontiguousarray(column.parent, dtype=np.int32)
    out.kind = lib.SHOAL_CELL_CLIMBED
    out.parent = _keep(ints(parent), alive)
    out.price = _keep(doubles(np.ascontiguousarray(column.price, dtype=np.float64)), alive)
    if len(parent) * column.n_leaves <= LARGEST_TABLE and len(parent) < 1 << 16:
        table = join_table(parent, column.n_leaves)
        out.kind = lib.SHOAL_CELL_TABLED
        out.table = _keep(ffi.from_buffer("uint16_t[]", table), alive)
        if table.size <= LARGEST_JOINED:
            out.joined = _keep(doubles(np.ascontiguousarray(column.price, dtype=np.float64)[table]), alive)


def _fill_free(column: FreeColumn, out: Any, alive: list[Any]) -> None:
    spent = _spent(column)
    out.formula, out.scale = int(column.formula), column.scale
    out.weight_before = _keep(doubles(np.concatenate([[0.0], np.cumsum(column.weight)])), alive)
    out.spent_before = _keep(doubles(np.concatenate([[0.0], np.cumsum(spent)])), alive)
    if column.low is not None and column.high is not None:
        out.low = _keep(doubles(np.ascontiguousarray(column.low)), alive)
        out.high = _keep(doubles(np.ascontiguousarray(column.high)), alive)
    if column.is_interval:
        out.kind = lib.SHOAL_CELL_INTERVAL
        if column.grid is not None:
            out.table_price = _keep(doubles(np.ascontiguousarray(column.grid)), alive)
        elif column.n_leaves <= LARGEST_GRID:
            out.table_price = _keep(doubles(interval_prices(column)), alive)
    elif column.n_leaves <= 64:
        out.kind = lib.SHOAL_CELL_SUBSET
        if column.grid is not None:
            out.table_price = _keep(doubles(np.ascontiguousarray(column.grid)), alive)
        elif column.n_leaves <= LARGEST_MASK:
            out.table_price = _keep(doubles(subset_prices(column)), alive)
    else:
        out.kind = lib.SHOAL_CELL_LONG


def _keep(view: Any, alive: list[Any]) -> Any:
    alive.append(view)
    return view


def join_table(parent: Ints, n_leaves: int) -> NDArray[np.uint16]:
    """The lowest common node of each node and each leaf."""
    n, leaves = len(parent), np.arange(n_leaves, dtype=np.int32)
    covers = np.zeros((n, n_leaves), dtype=bool)
    node: Ints = leaves
    while True:
        covers[node, leaves] = True
        if (node == n - 1).all():
            break
        node = parent[node]
    table = np.empty((n, n_leaves), dtype=np.uint16)
    table[n - 1] = n - 1
    for v in range(n - 2, -1, -1):
        table[v] = np.where(covers[v], v, table[parent[v]])
    return table


def _spent(column: FreeColumn) -> Floats:
    """Rows times log rows of each leaf."""
    positive = np.maximum(column.weight, 1.0)
    return positive * np.log2(positive)


def interval_prices(column: FreeColumn) -> Floats:
    """The price of each interval, at [low, high]."""
    spent = _spent(column)
    weight_before = np.concatenate([[0.0], np.cumsum(column.weight)])
    spent_before = np.concatenate([[0.0], np.cumsum(spent)])
    low, high = np.meshgrid(np.arange(column.n_leaves), np.arange(column.n_leaves), indexing="ij")
    width = (
        column.high[high] - column.low[low]
        if column.low is not None and column.high is not None
        else np.zeros(low.shape)
    )
    price = free_price(
        column,
        weight_before[high + 1] - weight_before[low],
        spent_before[high + 1] - spent_before[low],
        high - low + 1,
        width,
    )
    return np.ascontiguousarray(np.where(low <= high, price, 0.0))


def subset_prices(column: FreeColumn) -> Floats:
    """The price of each subset, at its mask."""
    spent = _spent(column)
    weight, used, leaves = np.zeros(1), np.zeros(1), np.zeros(1)
    for v in range(column.n_leaves):
        weight = np.concatenate([weight, weight + column.weight[v]])
        used = np.concatenate([used, used + spent[v]])
        leaves = np.concatenate([leaves, leaves + 1])
    return free_price(column, weight, used, leaves, np.zeros(len(weight)))


def free_price(column: FreeColumn, weight: Floats, spent: Floats, leaves: Any, width: Floats) -> Floats:
    """The same formulas as in C, over arrays."""
    rows = np.maximum(weight, 1.0)
    bits = np.where(leaves > 1, np.maximum(np.log2(rows) - spent / rows, 0.0), 0.0)
    by_formula = {
        Formula.BITS: bits,
        Formula.ROWS_BITS: rows * bits,
        Formula.LOG_ROWS: np.log2(rows),
        Formula.LEAVES: np.asarray(leaves - 1, dtype=np.float64),
        Formula.WIDTH: width,
        Formula.SEVERAL: np.where(leaves > 1, 1.0, 0.0),
        Formula.ROOT_ROWS: np.sqrt(np.maximum(weight, 0.0)),
    }
    return np.ascontiguousarray(column.scale * by_formula[column.formula])
