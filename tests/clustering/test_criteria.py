"""What is asked of the sensitive values of clusters, as the search sees it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.clustering.criteria import are_met, check_whole, watched
from shoal.io import read
from shoal.policy.columns import ColumnPolicy
from shoal.policy.policy import Policy


def asked(criterion: str, parameters: dict[str, float], cells: list[str | None]):
    policy = Policy(columns={"ill": ColumnPolicy("sensitive", demands=((criterion, parameters),))})
    return watched(read(pl.DataFrame({"ill": cells})), policy, ["ill"])


def test_each_cluster_is_held_to_the_whole_table_and_outliers_are_in_none() -> None:
    close = asked("t-closeness", {"t": 0.3}, ["a", "b", "a", "a", "b", "b"])
    label = np.array([0, 0, 1, 1, -1, -1], dtype=np.int32)
    assert are_met(close, label, 2).tolist() == [True, False]
    assert are_met(close, np.array([0, 0], dtype=np.int32), 1, np.array([4, 5])).tolist() == [False]


@pytest.mark.parametrize("nothing", [None, ""])
def test_missing_and_empty_cells_are_no_different_values(nothing: str | None) -> None:
    two = asked("distinct-l-diversity", {"l": 2}, ["a", nothing, "a", "b"])
    assert are_met(two, np.array([0, 0, 1, 1], dtype=np.int32), 2).tolist() == [False, True]


def test_what_not_even_all_rows_keep_is_infeasible_and_no_cell_is_told() -> None:
    three = asked("distinct-l-diversity", {"l": 3}, ["secret", "other", "other"])
    with pytest.raises(
        shoal.Infeasible, match=r"one cluster of all 3 rows does not keep .*it reaches 2\. Ask for less"
    ) as error:
        check_whole(three)
    assert "secret" not in str(error.value)
