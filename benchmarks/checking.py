"""Checking a proof beside finding it, in CPU seconds of one process: every measure of releases, every method of clusterings."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

import shoal
from benchmarks.adult import QUASI_IDENTIFIERS
from benchmarks.peers import VECTORS
from shoal import measures, registry
from shoal.bounds import anchored, dual
from shoal.clustering.proof import case_of, most_bytes
from shoal.clustering.proof_check import check
from shoal.problem import Watch
from shoal.proof.check import check_prices
from shoal.proof.file import unpack_prices
from shoal.release.cases import case_for
from shoal.release.resolve import Hierarchies
from shoal.release.witness import rounded

Answer = TypeVar("Answer")
K = 5


def timed(run: Callable[[], Answer]) -> tuple[Answer, float]:
    start = time.process_time()
    answer = run()
    return answer, time.process_time() - start


def adult(n_rows: int) -> pl.DataFrame:
    """The first rows of the Adult table that comes with the tests."""
    return pl.read_csv(VECTORS / "adult.csv.gz", separator=";", infer_schema=False).head(n_rows)


def proofs(n_rows: int) -> Iterator[tuple[str, float, float]]:
    """For each measure: seconds of raising prices until they rise no more, and of checking them."""
    frame = adult(n_rows)
    asked = {"k": K, "quasi_identifiers": list(QUASI_IDENTIFIERS), "hierarchies": VECTORS / "hierarchies", "algorithm": "mondrian"}
    for measure in registry.names(measures.CATALOG):
        release = shoal.anonymize(frame, measure=measure, **asked)
        case = case_for(Hierarchies(release.original, release.policy))
        found, took = timed(partial(dual.prices, release.problem, dual.TURNS, Watch()))
        assert found.bound.prices is not None
        claimed = rounded(release.problem, found.bound.prices)
        yield measure, took, timed(partial(check_prices, case, claimed))[1]


FREE = ("lm", "ncp", "entropy", "monotone-entropy")


def free_proofs(n_rows: int) -> Iterator[tuple[str, float, float]]:
    """The same where every column may show any interval or any subset, and prices hold for sets of rows."""
    frame = adult(n_rows)
    free: dict[str, Any] = {name: shoal.any_interval() if name == "age" else shoal.any_subset() for name in QUASI_IDENTIFIERS}
    asked = {"k": K, "quasi_identifiers": list(QUASI_IDENTIFIERS), "hierarchies": free, "algorithm": "mondrian"}
    for measure in FREE:
        release = shoal.anonymize(frame, measure=measure, effort=0.01, **asked)
        case = case_for(Hierarchies(release.original, release.policy))
        found, took = timed(partial(anchored.compute, release.problem, Watch()))
        assert found.prices is not None
        claimed = replace(rounded(release.problem, found.prices), by_sets=True)
        yield f"free columns: {measure}", took, timed(partial(check_prices, case, claimed))[1]


METHODS: tuple[dict[str, Any], ...] = (
    {"method": "gather"},
    {"method": "gather", "centers": "input"},
    {"method": "gather", "outliers": 0.01},
    {"method": "center", "max_clusters": 100},
    {"method": "cellular"},
)


def clusterings(n_rows: int) -> Iterator[tuple[str, float, float]]:
    """For each method: seconds of finding clusters and their bound, and of checking the proof of it."""
    frame = adult(n_rows)
    for more in METHODS:
        asked = {"r": K, "quasi_identifiers": list(QUASI_IDENTIFIERS), "metric": {"age": {"unit": 10}}, **more}
        made, took = timed(partial(shoal.cluster, frame, **asked))
        placed, task, _, is_total = made.witness
        with tempfile.TemporaryDirectory() as folder:
            made.proof(Path(folder) / "proof")
            claimed = unpack_prices(Path(folder) / "proof", most_bytes(case_of(placed, task, is_total)))
        case, begun = timed(partial(case_of, placed, task, is_total))
        yield f"clusters: {', '.join(str(value) for value in more.values())}", took, begun + timed(partial(check, case, claimed))[1]
