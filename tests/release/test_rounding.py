"""How far from the best possible is said with one rounding."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.release.rounding import percent_up
from shoal.report.plain import near
from shoal.report.words import closeness


@pytest.mark.parametrize(
    ("share", "digits", "said"), [(0.0271, 1, "2.8 %"), (0.05, 1, "5 %"), (0.0, 1, "0 %"), (0.02701, 2, "2.71 %"), (None, 1, "–")]
)
def test_it_is_rounded_up(share: float | None, digits: int, said: str) -> None:
    assert percent_up(share, digits) == said


def test_one_report_says_one_number() -> None:
    """'At most 2.8 % more' stood beside 'proved within 2.7 %'."""
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"age": rng.integers(20, 80, 150), "zip": rng.integers(10, 40, 150).astype(str)})
    release = shoal.anonymize(frame, k=4, quasi_identifiers=["age", "zip"], effort=0.05, keep_order=False)
    assert release.ratio is not None
    assert release.ratio > 1
    said = [re.findall(r"[0-9.]+ %", text)[0] for text in (closeness(release.record), near(release.record), repr(release))]
    assert said == [percent_up(release.ratio - 1)] * 3
    assert float(said[0].split()[0]) >= 100 * (release.ratio - 1) - 1e-6
