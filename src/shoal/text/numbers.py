"""Texts as numbers: plain ones, and the ways in which people write them.

A column is read in one style, which all of its values together decide. ``1,234`` alone may be a thousand or little more
than one; then nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Longs = NDArray[np.int64]

_PLAIN = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_NUMBER = re.compile(_PLAIN)
CURRENCY = r"(?:[$€£¥₹₽₩]|USD|EUR|GBP|CHF|CAD|AUD|JPY|SEK|NOK|DKK|PLN|kr\.?|zł)"
_SPACE = "[ \u00a0\u202f'’]"
_GROUPED = {
    "1,234.5": r"[+-]?(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]{1,3})(?:\.[0-9]+)?",
    "1.234,5": r"[+-]?(?:[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[0-9]+)(?:,[0-9]+)?",
    "1 234.5": rf"[+-]?(?:[1-9][0-9]{{0,2}}(?:{_SPACE}[0-9]{{3}})+|[0-9]{{1,3}})(?:\.[0-9]+)?",
    "1 234,5": rf"[+-]?(?:[1-9][0-9]{{0,2}}(?:{_SPACE}[0-9]{{3}})+|[0-9]{{1,3}})(?:,[0-9]+)?",
}


@dataclass(frozen=True)
class Style:
    """How a column's numbers are written."""

    grouping: str = "plain"
    """``plain``, or an example: ``1,234.5``, ``1.234,5``, ``1 234.5``, ``1 234,5``."""
    currency: bool = False
    percent: bool = False

    @property
    def is_plain(self) -> bool:
        return self == PLAIN

    @property
    def words(self) -> str:
        """In words, for a person."""
        said = [] if self.grouping == "plain" else [f"written like {self.grouping}"]
        said += ["with a currency"] if self.currency else []
        return " and ".join([*said, *(["in percent"] if self.percent else [])])


PLAIN = Style()
STYLES = ("plain", *_GROUPED)


def is_number(text: str) -> bool:
    """Whether a text is a plain number.

    >>> is_number("-0.5"), is_number("12 kg"), is_number("nan"), is_number("1_000")
    (True, False, False, False)
    """
    return _NUMBER.fullmatch(text) is not None


def as_series(texts: Sequence[str] | pl.Series) -> pl.Series:
    """Texts as a column."""
    return texts if isinstance(texts, pl.Series) else pl.Series(list(texts), dtype=pl.String)


def has_leading_zeros(texts: Sequence[str] | pl.Series) -> bool:
    """Whether some text has a zero in front: numbers are not written 01234, codes are, and a column of codes is no column of numbers.

    >>> has_leading_zeros(["01067", "81000"]), has_leading_zeros(["0", "0.5", "-0,5", "10"])
    (True, False)
    """
    return bool(as_series(texts).str.contains(r"^[+-]?0[0-9]").any())


def parse_numbers(texts: Sequence[str] | pl.Series, style: Style = PLAIN) -> tuple[Floats, Longs]:
    """The number of each text (NaN if it is not a number), and the positions of texts that are not numbers or are too large."""
    column = as_series(texts)
    number = _plain(column if style == PLAIN else _ungrouped(_undressed(column, style), style.grouping))
    return number, np.flatnonzero(~np.isfinite(number))


def read_numbers(texts: Sequence[str] | pl.Series) -> tuple[Floats, Longs]:
    """The same in whatever style all of the texts are written; as plain numbers if there is none, or more than one."""
    found = styles(texts)
    return parse_numbers(texts, found[0] if len(found) == 1 else PLAIN)


def styles(texts: Sequence[str] | pl.Series, sample: int = 1000) -> list[Style]:
    """The styles in which all of the texts are numbers: none, one, or several. Of several, only the author of the file knows which is meant.

    >>> [s.grouping for s in styles(["12", "3.5"])], [s.grouping for s in styles(["1,5", "0,75"])], [s.grouping for s in styles(["1,234"])]
    (['plain'], ['1.234,5'], ['1,234.5', '1.234,5'])
    """
    column = as_series(texts)
    if not len(column):
        return []
    few = column.gather_every(max(len(column) // sample, 1))
    if not few.str.contains("[0-9]").all():
        return []
    is_all = len(few) == len(column)
    if _fits(few, PLAIN) and (is_all or _fits(column, PLAIN)):
        return [PLAIN]
    fitting = [s for s in _candidates(few) if _fits(few, s) and (is_all or _fits(column, s))]
    plain = [s for s in fitting if s.grouping == "plain"]
    return plain or _likely(_without_doubles(fitting, column), column)


def _candidates(texts: pl.Series) -> list[Style]:
    currency = bool(texts.str.contains(rf"^[+-]?\s*{CURRENCY}|{CURRENCY}$").any())
    percent = bool(texts.str.contains(r"%$").all())
    return [Style(grouping, currency, percent) for grouping in STYLES]


def _without_doubles(fitting: list[Style], column: pl.Series) -> list[Style]:
    """Styles that read every text as the same number are one."""
    kept: list[Style] = []
    seen: list[Floats] = []
    for style in fitting:
        number, _ = parse_numbers(column, style)
        if not any(np.array_equal(number, other) for other in seen):
            kept.append(style)
            seen.append(number)
    return kept


def _likely(fitting: list[Style], column: pl.Series) -> list[Style]:
    """Of several styles, the one with commas for thousands, if some numbers have no mark. People who write three decimals write them always."""
    unmarked = not bool(column.str.contains("[,.]").all())
    thousands = [s for s in fitting if s.grouping == "1,234.5"]
    return thousands if thousands and unmarked else fitting


def _fits(texts: pl.Series, style: Style) -> bool:
    return not len(parse_numbers(texts, style)[1])


def _undressed(texts: pl.Series, style: Style) -> pl.Series:
    """Without the marks of currency and percent."""
    if style.currency:
        texts = texts.str.replace(rf"^([+-]?)\s*{CURRENCY}\s*", "${1}").str.replace(rf"\s*{CURRENCY}$", "")
    return texts.str.replace(r"\s*%$", "") if style.percent else texts


def _ungrouped(texts: pl.Series, grouping: str) -> pl.Series:
    """As plain numbers; a text that is not of the grouping becomes none."""
    if grouping == "plain":
        return texts
    texts = pl.select(pl.when(texts.str.contains(f"^(?:{_GROUPED[grouping]})$")).then(texts)).to_series()
    texts = texts.str.replace_all(_grouping_mark(grouping), "")
    return texts.str.replace(",", ".", literal=True) if grouping.endswith(",5") else texts


def _grouping_mark(grouping: str) -> str:
    return {"1,": ",", "1.": r"\."}.get(grouping[:2], _SPACE)


def _plain(texts: pl.Series) -> Floats:
    good = texts.str.contains(f"^(?:{_PLAIN})$").fill_null(False)
    kept = pl.select(pl.when(good).then(texts)).to_series()
    return kept.cast(pl.Float64, strict=False).fill_null(float("nan")).to_numpy().astype(np.float64)
