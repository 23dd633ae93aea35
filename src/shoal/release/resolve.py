"""The hierarchies of a policy as texts: as they were given, or as our builders write them, defaults included."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from shoal.encode import column_spec, is_default
from shoal.errors import HierarchyError, ShoalError
from shoal.hierarchies.builders.file import File
from shoal.hierarchies.builders.levels import Levels
from shoal.hierarchies.encode import encode as build
from shoal.hierarchies.encoded import Encoded
from shoal.hierarchies.files import read_lines
from shoal.hierarchies.rows import check_rows
from shoal.judge.texts import Texts, from_rows
from shoal.policy.policy import Policy
from shoal.release.texts import from_encoded
from shoal.table import Coded, Table


class Hierarchies:
    """The hierarchies of a policy's columns on a table: each is built when it is first needed, and only once."""

    def __init__(
        self,
        table: Table,
        policy: Policy,
        built: Mapping[str, Encoded] | None = None,
        coded: Callable[[str], Coded] | None = None,
    ) -> None:
        """``built`` are hierarchies of this table by this policy that are there already; ``coded`` gives its columns, where it is not in memory."""
        self.table, self.policy, self._coded = table, policy, coded or table.coded
        self._specs: dict[str, Any] = {}
        self._built = dict(built or {})
        self._texts: dict[str, Texts] = {}

    def spec(self, name: str) -> Any:
        if name not in self._specs:
            self._specs[name] = column_spec(self.policy, self._coded(name))
        return self._specs[name]

    def built(self, name: str) -> Encoded:
        """A column's hierarchy as a tree: the policy's, or the default of its kind of values."""
        if name not in self._built:
            column = self._coded(name)
            self._built[name] = build(name, column.values.to_list(), column.n_missing > 0, self.spec(name))
        return self._built[name]

    def texts(self, name: str) -> Texts:
        """A column's hierarchy as texts, every label on every level."""
        if name not in self._texts:
            self._texts[name] = self._find_texts(name)
        return self._texts[name]

    def _find_texts(self, name: str) -> Texts:
        column, spec = self._coded(name), self.spec(name)
        values = column.values.to_list()
        if isinstance(spec, File | Levels):
            return _as_given(spec, values, column.n_missing > 0)
        try:
            made = self.built(name)
        except ShoalError:
            if not is_default(self.policy, name):
                raise
            return Texts((column.values,))
        return _as_built(name, values, made)


def _as_given(spec: File | Levels, values: Sequence[str], has_missing: bool) -> Texts:
    """The rows of a file or a policy, as they stand there; a row with an empty first field may stand for missing cells."""
    rows: Sequence[Sequence[str | None]]
    if isinstance(spec, File):
        rows, lines = read_lines(spec.path)
        try:
            check_rows(rows, lines)
        except HierarchyError as error:
            raise HierarchyError(f"{spec.path}: {error}") from None
    else:
        rows = spec.rows
    if has_missing and "" not in values[:1]:
        rows = [[row[0] or None, *row[1:]] for row in rows]
    return from_rows(rows)


def _as_built(name: str, values: Sequence[str], made: Encoded) -> Texts:
    spec: Any = made.spec
    if made.free is not None or not hasattr(spec, "arrange"):
        return from_encoded(made)
    arranged = spec.arrange(name, values)
    levels = [pl.Series(layer.labels, dtype=pl.String).gather(layer.block) for layer in arranged.layers]
    leaves = pl.Series(arranged.leaves, dtype=pl.String)
    numbers = None if arranged.bounds is None else arranged.bounds[:, 0]
    return Texts((leaves, *levels, pl.Series(["*"] * len(leaves), dtype=pl.String)), numbers is not None, numbers)
