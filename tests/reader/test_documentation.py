"""The page for analysts runs as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars as pl

from shoal import demo

PAGE = Path(__file__).parents[2] / "docs" / "analysis.md"


def test_the_code_of_the_page_runs():
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) >= 6
    names: dict = {}
    exec("\n".join(blocks), names)
    assert names["found"].at_least <= names["found"].value <= names["found"].at_most
    original = pl.read_csv(demo.files().table).drop_nulls(["age", "sex"])
    x, y = original["age"].to_numpy(), (original["sex"] == "male").to_numpy().astype(float)
    assert abs(names["estimate"] - np.cov(x, y)[0, 1] / x.var(ddof=1)) < 4 * names["error"]
