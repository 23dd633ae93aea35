"""LM (Iyengar 2002): the share of the domain that a cell might be."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.hierarchies import intervals
from shoal.hierarchies.encode import encode
from tests.measures.columns import as_sets, find


class TestWidths:
    """For numbers, LM is the width of the interval over that of the domain."""

    def test_an_interval_costs_its_width_over_the_domains(self) -> None:
        encoded = encode("age", ["17", "20", "29", "35", "90"], True, intervals(10, 20))
        price = dict(
            zip(encoded.tree.labels, find("lm").price(encoded.tree, np.ones(6, dtype=np.int64)).tolist(), strict=True)
        )
        assert price == {
            **dict.fromkeys(["17", "20", "29", "35", "90", None], 0.0),
            "[20, 30)": pytest.approx(10 / 73),
            "[20, 40)": pytest.approx(20 / 73),
            "*": 1.0,
        }

    def test_an_interval_is_clipped_to_the_domain(self) -> None:
        encoded = encode("age", ["17", "19", "90"], False, intervals(10))
        price = find("lm").price(encoded.tree, np.ones(3, dtype=np.int64))
        assert price[encoded.tree.labels.index("[10, 20)")] == pytest.approx(3 / 73)

    def test_a_set_s_width_is_that_of_its_span(self) -> None:
        encoded = encode("age", ["17", "20", "29", "35", "90"], True, intervals(10, 20))
        sets = as_sets([[0], [1, 3], [0, 1, 2, 3, 4, 5], [5], [0, 5]])
        paid = find("lm").set_price(encoded.tree, np.ones(6, dtype=np.int64), sets).tolist()
        assert paid == pytest.approx([0.0, 15 / 73, 1.0, 0.0, 1 / 5])

    def test_equal_numbers_written_differently_have_no_width(self) -> None:
        encoded = encode("x", ["1", "1.0"], False, intervals(10))
        assert find("lm").price(encoded.tree, np.ones(2, dtype=np.int64)).tolist() == [0.0, 0.0, 0.0]

    @given(st.lists(st.integers(-200, 200), min_size=1, max_size=12, unique=True), st.booleans(), st.integers(0, 10**6))
    def test_never_falls_towards_the_root(self, numbers: list[int], has_missing: bool, seed: int) -> None:
        step = random.Random(seed).choice([1, 2, 5, 10])
        encoded = encode("x", sorted(map(str, numbers)), has_missing, intervals(step, 2 * step, 10 * step))
        price = find("lm").price(encoded.tree, np.ones(encoded.tree.n_leaves, dtype=np.int64))
        assert (price <= price[encoded.tree.parent] + 1e-12).all()
        assert price[encoded.tree.root] in (0.0, 1.0)
