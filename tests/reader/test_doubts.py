"""What a reader should doubt."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.report.levels import kinds_used


def test_it_says_when_values_seem_hidden_by_how_rare_they_are():
    """Nine in ten rare values hidden, and nothing of the frequent one: the reader must notice."""
    shown = ["a"] * 900 + ["b"] * 10 + ["*"] * 90
    reading = shoal.read(pl.DataFrame({"x": shown, "group": [str(i // 5) for i in range(1000)]}), quasi_identifiers=["x"])
    assert reading.summary()["hidden"].item() == pytest.approx(0.09)
    certain = shoal.read(pl.DataFrame({"x": ["a"] * 10}), hierarchies={"x": shoal.suppression()})
    assert certain.doubts == []
    assert any("'x'" in sentence for sentence in shoal.read(pl.DataFrame({"x": ["a"] * 500 + ["b"] * 20 + ["*"] * 480})).doubts)


def test_hidden_means_the_same_as_in_the_summary_and_the_reports() -> None:
    """A label that stands for every value is generalized; only a star is hidden. The reader called both hidden."""
    ages = [20, 21, 22, 23, 40, 41, 60, 61, 62, 63, 64, 65]
    frame = pl.DataFrame({"age": ages, "job": ["cook", "nurse", "cook", "smith"] * 3, "sex": ["f"] * 6 + ["m"] * 6})
    for age in (shoal.any_interval(), shoal.intervals(50, 100), shoal.suppression()):
        hierarchies = {"age": age, "job": [["cook", "anything", "*"], ["nurse", "anything", "*"], ["smith", "anything", "*"]]}
        release = shoal.anonymize(frame, k=6, quasi_identifiers=["age", "job", "sex"], hierarchies=hierarchies)
        told = shoal.read(
            release.frame, quasi_identifiers=["age", "job", "sex"], manifest=release.manifest, hierarchies={"job": hierarchies["job"]}
        ).summary()
        of_reader = {name: (exact, wide, hidden) for name, exact, wide, hidden, *_ in told.iter_rows()}
        for j, column in enumerate(release.problem.columns):
            kinds = kinds_used(release.solution, j)
            if column.name in of_reader:
                assert of_reader[column.name] == pytest.approx(kinds), (column.name, age)
