"""The manifest of a clustering that may be published: what was asked, and figures that anybody can compute from the
table of clusters.

The record beside it has everything, exactly, and stays with the owner. One figure is more than the table shows: the
largest radius, which the paper publishes, is the distance of one row from its centre (docs/disclosure.md says what that
tells). A bound depends on all rows: it is told to the owner alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.release.disclosure import round_up
from shoal.release.frozen import FrozenDict, freeze
from shoal.release.record import NOTICE

FORMAT = "shoal.clustering/2"
RECORD = "shoal.clustering-record/1"
ASKED = (
    "shoal", "method", "problem", "r", "max_clusters", "outliers", "centers", "sharing", "quasi_identifiers",
    "sensitive", "criteria", "dropped",
)  # fmt: skip
PROMISED = ("guarantee", "guarantee_text")
"""What holds for every table of which the same is asked."""
SHOWN = ("n_rows", "max_outliers", "n_outliers", "n_clusters", "smallest_cluster", "release_sha256")
HIDDEN = "not published: it depends on rows in a way that the clusters do not show. The owner's record has it"


def record_of(figures: Mapping[str, Any]) -> FrozenDict:
    """Everything that is known of a clustering, for the owner."""
    made: FrozenDict = freeze({"notice": NOTICE, "format": RECORD, **figures})
    return made


def manifest_of(figures: Mapping[str, Any], shows_radii: bool, shows_cost: bool) -> FrozenDict:
    """What may be published of it. ``shows_radii``: the table shows the radius of each cluster; ``shows_cost``: and the
    cost follows from the table.

    Where the table shows no radius, the largest is rounded up: no row is farther from its centre.
    """
    largest = figures["largest_radius"] if shows_radii else round_up(figures["largest_radius"])
    metric = {name: {"metric": about["metric"]} for name, about in figures["metric"].get("columns", {}).items()}
    made: FrozenDict = freeze(
        {
            "format": FORMAT,
            **{name: figures[name] for name in ASKED},
            "metric": metric,
            **{name: figures[name] for name in PROMISED},
            **{name: figures[name] for name in SHOWN},
            "largest_radius": largest,
            "cost": figures["cost"] if shows_cost else None if shows_radii else largest,
            "lower_bound": None,
            "ratio": None,
            "bound": HIDDEN,
        }
    )
    return made
