"""What a criterion's second definition is made of."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shoal import privacy, registry
from shoal.judge import criteria
from shoal.judge.criteria.base import Definition, GroupCounts, Requirement, WholeCounts


def test_a_missing_cell_may_be_the_commonest_value() -> None:
    assert GroupCounts({0: 2, 3: 5}, 4).filled() == [9, 2]
    assert GroupCounts({}, 4).filled() == [4]
    assert GroupCounts({0: 2, 3: 5}).filled() == [5, 2]


def test_a_missing_cell_may_be_a_value_of_its_own() -> None:
    assert GroupCounts({0: 2}, 4).cells == {0: 2, None: 4}
    assert GroupCounts({0: 2}).cells == {0: 2}


def test_shares_are_compared_in_whole_numbers() -> None:
    """By floats (1/49)·49 is below 1, and a limit that is met exactly seems broken."""
    whole = WholeCounts({0: 49, 1: 49}, 2, n_values=2)
    assert whole.ratio(GroupCounts({0: 49, 1: 49}, 2), 0) == 1.0
    assert whole.ratio(GroupCounts({0: 1}, 1), None) == 25.0
    assert whole.ratio(GroupCounts({5: 1}), 5) == math.inf


def test_sums_over_the_order() -> None:
    whole = WholeCounts({0: 2, 2: 3}, 1, n_values=4)
    assert whole.up_to == [2, 2, 5, 5]
    assert whole.summed == [0, 2, 4, 9, 14]
    assert whole.n_rows == 6


def test_what_is_asked_is_said_as_the_search_says_it() -> None:
    assert Requirement("recursive-l-diversity", "ill", {"c": 2.0, "l": 3}).text() == "recursive-l-diversity (c=2, l=3) of 'ill'"


@pytest.mark.parametrize("name", privacy.CATALOG)
def test_what_both_definitions_declare_is_the_same(name: str) -> None:
    first, second = registry.find(privacy.CATALOG, name), registry.find(criteria.CATALOG, name)
    assert isinstance(second, Definition)
    assert (second.name, second.different, second.uses_order) == (first.name, first.different, first.uses_order)
    for reached in ([1.0, 2.0], [3.5], []):
        assert second.weakest(reached) == first.worst(np.array(reached, dtype=np.float64))
