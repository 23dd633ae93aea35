"""One meaning for each demand: the order of values, ties and missing cells, for solver, verifier and report."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal import algorithms, registry
from shoal.errors import Refused
from shoal.privacy.base import histogram
from shoal.privacy.meaning import scale_of
from shoal.report.model import sensitive_model
from tests.naive import criteria as naive

GROUPS = st.lists(st.lists(st.sampled_from([0, 1, 2, 3, None]), min_size=1, max_size=5), min_size=1, max_size=4)


def counts_of(groups, scale):
    rows = [(g, v) for g, values in enumerate(groups) for v in values]
    group = np.array([g for g, _ in rows], dtype=np.int32)
    places = np.array([-1 if v is None else v for _, v in rows])
    codes = scale.codes(places)
    return histogram(group, codes, len(groups), np.bincount(codes, minlength=scale.missing + 1).astype(np.int64))


SCALE = scale_of(["10", "20", "30", "40"])


@given(GROUPS)
def test_missing_adds_no_diversity(groups):
    """{hiv, hiv, missing} was 2-diverse. What is promised holds however the missing cells are filled."""
    counts = counts_of(groups, SCALE)
    ways = {
        "distinct-l-diversity": (lambda values: naive.distinct(values, []), min),
        "entropy-l-diversity": (lambda values: naive.effective(values, []), min),
        "recursive-l-diversity": (lambda values: naive.recursive(values, [], 2), max),
    }
    for name, (slow, worst) in ways.items():
        reached = SCALE.demand(name, "x", {"l": 2, "c": 2}).reached(counts)
        for got, values in zip(reached, groups, strict=True):
            if name == "distinct-l-diversity" and all(v is None for v in values):
                assert got == 0
            else:
                assert got == pytest.approx(worst(slow(filled) for filled in naive.fillings(values))), name


@given(GROUPS, st.booleans())
def test_closeness_with_missing_cells_is_its_definition(groups, ordered):
    scale = SCALE if ordered else scale_of(["a", "b", "c", "d"])
    table = [v for values in groups for v in values]
    if not all(v in table for v in range(4)):
        groups = [*groups, [0, 1, 2, 3]]
        table = [*table, 0, 1, 2, 3]
    reached = scale.demand("t-closeness", "x", {"t": 0.2}).reached(counts_of(groups, scale))
    assert reached == pytest.approx([naive.distance_with_missing(values, table, ordered) for values in groups])


@given(GROUPS)
def test_every_demand_survives_merging_with_missing_cells(groups):
    for name, parameters in (("distinct-l-diversity", {"l": 2}), ("entropy-l-diversity", {"l": 1.7}),
                             ("recursive-l-diversity", {"c": 2.0, "l": 2}), ("t-closeness", {"t": 0.3})):  # fmt: skip
        demand = SCALE.demand(name, "x", parameters)
        met = demand.is_met(counts_of(groups, SCALE))
        if len(groups) >= 2 and met[0] and met[1]:
            assert demand.is_met(counts_of([groups[0] + groups[1], *groups[2:]], SCALE))[0]


def test_one_number_written_twice_is_one_value():
    """Two texts of one number add no diversity."""
    assert scale_of(["1", "1.0", "2"]).rank.tolist() == [0, 0, 1]
    original = pl.DataFrame({"q": ["a", "a"], "x": ["1", "1.0"]})
    with pytest.raises(shoal.NotAnonymous, match="break distinct-l-diversity"):
        shoal.verify(original, original, k=2, quasi_identifiers=["q"], sensitive=["x"], l_diversity=2)


def test_verify_counts_no_missing_value():
    """A missing cell adds no diversity."""
    original = pl.DataFrame({"q": ["a"] * 3, "ill": ["hiv", "hiv", None]})
    with pytest.raises(shoal.NotAnonymous, match="break distinct-l-diversity"):
        shoal.verify(original, original, k=3, quasi_identifiers=["q"], sensitive=["ill"], l_diversity=2)


PAY = [None, *range(1, 12)] * 2


@pytest.mark.parametrize("algorithm", ["auto", "mondrian", "full-domain"])
def test_solver_and_verifier_order_numbers_alike_with_one_missing_cell(algorithm):
    """Anonymize(t=0.30) was accepted by verify(t=0.17), which ranked the numbers as texts."""
    rng = np.random.default_rng(1)
    pay = [None, *(str(x) for x in rng.integers(1, 120, 119))]
    frame = pl.DataFrame({"age": [str(20 + i // 4) for i in range(120)], "pay": pay})
    made = shoal.anonymize(
        frame, k=4, quasi_identifiers=["age"], sensitive=["pay"], t_closeness=0.3, algorithm=algorithm
    )
    [reached] = made.verdict.reached.values()
    report = sensitive_model(made, "pay")["t-closeness"]["worst"]
    asked = {"k": 4, "quasi_identifiers": ["age"], "sensitive": ["pay"]}
    assert next(iter(shoal.verify(frame, made.table, t_closeness=0.3, **asked).reached.values())) == pytest.approx(
        reached
    )
    assert report == pytest.approx(reached)
    with pytest.raises(shoal.NotAnonymous, match="break t-closeness"):
        shoal.verify(frame, made.table, t_closeness=reached - 0.001, **asked)


@pytest.mark.parametrize("algorithm", registry.names(algorithms.CATALOG))
@pytest.mark.parametrize(
    "demand",
    [
        {"l_diversity": 2},
        {"l_diversity": {"entropy": 1.5}},
        {"l_diversity": {"recursive": {"c": 6, "l": 2}}},
        {"t_closeness": 0.4},
    ],
)
def test_every_algorithm_releases_columns_with_missing_cells(algorithm, demand):
    """What the solver calls met is met for the verifier."""
    ill = ["flu", None, "gout", "flu", None, "flu"] * 2
    frame = pl.DataFrame({"age": [str(20 + i) for i in range(12)], "ill": ill})
    try:
        made = shoal.anonymize(frame, k=2, quasi_identifiers=["age"], sensitive=["ill"], algorithm=algorithm, **demand)
    except Refused:
        assert algorithm != "auto"
        return
    shoal.verify(frame, made.table, k=2, quasi_identifiers=["age"], sensitive=["ill"], **demand)


def test_codes_with_a_zero_in_front_are_categories_and_not_numbers():
    """Illness 01 is not nearer to 02 than to 12.

    By numbers a group of 01 and 02 would lie closer to the table than it does.
    """
    codes = [f"{i:02}" for i in range(1, 13)]
    assert not scale_of(codes).is_ordered
    assert scale_of([str(int(code)) for code in codes]).is_ordered
    assert scale_of(["07", "7"]).rank.tolist() == [0, 0], "one number in two writings adds no diversity"
    rows = pl.DataFrame({"age": ["1"] * 6 + ["2"] * 6, "ill": codes})
    asked = {"k": 6, "quasi_identifiers": ["age"], "sensitive": ["ill"], "t_closeness": 0.4}
    shoal.verify(
        rows.with_columns(pl.col("ill").cast(pl.Int64)), rows.with_columns(pl.col("ill").cast(pl.Int64)), **asked
    )
    with pytest.raises(shoal.NotAnonymous, match="break t-closeness"):
        shoal.verify(rows, rows, **asked)


@pytest.mark.parametrize("cell", ["", " ", "flu ", None])
def test_a_cell_that_says_nothing_new_makes_no_group_diverse(cell):
    """Whoever knows the group of two reads: flu."""
    table = pl.DataFrame({"town": ["a", "a", "b", "b"], "ill": ["flu", cell, "gout", "flu"]})
    asked = {"k": 2, "quasi_identifiers": ["town"], "sensitive": ["ill"], "l_diversity": 2}
    with pytest.raises(shoal.NotAnonymous, match="break distinct-l-diversity"):
        shoal.verify(table, table, **asked)
    assert shoal.anonymize(table, **asked).groups.max() == 0
