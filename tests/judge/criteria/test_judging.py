"""The verifier's definitions, held to the search's and to the naive ones, on thousands of groups."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.judge.criteria import CATALOG
from shoal.judge.criteria.base import Requirement
from shoal.judge.criteria.judging import are_too_small, judge, judge_people, places
from shoal.judge.criteria.reading import read_people, read_values
from tests.judge.criteria.groups import ASKED, TABLES, WORDS, by_the_search, judged, reached
from tests.naive import criteria as naive

NAMES = [name for name in CATALOG if name != "k-people"]


def test_every_criterion_is_tried() -> None:
    assert set(ASKED) == set(CATALOG)


@pytest.mark.parametrize("name", NAMES)
@given(groups=TABLES, data=st.data())
def test_it_is_what_the_paper_says(name: str, groups: list[list[str | None]], data: st.DataObject) -> None:
    asked, table = data.draw(st.sampled_from(ASKED[name])), [cell for group in groups for cell in group]
    found = judged(name, asked, groups)
    assert (~found.is_broken).tolist() == [naive.keeps(name, asked, [group], table) for group in groups]


@pytest.mark.parametrize("name", NAMES)
@given(groups=TABLES, data=st.data())
def test_both_definitions_agree(name: str, groups: list[list[str | None]], data: st.DataObject) -> None:
    asked = data.draw(st.sampled_from(ASKED[name]))
    found = judged(name, asked, groups)
    amounts, met, required = by_the_search(name, asked, groups)
    assert reached(name, asked, groups) == pytest.approx(amounts)
    assert (~found.is_broken).tolist() == met
    assert found.required == required


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["words", "numbers"])
@pytest.mark.parametrize("seed", range(3))
def test_both_definitions_agree_on_many_groups_of_all_sizes(name: str, kind: str, seed: int) -> None:
    """Of up to 40 rows and 60 values; the parameters are what some group reaches, so that groups lie exactly at the limit."""
    rng = np.random.default_rng(seed)
    values = [f"{x}" if kind == "numbers" else f"v{x}" for x in range(int(rng.integers(2, 60)))]
    common = rng.choice([*values, None], 40).tolist()
    groups = [rng.choice(common, int(rng.integers(1, 40))).tolist() for _ in range(150)]
    first = ASKED[name][0]
    amounts, _, _ = by_the_search(name, first, groups)
    assert reached(name, first, groups) == pytest.approx(amounts)
    main = next(iter(first))
    for limit in rng.choice([a for a in amounts if np.isfinite(a)] or [1.0], 5):
        asked = {**first, main: float(limit)}
        assert (~judged(name, asked, groups).is_broken).tolist() == by_the_search(name, asked, groups)[1]


@given(groups=TABLES)
def test_people_are_counted_as_the_search_counts_them(groups: list[list[str | None]]) -> None:
    cells = pl.Series([None if cell is None else f" {cell}" for group in groups for cell in group], dtype=pl.String)
    group = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    found = judge_people("id", 2, group, places(cells, read_people))
    amounts, met, _ = by_the_search("k-people", {"k": 2}, groups)
    assert (~found.is_broken).tolist() == met == [naive.keeps_people(group, [], {"k": 2}) for group in groups]
    assert found.reached == min(amounts)


def test_groups_are_too_small_below_k() -> None:
    assert are_too_small([1, 2, 3, 7], 3).tolist() == [True, True, False, False]
    assert are_too_small([], 3).tolist() == []


def test_rows_that_were_withheld_are_part_of_the_whole_table() -> None:
    groups = [["flu", "hiv"], ["flu", "hiv"]]
    assert judged("t-closeness", {"t": 0.1}, groups).reached == 0.0
    assert judged("t-closeness", {"t": 0.1}, groups, withheld=["gout"] * 4).reached == 0.5
    assert judged("delta-disclosure-privacy", {"delta": 9}, groups, withheld=["gout"]).reached == np.inf


def test_a_value_that_the_original_lacks_breaks_what_compares_with_it() -> None:
    before = pl.DataFrame({"value": ["flu", "hiv"], "n": [5, 5]})
    after = pl.DataFrame({"value": ["flu", "invented"], "n": [5, 5], "group": [0, 0]})
    for name in ("basic-beta-likeness", "enhanced-beta-likeness", "delta-disclosure-privacy"):
        assert judge(Requirement(name, "s", ASKED[name][-1]), before, after).is_broken.all()


def test_rows_may_be_counted_before() -> None:
    """Engines that count give each text of a group once, and how many rows have it."""
    groups = [["flu", "flu", "hiv", None], ["gout", "flu", None, None]]
    for name in NAMES:
        asked = ASKED[name][1]
        folded = pl.DataFrame({"value": ["flu", "hiv", None, "gout", "flu", None], "n": [2, 1, 1, 1, 1, 2], "group": [0, 0, 0, 1, 1, 1]})
        before = pl.DataFrame({"value": ["flu", "hiv", None, "gout"], "n": [3, 1, 3, 1]})
        once, twice = judged(name, asked, groups), judge(Requirement(name, "s", asked), before, folded)
        assert (once.reached, once.is_broken.tolist()) == (twice.reached, twice.is_broken.tolist())


@pytest.mark.parametrize("name", NAMES)
def test_nothing_released_breaks_nothing(name: str) -> None:
    assert not judged(name, ASKED[name][0], [], withheld=WORDS).is_broken.any()


def test_places_of_cells() -> None:
    assert places(pl.Series(["9", None, "10", "9.0"]), read_values).tolist() == [0, -1, 1, 0]
