"""A clustering that was verified: what is published, what stays with the owner, and the figures."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from typing import Any

import polars as pl

from shoal import io
from shoal.io.atomic import keep_private, write_text


@dataclass(frozen=True, eq=False)
class Clustering:
    """Made by :func:`shoal.cluster` alone, after the recount."""

    clusters: list[tuple[int | None, list[int]]]
    """For each cluster its centre (a row, or None where it is none) and its members, rows counted from 0."""
    outliers: list[int]
    """The rows left out. For the owner alone."""
    cost: float
    lower_bound: float | None
    """What every such clustering of these rows costs at least."""
    ratio: float | None
    manifest: dict[str, Any]
    frame: pl.DataFrame
    """The table of clusters."""
    long_frame: pl.DataFrame
    """One line a row."""
    members_frame: pl.DataFrame
    """The cluster of each row. For the owner alone."""
    kind: Any = "polars"
    witness: dict[str, Any] = field(default_factory=dict, repr=False)
    """What proves the bound. It speaks of rows: for the owner and an auditor."""
    sketch: Any = field(default=None, repr=False)
    """What a picture needs."""

    @cached_property
    def table(self) -> Any:
        """The table of clusters, as the kind of dataframe that was given."""
        return io.to_kind(self.frame, self.kind)

    @cached_property
    def long(self) -> Any:
        """One line a row, as the kind of dataframe that was given."""
        return io.to_kind(self.long_frame, self.kind)

    @cached_property
    def members(self) -> Any:
        """The cluster of each row, as the kind of dataframe that was given. For the owner alone."""
        return io.to_kind(self.members_frame, self.kind)

    def write(self, path: str | PathLike[str], *, long: bool = False, inputs: Iterable[object] = ()) -> None:
        """Write the table of clusters, or with ``long`` one line a row."""
        io.write(self.long_frame if long else self.frame, path, inputs=inputs)

    def proof(self, path: str | PathLike[str]) -> None:
        """Write the witness of the bound as JSON."""
        write_text(path, json.dumps(self.witness, indent=1) + "\n")
        keep_private(path)

    def report(self, path: str | PathLike[str], columns: tuple[str, str] | None = None) -> None:
        """Write a page with the figures and pictures before and after, over two numeric columns or a projection."""
        from shoal.clustering.picture import page

        write_text(path, page(self, columns))
