"""Exact cover by 3-sets, as 3-anonymity by cells and by whole columns (Sun, Wang and Li 2008, theorems 3 and 6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shoal.errors import DataError
from shoal.instances.base import Instance, checked_edges


def _checked(n_elements: int, sets: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
    if n_elements < 3 or n_elements % 3:
        raise DataError(f"An exact cover by sets of three needs a multiple of three elements, not {n_elements}.")
    return checked_edges(sets, 3, n_elements)


def exact_cover(n_elements: int, sets: Iterable[Sequence[int]]) -> Instance:
    """Rows are elements, columns are sets: 3q(m − 1) stars suffice if and only if some of the m sets cover the 3q
    elements exactly.

    A cell is 0 where the element is in the set, else a symbol of the row's own. The paper writes 1 there; then rows
    agree on ones too, and the equivalence fails (one set, six elements: nothing needs suppressing, and there is no
    cover).
    """
    listed = _checked(n_elements, sets)
    rows = tuple(tuple("0" if x in members else f"x{x}" for members in listed) for x in range(n_elements))
    threshold = float(n_elements * (len(listed) - 1))
    return Instance(
        rows,
        3,
        "stars",
        threshold,
        "do some of the sets cover every element exactly once?",
        "Sun, Wang and Li 2008, theorem 3, corrected",
    )


def exact_cover_columns(n_elements: int, sets: Iterable[Sequence[int]]) -> Instance:
    """The same for suppressed columns, over 0 and 1: m − q of them suffice if and only if there is an exact cover.

    Every column has exactly three zeros.
    """
    listed = _checked(n_elements, sets)
    rows = tuple(tuple("0" if x in members else "1" for members in listed) for x in range(n_elements))
    threshold = float(len(listed) - n_elements // 3)
    return Instance(
        rows,
        3,
        "columns",
        threshold,
        "do some of the sets cover every element exactly once?",
        "Sun, Wang and Li 2008, theorem 6",
    )
