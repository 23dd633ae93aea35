"""What a criterion is: each one reaches what its definition says, and survives merging, which algorithms rely on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import privacy, registry
from shoal.privacy.base import Demand, histogram
from tests.naive import criteria as naive

TABLES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=30)
WAYS = [
    ("k-anonymity", {"k": 2}, lambda values, table: len(values)),
    ("distinct-l-diversity", {"l": 2}, naive.distinct),
    ("entropy-l-diversity", {"l": 1.8}, naive.effective),
    ("recursive-l-diversity", {"c": 2.0, "l": 2}, lambda values, table: naive.recursive(values, table, 2)),
    ("t-closeness", {"t": 0.3}, lambda values, table: naive.distance(values, table, False)),
    ("t-closeness", {"t": 0.3, "ordered": 1}, lambda values, table: naive.distance(values, table, True)),
]


def demand(name: str, parameters: dict[str, float]) -> Demand:
    return Demand(registry.find(privacy.CATALOG, name), "s", parameters)


def split(rows: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray, list[list[int]]]:
    names = sorted({g for g, _ in rows})
    group = np.array([names.index(g) for g, _ in rows], dtype=np.int32)
    value = np.array([v for _, v in rows], dtype=np.int32)
    return group, value, [[v for g, v in rows if g == name] for name in names]


@pytest.mark.parametrize(("name", "parameters", "slow"), WAYS)
@given(rows=TABLES)
def test_reached_is_the_definition(name, parameters, slow, rows):
    group, value, members = split(rows)
    got = demand(name, parameters).reached(histogram(group, value, len(members)))
    assert got == pytest.approx([slow(values, value.tolist()) for values in members])


@pytest.mark.parametrize(("name", "parameters", "slow"), WAYS)
@given(rows=TABLES)
def test_merging_two_groups_that_keep_it_keeps_it(name, parameters, slow, rows):
    group, value, members = split(rows)
    asked = demand(name, parameters)
    met = asked.is_met(histogram(group, value, len(members)))
    if len(members) >= 2 and met[0] and met[1]:
        merged = np.where(group <= 1, 0, group - 1).astype(np.int32)
        assert asked.is_met(histogram(merged, value, len(members) - 1))[0]


def test_withheld_rows_are_not_counted_but_stay_in_the_whole_table():
    counts = histogram(np.array([0, 0, -1], dtype=np.int32), np.array([0, 1, 1], dtype=np.int32), 1)
    assert counts.sizes().tolist() == [2]
    assert counts.whole.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("k-anonymity", {"k": 1}),
        ("distinct-l-diversity", {"l": 1.5}),
        ("t-closeness", {"t": 2}),
        ("recursive-l-diversity", {"c": 0, "l": 2}),
    ],
)
def test_parameters_that_make_no_sense_are_named(name, parameters):
    assert registry.find(privacy.CATALOG, name).check(parameters)
