"""Discernibility: how many rows each row cannot be told from."""

from shoal.judge.measures.base import Counts, GroupRecount


def total(sizes: Counts, n_withheld: int, n_rows: int) -> float:
    return float((sizes.astype(float) ** 2).sum() + n_withheld * n_rows)


DISCERNIBILITY = GroupRecount(name="discernibility", total=total)
