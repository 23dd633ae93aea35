"""δ-disclosure privacy: in every group each sensitive value is about as frequent as in the whole table.

Formula.     |log2(q / p)| < δ for every value of the whole table, q being its share in the group and p in the table; a
             group that lacks a value breaks it. A missing cell is a value of its own. Closed under merging: q in two
             groups together lies between their shares.
Reference.   Brickell and Shmatikov, The cost of privacy: destruction of data-mining utility in anonymized data
             publishing, KDD 2008, definition 1; with logarithms to base 2, as everywhere here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.privacy.base import TOLERANCE, Criterion, Floats, Histogram, Parameter, Parameters, Primitive


def reached(counts: Histogram, parameters: Parameters) -> Floats:
    farthest = np.zeros(counts.n_groups)
    np.maximum.at(farthest, counts.group, np.abs(np.log2(counts.lift())))
    lacks_some = np.bincount(counts.group, minlength=counts.n_groups) < int((counts.whole > 0).sum())
    return np.where(lacks_some, np.inf, farthest)


def is_met(distance: Floats, parameters: Parameters) -> NDArray[np.bool_]:
    return distance < parameters["delta"] * (1 - TOLERANCE)  # below it however the logarithm is rounded


STRICT = 1e-6
"""The share must lie strictly between the bounds. The search keeps this distance from them, as a part of each bound."""


def caps(asked: Parameters, share: Floats) -> Primitive:
    """The least part of its cap that a value must have is 4^−δ."""
    factor = 2.0 ** asked["delta"] * (1 - STRICT)
    return Primitive(
        "capped", takes_missing=True, cap=share * factor, c=(1 + STRICT) / (2.0 ** asked["delta"] * factor)
    )


DELTA_DISCLOSURE = Criterion(
    name="delta-disclosure-privacy",
    title="The share of each sensitive value in a group is within a factor of 2^δ of its share in the whole table",
    reference="Brickell and Shmatikov 2008",
    parameters=(Parameter("delta", "logarithm of the factor between the shares, below", is_above=True),),
    primitive=caps,
    reached=reached,
    is_met=is_met,
    worst=lambda distance: float(distance.max(initial=0.0)),
    compares_with_whole=True,
)
