"""Whether a cell shows the hidden one of its own row: the same, at a fixed distance, or written within a longer text.

How often it would do so by accident is seen in other rows with the same label.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence

import numpy as np

from shoal.judge.hints.agreement import Ground, is_copied
from shoal.judge.hints.cells import DrawnColumn, Floats, Longs, bare

MOST_PAIRS = 600
MOST_TEXTS = 100
FEWEST_PAIRS = 20
WHOLE = 2.0**53


def _xor(x: Floats, y: Floats) -> Floats:
    whole = (x == np.rint(x)) & (y == np.rint(y)) & (np.abs(x) < WHOLE) & (np.abs(y) < WHOLE)
    numbers = [np.where(whole, side, 0).astype(np.int64) for side in (x, y)]
    return np.where(whole, (numbers[0] ^ numbers[1]).astype(np.float64), np.nan)


def _product(x: Floats, y: Floats) -> Floats:
    return np.where((x == 0) | (y == 0), np.nan, x * y)


def _ratio(x: Floats, y: Floats) -> Floats:
    return np.where((x == 0) | (y == 0), np.nan, x / np.where(y == 0, 1, y))


DISTANCES: tuple[Callable[[Floats, Floats], Floats], ...] = (np.subtract, np.add, _xor, _product, _ratio)
"""What may be the same in all rows, of two numbers. A product or a ratio with a zero says nothing."""


def copied(x: DrawnColumn, at: Ground) -> float:
    """The share of rows in which a number x is at the usual distance from the hidden one; 0 if it does so no more often than by accident."""
    a, b = _own_and_other(x, at, MOST_PAIRS)
    if len(a) < FEWEST_PAIRS or not (x.is_numeric and at.cells.is_numeric):
        return 0.0
    found = (_usual(x.number[a], at.cells.number[a], at.cells.number[b], distance) for distance in DISTANCES)
    return max((seen for seen, by_chance in found if is_copied(len(a), seen, by_chance)), default=0.0)


def _own_and_other(x: DrawnColumn, at: Ground, most: int) -> tuple[Longs, Longs]:
    """Rows in which x is there, and for each another with the same label."""
    a, b = at.pairs
    there = np.flatnonzero(x.is_there[a])[:most]
    return a[there], b[there]


def _usual(x: Floats, own: Floats, other: Floats, distance: Callable[[Floats, Floats], Floats]) -> tuple[float, float]:
    """How often the commonest distance occurs between a row's own cells, and by accident."""
    found = np.round(distance(x, own), 6)
    value, count = np.unique(found[np.isfinite(found)], return_counts=True)
    if not len(value):
        return 0.0, 1.0
    by_chance = float((np.round(distance(x, other), 6) == value[np.argmax(count)]).mean())
    return float(count.max() / len(x)), max(by_chance, 3 / len(x))


def contained(x: DrawnColumn, at: Ground) -> float:
    """The share of rows in which x's text holds the hidden one, forwards or backwards or encoded; 0 if that is an accident."""
    a, b = _own_and_other(x, at, MOST_TEXTS)
    if len(a) < FEWEST_PAIRS:
        return 0.0
    cells, own, other = x.bare(a), at.cells.bare(a), at.cells.bare(b)
    for sides in (cells, [text[::-1] for text in cells], _decoded(x, a)):
        seen, by_chance = _within(own, sides), _within(other, sides)
        if is_copied(len(a), seen, max(by_chance, 3 / len(a))):
            return seen
    return 0.0


def is_piece(x: DrawnColumn, at: Ground) -> bool:
    """Whether x's text is a piece of the hidden one, and not by accident."""
    a, b = _own_and_other(x, at, MOST_TEXTS)
    if len(a) < FEWEST_PAIRS:
        return False
    cells = x.bare(a)
    seen, by_chance = _within(cells, at.cells.bare(a)), _within(cells, at.cells.bare(b))
    return is_copied(len(a), seen, max(by_chance, 3 / len(a)))


def _within(inner: Sequence[str], outer: Sequence[str]) -> float:
    if not outer:
        return 0.0
    return sum(bool(i) and i in o for i, o in zip(inner, outer, strict=True)) / len(inner)


def _decoded(x: DrawnColumn, rows: Longs) -> list[str]:
    """Texts that were written in base64 or in hexadecimal digits; none where some were not."""
    found = []
    for text in (x.listed[row] or "" for row in rows.tolist()):
        plain = next(filter(None, map(_plain, bytes_of(text))), None)
        if plain is None:
            return []
        found.append(bare(plain))
    return found


def _plain(data: bytes) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ""
    return text if text.isprintable() else ""


def bytes_of(text: str) -> list[bytes]:
    """What a text stands for, read as hexadecimal digits, as base64 and as base32."""
    found = []
    for read in (bytes.fromhex, _base64, _base32):
        try:
            found.append(read(text))
        except (ValueError, binascii.Error):
            continue
    return found


def _base64(text: str) -> bytes:
    return base64.b64decode(_padded(text.replace("-", "+").replace("_", "/"), 4), validate=True)


def _base32(text: str) -> bytes:
    return base64.b32decode(_padded(text, 8))


def _padded(text: str, to: int) -> str:
    return text + "=" * (-len(text) % to)
