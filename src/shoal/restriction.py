"""The restricted forms of k-anonymity (Sun, Wang and Li 2008): tables of two values, one of which is in exactly k rows of every column."""

from __future__ import annotations

from typing import Any

from shoal import io
from shoal.api import anonymize
from shoal.errors import PolicyError
from shoal.instances.restricted import MEASURE, check_restricted
from shoal.release.release import Release

ALGORITHMS = {"cells": ("restricted-matching", "exact"), "columns": ("attribute-suppression",) * 2}
"""For k = 2, and for more."""


def restricted(data: Any, k: int = 2, *, suppress: str = "cells", **more: Any) -> Release:
    """A release of a restricted table: every column holds two values, one of them in exactly k rows.

    With ``suppress="cells"`` the fewest cells are suppressed: for k = 2 by one matching, for more by exact search (the problem is NP-hard then). With
    ``suppress="columns"`` the fewest columns are, each in every row. ``more`` are other keywords of :func:`shoal.anonymize`. A table of another form is a
    :class:`shoal.DataError`; :func:`shoal.instances.restricted_from_table` adds rows to make it restricted.

    >>> import polars as pl
    >>> restricted(pl.DataFrame({"a": ["0", "0", "1", "1"], "b": ["1", "1", "0", "0"]})).loss
    0.0
    """
    if suppress not in ALGORITHMS:
        raise PolicyError(f"suppress must be one of {', '.join(ALGORITHMS)}, not '{suppress}'.")
    table = io.read(data)
    columns = {name: table.coded(name) for name in table.columns}
    check_restricted(
        {name: [*column.counts().tolist(), *[column.n_missing] * (column.n_missing > 0)] for name, column in columns.items()}, k
    )
    algorithm = ALGORITHMS[suppress][k != 2]
    return anonymize(data, k=k, quasi_identifiers=list(columns), suppression_only=True, measure=MEASURE, **{"algorithm": algorithm, **more})
