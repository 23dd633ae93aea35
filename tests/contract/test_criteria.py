"""Every criterion of the catalog keeps what it declares: closed under merging, checked parameters, met by what is released."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal import privacy, registry
from shoal.privacy.asking import criteria
from shoal.privacy.base import Criterion, Demand
from tests.privacy.counting import TABLES, counted, groups_of

ALL = [registry.find(privacy.CATALOG, name) for name in privacy.CATALOG]


def parameters_of(criterion: Criterion, at: float) -> dict[str, float]:
    """Parameters, the main one from its least up as ``at`` goes from 0 to 1."""
    found = {}
    for i, p in enumerate(criterion.parameters):
        at = at if i == 0 else 0.2
        most = min(p.most, p.least + 4)
        x = p.least + (most - p.least) * (0.05 + 0.9 * at)
        found[p.name] = float(max(round(x), p.least)) if p.is_whole else x
    return found


@pytest.mark.parametrize("criterion", ALL, ids=lambda c: c.name)
@given(rows=TABLES, at=st.floats(0, 1), missing=st.sampled_from([None, 4]), ordered=st.booleans())
def test_two_groups_that_keep_it_keep_it_together(criterion, rows, at, missing, ordered):
    assert criterion.is_closed
    groups = groups_of(rows)
    asked = parameters_of(criterion, at) | ({"ordered": float(ordered)} if criterion.uses_order else {})
    demand = Demand(criterion, "s", asked, missing)
    met = demand.is_met(counted(groups))
    if len(groups) >= 2 and met[0] and met[1]:
        assert demand.is_met(counted([groups[0] + groups[1], *groups[2:]]))[0]


@pytest.mark.parametrize("criterion", ALL, ids=lambda c: c.name)
def test_it_says_what_it_is(criterion):
    assert criterion.title
    assert criterion.reference
    assert all(p.words for p in criterion.parameters)
    module = registry.load(privacy.CATALOG[criterion.name].split(":")[0] + ":__doc__")
    assert "Reference." in module
    assert criterion.check({}) is not None
    assert criterion.check(parameters_of(criterion, 0.5)) is None
    for p in criterion.parameters:
        assert criterion.check({**parameters_of(criterion, 0.5), p.name: p.least - 1}) is not None
        assert criterion.check({**parameters_of(criterion, 0.5), p.name: float("nan")}) is not None


@pytest.mark.parametrize("criterion", criteria(), ids=lambda c: c.name)
@pytest.mark.parametrize("seed", range(3))
def test_a_release_keeps_it_and_verify_says_so(criterion, seed):
    rng = np.random.default_rng(seed)
    n = 60
    table = pl.DataFrame(
        {
            "a": [str(x) for x in rng.integers(0, 9, n)],
            "b": [str(x) for x in rng.integers(0, 3, n)],
            "s": [str(x) for x in rng.choice([1, 2, 10], n, p=[0.5, 0.3, 0.2])],
        }
    )
    release, asked = first_release(criterion, table)
    assert len(release.verdict.reached) == 1
    shoal.verify(table, release.table, k=3, **asked)
    with pytest.raises(shoal.ShoalError):
        shoal.verify(table, release.table, k=3, **{**asked, "require": {criterion.name: strictest(criterion)}})


def first_release(criterion: Criterion, table: pl.DataFrame) -> tuple[shoal.Release, dict[str, object]]:
    """A release under parameters that are as strict as this table allows, of a few."""
    tried = []
    for at in (0.4, 0.2, 0.05, 0.8):
        asked = {"quasi_identifiers": ["a", "b"], "sensitive": ["s"], "require": {criterion.name: parameters_of(criterion, at)}}
        try:
            return shoal.anonymize(table, k=3, **asked), asked
        except shoal.Infeasible as error:
            tried.append(str(error))
    raise AssertionError(tried)


def strictest(criterion: Criterion) -> dict[str, float]:
    """What no group of this table keeps."""
    more_is_better = criterion.worst(np.array([1.0, 2.0])) == 1.0
    found = {p.name: (50.0 if more_is_better else p.least + 1e-6) for p in criterion.parameters}
    return {p.name: float(round(found[p.name])) or 1.0 if p.is_whole else found[p.name] for p in criterion.parameters}
