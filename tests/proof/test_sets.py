"""The walk over sets of rows finds k rows that are priced too high just if there are any, by trying all of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shoal
from shoal.bounds.anchored import ANCHORED
from shoal.errors import NotAnonymous
from shoal.problem import Problem, Watch
from shoal.proof import check as proof_check
from shoal.proof import sets as proof_sets
from shoal.proof.cells import cells_of
from shoal.proof.check import check_prices
from shoal.proof.prices import price_column
from shoal.proof.sets import TooLong, count_overcharged
from shoal.release.witness import finest_shift, rounded
from tests.bounds.test_anchored import freed
from tests.contract.test_bounds import MEASURES, random_table
from tests.naive.free import free_optimum
from tests.proof.audited import made
from tests.proof.cases import case_of_problem
from tests.tables import numbers_with_gaps

Rng = np.random.Generator


def small(rng: Rng, measure: str) -> Problem:
    """A small table: trees, columns of any interval and any subset, numbers with missing cells."""
    if rng.random() < 0.5:
        return numbers_with_gaps(rng, measure)
    problem = freed(rng, random_table(rng, measure))
    columns = [c if c.free is None else replace(c, tree=replace(c.tree, is_stand_in=True)) for c in problem.columns]
    return replace(problem, columns=tuple(columns))


def is_overcharged(problem: Problem, price: np.ndarray, columns: list) -> bool:
    """By trying all sets of k rows."""
    codes, of_row = problem.codes[problem.tuple_of_unit].astype(np.int64), price[problem.tuple_of_unit]
    for rows in combinations(range(problem.n_rows), problem.k):
        paid = 0
        for j, column in enumerate(columns):
            cell = column.own(codes[rows[:1], j])
            for row in rows[1:]:
                cell = column.join(cell, codes[[row], j])
            paid += int(column.price(cell)[0])
        if sum(int(of_row[row]) for row in rows) > problem.k * paid:
            return True
    return False


@pytest.mark.parametrize("measure", MEASURES)
def test_it_finds_what_trying_all_k_rows_finds(measure: str) -> None:
    rng, seen = np.random.default_rng(3), {True: 0, False: 0}
    for _ in range(40):
        problem = small(rng, measure)
        shift, case = finest_shift(problem), case_of_problem(problem)
        columns = [cells_of(ladder, price_column(ladder, case.measure, shift), case.measure, shift) for ladder in case.ladders]
        honest = rounded(problem, ANCHORED.compute(problem, Watch()).prices).prices
        for factor in (1.0, 1.0001, 1.1, 1.5):
            price = (honest * factor * rng.choice([1.0, 1.0, 0.7], size=len(honest))).astype(np.int64)
            expected = is_overcharged(problem, price, columns)
            assert bool(count_overcharged(case.codes, case.rows, price, columns, problem.k)) == expected
            seen[expected] += 1
    assert min(seen.values()) > 20


@pytest.mark.parametrize("measure", MEASURES)
def test_what_it_accepts_is_below_the_optimum(measure: str) -> None:
    """The forger raises prices of an honest proof; what is still accepted must be true."""
    rng, refused = np.random.default_rng(4), 0
    for _ in range(25):
        problem = small(rng, measure)
        best, case = free_optimum(problem), case_of_problem(problem)
        proof = replace(rounded(problem, ANCHORED.compute(problem, Watch()).prices), by_sets=True)
        assert check_prices(case, proof) <= best + 1e-9
        for _ in range(6):
            raised = proof.prices + (rng.random(len(proof.prices)) < 0.4) * rng.integers(0, 1 + int(proof.prices.max(initial=0)))
            try:
                assert check_prices(case, replace(proof, prices=raised)) <= best + 1e-9
            except NotAnonymous:
                refused += 1
    assert refused > 20


def test_a_release_with_free_columns_has_a_proof_of_its_whole_bound(tmp_path: Path) -> None:
    release, flags = made(tmp_path, "lm", hierarchies={"age": shoal.any_interval(), "job": shoal.any_subset()}, n_rows=400)
    assert release.bound.name == "anchored"
    release.proof(tmp_path / "proof")
    audit = shoal.verify(tmp_path / "table.csv", tmp_path / "release.csv", proof=tmp_path / "proof", **flags).audit
    assert audit is not None
    assert audit.lower_bound == pytest.approx(release.bound.value, rel=1e-6)


@pytest.mark.parametrize("measure", ["lm", "root-share"])
def test_where_sets_are_too_many_a_share_of_the_prices_is_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, measure: str) -> None:
    """The first walk takes too long; with nine tenths of the prices it does not."""
    free = {"age": shoal.any_interval(), "job": shoal.any_subset()}
    release, flags = made(tmp_path, measure, hierarchies=free, n_rows=400)
    assert release.bound.name == "anchored"
    tried: list[int] = []

    def count(*asked: Any) -> int:
        tried.append(1)
        if len(tried) == 1:
            raise TooLong
        return count_overcharged(*asked)

    with monkeypatch.context() as patched:
        patched.setattr(proof_check, "count_overcharged", count)
        release.proof(tmp_path / "proof")
    assert len(tried) == 2
    audit = shoal.verify(tmp_path / "table.csv", tmp_path / "release.csv", proof=tmp_path / "proof", **flags).audit
    assert audit is not None
    assert audit.lower_bound == pytest.approx(0.9 * release.bound.value, rel=1e-6)


def test_a_walk_that_would_take_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = small(np.random.default_rng(1), "lm")
    case = case_of_problem(problem)
    proof = replace(rounded(problem, np.ones(problem.n_tuples)), by_sets=True)
    monkeypatch.setattr(proof_sets, "MOST_TUPLES", 1)
    with pytest.raises(TooLong):
        count_overcharged(case.codes, case.rows, proof.prices, [], problem.k)
    with pytest.raises(NotAnonymous, match="cannot be checked"):
        check_prices(case, proof)
