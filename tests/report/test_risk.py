"""The assessment against the obvious way: dictionaries over rows, and pairs of rows one by one."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from tests.report.conftest import people

tables = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from([None, "a", "b"]), st.integers(0, 3), st.integers(0, 1)),
    min_size=1,
    max_size=25,
)


def frame(rows: list[tuple[object, ...]]) -> pl.DataFrame:
    return pl.DataFrame({name: [row[i] for row in rows] for i, name in enumerate("abcs")}, strict=False)


@settings(max_examples=60, deadline=None)
@given(tables)
def test_every_count_is_the_obvious_one(rows):
    found = shoal.assess(frame(rows), quasi_identifiers=["a", "b", "c"], sensitive=["s"])
    groups = Counter(row[:3] for row in rows)
    n = len(rows)
    assert found.n_groups == len(groups)
    assert found.n_unique == sum(c == 1 for c in groups.values())
    assert found.rows_below == {limit: sum(c for c in groups.values() if c < limit) for limit in (2, 3, 5, 10)}
    assert found.prosecutor.highest == 1 / min(groups.values())
    assert found.prosecutor.average == pytest.approx(len(groups) / n)
    assert found.prosecutor.share_at_risk == pytest.approx(sum(c for c in groups.values() if c < 5) / n)
    given_away = sum(c for g, c in groups.items() if len({row[3] for row in rows if row[:3] == g}) == 1)
    assert found.homogeneity[0].n_rows_disclosed == given_away
    for subset in found.subsets:
        at = ["abc".index(name) for name in subset.columns]
        seen = Counter(tuple(row[i] for i in at) for row in rows)
        assert subset.n_groups == len(seen)
        assert subset.n_unique == sum(c == 1 for c in seen.values())
        assert subset.distinction == pytest.approx(len(seen) / n)
        apart = [tuple(x[i] for i in at) != tuple(y[i] for i in at) for x, y in combinations(rows, 2)]
        assert subset.separation == pytest.approx(sum(apart) / len(apart) if apart else 0.0)
    assert len(found.subsets) == 7
    assert found.is_complete


def test_nothing_is_said_of_people_outside_the_table():
    """A table of a sample and the same table of a whole population are told the same: who is alone in it may be alone
    outside too.
    """
    found = shoal.assess(people(), quasi_identifiers=["age", "job"])
    assert not {"journalist", "marketer"} & found.to_dict().keys()
    assert "the table alone does not tell" in found.chances()


def test_the_best_combination_comes_first():
    found = shoal.assess(people(), quasi_identifiers=["age", "height", "job", "zip"])
    for size in (1, 2, 3):
        distinctions = [s.distinction for s in found.subsets if len(s.columns) == size]
        assert distinctions == sorted(distinctions, reverse=True)
    assert found.subsets[0].columns == ("age",)


def test_no_value_is_in_the_numbers():
    text = str(shoal.assess(people(), quasi_identifiers=["job", "zip"], sensitive=["ill"]).to_dict())
    assert not [word for word in ("nurse", "81007", "gout") if word in text]


def test_what_cannot_be_assessed_is_refused():
    with pytest.raises(shoal.PolicyError, match="--qi"):
        shoal.assess(people(), quasi_identifiers=[])
    with pytest.raises(shoal.PolicyError, match="nowhere"):
        shoal.assess(people(), quasi_identifiers=["nowhere"])
    with pytest.raises(shoal.DataError, match="no rows"):
        shoal.assess(people().clear(), quasi_identifiers=["age"])
