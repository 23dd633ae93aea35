"""A row and its group, counted a second time from the released table."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.studio.explain import group_of

QI = ["age", "job"]


@pytest.fixture(scope="module")
def data() -> pl.DataFrame:
    return pl.DataFrame({
        "age": [str(20 + (i * i * 7 + i // 3) % 41) for i in range(200)],
        "job": ["nurse", "cook", "clerk", "baker"] * 50, "ill": ["flu", "gout", "cold"] * 66 + ["flu"] * 2,
    })  # fmt: skip


@pytest.fixture(scope="module", params=["intervals", "any"])
def release(request: pytest.FixtureRequest, data: pl.DataFrame) -> shoal.Release:
    age = shoal.intervals(5, 20) if request.param == "intervals" else shoal.any_interval()
    return shoal.anonymize(
        data,
        k=4,
        quasi_identifiers=QI,
        sensitive=["ill"],
        hierarchies={"age": age},
        withhold=0.03,
        algorithm="mondrian",
    )


def test_the_group_is_the_rows_that_show_the_same(release: shoal.Release, data: pl.DataFrame):
    sizes = dict(release.frame.with_row_index("at").group_by(QI))
    seen = 0
    for row in range(0, 200, 3):
        group = group_of(release, row)
        if row not in release.rows:
            assert group is None
            continue
        seen += 1
        at = int((release.rows == row).nonzero()[0][0])
        alike = sizes[tuple(release.frame[name][at] for name in QI)]
        assert group is not None
        assert 4 <= group.n_rows <= len(alike)
        assert {release.frame["age"][int((release.rows == one).nonzero()[0][0])] for one in group.members} == {
            release.frame["age"][at]
        }
        changed = {name for name in QI if release.frame[name][at] != data[name][row]}
        assert changed == {why.column for why in group.why}
        assert sum(n for _, n in dict(group.others)["ill"]) == group.n_rows
    assert seen > 50


def test_parts_of_fewer_than_k_are_said_where_there_are_some(release: shoal.Release):
    said = [why.words for row in release.rows[:60].tolist() for why in group_of(release, row).why]  # type: ignore[union-attr]
    assert any("fewer than 4" in words or "leaves some of them out" in words for words in said)
