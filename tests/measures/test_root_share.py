"""Root share: columns weigh alike, narrow sets are cheap, and rare values are not thrown away."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.hierarchies.rows import tree_from_rows
from shoal.judge.measures.exact import bits_of, root_above, root_below
from shoal.measures.root_share import ROOT_SHARE


@given(st.lists(st.integers(0, 9), min_size=2, max_size=8).filter(lambda c: sum(x > 0 for x in c) > 1))
def test_a_column_suppressed_whole_costs_one_a_cell(count: list[int]) -> None:
    tree = tree_from_rows([[str(i), "*"] for i in range(len(count))])
    n = np.array(count)
    assert (ROOT_SHARE.price(tree, n)[tree.root] - ROOT_SHARE.offset(tree, n)) @ n == pytest.approx(n.sum())


def test_by_hand() -> None:
    """Four rows, 1 and 3: √1 − √(1/4) and √1 − √(3/4), over 1 − (1/8 + 3√3/8)."""
    tree, n = tree_from_rows([["0", "*"], ["1", "*"]]), np.array([1, 3])
    lost = ROOT_SHARE.price(tree, n)[tree.root] - ROOT_SHARE.offset(tree, n)
    assert lost == pytest.approx(np.array([0.5, 1 - 0.75**0.5]) / (1 - (1 + 3 * 3**0.5) / 8))


def test_a_column_of_one_value_costs_nothing() -> None:
    tree = tree_from_rows([["0", "*"], ["1", "*"]])
    assert ROOT_SHARE.price(tree, np.array([5, 0])).tolist() == [0.0, 0.0, 0.0]


@given(st.integers(0, 10**12))
def test_roots_lie_between_their_fractions(n: int) -> None:
    low, high = root_below(n), root_above(n)
    assert low * low <= n <= high * high
    assert high - low <= Fraction(1, 2**64)


@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=6))
def test_what_a_root_costs_lies_between_its_fractions(counts: list[int]) -> None:
    known, n = bits_of(np.array(counts)), sum(counts)
    exact = n / (n**1.5 - sum(c**1.5 for c in counts))
    assert 0 < known.per_root_below <= known.per_root_above
    assert float(known.per_root_below) == pytest.approx(exact, rel=1e-6)
    assert float(known.per_root_above / known.per_root_below) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("hierarchy", [shoal.any_interval(), shoal.any_subset(), shoal.intervals(5, 20)])
def test_a_bound_and_a_proof_for_every_hierarchy(tmp_path, hierarchy: object) -> None:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({"age": rng.integers(20, 40, 80), "job": rng.choice(["cook", "nurse", "smith"], 80)})
    asked = {"k": 4, "quasi_identifiers": ["age", "job"], "hierarchies": {"age": hierarchy}, "measure": "root-share"}
    made = shoal.anonymize(frame, **asked, time_limit=1, proof=True)
    assert made.lower_bound is not None
    assert 0 < made.lower_bound <= made.loss + 1e-9
    made.proof(tmp_path / "p.json")
    found = shoal.verify(frame, made.table, **asked, proof=tmp_path / "p.json")
    assert found.audit is not None
    assert 0 <= found.audit.lower_bound <= made.lower_bound
    if isinstance(hierarchy, type(shoal.intervals(5))):
        assert found.audit.lower_bound == pytest.approx(made.lower_bound, rel=1e-6)
