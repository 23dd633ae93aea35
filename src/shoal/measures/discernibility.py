"""Discernibility: how many rows each row cannot be told from.

Formula.     Σ |group|² + (withheld rows) · (all rows).
Reference.   Bayardo and Agrawal, Data privacy through optimal k-anonymization, ICDE 2005.
"""

from shoal.measures.base import GroupMeasure

DISCERNIBILITY = GroupMeasure(
    name="discernibility",
    title="Discernibility",
    formula="Σ |group|² + withheld · rows",
    reference="Bayardo and Agrawal 2005",
)
