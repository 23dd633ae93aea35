"""Rows that keep their order show their place; where a hidden column goes along with it, the owner is told, and nobody else."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.release.telling import goes_along, telling_columns
from shoal.table import Table
from tests.attacks.published import files

rng = np.random.default_rng(4)
AGES = np.sort(rng.integers(18, 90, 120))
ASKED = {"k": 5, "quasi_identifiers": ["age", "town"], "algorithm": "mondrian", "hierarchies": {"age": shoal.intervals(40)}}


def people(order: np.ndarray | None = None, **columns: list[str]) -> pl.DataFrame:
    made = pl.DataFrame({"age": AGES.astype(str).tolist(), "town": np.random.default_rng(5).choice(list("AB"), 120).tolist(), **columns})
    return made if order is None else made[order.tolist()]


def test_what_the_place_of_a_row_tells(tmp_path: Path):
    """He knows that the file is sorted by age, and the ages of the first and the last of some neighbours: the label is far wider."""
    with pytest.warns(shoal.ShoalWarning, match="ORDER: age goes along with the order"):
        release = shoal.anonymize(people(), **ASKED)
    assert release.frame["age"].str.starts_with("[").all()
    between = AGES[70] - AGES[50]  # the twenty rows in between, by the ages of two people he knows
    assert between < 20 < 40
    with warnings.catch_warnings():
        warnings.simplefilter("error", shoal.ShoalWarning)
        sorted_by_labels = shoal.anonymize(people(), keep_order=False, **ASKED)
        assert shoal.anonymize(people(rng.permutation(120)), **ASKED).record["telling_order"] == []
    with pytest.warns(shoal.ShoalWarning, match="ORDER: age"):
        sorted_by_labels.write(tmp_path / "release.csv", keep_order=True)


def test_it_is_said_to_the_owner_alone():
    """An attacker does not know that the input was sorted: no published file may tell it."""
    with pytest.warns(shoal.ShoalWarning, match="ORDER"):
        release = shoal.anonymize(people(), **ASKED)
    assert release.record["telling_order"] == ["age"]
    for name, text in files(release).items():
        assert "along with the order" not in text, name
        assert "telling" not in text, name


@pytest.mark.parametrize(
    "values",
    [
        [f"{1 + i % 28:02}.{1 + i // 28:02}.2020" for i in range(120)],
        [f"Person {i:03}" for i in range(120)],
        [str(1000 - 3 * i) for i in range(120)],
        [f"family {i // 4 * 7 % 31}" for i in range(120)],
    ],
    ids=["days of visit", "names", "falling numbers", "households"],
)
def test_columns_that_are_dropped_count_too(values: list[str]):
    table = people(np.random.default_rng(2).permutation(120)).with_columns(seen=pl.Series(values))
    with pytest.warns(shoal.ShoalWarning, match="ORDER: seen goes along"):
        shoal.anonymize(table, identifiers=["seen"], **ASKED)


def test_a_column_that_is_released_as_it_is_hides_nothing():
    table = people(np.random.default_rng(2).permutation(120)).with_columns(visit=pl.Series([str(i) for i in range(120)]))
    assert shoal.anonymize(table, keep=["visit"], **ASKED).record["telling_order"] == []


def test_no_alarm_by_chance():
    """Two thousand columns in no order, of all sizes."""
    draw = np.random.default_rng(0)
    assert not any(goes_along(draw.integers(0, v, n)) for n in (5, 12, 40, 300) for v in (2, 3, 10, 1000) for _ in range(125))
    assert all(goes_along(np.sort(draw.integers(0, v, n))) for n in (40, 300) for v in (2, 3, 10, 1000))


@pytest.mark.parametrize("write", [str.lower, str.upper, str.title, lambda name: name.upper() if "a" in name else name])
def test_names_in_the_order_of_the_alphabet_are_told_however_they_are_written(write: Callable[[str], str]):
    """Names in small letters are in that order already; all others are compared in small letters."""
    names = sorted(f"{a}{b}son" for a in "abcdefghijkl" for b in "aeioumnrst")
    told = telling_columns(Table(pl.DataFrame({"name": [write(name) for name in names]})), np.arange(120), ["name"])
    assert told == ["name"]
    mixed = [write(names[i]) for i in np.random.default_rng(1).permutation(120)]
    assert telling_columns(Table(pl.DataFrame({"name": mixed})), np.arange(120), ["name"]) == []
