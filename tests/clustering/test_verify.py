"""The recount of clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.clustering import publish, verify
from tests.clustering.people import people, run


def test_the_recount_refuses_what_is_not_true(monkeypatch: pytest.MonkeyPatch) -> None:
    right = publish.cluster_table

    def wrong(*given: Any) -> pl.DataFrame:
        return right(*given).with_columns(pl.col("size") + 1)

    monkeypatch.setattr(publish, "cluster_table", wrong)
    with pytest.raises(shoal.NotAnonymous, match="sizes"):
        run(people(), r=5)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"sizes": [3, 1], "radii": [1.0, 0.0]}, "fewer than 2"),
        ({"n_outliers": 3}, "only 2 may be left out"),
        ({"sizes": [2, 2, 2], "radii": [0.0] * 3}, "There are 3 clusters"),
    ],
)
def test_the_recount_holds_to_what_was_asked(told: dict[str, Any], words: str) -> None:
    count = verify.Recount(**{"sizes": [2, 3], "radii": [0.0, 1.0], "to_centre": np.zeros(5), "n_outliers": 0, **told})
    with pytest.raises(shoal.NotAnonymous, match=words):
        verify.check(count, r=2, most_outliers=2, most_clusters=2, sizes=count.sizes, radii=count.radii)


def test_a_radius_or_a_sensitive_value_that_is_not_true_is_refused() -> None:
    count = verify.Recount([2], [1.0], np.zeros(2), 0)
    with pytest.raises(shoal.NotAnonymous, match="radius"):
        verify.check(count, r=2, most_outliers=0, most_clusters=None, sizes=[2], radii=[1.1])
    from shoal.io import read

    table = read(pl.DataFrame({"ill": ["a", "b"]}))
    with pytest.raises(shoal.NotAnonymous, match="members"):
        verify.check_sensitive(table, pl.DataFrame({"ill": ['["a", "a"]']}), ["ill"], [0, 0])
