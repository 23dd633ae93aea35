"""What to expect of a release: near the truth for the owner, and from the release alone for everybody else."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.reader.expect import expect, expected_of, questions


def table(n: int = 2000, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 80, n)
    return pl.DataFrame(
        {"age": age, "sex": rng.choice(["f", "m"], n), "job": rng.choice(["cook", "nurse", "smith", "tailor"], n, p=[0.4, 0.3, 0.2, 0.1])}
    )


def release(frame: pl.DataFrame, k: int = 5) -> shoal.Release:
    return shoal.anonymize(frame, k=k, quasi_identifiers=frame.columns, time_limit=1)


def test_errors_grow_with_k_and_are_told_for_one_to_three_columns() -> None:
    few, many = (expect(release(table(), k)).measured for k in (3, 40))
    assert few is not None
    assert many is not None
    assert set(few) == {1, 2, 3}
    assert np.mean([few[n] for n in few]) < np.mean([many[n] for n in many])


def test_what_is_published_follows_from_the_release_alone() -> None:
    """Anybody who has the released table and its manifest computes the same figures."""
    made = release(table(400, 3))
    names = made.frame.columns
    reading = shoal.read(made.frame.clone(), quasi_identifiers=names, manifest=made.manifest)
    asked = [
        (len(q), reading.count({c.name: [v for v, hit in zip(c.words.values, mask, strict=True) if hit] for c, mask in q}))
        for q, _ in questions(reading, names, 5)
    ]
    published = expect(made, for_owner=False)
    assert published.measured is None
    assert published.expected == pytest.approx(expected_of(asked))


def test_a_release_without_loss_has_no_error() -> None:
    frame = pl.DataFrame({"sex": ["f", "m"] * 50})
    found = expect(release(frame))
    assert found.measured == {1: 0.0, 2: None, 3: None}
    assert found.expected[1] == 0.0


def test_a_day_is_found_in_the_month_that_is_shown() -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"seen": [f"2024-{m:02}-{d:02}" for m, d in zip(rng.integers(1, 13, 300), rng.integers(1, 29, 300), strict=True)]})
    made = shoal.anonymize(frame, k=10, quasi_identifiers=["seen"], hierarchies={"seen": shoal.dates("month", "year")}, time_limit=1)
    assert (made.frame["seen"].str.len_chars() <= 7).all()
    found = expect(made).measured
    assert found is not None
    assert found[1] is not None
    assert found[1] < 0.3


@pytest.mark.parametrize("form", ["decimal commas", "days with dots"])
def test_what_is_measured_is_measured_on_the_numbers_and_days_of_the_original(form: str) -> None:
    """The release shows intervals and years; the original has 72,5 and 21.06.1997, which no label of the release is."""
    rng = np.random.default_rng(4)
    kilos = [f"{x:.1f}".replace(".", ",") for x in rng.normal(75, 12, 600)]
    days = [
        f"{d:02}.{m:02}.{y}"
        for d, m, y in zip(rng.integers(1, 28, 600), rng.integers(1, 13, 600), rng.integers(1950, 2000, 600), strict=True)
    ]
    cells = kilos if form == "decimal commas" else days
    hierarchy = shoal.intervals(10, 40) if form == "decimal commas" else shoal.dates("year", "decade")
    made = shoal.anonymize(pl.DataFrame({"x": cells}), k=5, quasi_identifiers=["x"], hierarchies={"x": hierarchy}, effort=0.1)
    found = expect(made)
    assert found.measured is not None
    assert found.measured[1] is not None
    assert found.measured[1] < 0.3, "where nothing of the original was found on the line, it was 1"
