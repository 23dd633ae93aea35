"""What to try where released cells do not cover their original ones: the options that a reader of the release may have left out."""

from __future__ import annotations

from collections.abc import Iterable
from shlex import quote

import polars as pl

from shoal.text.exact import exact_text
from shoal.text.missing import marks_in, usual_marks

HINT = "If the release uses labels of a hierarchy, give it with --hierarchies or --policy."


def advice(columns: Iterable[tuple[str, pl.Series, pl.Series]], kept: Iterable[tuple[str, pl.Series, pl.Series]]) -> str:
    """What to try, from columns before and after as texts: quasi-identifiers, and those that were to be equal."""
    said = [HINT]
    marks = dict.fromkeys(mark for _, before, after in columns for mark in _missed(before, after))
    if marks:
        said.append(f"Say {_options(marks)} if empty cells of the release stand for these usual marks of missing values.")
    for name, before, after in kept:
        if found := _missed(exact_text(before), exact_text(after)):
            said.append(
                f"Say --sensitive {quote(name)} {_options(found)}, or give the policy, if column '{name}' was sensitive when the release was made "
                "and its empty cells stand for these marks."
            )
    return " ".join(said)


def _options(marks: Iterable[str]) -> str:
    return " ".join(f"--missing-value {quote(mark)}" for mark in marks)


def _missed(before: pl.Series, after: pl.Series) -> tuple[str, ...]:
    """The usual marks of a missing value that the release shows as missing cells; those of other rows only if it shows them nowhere."""
    if after.null_count() <= before.null_count():
        return ()
    if len(before) == len(after) and (beside := usual_marks(before.filter(after.is_null()).drop_nulls().unique())):
        return beside
    counted = before.drop_nulls().alias("value").value_counts(name="n").sort("value")
    still = set(after.unique().to_list())
    return tuple(mark for mark in marks_in(counted["value"], counted["n"].to_numpy()) if mark not in still)
