"""Small pictures of a column's values: a histogram of numbers and dates, bars for the most frequent of other values."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from shoal.table import Coded
from shoal.text.dates import DAY, date_forms, parse_moments, write_date
from shoal.text.labels import number_text
from shoal.text.numbers import read_numbers

BINS = 16
NUMBERS = ("number", "year", "latitude", "longitude", "ordered")
TIMES = ("date", "timestamp")


@dataclass(frozen=True)
class Silhouette:
    """How the rows of a column lie: bars with a label each; ``is_line`` where they stand in order on a line."""

    labels: tuple[str, ...]
    counts: tuple[int, ...]
    is_line: bool

    def words(self) -> str:
        """For somebody who does not see the picture."""
        if not self.counts:
            return "no values"
        if self.is_line:
            top = int(np.argmax(self.counts))
            return f"from {self.labels[0]} to {self.labels[-1]}, most about {self.labels[top]}"
        return ", ".join(f"{label}: {n:,}" for label, n in zip(self.labels[:5], self.counts[:5], strict=True))


def spread_of(column: Coded, kind: str) -> Silhouette:
    """Where the rows of a column lie."""
    counts = column.counts()
    if column.n_values == 0:
        return Silhouette((), (), False)
    if kind in NUMBERS:
        number, wrong = read_numbers(column.values)
        good = np.isfinite(number)
        if good.any() and len(wrong) <= 0.5 * len(number):
            return _histogram(number[good], counts[good], lambda x: number_text(float(f"{x:.4g}")))
    if kind in TIMES:
        form = next(iter(date_forms(column.values)), None)
        if form is not None:
            moment, wrong = parse_moments(column.values, form)
            good = np.ones(len(moment), dtype=bool)
            good[wrong] = False
            if good.any():
                return _histogram(
                    moment[good].astype(float), counts[good], lambda x: write_date(int(x // DAY), "YYYY-MM")
                )
    top = _most(counts)
    return Silhouette(tuple(column.values[int(i)] for i in top), tuple(int(counts[i]) for i in top), False)


def _most(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The most frequent values, the first of equals; without sorting all of them, which may be a million."""
    if len(counts) <= BINS:
        return np.argsort(-counts, kind="stable")
    least = np.partition(counts, -BINS)[-BINS]
    above = np.flatnonzero(counts > least)
    chosen = np.concatenate([above, np.flatnonzero(counts == least)[: BINS - len(above)]])
    return chosen[np.argsort(-counts[chosen], kind="stable")]


def _histogram(place: NDArray[np.float64], counts: NDArray[np.int64], say: object) -> Silhouette:
    low, high = float(place.min()), float(place.max())
    n_bins = min(BINS, len(np.unique(place)))
    edges = np.linspace(low, high, n_bins + 1)
    bins, _ = np.histogram(place, bins=edges, weights=counts)
    middle = [low, *((edges[1:-2] + edges[2:-1]) / 2), high] if n_bins > 1 else [low]
    return Silhouette(tuple(say(x) for x in middle[:n_bins]), tuple(int(n) for n in bins), True)  # type: ignore[operator]


def spark(spread: Silhouette, width: int = 64, height: int = 18) -> str:
    """The picture in a line of text; it only decorates, so it has no words."""
    most = max(spread.counts, default=0) or 1
    step = width / max(len(spread.counts), 4)
    bars = "".join(
        f'<rect x="{i * step:.1f}" y="{height - max(height * n / most, 1):.1f}" width="{max(step - 1, 1):.1f}" '
        f'height="{max(height * n / most, 1):.1f}" class="{"a" if spread.is_line else "b"}"/>'
        for i, n in enumerate(spread.counts)
        if n
    )
    return f'<svg class="spark" viewBox="0 0 {width} {height}" aria-hidden="true">{bars}</svg>'


def large(title: str, spread: Silhouette, width: int = 320, height: int = 90) -> str:
    """The picture with words, and its ends below it."""
    most = max(spread.counts, default=0) or 1
    step = width / max(len(spread.counts), 1)
    bars = "".join(
        f'<rect x="{i * step:.1f}" y="{height - height * n / most:.1f}" width="{max(step - 1.5, 1):.1f}" '
        f'height="{height * n / most:.1f}" class="{"a" if spread.is_line else "b"}"><title>{escape(label)}: {n:,} '
        "rows</title></rect>"
        for i, (label, n) in enumerate(zip(spread.labels, spread.counts, strict=True))
    )
    last = spread.labels[-1][:18] if spread.is_line and spread.labels else "the most frequent first"
    first = spread.labels[0][:18] if spread.labels else ""
    ends = (
        f'<text x="0" y="{height + 14}">{escape(first)}</text><text x="{width}" y="{height + 14}" '
        f'text-anchor="end">{escape(last)}</text>'
    )
    return (
        f'<svg class="large" viewBox="0 0 {width} {height + 18}" role="img" aria-label="{escape(title)}: '
        f'{escape(spread.words())}">{bars}{ends}</svg>'
    )
