"""Release: a table that a recount has verified, and everything that can be said about it.

There is one way to make one, :func:`make_release`, and it verifies. Writers take only a Release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal import registry
from shoal.encode import Encoding
from shoal.errors import NotAnonymous, Refused
from shoal.policy import Policy
from shoal.problem import Bound, Moment, Problem, Solution
from shoal.release.decode import decode
from shoal.release.proof import write_proof
from shoal.release.verify import Verdict, verify
from shoal.table import Table

_KEY = object()


@dataclass(frozen=True, eq=False)
class Release:
    """A verified release."""

    frame: pl.DataFrame
    """The released table, in polars."""
    groups: NDArray[np.int32]
    """Group number of each released row."""
    rows: NDArray[np.int64]
    """Which row of the original each released row is; for the owner's eyes."""
    manifest: dict[str, Any]
    history: tuple[Moment, ...]
    """Loss and bound over the run."""
    original: Table
    policy: Policy
    problem: Problem
    solution: Solution
    bound: Bound | None
    verdict: Verdict
    key: object = field(repr=False, default=None)

    def __post_init__(self) -> None:
        if self.key is not _KEY:
            raise NotAnonymous("A Release is made by verifying: use shoal.anonymize.")

    @property
    def table(self) -> Any:
        """The released table, of the kind that was given: pandas in, pandas out; a path gives polars."""
        given = self.original
        generalized = {column.name for column in self.problem.columns}
        untouched = [name for name in self.frame.columns if name not in generalized]
        return registry.load("shoal.io:to_kind")(self.frame, given.kind, given=given.given, rows=self.rows, untouched=untouched)

    @property
    def loss(self) -> float:
        return float(self.manifest["loss"])

    @property
    def lower_bound(self) -> float | None:
        """No release of these rows by these hierarchies can lose less."""
        bound = self.manifest["lower_bound"]
        return None if bound is None else float(bound)

    @property
    def ratio(self) -> float | None:
        """Loss over bound: 1.05 means within 5 % of the best possible."""
        ratio = self.manifest["ratio"]
        return None if ratio is None else float(ratio)

    def write(self, path: str | Path, **how: Any) -> None:
        """Write the table; the ending decides the format (.csv, .csv.gz, .parquet)."""
        registry.load("shoal.io:write_release")(self, path, **how)

    def report(self, path: str | Path | None = None) -> Any:
        """Write the report as a page (.html), text (.md) or data (.json)."""
        return registry.load("shoal.report:write_report")(self, path)

    def proof(self, path: str | Path) -> None:
        """Write the witness of the bound. It shows data: it is for the owner and an auditor, not for publication."""
        if self.bound is None:
            raise Refused(f"There is no bound to prove: {self.manifest['bound']}.")
        kept = self.solution.group >= 0
        write_proof(path, self.problem if kept.all() else self.problem.over_rows(kept), self.bound)

    def _repr_html_(self) -> str:
        return str(registry.load("shoal.report:fragment")(self))

    def __repr__(self) -> str:
        m = self.manifest
        near = "" if self.ratio is None else f", proved within {100 * (self.ratio - 1):.1f} % of the best possible"
        return f"<Release: {len(self.groups)} rows in {m['n_groups']} groups of at least {m['smallest_group']}, {m['measure']} {self.loss:g}{near}>"


def make_release(
    table: Table,
    policy: Policy,
    encoding: Encoding,
    solution: Solution,
    bound: Bound | None,
    hierarchies: Mapping[str, Sequence[Sequence[str | None]]],
) -> Release:
    """Decode a Solution, recount it from the texts, and make a Release of it if it keeps every promise."""
    identifiers = policy.named("identifier")
    problem = encoding.problem
    frame = decode(table, problem, solution, identifiers)
    rows = np.flatnonzero(solution.group >= 0)
    names = [column.name for column in problem.columns]
    verdict = verify(
        table.frame,
        frame,
        k=problem.k,
        quasi_identifiers=names,
        hierarchies=hierarchies,
        demands=problem.demands,
        rows=rows,
        untouched=[name for name in frame.columns if name not in names],
    )
    if solution.n_withheld > problem.max_withheld and not problem.deletion:
        raise NotAnonymous(f"{solution.n_withheld} rows were withheld and only {problem.max_withheld} may be.")
    return Release(
        frame=frame,
        groups=solution.group[rows],
        rows=rows,
        manifest={},
        history=solution.history,
        original=table,
        policy=policy,
        problem=problem,
        solution=solution,
        bound=bound,
        verdict=verdict,
        key=_KEY,
    )
