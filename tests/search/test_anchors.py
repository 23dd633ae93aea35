"""Loose rows and anchors: nothing is lost by them that the bound would not show, and nobody depends on the order of the
rows.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal import algorithms, measures, registry
from shoal.algorithms.base import MOST_ROWS, too_many
from shoal.bounds import best
from shoal.problem import Problem, Watch, close, sizes_of
from shoal.search import anchors
from shoal.search.anchors import LOOSE, loosen, loosen_more, set_anchors_free
from shoal.search.constructions import top_down
from tests.naive.optimum import optimum
from tests.tables import make_problem

BY_UNITS = [name for name in registry.names(algorithms.CATALOG) if not registry.find(algorithms.CATALOG, name).by_rows]


def folded(problem: Problem) -> Problem:
    """Equal rows as one unit."""
    kinds = np.arange(problem.n_tuples, dtype=np.int32)
    return replace(problem, tuple_of_unit=kinds, rows_of_unit=problem.weight.astype(np.int32), kind_of_unit=kinds)


def heavy_table(rng: np.random.Generator, k: int, measure: str = "tree") -> Problem:
    """A few tuples with very many rows among others with few."""
    rows = [[str(v) for v in row] for row in rng.integers(0, 4, size=(40, 3))]
    for _ in range(3):
        rows += [[str(v) for v in rng.integers(0, 4, size=3)]] * int(rng.integers(3 * k, 12 * k))
    return make_problem(rows, k, measure=measure)


@given(st.integers(0, 10_000), st.integers(2, 5))
@settings(max_examples=40, deadline=None)
def test_units_are_cut_and_no_row_is_lost(seed: int, k: int) -> None:
    problem = folded(heavy_table(np.random.default_rng(seed), k))
    loose = loosen(problem)
    for cut in (problem.by_rows(), loose):
        assert np.bincount(cut.kind_of_unit, weights=cut.rows_of_unit).tolist() == problem.weight.tolist()
        assert (cut.tuple_of_unit == problem.tuple_of_unit[cut.kind_of_unit]).all()
    assert ((loose.rows_of_unit == 1) | (loose.rows_of_unit >= k)).all()
    assert loose.n_units <= (2 * LOOSE * k + k) * problem.n_tuples
    assert (np.bincount(loose.kind_of_unit) >= np.minimum(problem.weight, LOOSE * k)).all()


@given(st.integers(0, 10_000), st.integers(2, 5))
@settings(max_examples=40, deadline=None)
def test_setting_anchors_free_keeps_every_group_at_k_and_never_costs(seed: int, k: int) -> None:
    problem = loosen(folded(heavy_table(np.random.default_rng(seed), k)))
    together = np.random.default_rng(seed).integers(0, 3, size=problem.n_units).astype(np.int32)
    size = sizes_of(problem, together, 3)
    together[(size < k)[together]] = int(np.argmax(size))
    together = np.unique(together, return_inverse=True)[1].astype(np.int32)
    apart = set_anchors_free(problem, together)
    assert close(problem, apart).sizes.min() >= k
    assert close(problem, apart).loss <= close(problem, together).loss + 1e-9
    assert close(problem, top_down(problem)).sizes.min() >= k


def test_more_rows_come_loose_where_all_are_lent() -> None:
    """The table of the module's docstring: with k = 3, its best release lends a row of the heavy tuple to each of q
    pairs, more than 2k.
    """
    q, k = 14, 3
    rows = [["0"] * q] * (q + 3) + [["1" if i == j else "0" for i in range(q)] for j in range(q) for _ in range(2)]
    problem = folded(make_problem(rows, k, measure="stars"))
    solution = registry.find(algorithms.CATALOG, "auto").solve(problem, Watch())
    assert solution.loss == pytest.approx(3 * q), (
        "each pair and one row of the heavy tuple lose the one cell in which they differ"
    )
    heavy = int(np.argmax(problem.weight))
    loose = loosen(problem)
    assert int((loose.kind_of_unit == heavy).sum()) == LOOSE * k + 1
    lent = np.where((loose.rows_of_unit == 1), 1, 0).astype(np.int32)
    found = loosen_more(loose, lent)
    assert found is not None
    more, was = found
    assert more.rows_of_unit.sum() == problem.n_rows
    assert int((more.kind_of_unit == heavy).sum()) > LOOSE * k + 1
    assert (lent[was][more.kind_of_unit == heavy][-1], more.rows_of_unit[more.kind_of_unit == heavy][-1] >= k) == (
        0,
        True,
    )
    assert loosen_more(loose, np.zeros_like(lent)) is None


@pytest.mark.parametrize("name", BY_UNITS)
def test_folded_rows_are_solved_as_well_as_single_ones(name: str) -> None:
    """The same release of equal rows, folded or not, for algorithms that keep tuples whole; a loss between bound and
    single rows' for a search.
    """
    rng = np.random.default_rng(5)
    lost = []
    for k in (2, 3, 4, 2, 3, 4):
        rows = heavy_table(rng, k)
        algorithm = registry.find(algorithms.CATALOG, name)
        one, other = algorithm.solve(rows, Watch()), algorithm.solve(folded(rows), Watch())
        assert other.sizes.sum() + other.n_withheld == rows.n_rows
        assert other.sizes.min() >= k
        assert close(other.problem, other.group).loss == pytest.approx(other.loss)
        assert best(rows, Watch(), 2).value == pytest.approx(best(folded(rows), Watch(), 2).value)
        if name == "auto":
            # one cell is up to 2.5 % of these tables
            assert best(rows, Watch(), 2).value - 1e-9 <= other.loss <= 1.05 * one.loss + 1e-9
            lost.append((one.loss, other.loss))
        else:
            assert other.loss == pytest.approx(one.loss)
    assert sum(folded for _, folded in lost) <= 1.015 * sum(single for single, _ in lost)


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_a_small_table_with_repeated_rows_is_solved_to_its_optimum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [[str(v) for v in row] for row in rng.integers(0, 2, size=(int(rng.integers(4, 10)), 3))]
    problem = make_problem(rows, 2)
    found = registry.find(algorithms.CATALOG, "auto").solve(folded(problem), Watch())
    assert found.loss == pytest.approx(optimum(problem))


def test_the_release_does_not_depend_on_the_order_of_the_rows() -> None:
    rng = np.random.default_rng(3)
    cells = rng.integers(0, 5, size=(400, 3))
    frame = pl.DataFrame(
        {f"c{j}": cells[:, j].astype(str) for j in range(3)} | {"ill": rng.choice(["a", "b", "c"], 400)}
    )
    asked = {"k": 4, "quasi_identifiers": ["c0", "c1", "c2"], "sensitive": ["ill"], "l_diversity": 2}
    one = shoal.anonymize(frame, **asked)
    other = shoal.anonymize(frame[rng.permutation(400)], **asked)
    assert one.loss == pytest.approx(other.loss, rel=1e-12), "the same but for the order in which it is added up"
    assert sorted(one.frame.rows()) == sorted(other.frame.rows())


def test_an_algorithm_that_looks_at_rows_refuses_very_many_and_names_others() -> None:
    problem = folded(make_problem([["a", "b"]] * 6 + [["a", "c"]] * 6, 2))
    huge = replace(problem, weight=problem.weight * MOST_ROWS, rows_of_unit=problem.rows_of_unit * MOST_ROWS)
    for name in registry.names(algorithms.CATALOG):
        reason = too_many(registry.find(algorithms.CATALOG, name), huge)
        assert (reason is None) == (name in BY_UNITS)
        assert reason is None or "Take 'auto'" in reason


@pytest.mark.parametrize(
    "how", [{"withhold": 0.1}, {"deletion": True}, {"require": {"entropy-l-diversity": 1.5}}, {"person": "who"}]
)
def test_withheld_rows_and_criteria_are_counted_in_rows(how: dict[str, object]) -> None:
    """One kind has hundreds of rows: a count of units would let too many rows leave, or take a group for diverse that
    is not.
    """
    rng = np.random.default_rng(8)
    cells = np.concatenate([rng.integers(0, 6, size=(150, 2)), np.tile([2, 2], (500, 1)), np.tile([4, 1], (300, 1))])
    frame = pl.DataFrame(
        {
            "x": cells[:, 0].astype(str),
            "y": cells[:, 1].astype(str),
            "ill": rng.choice(["a", "b", "c"], len(cells), p=[0.8, 0.15, 0.05]),
        }
    )
    frame = frame.with_columns(pl.Series("who", np.arange(len(cells)) // 2).cast(pl.String))
    role = {} if "person" in how else {"keep": ["who"]}
    release = shoal.anonymize(frame, k=5, quasi_identifiers=["x", "y"], sensitive=["ill"], time_limit=2, **role, **how)
    assert release.verdict.smallest_group >= 5
    assert release.solution.n_withheld == frame.height - release.frame.height
    assert release.solution.n_withheld <= 0.1 * frame.height or "deletion" in how


def test_anchors_are_made_only_where_taking_rows_out_of_a_group_never_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of counts 1, 1 and 40 a pair of rare values costs a bit, and all three together less: letting the frequent one
    leave would cost.
    """
    rows = [["a"], ["b"], *[["c"]] * 40]
    problem = folded(make_problem(rows, 2, measure="entropy"))
    free = replace(problem, columns=tuple(replace(c, free="subset") for c in problem.columns))
    alone, together = (close(free, np.array(group)).loss for group in ([0, 0, 1], [0, 0, 0]))
    assert alone < together, "all rows of the frequent value pay, too"
    assert close(free, np.array([0, 0, 1])).loss / 2 > close(free, np.array([0, 0, 0])).loss / 42, (
        "but the pair pays more for each row"
    )
    assert (loosen(free).rows_of_unit == 1).all()
    assert (loosen(problem).rows_of_unit > 1).any()
    assert (loosen(replace(free, measure=registry.find(measures.CATALOG, "lm"))).rows_of_unit > 1).any()
    monkeypatch.setattr(anchors, "MOST_SINGLE", 10)
    many = loosen(free)
    assert (many.rows_of_unit > 1).any()
    one = np.zeros(many.n_units, dtype=np.int32)
    assert (set_anchors_free(many, one) == one).all()


def test_with_demands_every_row_is_loose() -> None:
    frame = pl.DataFrame({"q": ["a"] * 60 + ["b"] * 3, "s": ["x"] * 59 + ["y", "y", "x", "z"]})
    release = shoal.anonymize(frame, k=3, quasi_identifiers=["q"], sensitive=["s"], l_diversity=2)
    assert release.verdict is not None
    problem = release.problem
    assert problem.demands
    assert (loosen(problem).rows_of_unit == 1).all()
