"""What an attacker has: everything that is published about a release. And what he can do: run this program on his own guesses."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import shoal
from shoal.encode import Encoding
from shoal.engines import driver
from shoal.engines.memory import InMemory
from shoal.policy.policy import Policy
from shoal.problem import close
from shoal.table.folded import Folded

SECONDS = re.compile(r'"seconds": ?\{[^}]*\}')
"""What differs between two runs on the same table."""


FORMS = ("html", "md", "json")


def files(release: shoal.Release, forms: Sequence[str] = FORMS) -> dict[str, str]:
    """Every file that may be published, as text: the table, the manifest, and the report in its three forms.

    Page and Markdown are written from the numbers that the JSON form consists of (``report/page.py``), so a play may look at that form alone.
    """
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        release.write(home / "release.csv")
        for ending in forms:
            release.report(home / f"report.{ending}")
        found = {path.name: path.read_text() for path in sorted(home.iterdir())}
    found["manifest.json"] = json.dumps(release.manifest)
    return {name: SECONDS.sub('"seconds": {}', text) for name, text in found.items()}


def guess(original: pl.DataFrame, group: np.ndarray, asked: Mapping[str, Any]) -> shoal.Release:
    """What the program publishes if the original was this and the groups were those: he knows the groups, since he sees them."""
    with forced(group):
        return shoal.anonymize(original, **asked)


@contextmanager
def forced(group: np.ndarray) -> Iterator[None]:
    """The program, with the group of each row given instead of searched for."""
    before = InMemory.fold, driver.encode_folded, driver.solve
    kind_of_row = np.zeros(0, dtype=np.int32)

    def fold_by_rows(rows: InMemory, names: Sequence[str]) -> Folded:
        nonlocal kind_of_row
        folded = before[0](rows, names)
        kind_of_row, rows.kind_of_row = rows.kind_of_row, np.arange(rows.table.n_rows, dtype=np.int32)
        return folded

    def encode_by_rows(folded: Folded, policy: Policy) -> Encoding:
        """Every row a kind of its own, in the order of the table."""
        made = before[1](folded, policy)
        rows = made.problem.with_units(made.kinds[kind_of_row], np.ones(folded.n_rows, dtype=np.int32))
        each = np.arange(folded.n_rows, dtype=np.int32)
        return replace(made, problem=replace(rows, kind_of_unit=each), kinds=each)

    InMemory.fold = fold_by_rows  # type: ignore[method-assign]
    driver.encode_folded = encode_by_rows
    driver.solve = lambda problem, *_: close(problem, np.asarray(group, dtype=np.int32))  # type: ignore[assignment]
    try:
        yield
    finally:
        InMemory.fold, driver.encode_folded, driver.solve = before  # type: ignore[method-assign, assignment]


def same_table(a: shoal.Release, b: shoal.Release) -> bool:
    """Whether two releases show the same rows, in whatever order."""
    return sorted(map(repr, a.frame.rows())) == sorted(map(repr, b.frame.rows()))
