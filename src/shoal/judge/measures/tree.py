"""Tree, for the verifier: the level on which a label stands, over the hierarchy's height."""

from __future__ import annotations

from fractions import Fraction

from shoal.judge.measures.base import LabelSet, Recounted, RecountedMeasure
from shoal.judge.measures.exact import (
    Known,
)


def floor(node: Known) -> Fraction:
    return Fraction(node.level, max(node.height, 1))


def recount(shown: LabelSet, column: Recounted) -> float:
    return 0.0 if shown.n_values <= 1 else shown.level / column.height


TREE = RecountedMeasure(
    name="tree",
    recount=recount,
    floor=floor,
)
