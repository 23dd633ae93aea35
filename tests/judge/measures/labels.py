"""A column of three values of which two are below the label ``a``: what showing it costs, as it is recounted."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl

from shoal.judge.lexicon import Lexicon
from shoal.judge.measures.base import definition_of
from shoal.judge.measures.exact import Known, bits_of
from shoal.judge.texts import from_rows

ROWS = [["0", "a", "*"], ["1", "a", "*"], ["2", "b", "*"]]


def column_of(counts: list[int]) -> Lexicon:
    """The values 0, 1 and 2, which occur so often."""
    return Lexicon(pl.Series("value", ["0", "1", "2"]), np.array(counts), from_rows(ROWS))


def cost(name: str, counts: list[int], label: str, own: int | None = None) -> float:
    """What a cell costs that shows this label, in place of the value ``own`` where that matters."""
    column, measure = column_of(counts), definition_of(name)
    sense = column.everything() if label == "*" else column.block(*column.named[label][0])
    offset = 0.0 if measure.recount_offset is None or own is None else float(measure.recount_offset(column.count, column)[own])
    return measure.recount(sense, column) - offset


def floor_of(name: str, counts: list[int], others: int = 0) -> Fraction:
    """What the checker of proofs counts for a set of values of these counts, in a column in which other rows have one more value."""
    measure = definition_of(name)
    whole = np.array([*counts, *([others] if others else [])])
    assert measure.floor is not None
    return measure.floor(Known(np.array(counts), int(whole.sum()), len(whole), 1, 2, None, bits_of(whole)))
