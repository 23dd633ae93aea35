"""How long it takes to encode a column of many distinct values, and to price its tree, for every kind of hierarchy."""

from __future__ import annotations

import time
from collections.abc import Iterable

import numpy as np

from shoal import measures, registry
from shoal.hierarchies import any_interval, any_subset, intervals, levels, prefixes, suppression
from shoal.hierarchies.encode import encode
from shoal.hierarchies.encoded import Spec

SIZES = (10_000, 100_000, 1_000_000)


def kinds(values: list[str]) -> Iterable[Spec]:
    yield suppression()
    yield intervals(5, 10, 20)
    yield intervals()
    yield prefixes(4, 3, 1)
    yield prefixes()
    yield levels([[v, v[:5], v[:3], "*"] for v in values])
    yield any_interval()
    yield any_subset()


def main() -> None:
    print(f"{'values':>9}  {'hierarchy':<42} {'nodes':>9}  {'encode, CPU s':>13}  {'all measures, CPU s':>19}")
    for n in SIZES:
        values = [str(i) for i in range(10**6, 10**6 + n)]
        for spec in kinds(values):
            start = time.process_time()
            encoded = encode("column", values, True, spec)
            middle = time.process_time()
            count = np.ones(encoded.tree.n_leaves, dtype=np.int64)
            for name in measures.CATALOG:
                registry.find(measures.CATALOG, name).price(encoded.tree, count)
            end = time.process_time()
            print(
                f"{n:>9,}  {encoded.description:<42} {encoded.tree.n_nodes:>9,}  {middle - start:>13.2f}  {end - middle:>19.2f}", flush=True
            )
