"""Loss, bound, ratio and factor as they are published, beside the least that any release of the table can lose."""

from __future__ import annotations

from collections import Counter

import pytest

from shoal import algorithms, registry
from tests.published import asked_freely, faults

FAMILIES = 4
"""Seeds are dealt out to so many tests, so that they can run side by side."""


@pytest.mark.parametrize("family", range(FAMILIES))
def test_no_figure_says_more_than_the_optimum_allows(family: int) -> None:
    tally: Counter[str] = Counter()
    found = [fault for seed in range(family, 6 * FAMILIES, FAMILIES) for fault in faults(seed, tally=tally)]
    assert not found
    assert min(tally[way] for way in ("all stay", "deletion", "budget")) >= 4 * len(registry.names(algorithms.CATALOG))


def test_nor_where_columns_are_free_and_rows_are_of_people() -> None:
    tally: Counter[str] = Counter()
    assert not [fault for seed in range(10) for fault in faults(seed, tally=tally, table=asked_freely)]
    assert min(tally[way] for way in ("all stay", "deletion", "budget")) >= 6 * 5


@pytest.mark.slow
@pytest.mark.parametrize("family", range(FAMILIES))
def test_no_figure_of_many_tables_says_more(family: int) -> None:
    assert not [fault for seed in range(1000 + family, 1400, FAMILIES) for fault in faults(seed)]
