"""Bad input: each has a message that says what to do."""

from __future__ import annotations

import polars as pl
import pytest

import shoal


def test_a_function_is_not_asked_for_millions_of_pairs() -> None:
    frame = pl.DataFrame({"x": list(range(3001))})
    with pytest.raises(shoal.Refused, match="3001"):
        shoal.cluster(frame, r=2, quasi_identifiers=["x"], metric=lambda a, b: 0.0)
