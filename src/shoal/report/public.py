"""The numbers of the report that may be published: what the released table tells, and nothing of the original beside
it.

Each of them is computed from the released cells, the policy and the manifest; ``docs/disclosure.md`` lists them. The
losses by column are the one exception, and are told only where enough open cells hide them.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal import measures
from shoal.reader.reading import Reading
from shoal.release.counted import CountedRelease
from shoal.release.disclosure import Freedom, freedom, has_namesakes, round_up
from shoal.release.manifest import is_told, kept_back, printed
from shoal.release.release import Release
from shoal.release.risk import risk_of
from shoal.report.attention import attention
from shoal.report.levels import levels_used
from shoal.report.model import (
    FORMAT,
    MOST_BARS,
    asked,
    cells,
    expected_figures,
    identity,
    labels_of,
    loss_by_column,
    sensitive_figures,
    sizes,
    source_name,
)
from shoal.report.once import coded_after, read_once
from shoal.report.shapes import shape
from shoal.report.together import associations
from shoal.text.cells import as_text

OWNERS = ("seed", "time_limit")


def public_model(release: Release | CountedRelease) -> dict[str, Any]:
    """What may be said about a release wherever the release itself may go, as plain data."""
    class_sizes = np.array(release.verdict.sizes, dtype=np.int64)
    hidden = freedom(release.solution)
    reading = read_once(release)
    sensitive = [_sensitive(release, name) for name in release.policy.named("sensitive")]
    columns = [_column(release, j, reading) for j in range(release.problem.n_columns)]
    return {
        "format": FORMAT,
        "edition": "publishable",
        "manifest": release.manifest,
        "source": source_name(release.source),
        "file": asdict(release.file),
        "identity": identity(release, for_owner=False),
        "attention": attention(release, sensitive, for_owner=False),
        "asked": {key: value for key, value in asked(release).items() if key not in OWNERS},
        "cells": cells(columns),
        "sizes": sizes(class_sizes, release.problem.k),
        "risk": {"after": _risk(release, class_sizes)},
        "loss_by_column": told_losses(release, hidden),
        "columns": columns,
        "pairs": list(associations(release, reading, for_owner=False)),
        "sensitive": sensitive,
        "expected": expected_figures(release, for_owner=False, reading=reading),
        "policy": printed(release.policy),
        "kept_back": kept_back(release.policy),
    }


def _risk(release: Release | CountedRelease, sizes: NDArray[np.int64]) -> dict[str, Any]:
    """The risk by rows.

    Where a person may have several, the chance of picking one of hers is not told: the release does not say whose rows
    are whose.
    """
    found = asdict(risk_of(sizes, release.problem.k))
    found.pop("n_people")  # of the original, not of the release
    return found if release.policy.person is None else {**found, "highest": None, "average": None}


def told_losses(release: Release | CountedRelease, hidden: Freedom) -> list[dict[str, Any]]:
    """Loss per cell of each quasi-identifier by every measure: rounded up where enough open cells of that very column
    hide it.
    """
    found = []
    is_plain = not has_namesakes(release.problem)
    for j, exact in enumerate(loss_by_column(release)):
        may_be_told = hidden.hides(len(measures.CATALOG), [j])
        losses = {
            name: {
                "per_cell": round_up(exact[name]["per_cell"]) if may_be_told or is_told(name, False, is_plain) else None
            }
            for name in measures.CATALOG
        }
        found.append({"column": exact["column"], **losses})
    return found


def _column(release: Release | CountedRelease, j: int, reading: Reading) -> dict[str, Any]:
    """One quasi-identifier: the labels of the release, and how many cells stand for several values."""
    name = release.problem.columns[j].name
    labels = labels_of(release, name)
    return {
        "name": name,
        "hierarchy": release.manifest["hierarchies"][name],
        "n_labels": len(labels),
        "after": [{"label": "(missing)" if label is None else label, "rows": n} for label, n in labels[:MOST_BARS]],
        "after_pooled": sum(n for _, n in labels[MOST_BARS:]),
        "levels": levels_used(release, j),
        "shape": shape(release, reading, name, for_owner=False),
    }


def _sensitive(release: Release | CountedRelease, name: str) -> dict[str, Any]:
    """What rows that look alike say about a sensitive column, counted over the released rows alone."""
    looks = release.frame.select(as_text(release.frame[c.name]).alias(c.name) for c in release.problem.columns)
    _, alike = np.unique(looks.hash_rows(seed=0).to_numpy(), return_inverse=True)
    return sensitive_figures(coded_after(release, name), alike.astype(np.int32), release.times)
