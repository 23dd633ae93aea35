"""Random small tables clustered: every row is in one cluster or an outlier, clusters are large enough, and the files say just that."""

from __future__ import annotations

import math
import random
import warnings
from fractions import Fraction
from typing import Any

import polars as pl

import shoal
from tests.fuzz.cases import MARK, make
from tests.fuzz.run import EXPECTED, Outcome


def run(seed: int) -> Outcome:
    """Cluster the table of a seed. Anything in ``faults`` is a defect."""
    case, rng = make(seed), random.Random(seed)
    frame = pl.DataFrame({name: pl.Series(case.cells[name], dtype=pl.String) for name in case.header})
    r = case.keywords["k"]
    asked: dict[str, Any] = {
        "method": rng.choice(["gather", "center", "cellular"]),
        "r": r,
        "quasi_identifiers": case.keywords["quasi_identifiers"],
        "outliers": rng.choice([0, 0, 0.1, 0.3]),
    }
    if asked["method"] == "center":
        asked["max_clusters"] = rng.randint(1, 4)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = shoal.cluster(frame, **asked)
    except shoal.ShoalError as error:
        said = str(error)
        faults = [] if isinstance(error, EXPECTED) else [f"unexpected {type(error).__name__}"]
        return Outcome(seed, type(error).__name__, faults + ["the message shows a cell"] * (MARK in said), said)
    except Exception as error:
        return Outcome(seed, "crash", [f"{type(error).__name__}: {error}"])
    return Outcome(seed, "clustered", faults_of(found, frame, r, asked["outliers"]))


def faults_of(found: shoal.Clustering, frame: pl.DataFrame, r: int, outliers: float) -> list[str]:
    """What is wrong with a clustering."""
    members = [row for _, inside in found.clusters for row in inside]
    wrong = []
    if sorted([*members, *found.outliers]) != list(range(frame.height)):
        wrong.append("a row is in two clusters, or in none and no outlier")
    if any(len(inside) < r for _, inside in found.clusters):
        wrong.append("a cluster is too small")
    if len(found.outliers) > math.floor(Fraction(str(outliers)) * frame.height):
        wrong.append("too many outliers")
    if found.frame.height != len(found.clusters) or found.long_frame.height != len(members):
        wrong.append("the files have other rows than the clusters")
    if found.lower_bound is not None and found.lower_bound > found.cost * (1 + 1e-9) + 1e-9:
        wrong.append("the bound is above the cost")
    return wrong
