"""Two tables whose graphs are alike and whose optima differ by a factor of the order of k (Aggarwal et al. 2005,
section 4).

In both, k rows are pairwise 2^(k−1) apart. An algorithm that sees nothing but distances cannot tell them from each
other.
"""

from __future__ import annotations

from shoal.errors import DataError
from shoal.instances.base import Instance

REFERENCE = "Aggarwal et al. 2005, section 4, limitations of the graph representation"


def _block(k: int) -> int:
    if not 2 <= k <= 16:
        raise DataError(f"The tables have 2^k columns: k must be from 2 to 16, not {k}.")
    return int(2 ** (k - 2))


def alike_apart(k: int) -> Instance:
    """Row i has ones in the i-th of k blocks of l = 2^(k−2) columns: the optimum is k²l."""
    l = _block(k)
    rows = tuple(tuple("1" if j // l == i else "0" for j in range(k * l)) for i in range(k))
    return Instance(rows, k, "stars", float(k * k * l), "the dearer of two tables with the same distances", REFERENCE)


def alike_together(k: int) -> Instance:
    """For row i the 2^k columns are cut into 2^i blocks, and it has ones in the odd blocks.

    The optimum is k(4l − 2), because two columns are constant (the paper says 4kl).
    """
    l = _block(k)
    rows = tuple(tuple("1" if (j * 2**i // 2**k) % 2 == 0 else "0" for j in range(2**k)) for i in range(1, k + 1))
    return Instance(
        rows, k, "stars", float(k * (4 * l - 2)), "the cheaper of two tables with the same distances", REFERENCE
    )
