"""The tour of the code is true: the files are there, and the numbers are those of the run that it follows."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

import shoal

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "tour.md").read_text()


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> shoal.Release:
    path = tmp_path_factory.mktemp("tour") / "people.csv"
    table = re.search(r"```\n(name,age.*?)```", TEXT, re.DOTALL)
    assert table is not None
    path.write_text(table[1])
    ages, codes = shoal.intervals(5, 10, 20), shoal.prefixes()
    return shoal.anonymize(
        path,
        k=3,
        quasi_identifiers=["age", "zip"],
        sensitive=["diagnosis"],
        identifiers=["name"],
        hierarchies={"age": ages, "zip": codes},
        measure="entropy",
    )


def test_every_file_that_it_names_is_there() -> None:
    named = re.findall(r"`((?:src|tests|docs)/[\w/.]+)`", TEXT)
    assert len(named) > 25
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_it_can_be_read_in_ten_minutes() -> None:
    """At 200 words a minute."""
    assert len(TEXT.split()) < 2000


def test_codes_and_prices_are_as_it_says(release: shoal.Release) -> None:
    age, zip_ = release.problem.columns
    assert age.tree.labels[:5] == ("34", "36", "51", "52", "57")
    assert release.kinds.tolist() == [0, 1, 3, 0, 4, 2]
    assert "`[0, 1, 3, 0, 4, 2]`" in TEXT
    ela = release.problem.codes[release.problem.tuple_of_unit[release.kinds[4]]].tolist()
    assert ela == [4, 1]
    assert "`(4, 1)`" in TEXT
    assert release.problem.rows_of_unit.tolist() == [2, 1, 1, 1, 1]
    price = {label: round(float(p), 3) for column in (age, zip_) for label, p in zip(column.tree.labels, column.price, strict=True)}
    assert (price["[50, 60)"], price["8033*"]) == (1.585, 0.918)


def test_groups_loss_bound_and_the_released_row_are_as_it_says(release: shoal.Release, tmp_path: Path) -> None:
    assert release.solution.plan.groups_of(release.kinds).tolist() == release.groups.tolist() == [0, 0, 1, 0, 1, 1]
    assert release.solution.plan.count.tolist() == [2, 1, 1, 1, 1]
    assert "`[0, 0, 1, 0, 1, 1]`" in TEXT
    assert round(release.loss, 2) == 13.02
    assert release.bound is not None
    assert release.bound.name == "exact"
    assert release.ratio == pytest.approx(1.0)
    assert release.manifest["loss"] is None
    release.write(tmp_path / "release.csv")
    line = (tmp_path / "release.csv").read_text().splitlines()[5]
    assert line == '"[50, 60)",8033*,gout'
    assert line in TEXT
    assert pl.read_csv(tmp_path / "release.csv").columns == ["age", "zip", "diagnosis"]
