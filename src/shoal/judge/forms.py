"""A table in a form for analysis, read back into labels that the verifier knows. It shares no code with :mod:`shoal.release.forms`.

``age_from`` 20 and ``age_to`` 29 are ``[20, 29]``; two empty cells are ``*``; the list ``["a", "b"]`` is ``{a, b}``. In the form *typed*, ``age_shown`` is the
label, and where it is empty the value is exact. Different cells give different labels, so that rows that are alike in labels are alike in the form.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import polars as pl

from shoal.errors import DataError, PolicyError
from shoal.text.exact import exact_text, marks
from shoal.text.labels import set_label


def read_back(written: pl.DataFrame, names: Sequence[str], form: str) -> tuple[pl.DataFrame, list[pl.Series]]:
    """The table in labels, and for each column of the form what tells its cells apart: rows must be alike in all of them."""
    if form == "labels":
        return written, [marks(written[name]) for name in names if name in written.columns]
    if form not in ("bounds", "typed"):
        raise PolicyError(f"There is no form '{form}'. Choose one of labels, bounds, typed.")
    frame, cells = written, []
    for name in names:
        first, second = (f"{name}_from", f"{name}_to") if form == "bounds" else (name, f"{name}_shown")
        if first in frame.columns and second in frame.columns:
            label = (_between if form == "bounds" else _typed)(frame[first], frame[second])
            cells += [marks(frame[first]), marks(frame[second])]
            frame = frame.with_columns(label.alias(first)).drop(second).rename({first: name})
        elif form == "bounds" and name in frame.columns:
            label, told = _listed(frame[name])
            frame = frame.with_columns(label.alias(name))
            cells.append(told)
        else:
            raise DataError(f"The table is not in the form '{form}': it lacks '{second}', or '{name}'.")
    return frame, cells


def _between(low: pl.Series, high: pl.Series) -> pl.Series:
    a, b = exact_text(low), exact_text(high)
    ends = pl.DataFrame({"a": a, "b": b})
    text = pl.format("[{}, {}]", pl.col("a").fill_null("-inf"), pl.col("b").fill_null("inf"))
    nothing = pl.col("a").is_null() & pl.col("b").is_null()
    return ends.select(pl.when(nothing).then(pl.lit("*")).when(pl.col("a") == pl.col("b")).then("a").otherwise(text)).to_series()


def _typed(value: pl.Series, shown: pl.Series) -> pl.Series:
    return pl.DataFrame({"v": exact_text(value), "s": exact_text(shown)}).select(pl.coalesce("s", "v")).to_series()


def _listed(cells: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Lists, or JSON texts of lists, as the sets that they are; and a text for each that tells lists apart."""
    if cells.dtype == pl.String:
        told = cells
        found = {text: _members(text) for text in told.drop_nulls().unique().to_list()}
    else:
        escaped = pl.element().str.replace_all("\\", "\\\\", literal=True).str.replace_all(",", "\\,", literal=True)
        told = (
            cells.to_frame("c")
            .select(pl.format("{} {}", pl.col("c").list.len(), pl.col("c").list.eval(escaped).list.join(",")))
            .to_series()
        )
        first = pl.DataFrame({"t": told, "c": cells}).drop_nulls("t").unique("t", keep="first")
        found = dict(zip(first["t"].to_list(), first["c"].to_list(), strict=True))
    label = {text: _label(members) for text, members in found.items()}
    shown = told.replace_strict(label, default=None, return_dtype=pl.String) if label else told
    return shown.fill_null("*"), told


def _members(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        raise DataError("A cell of the form 'bounds' holds no list.") from None


def _label(members: object) -> str:
    if not isinstance(members, list) or not members or not all(isinstance(m, str) for m in members):
        raise DataError("A cell of the form 'bounds' holds no list of texts.")
    return str(members[0]) if len(members) == 1 else set_label(members)
