"""No forged prices of a clustering claim more than the optimum."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from shoal.clustering import proof_check
from shoal.clustering.base import Answer, Task
from shoal.clustering.proof import case_of, most_bytes, points_of_rows, prices_of, write
from shoal.clustering.proof_check import Case, check
from shoal.clustering.space_of import Placed
from shoal.errors import NotAnonymous, ShoalError
from shoal.proof.file import ProofPrices, parse
from tests.clustering.small import METHODS, exhaustive, random_task, solve


def of_task(method: str, d: np.ndarray, task: Task) -> tuple[Case, Placed]:
    """The case of a task whose distances are given whole: every row a row of the matrix."""
    placed = Placed(task.points, (), (), "matrix", d, np.arange(len(d), dtype=np.int32))
    return case_of(placed, task, method == "cellular"), placed


def proved(method: str, d: np.ndarray, task: Task, answer: Answer) -> tuple[Case, ProofPrices, float]:
    case, placed = of_task(method, d, task)
    prices: Any = answer.proof.get("prices")
    data, value = write(case, prices_of(placed, task, prices, method == "cellular"), points_of_rows(placed))
    return case, parse(data, most_bytes(case)), value


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(40))
def test_a_true_proof_holds_and_stays_below_the_optimum(method: str, seed: int) -> None:
    d, task = random_task(np.random.default_rng(seed), method)
    answer = solve(method, task)
    _, _, value = proved(method, d, task, answer)
    best = exhaustive(d, task, method)
    assert value <= best + 1e-9
    if method == "cellular":
        assert value == pytest.approx(answer.lower_bound, rel=1e-6, abs=1e-9)
    else:
        assert value <= answer.lower_bound + 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_no_forged_prices_claim_more_than_the_optimum(method: str) -> None:
    """For clusterings: raised, moved, at random and climbing with the checker's own answers."""
    rng = np.random.default_rng(7)
    more = taken = 0
    for _ in range(40):
        d, task = random_task(rng, method)
        case, proof, value = proved(method, d, task, solve(method, task))
        best = exhaustive(d, task, method)
        step = int(proof.prices.max(initial=1)) // 3 + 1
        for _ in range(30):
            prices = proof.prices.copy()
            kind = rng.integers(4)
            if kind == 0:
                prices = np.ceil(prices * rng.choice([1.001, 1.1, 2.0])).astype(np.int64)
            elif kind == 1:
                prices = (rng.random(len(prices)) * 2 * (prices.max(initial=0) + 1)).astype(np.int64)
            else:
                prices[rng.integers(len(prices))] += step
                prices[rng.integers(len(prices))] //= int(rng.choice([1, 2]))
            forged = replace(proof, prices=prices)
            try:
                claimed = check(case, forged)
            except ShoalError:
                step = step * 3 // 4 + 1
                more += 1
                continue
            taken += 1
            assert claimed <= best * (1 + 1e-9) + 1e-9
            proof = forged if claimed >= value else proof
    assert more > 100
    assert taken > 50


def test_cells_that_take_too_much_work_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prices that put every row into every cell would keep the checker busy for a time that grows with the third power
    of the rows.
    """
    d, task = random_task(np.random.default_rng(3), "cellular")
    case, proof, _ = proved("cellular", d, task, solve("cellular", task))
    monkeypatch.setattr(proof_check, "MOST_WORK", 3)
    with pytest.raises(NotAnonymous, match="too many cells"):
        check(case, proof)


def test_radii_that_take_too_many_distances_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An honest proof prices the dearest rows alone; a hostile one every row, and each asks for a distance to all
    others.
    """
    d, task = random_task(np.random.default_rng(3), "gather")
    case, proof, _ = proved("gather", d, task, solve("gather", task))
    monkeypatch.setattr(proof_check, "MOST_DISTANCES", len(d) - 1)
    hostile = replace(proof, prices=np.ones_like(proof.prices))
    with pytest.raises(NotAnonymous, match="prices too many rows"):
        check(case, hostile)
