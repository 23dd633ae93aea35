"""Discernibility: how many rows each row cannot be told from.

Formula.     Σ |group|² + (withheld rows) · (all rows).
Reference.   Bayardo and Agrawal, Data privacy through optimal k-anonymization, ICDE 2005.
"""

from shoal.measures.base import Counts, GroupMeasure


def total(sizes: Counts, n_withheld: int, n_rows: int) -> float:
    return float((sizes.astype(float) ** 2).sum() + n_withheld * n_rows)


DISCERNIBILITY = GroupMeasure(
    name="discernibility",
    title="Discernibility",
    formula="Σ |group|² + withheld · rows",
    reference="Bayardo and Agrawal 2005",
    total=total,
)
