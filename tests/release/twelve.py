"""A table of twelve people, and its release."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import shoal

AGES = [20, 21, 22, 23, 40, 41, 42, 43, 60, 61, 62, 63]
DATA = pl.DataFrame({"age": AGES, "sex": ["m", "f"] * 6, "ill": ["flu", "gout", "hiv"] * 4, "pay": [1.0, 0.0, -0.0] * 4})
HOW = {"k": 3, "quasi_identifiers": ["age", "sex"], "hierarchies": {"age": shoal.intervals(5, 10, 20)}}


def release(**more):
    return shoal.anonymize(DATA, **{**HOW, **more})


def nothing_in(folder: Path) -> bool:
    return list(folder.iterdir()) == []
