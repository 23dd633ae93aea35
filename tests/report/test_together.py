"""How strongly columns go together: of their values, not of their labels."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.reader.read import read
from shoal.report.together import associations, binning, strength
from tests.report.conftest import people


def found(frame: pl.DataFrame, for_owner: bool = True, **asked):
    release = shoal.anonymize(frame, k=5, quasi_identifiers=frame.columns, algorithm="mondrian", **asked)
    return {(p["a"], p["b"]): p["association"] for p in associations(release, read(release), for_owner)}


def test_columns_that_have_nothing_to_do_with_each_other_do_not_seem_to():
    """Labels of columns that are generalized together go together, though the values do not: 0.00 became 0.28."""
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"age": rng.integers(20, 90, 1500), "year": rng.integers(1990, 2010, 1500)})
    told = found(frame)["age", "year"]
    assert told["before"] < 0.08
    assert told["after"] < 0.08


def test_what_goes_together_still_does():
    rng = np.random.default_rng(4)
    age = rng.integers(20, 90, 1500)
    frame = pl.DataFrame({"age": age, "status": np.where(age < 40, "single", np.where(age < 65, "married", "widowed"))})
    told = found(frame)["age", "status"]
    assert told["before"] > 0.7
    assert told["after"] > 0.6 * told["before"]
    assert found(frame, for_owner=False)["age", "status"] == {"after": told["after"]}, (
        "what is published is the same without what was before"
    )


def test_before_is_the_obvious_figure():
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({"a": rng.choice(["x", "y", "z"], 600), "b": rng.choice(["u", "v"], 600)}).with_columns(
        b=pl.when(pl.col("a") == "x").then(pl.lit("u")).otherwise("b")
    )
    counts = (
        frame.group_by("a", "b")
        .len()
        .pivot("b", index="a", values="len")
        .fill_null(0)
        .select("u", "v")
        .to_numpy()
        .astype(float)
    )
    assert found(frame)["a", "b"]["before"] == pytest.approx(strength(counts))


def test_a_table_of_one_line_says_nothing():
    assert strength(np.array([[3.0, 4.0]])) == 0.0
    assert strength(np.zeros((2, 2))) == 0.0
    assert strength(np.eye(3)) >= 0


def test_missing_cells_are_a_bin_of_their_own():
    frame = pl.DataFrame({"n": [None if i % 3 == 0 else i % 40 for i in range(600)], "sex": ["f", "m"] * 300})
    release = shoal.anonymize(frame, k=5, quasi_identifiers=["n", "sex"], algorithm="mondrian")
    bins = binning(read(release).columns["n"])
    assert bins.of((None, "3"), np.array([np.nan, 3.0])).tolist()[0] == bins.n_bins - 1
    assert bins.shares().sum(axis=1) == pytest.approx(1)


def test_rows_in_the_wrong_cell_are_counted_the_obvious_way(release):
    """Spread each released row over the values that it may stand for, one row at a time, as the reader says how likely
    each is.
    """
    reading = read(release)
    p = next(p for p in associations(release, reading, True) if (p["a"], p["b"]) == ("job", "ill"))
    job = reading.columns["job"]
    spread: dict[tuple[str, str], float] = defaultdict(float)
    for kind, ill in zip(job.kind.tolist(), release.frame["ill"], strict=True):
        for at in range(job.cells.start[kind], job.cells.start[kind + 1]):
            spread[job.words.values[job.cells.leaf[at]], ill] += job.shares[1][at]
    true = Counter(people()[release.rows.tolist()].select("job", "ill").rows())
    wrong = sum(abs(spread[cell] - true[cell]) for cell in set(spread) | set(true)) / 2
    assert p["misplaced"] == pytest.approx(wrong / release.frame.height)
