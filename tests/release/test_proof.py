"""Proofs: what is true passes, what is raised does not, and what passes is below the optimum."""

from __future__ import annotations

import ast
import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal import bounds, registry
from shoal.errors import DataError, NotAnonymous, Refused
from shoal.hierarchies.tree import Tree
from shoal.measures.exact import log_above, log_below
from shoal.problem import Bound, Problem, Watch, quasi_identifier
from shoal.release.proof import rounded, write_proof
from shoal.release.proof_check import Checked, check_proof, most_bytes, prices_of_tuples
from shoal.release.proof_file import pack, parse, unpack
from shoal.release.proof_prices import price_column
from shoal.release.proof_walk import count_broken
from tests.contract.test_bounds import MEASURES, random_table
from tests.naive.boxes import is_feasible
from tests.naive.optimum import optimum
from tests.release.cases import case_of_problem
from tests.tables import random_problem

TMP = [HealthCheck.function_scoped_fixture]
Content = dict[str, Any]


def prove(problem: Problem, path: Path, name: str = "dual") -> Bound:
    bound = registry.find(bounds.CATALOG, name).compute(problem, Watch())
    write_proof(path, problem, bound, case_of_problem(problem))
    return bound


def check(problem: Problem, path: Path) -> Checked:
    return check_proof(case_of_problem(problem), path)


def forge(path: Path, change: Callable[[Content], Any]) -> None:
    """Rewrite a proof with other contents."""
    content = json.loads(gzip.decompress(path.read_bytes()))
    changed = change(content)
    text = changed if isinstance(changed, str) else json.dumps(content)
    path.write_bytes(gzip.compress(text.encode()))


def small(measure: str = "tree", seed: int = 6) -> Problem:
    return random_problem(np.random.default_rng(seed), 60, 3, 3, values=6, measure=measure, deep=True)


@settings(deadline=None, max_examples=80, suppress_health_check=TMP)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES), name=st.sampled_from(["box", "dual"]))
def test_a_true_proof_passes_and_stays_below_the_optimum(tmp_path: Path, seed: int, measure: str, name: str) -> None:
    problem = random_table(np.random.default_rng(seed), measure)
    bound = prove(problem, tmp_path / "proof", name)
    checked = check(problem, tmp_path / "proof")
    assert checked.lower_bound <= optimum(problem) + 1e-12
    assert bound.value - 1e-6 <= checked.lower_bound <= bound.value + 1e-9


@settings(deadline=None, max_examples=100)
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_any_prices_are_judged_as_all_boxes_judge_them(seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    problem = random_table(rng, measure)
    prices = rng.random(problem.n_tuples) * problem.price_of_nothing * rng.choice([0.2, 0.6, 1.0])
    case, proof = case_of_problem(problem), rounded(problem, prices)
    columns = [price_column(ladder, problem.measure, proof.shift) for ladder in case.ladders]
    broken = count_broken(case.codes, case.rows, prices_of_tuples(case, proof), columns, problem.k)
    assert (broken == 0) == is_feasible(problem, prices.tolist(), 1e-7)


@settings(deadline=None, max_examples=40, suppress_health_check=TMP)
@given(weight=st.sampled_from([1e-9, 1e-3, 1.0, 1e6, 1e12]), measure=st.sampled_from(MEASURES), seed=st.integers(0, 10**6))
def test_tiny_and_huge_weights_keep_the_bound_to_nine_digits(tmp_path: Path, weight: float, measure: str, seed: int) -> None:
    """R21: sums must fit the checker's integers, and prices must not vanish in the rounding."""
    problem = random_table(np.random.default_rng(seed), measure)
    columns = tuple(quasi_identifier(c.name, c.tree, c.count, problem.measure, weight) for c in problem.columns)
    problem = replace(problem, columns=columns)
    bound = prove(problem, tmp_path / "proof", "box")
    assert check(problem, tmp_path / "proof").lower_bound == pytest.approx(bound.value, rel=1e-6, abs=1e-9 * problem.price_of_nothing)


def test_one_price_raised_is_rejected(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    problem = small("entropy", 5)
    n_rejected = 0
    for _ in range(20):
        bound = prove(problem, tmp_path / "proof")
        which = int(rng.integers(problem.n_tuples))
        forge(tmp_path / "proof", lambda c, which=which: c["prices"].__setitem__(which, c["prices"][which] + 10**11))
        proof = unpack(tmp_path / "proof", 10**7)
        if is_feasible(problem, np.ldexp(proof.prices.astype(float), -proof.shift).tolist()):  # the price had room to rise
            assert check(problem, tmp_path / "proof").lower_bound >= bound.value - 1e-6
        else:
            n_rejected += 1
            with pytest.raises(NotAnonymous, match="priced above a box"):
                check(problem, tmp_path / "proof")
    assert n_rejected > 10


def first_column(change: Callable[[Content], Any]) -> Callable[[Content], Any]:
    return lambda content: change(content["columns"][0])


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        (lambda c: c.update(shift=40.0), DataError, "no whole number"),
        (lambda c: c.update(shift=True), DataError, "shift"),
        (lambda c: c.update(shift=10**6), DataError, "shift"),
        (lambda c: c.update(shift=900), DataError, "too fine"),
        (lambda c: c.update(prices=[float("nan")] * len(c["prices"])), DataError, "no whole number"),
        (lambda c: c.update(prices=[1e3] * len(c["prices"])), DataError, "no whole number"),
        (lambda c: c.update(prices=[True] * len(c["prices"])), DataError, "whole numbers"),
        (lambda c: c.update(prices=["1"] * len(c["prices"])), DataError, "whole numbers"),
        (lambda c: c.update(prices=[10**30] * len(c["prices"])), DataError, "beyond any table's"),
        (lambda c: c.update(prices=[2**61] * len(c["prices"])), NotAnonymous, "beyond this table's"),
        (lambda c: c.update(prices=[-p - 1 for p in c["prices"]]), NotAnonymous, "negative price"),
        (lambda c: c["prices"].pop(), DataError, "value for each price"),
        (lambda c: [x.pop() for x in (c["prices"], *(d["places"] for d in c["columns"]))], NotAnonymous, "does not price"),
        (lambda c: [x.append(x[0]) for x in (c["prices"], *(d["places"] for d in c["columns"]))], NotAnonymous, "twice"),
        (lambda c: c["columns"].pop(), NotAnonymous, "other quasi-identifiers"),
        (lambda c: c["columns"].append(c["columns"][0]), DataError, "twice"),
        (lambda c: c.update(rows=[1] * len(c["prices"])), DataError, "nothing else"),
        (lambda c: c.update(measure="stars"), DataError, "nothing else"),
        (lambda c: c.update(format="shoal-proof-1"), DataError, "no proof of the form"),
        (lambda c: c.update(columns={}), DataError, "columns"),
        (lambda c: json.dumps(c).replace('"shift"', '"shift": 40, "shift"'), DataError, "twice"),
        (lambda c: "[" * 5_000, DataError, "nested too deeply|not JSON"),
        (lambda c: "{", DataError, "not JSON"),
        (lambda c: "[]", DataError, "no proof of the form"),
        (lambda c: " " * 10**7, DataError, "larger than any proof"),
        (first_column(lambda d: d.pop("places")), DataError, "must have a name"),
        (first_column(lambda d: d.update(places=[-1] * len(d["places"]))), DataError, "value for each price"),
        (first_column(lambda d: d.update(places=[99] * len(d["places"]))), DataError, "value for each price"),
        (first_column(lambda d: d["values"].append(7)), DataError, "texts"),
        (first_column(lambda d: d["values"].append(d["values"][0])), DataError, "twice"),
        (first_column(lambda d: d["values"].__setitem__(0, "nobody's")), NotAnonymous, "that the table lacks"),
        (first_column(lambda d: d["values"].__setitem__(0, None)), NotAnonymous, "that the table lacks"),
        (first_column(lambda d: d.update(name="another")), NotAnonymous, "other quasi-identifiers"),
    ],
)  # fmt: skip
def test_other_forgeries(tmp_path: Path, change: Callable[[Content], Any], error: type[Exception], says: str) -> None:
    """R21: whatever is in the file, the answer is a clear error."""
    problem = small()
    prove(problem, tmp_path / "proof")
    forge(tmp_path / "proof", change)
    with pytest.raises(error, match=says):
        check(problem, tmp_path / "proof")


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    """R21: a few kilobytes that unpack to a gigabyte."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = b"0" * (1 << 20)
    (tmp_path / "proof").write_bytes(b"".join(packer.compress(piece) for _ in range(1000)) + packer.flush())
    with pytest.raises(DataError, match="larger than any proof"):
        check(small(), tmp_path / "proof")


def test_another_table_another_k_another_measure(tmp_path: Path) -> None:
    problem = small("entropy")
    prove(problem, tmp_path / "proof")
    with pytest.raises(NotAnonymous, match=r"does not hold.*flags"):
        check(small("entropy", seed=7), tmp_path / "proof")
    with pytest.raises(NotAnonymous, match=r"priced above a box.*flags"):
        check(replace(problem, k=2), tmp_path / "proof")
    with pytest.raises(NotAnonymous, match=r"priced above a box.*flags"):
        check_proof(replace(case_of_problem(problem), measure=small("tree").measure), tmp_path / "proof")


def test_unreadable_files(tmp_path: Path) -> None:
    (tmp_path / "proof").write_text("nothing")
    for path, says in ((tmp_path / "proof", "not packed"), (tmp_path / "absent", "cannot be read"), (tmp_path, "cannot be read")):
        with pytest.raises(DataError, match=says):
            check(small(), path)
    (tmp_path / "old").write_bytes(b"PK\x03\x04")
    with pytest.raises(DataError, match=r"version 0\.1"):
        check(small(), tmp_path / "old")


def test_a_proof_is_within_its_own_size(tmp_path: Path) -> None:
    """Texts that JSON must escape, and tables of one row, are not taken for bombs."""
    problem = small()
    odd = tuple(
        replace(c, tree=replace(c.tree, labels=tuple("\x01\u2028é" * 9 + str(label) for label in c.tree.labels))) for c in problem.columns
    )
    problem = replace(problem, columns=odd)
    prove(problem, tmp_path / "proof")
    assert len(gzip.decompress((tmp_path / "proof").read_bytes())) <= most_bytes(case_of_problem(problem))
    assert check(problem, tmp_path / "proof").lower_bound > 0


def test_equal_proofs_have_equal_bytes() -> None:
    proof = rounded(small(), np.ones(small().n_tuples))
    assert pack(proof) == pack(parse(pack(proof), 10**7))


def test_what_would_be_rejected_is_not_written(tmp_path: Path) -> None:
    problem = small()
    with pytest.raises(Refused, match="its own check failed"):
        write_proof(tmp_path / "proof", problem, Bound("wrong", 0.0, np.full(problem.n_tuples, 3.0)), case_of_problem(problem))
    assert not (tmp_path / "proof").exists()


def test_a_measure_without_exact_prices_has_no_proof_and_says_so(tmp_path: Path) -> None:
    """H1: a measure of one file and one line."""
    problem = small()
    column_sizes = replace(problem.measure, name="sizes", price=lambda tree, count: np.sqrt(tree.n_below - 1.0), floor=None)
    problem = replace(problem, measure=column_sizes)
    with pytest.raises(Refused, match="measure 'sizes' does not say"):
        write_proof(tmp_path / "proof", problem, Bound("box", 0.0, np.zeros(problem.n_tuples)), case_of_problem(problem))


def test_a_measure_of_ones_own_gets_proofs_that_hold(tmp_path: Path) -> None:
    """H1: nothing but the measure's own words is needed."""

    def price(tree: Tree, count: np.ndarray) -> np.ndarray:
        return np.asarray((tree.n_below - 1) ** 2 / 7.0)

    problem = small()
    squares = replace(problem.measure, name="squares", price=price, floor=lambda node: Fraction((len(node.counts) - 1) ** 2, 7))
    columns = tuple(quasi_identifier(c.name, c.tree, c.count, squares) for c in problem.columns)
    problem = replace(problem, measure=squares, columns=columns)
    bound = prove(problem, tmp_path / "proof")
    assert check(problem, tmp_path / "proof").lower_bound == pytest.approx(bound.value, rel=1e-6)


def test_logarithms_are_bracketed() -> None:
    for n in (1, 2, 3, 7, 8, 1000, 30162, 10**9):
        assert log_below(n) <= log_above(n)
        assert abs(float(log_below(n)) - np.log2(n)) < 1e-12
        assert 2 ** float(log_below(n)) <= n * (1 + 1e-12)


def test_the_checker_knows_nothing_of_the_solver() -> None:
    from shoal.release import proof_case, proof_check, proof_file, proof_free, proof_nodes, proof_prices, proof_rows, proof_walk

    used: set[str | None] = set()
    for module in (proof_case, proof_check, proof_file, proof_free, proof_nodes, proof_prices, proof_rows, proof_walk):
        tree = ast.parse(Path(str(module.__file__)).read_text())
        used |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        used |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    rooms = {u.split(".")[1] for u in used if u and u.startswith("shoal.")}
    assert rooms == {"errors", "release", "measures", "hierarchies", "table", "policy"}
