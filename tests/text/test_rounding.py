"""How far from the best possible is said with one rounding, and as a factor."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.report.plain import near
from shoal.report.words import closeness
from shoal.text.rounding import factor_up, percent_up, times_the_least


@pytest.mark.parametrize(
    ("share", "digits", "said"), [(0.0271, 1, "2.8 %"), (0.05, 1, "5 %"), (0.0, 1, "0 %"), (0.02701, 2, "2.71 %"), (None, 1, "–")]
)
def test_it_is_rounded_up(share: float | None, digits: int, said: str) -> None:
    assert percent_up(share, digits) == said


@pytest.mark.parametrize(
    ("ratio", "said"), [(1.986, "1.986"), (1.9861, "1.987"), (1.0, "1.000"), (1.0000001, "1.001"), (12.3456, "12.346")]
)
def test_a_factor_is_rounded_up(ratio: float, said: str) -> None:
    assert factor_up(ratio) == said
    assert times_the_least(ratio) == ("the least possible" if ratio == 1 else f"at most {said} times the least possible")


def test_one_report_says_one_number() -> None:
    """'At most 2.8 % more' stood beside 'proved within 2.7 %'; and 'within 98.7 % of the best possible' meant up to 1.99 times."""
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"age": rng.integers(20, 80, 150), "zip": rng.integers(10, 40, 150).astype(str)})
    release = shoal.anonymize(frame, k=4, quasi_identifiers=["age", "zip"], effort=0.05, keep_order=False)
    assert release.ratio is not None
    assert release.ratio > 1
    texts = (closeness(release.record), near(release.record), repr(release))
    assert [re.findall(r"at most ([0-9.]+) times the least", text) for text in texts] == [[factor_up(release.ratio)]] * 3
    assert float(factor_up(release.ratio)) >= release.ratio - 1e-9
