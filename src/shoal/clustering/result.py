"""A clustering that was verified: what is published, what stays with the owner, and the figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import InitVar, dataclass, field
from functools import cached_property
from os import PathLike
from typing import Any

import polars as pl

from shoal import io
from shoal.disk.atomic import write_bytes
from shoal.errors import NotAnonymous
from shoal.judge.gate import KEY, Verified, check
from shoal.privacy import asking
from shoal.text.rounding import factor_up
from shoal.text.shown import Shown


@dataclass(frozen=True, eq=False, repr=False)
class Clustering(Shown):
    """Made by :func:`shoal.cluster` alone, after the recount."""

    clusters: list[tuple[int | None, list[int]]]
    """For each cluster its centre (a row, or None where it is none) and its members, rows counted from 0."""
    outliers: list[int]
    """The rows left out. For the owner alone."""
    cost: float
    lower_bound: float | None
    """What every such clustering of these rows costs at least."""
    ratio: float | None
    manifest: Mapping[str, Any]
    """What may be published with the table of clusters."""
    record: Mapping[str, Any]
    """Everything that is known, exactly. For the owner alone."""
    frame: pl.DataFrame
    """The table of clusters."""
    long_frame: pl.DataFrame
    """One line per row."""
    members_frame: pl.DataFrame
    """The cluster of each row. For the owner alone."""
    verdict: Verified
    """On the table of clusters: it carries the fingerprint of what may be written."""
    long_verdict: Verified
    """On the table with one line per row."""
    kind: Any = "polars"
    witness: Any = field(default=None, repr=False)
    """What a proof is made of: the rows as points, the task, a price for each row or None, and whether the cost is a
    sum.
    """
    sketch: Any = field(default=None, repr=False)
    """What a picture needs."""
    key: InitVar[object] = None

    def __post_init__(self, key: object) -> None:
        if key is not KEY:
            raise NotAnonymous("A Clustering is made by verifying, and stays as it was made: use shoal.cluster.")

    def warnings(self) -> list[str]:
        n_people = sum(centre is not None for centre, _ in self.clusters)
        said = f"CENTRES ARE REAL ROWS: {n_people} of {len(self.clusters)} centres show some person's exact values."
        return [*([said] if n_people else []), *self._same_values()]

    def _same_values(self) -> list[str]:
        """Where a sensitive value is no secret, although nobody is told who has it."""
        n = len(self.clusters)
        flag = next(criterion.shorthand for criterion in asking.criteria() if criterion.different)
        return [
            f"ALL ROWS HAVE ONE VALUE of '{name}' in {many} of {n} clusters: whoever knows that somebody is there "
            "knows it. "
            f"Ask for --{flag.replace('_', '-')} 2 ({flag}=2 in Python), or accept it."
            for name, many in self.record["one_valued"].items()
            if many
        ]

    def published_values(self) -> str:
        """What is published of sensitive columns, and what they keep."""
        kept = "; ".join(self.record["criteria"])
        said = f"Sensitive values are published for each cluster: {', '.join(self.record['sensitive'])}."
        return f"{said} {f'Every cluster keeps {kept}' if kept else 'Nothing was asked of them'}."

    def sentences(self) -> list[str]:
        told = self.record
        bound = "" if self.lower_bound is None else f"; no such clustering costs less than {self.lower_bound:.6g}"
        return [
            (
                f"{told['n_rows']} rows in {told['n_clusters']} clusters of at least {told['smallest_cluster']} "
                f"(asked: {told['r']}); {told['n_outliers']} left out."
            ),
            f"{told['problem']}: cost {self.cost:.6g}{bound}.",
            *([self.published_values()] if told["sensitive"] else []),
        ]

    def in_numbers(self) -> list[tuple[str, str]]:
        told = self.record
        return [
            ("rows", f"{told['n_rows']:,}"),
            ("clusters", f"{told['n_clusters']:,}"),
            ("smallest cluster", f"{told['smallest_cluster']:,}"),
            ("largest radius", f"{told['largest_radius']:.4g}"),
            (
                "cost, at most so many times the least possible",
                "not known" if self.ratio is None else factor_up(self.ratio),
            ),
        ]

    def drawing(self) -> str:
        from shoal.clustering.picture import fragment

        return fragment(self) if self.sketch is not None else ""

    @cached_property
    def table(self) -> Any:
        """The table of clusters, as the kind of dataframe that was given."""
        return io.to_kind(check(self.frame, self.verdict), self.kind)

    @cached_property
    def long(self) -> Any:
        """One line per row, as the kind of dataframe that was given."""
        return io.to_kind(check(self.long_frame, self.long_verdict), self.kind)

    @cached_property
    def members(self) -> Any:
        """The cluster of each row, as the kind of dataframe that was given. For the owner alone."""
        return io.to_kind(self.members_frame, self.kind)

    def write(
        self, path: str | PathLike[str], *, long: bool = False, inputs: Iterable[object] = (), force: bool = False
    ) -> str:
        """Write the table of clusters, or with ``long`` one line per row: only what was verified.

        Gives the SHA-256 of the file.
        """
        frame, verdict = (self.long_frame, self.long_verdict) if long else (self.frame, self.verdict)
        return io.write(frame, path, verdict=verdict, inputs=inputs, force=force)

    def write_members(self, path: str | PathLike[str], *, inputs: Iterable[object] = (), force: bool = False) -> str:
        """Write the cluster of each row. It names people: only the owner may read the file."""
        return io.write_for_owner(self.members_frame, path, inputs=inputs, force=force)

    def proof(self, path: str | PathLike[str], *, force: bool = False) -> float:
        """Write the witness of the bound, and give the bound that it proves: for the largest radius it may be lower
        than ``lower_bound``, because a threshold that fails leaves no prices to write. It speaks of rows: only its
        owner may read the file."""
        from shoal.clustering.proof import case_of, points_of_rows, prices_of, write

        placed, task, prices, is_total = self.witness
        data, proved = write(
            case_of(placed, task, is_total), prices_of(placed, task, prices, is_total), points_of_rows(placed)
        )
        write_bytes(path, data, private=True, force=force)
        return proved

    def owner_report(
        self, path: str | PathLike[str], columns: tuple[str, str] | None = None, *, force: bool = False
    ) -> None:
        """Write a page with the figures and pictures before and after, over two numeric columns or a projection.

        It draws the rows of the original: only its owner may read the file, and it says that it is not for publication.
        """
        from shoal.clustering.picture import page

        check(self.frame, self.verdict)
        write_bytes(path, page(self, columns).encode(), private=True, force=force)
