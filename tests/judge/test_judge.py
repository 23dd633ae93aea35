"""A verdict made of counts: what an engine that loses, changes or invents rows cannot get through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engines.driver import promise_of
from shoal.engines.tables import original_of
from shoal.errors import DataError, NotAnonymous, ShoalError
from shoal.judge.counts import Counted, Original, Pairs, label
from shoal.judge.judge import verdict_of
from shoal.judge.promise import ReleasePromise
from shoal.release.record import Story
from shoal.table.folded import fold_table
from shoal.text.cells import as_text

Case = tuple[ReleasePromise, Original, Counted, Pairs, shoal.Release]


def count(frame: pl.DataFrame, names: tuple[str, ...]) -> pl.DataFrame:
    cells = [as_text(frame[name]).alias(label(j)) for j, name in enumerate(names)]
    return pl.DataFrame(cells).group_by(pl.all()).len("n")


@pytest.fixture(params=[{}, {"withhold": 0.1}])
def case(request: pytest.FixtureRequest) -> Case:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "age": [str(v) for v in rng.integers(20, 40, 120)],
            "town": rng.choice(["A", "B", "C"], 120).tolist(),
            "ill": rng.choice(["x", "y", "z"], 120).tolist(),
        }
    )
    asked = {"quasi_identifiers": ["age", "town"], "sensitive": ["ill"], "require": {"distinct-l-diversity": 2}}
    release = shoal.anonymize(frame, k=4, **asked, **request.param)
    story = Story(_encoding(release), release.policy, None, release.solution, release.bound)  # type: ignore[arg-type]
    promise = promise_of(story, frame.columns)
    folded, _ = fold_table(release.original, ["age", "town", "ill"])
    before = release.original.frame[release.rows]
    pairs = {
        name: pl.DataFrame({"o": before[name], "s": release.frame[name]}).group_by("o", "s").len("n") for name in promise.quasi_identifiers
    }
    counted = Counted(count(release.frame, promise.folded), tuple(release.frame.columns), "f")
    return promise, original_of(folded, promise.folded), counted, Pairs(pairs, {"ill": 0}, 120), release


def _encoding(release: shoal.Release) -> object:
    from types import SimpleNamespace

    return SimpleNamespace(problem=release.problem, encoded=tuple(release.hierarchies.values()))


def test_the_verdict_is_that_of_the_rows(case: Case) -> None:
    promise, folded, counted, pairs, release = case
    made, expected = verdict_of(promise, folded, counted, pairs), release.verdict
    for key in ("n_rows", "n_groups", "smallest_group", "sizes", "reached", "measures", "quasi_identifiers", "others", "n_withheld"):
        assert getattr(made, key) == getattr(expected, key), key
    assert made.loss == pytest.approx(expected.loss, rel=1e-12)
    assert made.sentences() == expected.sentences()


def cells(frame: pl.DataFrame, row: int, **new: object) -> pl.DataFrame:
    """The frame with some cells of one row replaced."""
    pick = pl.int_range(frame.height) == row
    return frame.with_columns(
        [pl.when(pick).then(pl.lit(value)).otherwise(pl.col(name)).cast(frame.schema[name]).alias(name) for name, value in new.items()]
    )


DOCTORED: dict[str, tuple[Callable[[Counted, Pairs], tuple[Counted, Pairs]], type[ShoalError]]] = {
    "a small group": (lambda c, p: (replace(c, rows=pl.concat([c.rows, c.rows[:1].with_columns(c0=pl.lit("odd"), n=pl.lit(3, c.rows.schema["n"]))])), p), NotAnonymous),
    "a row lost": (lambda c, p: (replace(c, rows=cells(c.rows, 0, n=int(c.rows["n"][0]) - 1)), p), ShoalError),
    "a row too many": (lambda c, p: (replace(c, rows=cells(c.rows, 0, n=int(c.rows["n"][0]) + 200)), p), ShoalError),
    "rows of the original lost": (lambda c, p: (c, replace(p, n_before=119)), DataError),
    "a label that does not cover": (lambda c, p: (c, replace(p, columns={**p.columns, "town": cells(p.columns["town"], 0, o="elsewhere")})), ShoalError),
    "pairs of another release": (lambda c, p: (c, replace(p, columns={**p.columns, "age": p.columns["age"].with_columns(s=pl.lit("*"))})), DataError),
    "a kept cell changed": (lambda c, p: (c, replace(p, differing={"ill": 1})), NotAnonymous),
    "a column too many": (lambda c, p: (replace(c, columns=(*c.columns, "name")), p), NotAnonymous),
    "a column too few": (lambda c, p: (replace(c, columns=c.columns[:-1]), p), NotAnonymous),
    "one illness everywhere": (lambda c, p: (replace(c, rows=c.rows.with_columns(c2=pl.lit("x"))), p), NotAnonymous),
}  # fmt: skip


@pytest.mark.parametrize("how", DOCTORED)
def test_doctored_counts_are_refused(case: Case, how: str) -> None:
    promise, folded, counted, pairs, _ = case
    doctor, kind = DOCTORED[how]
    with pytest.raises(kind):
        verdict_of(promise, folded, *doctor(counted, pairs))


def test_more_rows_withheld_than_may_be(case: Case) -> None:
    promise, folded, counted, pairs, release = case
    if release.verdict.n_withheld:
        with pytest.raises(NotAnonymous, match="none may be withheld"):
            verdict_of(replace(promise, max_withheld=0), folded, counted, pairs)
