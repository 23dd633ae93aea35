"""The manifest of a clustering that may be published: what was asked, and figures that anybody can compute from the table of clusters.

The record beside it has everything, exactly, and stays with the owner. A largest radius that the table does not show is the distance of one
row, and a bound depends on all rows: both would pick tables out of those that fit the clusters, so they are told to the owner alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.release.frozen import FrozenDict, freeze
from shoal.release.record import NOTICE

FORMAT = "shoal.clustering/2"
RECORD = "shoal.clustering-record/1"
ASKED = ("shoal", "method", "problem", "r", "max_clusters", "outliers", "centers", "quasi_identifiers", "sensitive", "dropped")
SHOWN = ("n_rows", "max_outliers", "n_outliers", "n_clusters", "smallest_cluster", "release_sha256")
HIDDEN = "not published: it depends on rows in a way that the clusters do not show. The owner's record has it"


def record_of(figures: Mapping[str, Any]) -> FrozenDict:
    """Everything that is known of a clustering, for the owner."""
    made: FrozenDict = freeze({"notice": NOTICE, "format": RECORD, **figures})
    return made


def manifest_of(figures: Mapping[str, Any], guarantee: str, shows_cost: bool) -> FrozenDict:
    """What may be published of it. ``guarantee`` is what the method promises for every table; ``shows_cost``: the cost follows from the table."""
    metric = {name: {"metric": about["metric"]} for name, about in figures["metric"].get("columns", {}).items()}
    made: FrozenDict = freeze(
        {
            "format": FORMAT,
            **{name: figures[name] for name in ASKED},
            "metric": metric,
            "guarantee_text": guarantee,
            **{name: figures[name] for name in SHOWN},
            "largest_radius": figures["largest_radius"] if shows_cost else None,
            "cost": figures["cost"] if shows_cost else None,
            "lower_bound": None,
            "ratio": None,
            "bound": HIDDEN,
        }
    )
    return made
