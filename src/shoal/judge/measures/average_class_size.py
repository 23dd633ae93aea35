"""Average class size: released rows over groups."""

from shoal.judge.measures.base import Counts, GroupRecount


def total(sizes: Counts, n_withheld: int, n_rows: int) -> float:
    return float(sizes.sum() / len(sizes)) if len(sizes) else 0.0


AVERAGE_CLASS_SIZE = GroupRecount(name="average-class-size", total=total)
