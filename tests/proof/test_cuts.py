"""Cuts in a proof: judged as a list of all boxes judges them, and paid for by every group that fits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.bounds import dual
from shoal.bounds.rank import RANK
from shoal.bounds.rank_walk import with_walked_cuts
from shoal.budget import Budget
from shoal.errors import DataError, NotAnonymous
from shoal.problem import RankCut, Watch
from shoal.proof.check import check_prices, check_proof, most_bytes
from shoal.proof.cuts import cuts_of
from shoal.proof.file import ProofCut, pack, parse
from shoal.release.witness import rounded, rounded_cuts, write_proof
from tests.bounds.test_rank import three_rows
from tests.contract.test_bounds import MEASURES, random_table, with_missing
from tests.naive.boxes import with_cuts
from tests.naive.optimum import optimum
from tests.proof.cases import case_of_problem

TMP = [HealthCheck.function_scoped_fixture]


@settings(deadline=None, max_examples=80)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_any_prices_and_cuts_are_judged_as_all_boxes_judge_them(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    problem = random_table(rng, measure)
    n, top = problem.n_tuples, problem.price_of_suppression
    prices = rng.random(n) * top * rng.choice([0.4, 0.8, 1.2])
    sets = [np.flatnonzero(rng.random(n) < rng.choice([0.5, 1.0])) for _ in range(int(rng.choice([1, 3, 70])))]
    cuts = [RankCut(held.astype(np.int32), float(rng.random() * top * rng.choice([0.02, 1.0]))) for held in sets]
    proof = rounded(problem, prices)
    proof = replace(proof, cuts=rounded_cuts(problem, cuts, proof.shift))
    try:
        proved = check_prices(case_of_problem(problem), proof)
    except NotAnonymous:
        assert not with_cuts(problem, prices.tolist(), cuts, -1e-7)
        return
    assert with_cuts(problem, prices.tolist(), cuts, 1e-7)
    assert proved <= optimum(problem) + 1e-9


@settings(deadline=None, max_examples=40, suppress_health_check=TMP)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_what_the_bound_proves_passes(tmp_path: Path, seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    problem = random_table(rng, measure)
    bound = RANK.compute(problem, Watch())
    case = case_of_problem(problem)
    write_proof(tmp_path / "proof", problem, bound, case)
    proved = check_proof(case, tmp_path / "proof")
    assert bound.value - 1e-6 <= proved <= min(bound.value, optimum(problem)) + 1e-9
    assert with_missing(rng, problem).n_rows == problem.n_rows


@settings(deadline=None, max_examples=30, suppress_health_check=TMP)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_what_walks_prove_passes(tmp_path: Path, seed: int, measure: str) -> None:
    """Cuts of a table whose boxes are not listed."""
    problem = random_table(np.random.default_rng(seed), measure)
    bound = with_walked_cuts(problem, dual.prices(problem, 2, Watch()).bound, Budget(100.0, Watch()))
    if bound is None:
        return
    case = case_of_problem(problem)
    write_proof(tmp_path / "proof", problem, bound, case)
    proved = check_proof(case, tmp_path / "proof")
    assert bound.value - 1e-6 <= proved <= min(bound.value, optimum(problem)) + 1e-9


def test_a_cut_is_paid_for_by_every_group_that_fits() -> None:
    """Three rows and k = 2: one group fits. A cut that holds two of them holds no box of three."""
    problem = three_rows()
    case, proof = case_of_problem(problem), rounded(three_rows(), np.array([2.0, 4.0, 4.0]))
    unit = 2**proof.shift
    held = replace(proof, cuts=[ProofCut(np.arange(3), 4 * unit)])
    assert check_prices(case, held) == pytest.approx(6)
    with pytest.raises(NotAnonymous, match="priced above a box"):
        check_prices(case, replace(proof, cuts=[ProofCut(np.arange(2), 4 * unit)]))
    with pytest.raises(NotAnonymous, match="priced above a box"):
        check_prices(case, replace(proof, cuts=[ProofCut(np.arange(3), 4 * unit - 40)]))
    with pytest.raises(NotAnonymous, match="beyond this table's"):
        check_prices(case, replace(proof, cuts=[ProofCut(np.arange(3), 2**62)]))


def test_rows_that_may_be_withheld_count_in_a_cut() -> None:
    """Whichever row leaves, its group could have been in the cut; and the dearest one is taken off."""
    problem = three_rows()
    case, proof = case_of_problem(replace(problem, max_withheld=1)), rounded(problem, np.array([2.0, 4.0, 4.0]))
    held = replace(proof, cuts=[ProofCut(np.arange(3), 4 * 2**proof.shift)])
    assert check_prices(case, held) == pytest.approx(2)  # a pair of them costs 2 stars


@pytest.mark.parametrize(
    ("cuts", "says"),
    [
        (7, "a price and tuples"),
        ([{"price": 1}], "a price and tuples"),
        ([{"price": -1, "tuples": [0]}], "not below zero"),
        ([{"price": True, "tuples": [0]}], "whole number"),
        ([{"price": 1, "tuples": [0, 0]}], "each once"),
        ([{"price": 1, "tuples": [3]}], "by their numbers"),
        ([{"price": 1, "tuples": [-1]}], "by their numbers"),
        ([{"price": 1, "tuples": "01"}], "whole numbers"),
    ],
)
def test_a_file_with_strange_cuts_is_refused(cuts: object, says: str) -> None:
    import gzip
    import json

    problem = three_rows()
    content = json.loads(gzip.decompress(pack(rounded(problem, np.ones(3)))))
    content["cuts"] = cuts
    with pytest.raises(DataError, match=says):
        parse(gzip.compress(json.dumps(content).encode()), most_bytes(case_of_problem(problem)))


def test_cuts_are_not_for_sets() -> None:
    proof = replace(rounded(three_rows(), np.ones(3)), by_sets=True, cuts=[ProofCut(np.arange(3), 1)])
    with pytest.raises(DataError, match="about boxes"):
        parse(pack(proof), 10_000)


def test_a_set_may_be_overcharged_by_the_cuts_that_hold_all_of_it() -> None:
    cuts = cuts_of([ProofCut(np.arange(1 + i % 4), 10**i) for i in range(4)] * 20, np.arange(4))
    sets, first = np.array([0, 0, 1, 2, 3]), np.array([0, 1, 3])
    assert cuts.allowed(sets, first).tolist() == [20 * 1111, 20 * 1110, 20 * 1000]
