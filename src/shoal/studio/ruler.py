"""A hierarchy of numbers or dates as a ruler: lines that cut it, each of some height. A line of height h cuts the
levels 1 … h, so levels are nested by themselves.

Lines are moved, added, removed, raised and lowered, and every change can be undone and done again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.errors import HierarchyError
from shoal.hierarchies.encoded import Encoded
from shoal.text.dates import DAY, date_forms, parse_moments, write_date
from shoal.text.labels import interval_label, number_text
from shoal.text.numbers import has_leading_zeros, read_numbers

Floats = NDArray[np.float64]
MOST_LINES = 400
MOST_STEPS = 100
"""Changes that can be undone."""
BINS = 60


@dataclass
class Ruler:
    """The values of a column on a line, and the lines between them."""

    values: tuple[str, ...]
    place: Floats
    """Where each value lies."""
    counts: NDArray[np.int64]
    is_date: bool
    lines: dict[float, int]
    """Where a line is, and its height."""
    past: list[dict[float, int]] = field(default_factory=list)
    future: list[dict[float, int]] = field(default_factory=list)

    @property
    def low(self) -> float:
        return float(self.place.min())

    @property
    def high(self) -> float:
        return float(self.place.max())

    @property
    def height(self) -> int:
        return max(self.lines.values(), default=0)

    def change(self, asked: dict[str, Any]) -> None:
        """One change, as a page asks for it."""
        what = str(asked.get("change"))
        if what == "look":
            return
        if what in ("undo", "redo"):
            self._travel(what == "undo")
            return
        at = self._spot(float(asked["at"])) if what == "add" else float(asked["at"])
        made = dict(self.lines)
        if what == "add":
            made[at] = max(made.get(at, 0), int(asked.get("height", 1)))
        elif at not in made:
            raise HierarchyError("There is no such line any more.")
        elif what == "move":
            height = made.pop(at)
            to = self._spot(float(asked["to"]))
            made[to] = max(height, made.get(to, 0))
        elif what == "remove":
            del made[at]
        elif what in ("raise", "lower"):
            made[at] += 1 if what == "raise" else -1
            if made[at] < 1:
                del made[at]
        else:
            raise HierarchyError("That change cannot be understood.")
        self._take(made)

    def _take(self, made: dict[float, int]) -> None:
        if len(made) > MOST_LINES:
            raise HierarchyError(
                f"That would be more than {MOST_LINES} lines. Remove some, or choose intervals of a width."
            )
        if not made:
            raise HierarchyError("A ruler needs one line at least. For no level between, choose suppression.")
        if made == self.lines:
            return
        self.past = [*self.past[-MOST_STEPS:], self.lines]
        self.future = []
        self.lines = dict(sorted(made.items()))

    def _travel(self, is_back: bool) -> None:
        here, there = (self.past, self.future) if is_back else (self.future, self.past)
        if not here:
            raise HierarchyError(f"There is nothing to {'undo' if is_back else 'redo'}.")
        there.append(self.lines)
        self.lines = here.pop()

    def take_back(self) -> None:
        """Undo a change that could not be kept, and do not offer it again."""
        self._travel(True)
        self.future = []

    def _spot(self, at: float) -> float:
        """The nearest place that can be written: a day, or a number of few digits; inside the values."""
        if not self.low < at <= self.high:
            raise HierarchyError("A line must lie between the least and the greatest value.")
        if self.is_date:
            return float(round(at / DAY) * DAY)
        if bool((self.place == np.round(self.place)).all()):
            return float(round(at))
        step = 10.0 ** np.floor(np.log10(max(self.high - self.low, 1e-9)) - 2)
        return float(f"{round(at / step) * step:.12g}")

    def text(self, at: float) -> str:
        """A place as it is written in a label."""
        return write_date(int(at // DAY), "YYYY-MM-DD") if self.is_date else number_text(float(at))

    def level(self, level: int) -> tuple[list[float], list[str], NDArray[np.int64]]:
        """Where the intervals of a level begin, their labels, and the interval of each value."""
        cuts = [at for at, height in self.lines.items() if height >= level]
        block = np.searchsorted(np.array(cuts), self.place, side="right")
        ends = [self.low, *cuts, self.high]
        labels = [
            interval_label(self.text(a), self.text(b), closed=i == len(cuts)) for i, (a, b) in enumerate(pairwise(ends))
        ]
        return ends[:-1], labels, block

    def rows(self) -> list[list[str]]:
        """In ARX's form, the least value first."""
        levels = [self.level(level) for level in range(1, self.height + 1)]
        order = np.argsort(self.place, kind="stable")
        columns = [[labels[b] for b in block[order].tolist()] for _, labels, block in levels]
        return [[*row, "*"] for row in zip((self.values[i] for i in order.tolist()), *columns, strict=True)]

    def drawn(self) -> dict[str, Any]:
        """What a page needs to draw it."""
        edges = np.linspace(self.low, self.high, BINS + 1)
        bins, _ = np.histogram(self.place, bins=edges, weights=self.counts)
        levels = []
        for level in range(1, self.height + 1):
            starts, labels, block = self.level(level)
            rows = np.bincount(block, weights=self.counts, minlength=len(labels)).astype(int)
            levels.append(
                [
                    {"label": label, "from": a, "to": b, "rows": int(n)}
                    for label, a, b, n in zip(labels, starts, [*starts[1:], self.high], rows, strict=True)
                ]
            )
        return {
            "low": self.low, "high": self.high, "low_text": self.text(self.low), "high_text": self.text(self.high),
            "bins": bins.astype(int).tolist(),
            "lines": [{"at": at, "text": self.text(at), "height": height} for at, height in self.lines.items()],
            "levels": levels, "step": self._step(), "can_undo": bool(self.past), "can_redo": bool(self.future),
        }  # fmt: skip

    def _step(self) -> float:
        """How far an arrow key moves a line."""
        if self.is_date:
            return float(DAY)
        return (
            1.0
            if bool((self.place == np.round(self.place)).all())
            else float(10.0 ** np.floor(np.log10(max(self.high - self.low, 1e-9)) - 2))
        )


def places(values: Sequence[str], kind: str) -> tuple[Floats, bool] | None:
    """Where the values of a column lie, and whether they are dates; None where they do not lie on a line."""
    if len(values) < 3:
        return None
    if kind in ("date", "timestamp"):
        form = next((form for form, unfit in date_forms(list(values)).items() if unfit == 0), None)
        return None if form is None else (parse_moments(list(values), form)[0].astype(np.float64), True)
    number, wrong = read_numbers(list(values))
    return None if len(wrong) or has_leading_zeros(list(values)) else (number, False)


def ruler_of(values: Sequence[str], counts: NDArray[np.int64], kind: str, made: Encoded) -> Ruler | None:
    """The ruler that cuts as a hierarchy does, as far as its groups lie together on the line; None where it has no
    line.
    """
    found = places(values, kind)
    if found is None:
        return None
    place, is_date = found
    ruler = Ruler(tuple(values), place, np.asarray(counts), is_date, {})
    if made.free is None:
        ruler.lines = _lines(ruler, made)
    if not ruler.lines:
        ruler.lines = {ruler._spot((ruler.low + ruler.high) / 2): 1}
    return ruler


def _lines(ruler: Ruler, made: Encoded) -> dict[float, int]:
    """A line wherever neighbours belong to different groups, as high as the highest level on which they do."""
    tree, order = made.tree, np.argsort(ruler.place, kind="stable")
    lines: dict[float, int] = {}
    levels = [level for level in tree.levels if 0 < level < int(tree.level[tree.root])]
    for height, level in enumerate(levels, start=1):
        node = tree.cut(level)[made.code_of][order]
        starts = np.flatnonzero(np.diff(node)) + 1
        if len(np.unique(node)) != len(starts) + 1 or len(starts) > MOST_LINES:
            return lines if height > 1 else {}  # groups that do not lie together cannot be cut by lines
        for i in starts.tolist():
            lines[_begin(ruler, made, order, i, int(node[i]))] = height
    return dict(sorted(lines.items()))


def _begin(ruler: Ruler, made: Encoded, order: NDArray[np.int64], i: int, node: int) -> float:
    """Where the group of the i-th value begins: its own bound where the hierarchy has one, else that value."""
    here, before = float(ruler.place[order[i]]), float(ruler.place[order[i - 1]])
    bounds = made.tree.bounds
    low = float(bounds[node, 0]) if bounds is not None and np.isfinite(bounds[node, 0]) else here
    return low if before < low <= here else here
