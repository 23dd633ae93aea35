"""The recount of what is asked of sensitive values, against the definitions of the papers, written a third time."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.clustering import criteria, merging, run
from shoal.clustering.sensitive_check import check_criterion, one_valued
from tests.naive.criteria import distance, distance_with_missing, effective, recursive


def is_kept(criterion: str, asked: dict[str, float], cells: list[Any], table: list[Any]) -> bool:
    try:
        check_criterion("ill", criterion, asked, Counter(table), [Counter(cells)])
    except shoal.NotAnonymous:
        return False
    return True


@pytest.mark.parametrize("is_number", [False, True])
def test_the_recount_says_what_the_definitions_say(is_number: bool) -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        table = rng.integers(0, 4, 14).tolist()
        table += [v for v in range(max(table) + 1) if v not in table]
        cells = rng.choice(table, 6, replace=False).tolist()
        said = [str(10 + v) if is_number else "abcd"[v] for v in cells]
        whole = [str(10 + v) if is_number else "abcd"[v] for v in table]
        least, share = int(rng.integers(1, 5)), float(rng.random())
        assert is_kept("distinct-l-diversity", {"l": least}, said, whole) == (len(set(cells)) >= least)
        assert is_kept("entropy-l-diversity", {"l": 4 * share}, said, whole) == (
            effective(cells, table) >= 4 * share - 1e-9
        )
        assert is_kept("recursive-l-diversity", {"c": 3 * share, "l": least}, said, whole) == (
            recursive(cells, table, least) < 3 * share
        )
        far = distance(cells, table, is_number)
        assert is_kept("t-closeness", {"t": share}, said, whole) == (far <= share + 1e-9)
        assert is_kept("t-closeness", {"t": far}, said, whole)


def test_missing_cells_are_the_commonest_value_or_one_of_their_own() -> None:
    assert not is_kept("distinct-l-diversity", {"l": 2}, ["a", "a", None], ["a", "b", None])
    assert is_kept("entropy-l-diversity", {"l": 1.8}, ["a", "b"], ["a", "b", None])
    assert not is_kept("entropy-l-diversity", {"l": 1.8}, ["a", "b", None, None], ["a", "b", None])
    assert not is_kept("recursive-l-diversity", {"c": 3, "l": 2}, ["a", "b", None, None], ["a", "b", None])
    rng = np.random.default_rng(5)
    for _ in range(40):
        table: list[int | None] = [0, 1, 2, None, *(None if v == 3 else int(v) for v in rng.integers(0, 4, 10))]
        cells = [table[i] for i in rng.choice(len(table), 5, replace=False)]
        for is_number in (False, True):
            far = distance_with_missing(cells, table, is_number)
            said, whole = (
                [None if v is None else str(v) if is_number else "abc"[v] for v in some] for some in (cells, table)
            )
            assert is_kept("t-closeness", {"t": min(far + 1e-6, 1)}, said, whole)
            assert far < 1e-6 or not is_kept("t-closeness", {"t": far - 1e-6}, said, whole)


def test_texts_of_one_number_are_one_value() -> None:
    assert not is_kept("distinct-l-diversity", {"l": 2}, ["1", "1.0"], ["1", "1.0", "2"])
    assert is_kept("distinct-l-diversity", {"l": 2}, ["01", "1"], ["01", "1", "x"])


FRAME = pl.DataFrame({"age": [1, 2, 3, 4, 51, 52, 53, 54], "ill": ["HIV"] * 4 + ["flu", "cold", "HIV", "gout"]})


@pytest.mark.parametrize(
    "asked",
    [
        {"l_diversity": 2},
        {"l_diversity": "entropy:1.5"},
        {"l_diversity": "recursive:4,2"},
        {"t_closeness": 0.3},
        {"require": {"alpha-k-anonymity": 0.7}},
    ],
)
def test_a_search_that_thinks_all_is_kept_publishes_nothing(
    asked: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recount shares no definition with the search: where that one errs, there is no result."""
    everything = lambda asked, label, n_clusters, rows=None: np.ones(n_clusters, dtype=np.bool_)  # noqa: E731
    monkeypatch.setattr(criteria, "are_met", everything)
    monkeypatch.setattr(merging, "are_met", everything)
    monkeypatch.setattr(run, "watched", lambda *asked: ())
    with pytest.raises(shoal.NotAnonymous, match="of 2 clusters break"):
        shoal.cluster(FRAME, method="cellular", r=4, quasi_identifiers=["age"], sensitive=["ill"], **asked)


def test_clusters_in_which_all_rows_have_one_value_are_counted() -> None:
    frame = pl.DataFrame({"ill": ['["a", "a"]', '["a", "b"]', '["a", null]', "[null, null]", '{"b": 3}']})
    assert one_valued(frame, "ill") == 3
