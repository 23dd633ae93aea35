"""Proofs: what is true passes, what is raised does not, and what passes is below the optimum."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal import bounds, registry
from shoal.errors import DataError, NotAnonymous, Refused
from shoal.problem import Bound, Problem, Watch
from shoal.release.proof import write_proof
from shoal.release.proof_check import check_proof, count_broken, read
from shoal.release.proof_prices import log_above, log_below, price_columns
from tests.contract.test_bounds import MEASURES, random_table
from tests.naive.boxes import is_feasible
from tests.naive.optimum import optimum
from tests.tables import random_problem


def text_of(problem: Problem) -> pl.DataFrame:
    codes = problem.codes[problem.tuple_of_row]
    return pl.DataFrame({c.name: [c.tree.labels[v] for v in codes[:, j]] for j, c in enumerate(problem.columns)})


def prove(problem: Problem, path: Path, name: str = "dual") -> Bound:
    bound = registry.find(bounds.CATALOG, name).compute(problem, Watch())
    write_proof(path, problem, bound)
    return bound


def forge(path: Path, change: Callable[[dict[str, Any], pl.DataFrame], pl.DataFrame]) -> None:
    """Rewrite a proof with other contents."""
    with zipfile.ZipFile(path) as archive:
        header, prices = json.loads(archive.read("proof.json")), pl.read_parquet(io.BytesIO(archive.read("prices.parquet")))
    changed, out = change(header, prices), io.BytesIO()
    changed.write_parquet(out)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("proof.json", json.dumps(header))
        archive.writestr("prices.parquet", out.getvalue())


@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES), name=st.sampled_from(["box", "dual"]))
def test_a_true_proof_passes_and_stays_below_the_optimum(tmp_path: Path, seed: int, measure: str, name: str) -> None:
    problem = random_table(np.random.default_rng(seed), measure)
    bound = prove(problem, tmp_path / "proof", name)
    checked = check_proof(text_of(problem), tmp_path / "proof", k=problem.k, measure=measure)
    assert checked.lower_bound <= optimum(problem) + 1e-12
    assert checked.lower_bound >= bound.value - 1e-6
    assert checked.lower_bound <= bound.value + 1e-9


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**9), measure=st.sampled_from(MEASURES))
def test_any_prices_are_judged_as_all_boxes_judge_them(tmp_path: Path, seed: int, measure: str) -> None:
    rng = np.random.default_rng(seed)
    problem = random_table(rng, measure)
    prices = rng.random(problem.n_tuples) * problem.price_of_nothing * rng.choice([0.2, 0.6, 1.0])
    write_proof(tmp_path / "proof", problem, Bound("any", 0.0, prices))
    header, frame = read(tmp_path / "proof")
    codes, columns = price_columns(text_of(problem), header, frame)
    broken = count_broken(codes, frame["rows"].to_numpy(), frame["price"].to_numpy(), columns, problem.k)
    assert (broken == 0) == is_feasible(problem, prices.tolist(), 1e-7)


def test_one_price_raised_is_rejected(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    problem = random_problem(rng, 60, 3, 3, values=6, measure="entropy", deep=True)
    table = text_of(problem)
    n_rejected = 0
    for _ in range(20):
        bound = prove(problem, tmp_path / "proof")
        which = int(rng.integers(problem.n_tuples))
        raised = pl.when(pl.int_range(pl.len()) == which).then(pl.col("price") + 10**11).otherwise(pl.col("price")).alias("price")
        forge(tmp_path / "proof", lambda _, prices, raised=raised: prices.with_columns(raised))
        with pytest.raises(NotAnonymous, match="do not add up"):
            check_proof(table, tmp_path / "proof")

        def honest_total(header: dict[str, Any], prices: pl.DataFrame) -> pl.DataFrame:
            header["total"] = int((prices["rows"] * prices["price"]).sum())
            return prices

        forge(tmp_path / "proof", honest_total)
        header, frame = read(tmp_path / "proof")
        prices = np.ldexp(frame["price"].to_numpy().astype(float), -header["shift"])
        if is_feasible(problem, prices.tolist()):  # the price had room to rise
            assert check_proof(table, tmp_path / "proof").lower_bound >= bound.value - 1e-6
        else:
            n_rejected += 1
            with pytest.raises(NotAnonymous, match="priced above a box"):
                check_proof(table, tmp_path / "proof")
    assert n_rejected > 10


def of_header(**changes: object) -> Callable[[dict[str, Any], pl.DataFrame], pl.DataFrame]:
    def change(header: dict[str, Any], prices: pl.DataFrame) -> pl.DataFrame:
        header.update(changes)
        return prices

    return change


def without_a_leaf(header: dict[str, Any], prices: pl.DataFrame) -> pl.DataFrame:
    header["columns"][0]["rows"].pop()
    return prices


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        (lambda _, p: p.with_columns(rows=pl.col("rows") + 1), NotAnonymous, "rows that the table does not have"),
        (lambda _, p: p.slice(1), NotAnonymous, "do not make up"),
        (lambda _, p: pl.concat([p, p.head(1)]), NotAnonymous, "twice"),
        (lambda _, p: p.with_columns(price=-pl.col("price") - 1), NotAnonymous, "negative price"),
        (lambda _, p: p.drop("price"), DataError, "missing"),
        (of_header(n_rows=700), NotAnonymous, "for a table of 700 rows"),
        (of_header(measure="beauty"), NotAnonymous, "no measure"),
        (of_header(k=0), DataError, "no sense"),
        (of_header(k="many"), DataError, "missing"),
        (of_header(columns=[{"name": "c0"}, {"name": "c1"}, {"name": "c2"}]), DataError, "malformed"),
        (without_a_leaf, NotAnonymous, "lacks a value"),
    ],
)
def test_other_forgeries(tmp_path: Path, change: Callable[[Any, Any], pl.DataFrame], error: type[Exception], says: str) -> None:
    problem = random_problem(np.random.default_rng(6), 60, 3, 3, values=6, measure="tree", deep=True)
    prove(problem, tmp_path / "proof")
    forge(tmp_path / "proof", change)
    with pytest.raises(error, match=says):
        check_proof(text_of(problem), tmp_path / "proof")


def test_what_the_verifier_expects_must_be_what_the_proof_says(tmp_path: Path) -> None:
    problem = random_problem(np.random.default_rng(7), 40, 2, 3, values=6, measure="tree", deep=True)
    prove(problem, tmp_path / "proof")
    table = text_of(problem)
    rows = {c["name"]: c["rows"] for c in read(tmp_path / "proof")[0]["columns"]}
    assert check_proof(table, tmp_path / "proof", hierarchies=rows, n_released=40).lower_bound > 0
    with pytest.raises(NotAnonymous, match="another k"):
        check_proof(table, tmp_path / "proof", k=4)
    with pytest.raises(NotAnonymous, match="another hierarchy"):
        check_proof(table, tmp_path / "proof", hierarchies={"c0": [[str(v), "*"] for v in range(6)]})
    with pytest.raises(DataError, match="no column"):
        check_proof(table.drop("c1"), tmp_path / "proof")


def test_withheld_rows(tmp_path: Path) -> None:
    problem = random_problem(np.random.default_rng(8), 60, 3, 3, values=6, measure="entropy", deep=True)
    released = np.arange(60) % 7 > 0
    bound = prove(problem.over_rows(released), tmp_path / "proof")
    checked = check_proof(text_of(problem), tmp_path / "proof", n_released=int(released.sum()))
    assert np.isclose(checked.lower_bound, bound.value)


def test_unreadable_files(tmp_path: Path) -> None:
    (tmp_path / "proof").write_text("nothing")
    with pytest.raises(DataError, match="no proof that can be read"):
        check_proof(pl.DataFrame(), tmp_path / "proof")
    with pytest.raises(DataError, match="no proof that can be read"):
        check_proof(pl.DataFrame(), tmp_path / "absent")


def test_free_columns_have_no_proof(tmp_path: Path) -> None:
    from dataclasses import replace

    problem = random_problem(np.random.default_rng(9), 20, 2, 3)
    free = replace(problem, columns=tuple(replace(c, free="subset") for c in problem.columns))
    with pytest.raises(Refused, match="no proof to write"):
        write_proof(tmp_path / "proof", free, Bound("box", 0.0, np.zeros(problem.n_tuples)))


def test_logarithms_are_bracketed() -> None:
    for n in (1, 2, 3, 7, 8, 1000, 30162, 10**9):
        assert log_below(n) <= log_above(n)
        assert abs(float(log_below(n)) - np.log2(n)) < 1e-12
        assert 2 ** float(log_below(n)) <= n * (1 + 1e-12)


def test_the_checker_knows_nothing_of_the_solver() -> None:
    import ast

    from shoal.release import proof_check, proof_prices

    used: set[str | None] = set()
    for module in (proof_check, proof_prices):
        tree = ast.parse(Path(str(module.__file__)).read_text())
        used |= {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        used |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    assert {u for u in used if u and u.startswith("shoal")} == {"shoal.errors", "shoal.release.proof_prices"}
