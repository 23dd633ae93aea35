"""What a release by any tool has lost: each released cell is read as the set of values it may stand for, and priced.

A label that names several nodes, or that could also be an interval, is read as the smallest of the sets it can stand for that
holds the original value of every row released with it; where rows cannot be matched, as the largest node of that name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal import measures, registry
from shoal.encode import column_spec
from shoal.errors import DataError, PolicyError
from shoal.hierarchies.encode import Encoded
from shoal.hierarchies.encode import encode as build
from shoal.hierarchies.tree import Tree
from shoal.measures.base import Sets
from shoal.policy import Policy
from shoal.release.reading import is_suppressed, read_set, reader_of
from shoal.table import Table
from shoal.table.headers import columns_in_words
from shoal.table.text import as_text


@dataclass(frozen=True)
class Measured:
    """Every measure of a release: totals, per cell, and per column."""

    n_rows: int
    n_released: int
    n_groups: int
    smallest_group: int
    is_matched: bool
    measures: Mapping[str, Mapping[str, float | None]]
    columns: Mapping[str, Mapping[str, float | None]]

    def to_dict(self) -> dict[str, Any]:
        return {**self.__dict__, "measures": dict(self.measures), "columns": dict(self.columns)}


def measure(
    original: Any,
    released: Any,
    *,
    quasi_identifiers: Iterable[str] | None = None,
    hierarchies: Mapping[str, Any] | str | Path | None = None,
    policy: Policy | str | Path | None = None,
) -> Measured:
    """Measure a release by any tool. Rows are matched by position where both tables have as many."""
    read = registry.load("shoal.io:read")
    before, after = read(original), read(released)
    asked = registry.load("shoal.api:make_policy")(policy, quasi_identifiers=quasi_identifiers, hierarchies=hierarchies)
    return measure_tables(before, after, asked)


def measure_tables(before: Table, after: Table, policy: Policy) -> Measured:
    """Measure one table as a release of another."""
    names = policy.named("quasi-identifier")
    if not names:
        raise PolicyError("Name the quasi-identifiers with --qi (quasi_identifiers=[…] in Python).")
    for table in (before, after):
        absent = [name for name in names if name not in table.columns]
        if absent:
            raise DataError(f"{table.source} has no column {', '.join(map(repr, absent))}. {columns_in_words(table.frame)}")
    if after.n_rows > before.n_rows:
        raise DataError(f"The release has {after.n_rows} rows and its original only {before.n_rows}.")
    is_matched = before.n_rows == after.n_rows
    columns = {name: _measure_column(before, after, policy, name, is_matched) for name in names}
    sizes = after.frame.select(as_text(after.frame[name]).alias(name) for name in names).group_by(names).len()["len"].to_numpy()
    cells = max(after.n_rows * len(names), 1)
    found: dict[str, dict[str, float | None]] = {}
    for name in measures.CATALOG:
        parts = [columns[column][name] for column in names]
        total = None if any(p is None for p in parts) else float(sum(p for p in parts if p is not None))
        found[name] = {"total": total, "per_cell": None if total is None else total / cells}
    for name in measures.REPORTED:
        total = registry.find(measures.REPORTED, name).total(sizes, before.n_rows - after.n_rows, before.n_rows)
        found[name] = {"total": total, "per_cell": total / cells}
    smallest = int(sizes.min()) if len(sizes) else 0
    return Measured(before.n_rows, after.n_rows, len(sizes), smallest, is_matched, found, columns)


def _measure_column(before: Table, after: Table, policy: Policy, name: str, is_matched: bool) -> dict[str, float | None]:
    coded = before.coded(name)
    values = coded.values.to_list()
    made = build(name, values, coded.n_missing > 0, column_spec(policy, name, values))
    code_of = np.append(made.code_of, np.int32(-1 if made.missing_code is None else made.missing_code)).astype(np.int64)
    leaf = code_of[coded.codes]
    count = np.bincount(leaf, minlength=made.tree.n_leaves).astype(np.int64)
    pairs = pl.DataFrame({"shown": as_text(after.column(name)), "leaf": leaf if is_matched else np.full(after.n_rows, -1)})
    pairs = pairs.group_by("shown", "leaf").len().sort("shown", "leaf")
    labels = pairs["shown"].unique(maintain_order=True).to_list()
    reader = _Reader(made, count)
    grouped = pairs.group_by("shown", maintain_order=True).agg("leaf")
    readings = [
        reader.read(name, shown, np.array(leaves) if is_matched else np.zeros(0, dtype=np.int64)) for shown, leaves in grouped.iter_rows()
    ]
    nodes = np.array([reading.node for reading in readings], dtype=np.int64)
    packed = _pack([reading.leaves for reading in readings])
    where = {shown: i for i, shown in enumerate(labels)}
    index = np.array([where[shown] for shown in pairs["shown"].to_list()], dtype=np.int64)
    n = pairs["len"].to_numpy()
    found: dict[str, float | None] = {}
    for key in measures.CATALOG:
        one = registry.find(measures.CATALOG, key)
        price = np.where(nodes >= 0, one.price(made.tree, count)[nodes], one.set_price(made.tree, count, packed))
        total = float((price[index] * n).sum())
        if one.offset is not None:
            offset = one.offset(made.tree, count)
            found[key] = total - float((offset[pairs["leaf"].to_numpy()] * n).sum()) if is_matched else None
        else:
            found[key] = total
    return found


@dataclass(frozen=True)
class _Reading:
    """What a label stands for: a node of the hierarchy, or −1 and a set of leaves."""

    node: int
    leaves: NDArray[np.int32]


class _Reader:
    """Reads the labels of one column as nodes or sets of leaves."""

    def __init__(self, made: Encoded, count: NDArray[np.int64]) -> None:
        self.tree: Tree = made.tree
        self.leaves = made.tree.labels[: made.tree.n_leaves]
        self.nodes: dict[str | None, list[int]] = {}
        for node, label in enumerate(made.tree.labels):
            self.nodes.setdefault(label, []).append(node)

    def read(self, column: str, shown: str | None, originals: NDArray[np.int64]) -> _Reading:
        candidates = [_Reading(node, self.tree.leaves_below(node)) for node in self.nodes.get(shown, [])]
        if shown is not None and is_suppressed(shown):
            candidates.append(_Reading(self.tree.root, np.arange(self.tree.n_leaves, dtype=np.int32)))
        if shown is not None and not is_suppressed(shown):
            candidates += [_Reading(-1, leaves) for leaves in self._by_text(shown)]
        candidates.sort(key=lambda reading: len(reading.leaves))
        fitting = [c for c in candidates if np.isin(originals, c.leaves).all()] if len(originals) else []
        if fitting:
            return fitting[0]
        if not candidates:
            raise DataError(
                f"Column '{column}': a released label can be read neither as a value, a node of the hierarchy, a set, an interval nor a mask. "
                "Give the hierarchy that the release was made with (--hierarchies)."
            )
        if len(originals):
            raise DataError(f"Column '{column}': released cells do not cover their original ones; 'shoal verify' says where.")
        return candidates[-1]

    def _by_text(self, shown: str) -> list[NDArray[np.int32]]:
        members = read_set(shown)
        if members is not None and all(m in self.nodes for m in members):
            parts = [self.tree.leaves_below(self.nodes[m][-1]) for m in members]
            return [np.unique(np.concatenate(parts)).astype(np.int32)] if parts else []
        test = reader_of(shown)
        if test is None:
            return []
        inside = [i for i, leaf in enumerate(self.leaves) if leaf is not None and test(leaf)]
        return [np.array(inside, dtype=np.int32)] if inside else []


def _pack(sets: list[NDArray[np.int32]]) -> Sets:
    start = np.concatenate([[0], np.cumsum([len(s) for s in sets])]).astype(np.int64)
    return Sets(start, np.concatenate(sets) if sets else np.zeros(0, dtype=np.int32))
