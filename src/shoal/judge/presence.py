"""Which columns a release has: those that it must have or must not have, and those that the original does not have.

A column that only the release has cannot be compared by its name. Its cells are therefore compared with the columns of the original that
were to be generalized or dropped. So nobody can hide such a column by changing its name.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.errors import DataError, NotAnonymous
from shoal.text.exact import differing, exact_text


def check_columns(original: pl.DataFrame, released: pl.DataFrame, dropped: Sequence[str], needed: Sequence[str]) -> None:
    """Refuse a release with a column that was to be dropped, or without one that was to be kept."""
    shown = [name for name in dropped if name in released.columns]
    if shown:
        raise NotAnonymous(f"Column '{shown[0]}' is an identifier and is in the release: it was to be dropped.")
    lacking = [name for name in needed if name in original.columns and name not in released.columns]
    if lacking:
        raise NotAnonymous(f"Column '{lacking[0]}' was to be kept, and the release has no column of that name.")


def doubts(original: pl.DataFrame, released: pl.DataFrame, quasi_identifiers: Sequence[str], dropped: Sequence[str]) -> str:
    """Why columns that only the release has may be columns of the original under another name; empty if nothing speaks for it.

    Raises :class:`NotAnonymous` if one shows, row by row, what was to be generalized or dropped.
    """
    new = [name for name in released.columns if name not in original.columns]
    if not new:
        return ""
    gone = [name for name in original.columns if name not in released.columns]
    hidden = [*gone, *(name for name in quasi_identifiers if name in released.columns and _differ(original[name], released[name]))]
    for name in new:
        for other in hidden:
            if not _is_copy(original[other], released[name]):
                continue
            if other in [*quasi_identifiers, *dropped] and not _differ(original[other], released[name]):
                raise NotAnonymous(f"Column '{name}' is not in the original, and shows every cell of its column '{other}' as it was.")
            return f"column '{name}' is not in the original, and has the very cells of its column '{other}': is it that column, renamed?"
        alike = [other for other in gone if _plain(other) == _plain(name)]
        if alike:
            return f"column '{name}' is not in the original, and its column '{alike[0]}' is not in the release: are they one? Give them one name."
    return ""


def _plain(name: str) -> str:
    """A name without case, blanks, marks and the ways in which one letter can be written."""
    return "".join(c for c in unicodedata.normalize("NFKD", name).casefold() if c.isalnum())


def _differ(original: pl.Series, released: pl.Series) -> bool:
    """Whether two columns differ somewhere, row by row."""
    return len(original) != len(released) or bool(differing(original, released).any())


def _is_copy(original: pl.Series, released: pl.Series) -> bool:
    """Whether a column that has several values has the cells of another, in whatever order; some rows may be missing."""
    try:
        sides = [exact_text(side).alias("cell").value_counts(name="n") for side in (original, released)]
    except DataError:  # cells that have no text
        return original.dtype == released.dtype and len(original) == len(released) and not differing(original, released).any()
    before, after = sides
    if after.height < 2 or after.height > before.height:
        return False
    both = after.join(before, on="cell", how="left", nulls_equal=True)
    return not both["n_right"].null_count() and bool(np.all(both["n"].to_numpy() <= both["n_right"].to_numpy()))
