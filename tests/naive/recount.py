"""A second recount of a release, deliberately naive: plain Python, lists of texts, the definitions word by word.

It imports nothing of shoal, polars or numpy. A table is a list of rows, a row a list of cells, a cell a text or None for missing.
A *column* says how its labels are to be read (``reads``); everything is tried pair by pair.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from math import log2

Cell = str | None
Reads = Callable[[str, str], bool]
"""Whether a label (never ``*``) stands for a value, among other things."""


@dataclass(frozen=True)
class Column:
    """A quasi-identifier: its cells in the original, the values that may occur, and how its labels are read."""

    name: str
    cells: Sequence[Cell]
    reads: Reads
    also: frozenset[str] = frozenset()
    """Values of the hierarchy that the table does not have."""
    tops: frozenset[str] = frozenset({"*"})
    """What the whole column is called."""
    weight: float = 1.0

    @property
    def domain(self) -> set[Cell]:
        return set(self.cells) | self.also

    def shown_as(self, label: Cell) -> set[Cell]:
        """The values that a released cell may stand for."""
        if label is None:
            return {None}
        if label in self.tops or (label and not label.strip("*") and label not in self.domain):
            return self.domain
        if label in self.domain:
            return {label}
        return {v for v in self.domain if v is not None and self.reads(label, v)}


@dataclass(frozen=True)
class Asked:
    """What a release promises."""

    k: int
    columns: Sequence[Column]
    others: dict[str, Sequence[Cell]] = field(default_factory=dict)
    """Columns that are released as they are, with their cells in the original."""
    dropped: Sequence[str] = ()
    most_withheld: int = 0
    demands: Sequence[tuple[str, str, dict[str, float]]] = ()
    """(criterion, column, parameters)."""


def faults(asked: Asked, header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[str]:
    """What is wrong with a release; nothing if it keeps its promise."""
    found = [f"column {name!r} was to be dropped" for name in asked.dropped if name in header]
    names = [c.name for c in asked.columns]
    absent = [name for name in [*names, *asked.others] if name not in header]
    if absent:
        return [*found, f"columns {absent} are not there"]
    at = {name: header.index(name) for name in header}
    n = len(asked.columns[0].cells)
    if not n - asked.most_withheld <= len(rows) <= n:
        found.append(f"{len(rows)} of {n} rows, and {asked.most_withheld} may be withheld")
    groups: dict[tuple[Cell, ...], list[int]] = {}
    for i, row in enumerate(rows):
        groups.setdefault(tuple(row[at[name]] for name in names), []).append(i)
    found += [f"a group of {len(members)}" for members in groups.values() if len(members) < asked.k]
    for criterion, name, parameters in asked.demands:
        table = list(asked.others[name])
        for members in groups.values():
            if not CRITERIA[criterion]([rows[i][at[name]] for i in members], table, parameters):
                found.append(f"a group breaks {criterion}")
    if not found and matching(asked, at, rows) is None:
        found.append("no way to match the released rows to original ones: a cell is untrue or a column was changed")
    return found


def matching(asked: Asked, at: dict[str, int], rows: Sequence[Sequence[Cell]]) -> list[int] | None:
    """For each released row an original row of its own that it may be; None if there is no such choice (Kuhn's algorithm)."""
    n = len(asked.columns[0].cells)
    shown = [[c.shown_as(row[at[c.name]]) for c in asked.columns] for row in rows]
    fits = [
        [
            i
            for i in range(n)
            if all(row[at[name]] == cells[i] for name, cells in asked.others.items())
            and all(c.cells[i] in sets for c, sets in zip(asked.columns, shown[r], strict=True))
        ]
        for r, row in enumerate(rows)
    ]
    holder: dict[int, int] = {}

    def place(r: int, tried: set[int]) -> bool:
        for i in fits[r]:
            if i not in tried:
                tried.add(i)
                if i not in holder or place(holder[i], tried):
                    holder[i] = r
                    return True
        return False

    for r in range(len(rows)):
        if not place(r, set()):
            return None
    source = {r: i for i, r in holder.items()}
    return [source[r] for r in range(len(rows))]


def too_few_people(rows: Sequence[Sequence[Cell]], shown: Sequence[int], person: Sequence[Cell], k: int) -> list[str]:
    """Groups in which fewer than k different people have a row; ``person`` is each released row's own. A missing person counts as nobody."""
    groups: dict[tuple[Cell, ...], set[str]] = {}
    for row, who in zip(rows, person, strict=True):
        people = groups.setdefault(tuple(row[i] for i in shown), set())
        if who is not None and who.strip():
            people.add(who.strip())
    return [f"a group with rows of {len(people)} people" for people in groups.values() if len(people) < k]


# ---- losses ----


def losses(asked: Asked, at: dict[str, int], rows: Sequence[Sequence[Cell]], source: Sequence[int]) -> dict[str, float]:
    """Weighted totals of the measures that need only sets of values: ``source`` says which original row each released one is."""
    total = dict.fromkeys(("entropy", "monotone-entropy", "non-uniform-entropy", "information-share", "root-share", "stars"), 0.0)
    for column in asked.columns:
        count = Counter(column.cells)
        n = len(column.cells)
        all_bits = -sum(c / n * log2(c / n) for c in count.values())
        left = 1 - sum((c / n) ** 1.5 for c in count.values())
        several = len(count) > 1
        for row, i in zip(rows, source, strict=True):
            shown = column.shown_as(row[at[column.name]])
            inside = {v: count[v] for v in shown if count[v]}
            whole = sum(inside.values())
            bits = -sum(c / whole * log2(c / whole) for c in inside.values())
            total["entropy"] += column.weight * bits
            total["monotone-entropy"] += column.weight * bits * whole / n
            total["non-uniform-entropy"] += column.weight * log2(whole / count[column.cells[i]])
            own = count[column.cells[i]]
            total["information-share"] += column.weight * log2(whole / own) / all_bits if several else 0.0
            total["root-share"] += column.weight * ((whole / n) ** 0.5 - (own / n) ** 0.5) / left if several else 0.0
            total["stars"] += column.weight * (len(shown) > 1)
    return total


# ---- criteria: a group's sensitive cells, the table's, the parameters ----


def known(cells: Sequence[Cell], table: Sequence[Cell]) -> list[object]:
    """The values that are there; numbers are alike however they are written, if the whole column is numbers."""
    are_numbers = all(number(c) is not None for c in table if c is not None)
    return [number(c) if are_numbers else c for c in cells if c is not None]


def distinct(cells: Sequence[Cell], table: Sequence[Cell], p: dict[str, float]) -> bool:
    return len(set(known(cells, table))) >= p["l"]


def filled(cells: Sequence[Cell], table: Sequence[Cell]) -> list[int]:
    """Falling counts of the values, each missing cell counted as the commonest one: missing adds no diversity."""
    counts = sorted(Counter(known(cells, table)).values(), reverse=True) or [0]
    return [counts[0] + sum(c is None for c in cells), *counts[1:]]


def effective(cells: Sequence[Cell], table: Sequence[Cell], p: dict[str, float]) -> bool:
    bits = -sum(c / len(cells) * log2(c / len(cells)) for c in filled(cells, table) if c)
    return 2**bits >= p["l"] * (1 - 1e-9)


def recursive(cells: Sequence[Cell], table: Sequence[Cell], p: dict[str, float]) -> bool:
    counts = filled(cells, table)
    return counts[0] < p["c"] * sum(counts[int(p["l"]) - 1 :])


def close(cells: Sequence[Cell], table: Sequence[Cell], p: dict[str, float]) -> bool:
    """Earth mover's distance to the whole table is at most t.

    Categories are all one apart: half the sum of the differences. Numbers stand on a line in their order, evenly from 0 to 1 (a single
    one at 1); what is missing stands at 2. Equal numbers written differently stand at one place.
    """
    values = sorted(set(table), key=str)
    mine = {v: Fraction(sum(c == v for c in cells), len(cells)) for v in values}
    whole = {v: Fraction(sum(c == v for c in table), len(table)) for v in values}
    numbers = {v: number(v) for v in values if v is not None}
    if None in numbers.values() or not numbers:
        return sum(abs(mine[v] - whole[v]) for v in values) / 2 <= p["t"] + 1e-9
    line = sorted({x for x in numbers.values() if x is not None})
    steps = len(line) - 1
    place = {v: Fraction(line.index(x), steps) if steps else Fraction(1) for v, x in numbers.items() if x is not None}
    at: dict[Cell, Fraction] = {**place, None: Fraction(2)}
    stops = sorted({at[v] for v in values})
    moved = Fraction(0)
    for here, there in itertools.pairwise(stops):
        moved += (there - here) * abs(sum(mine[v] - whole[v] for v in values if at[v] <= here))
    return moved <= p["t"] + 1e-9


Rule = Callable[[Sequence[Cell], Sequence[Cell], dict[str, float]], bool]


def bare(cells: Sequence[Cell]) -> list[Cell]:
    """Blanks around a text are no part of it, and a text of blanks alone is a missing cell."""
    return [(c.strip() or None) if c is not None else None for c in cells]


def of_bare_texts(rule: Rule) -> Rule:
    return lambda cells, table, p: rule(bare(cells), bare(table), p)


CRITERIA: dict[str, Rule] = {
    "distinct-l-diversity": of_bare_texts(distinct),
    "entropy-l-diversity": of_bare_texts(effective),
    "recursive-l-diversity": of_bare_texts(recursive),
    "t-closeness": of_bare_texts(close),
}


# ---- how labels are read ----

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
INTERVAL = re.compile(r"\[(.+), (.+)([\])])")


def number(text: str) -> Fraction | None:
    return Fraction(text) if NUMBER.fullmatch(text) else None


def by_rows(rows: Sequence[Sequence[str]]) -> Reads:
    """A hierarchy given row by row: a label stands for the values in whose rows it is."""
    return lambda label, value: any(row[0] == value and label in row for row in rows)


def by_interval(label: str, value: str) -> bool:
    """``[20, 30)`` and ``[20, 29]``, of numbers or of ISO days."""
    found = INTERVAL.fullmatch(label)
    if not found:
        return False
    low, high, end = found.groups()
    ends = [number(low), number(high), number(value)]
    if None in ends:
        try:
            ends = [Fraction(date.fromisoformat(t[:10]).toordinal()) for t in (low, high, value)]
        except ValueError:
            return False
    a, b, x = ends
    assert a is not None
    assert b is not None
    assert x is not None
    return a <= x <= b if end == "]" else a <= x < b


def by_prefix(label: str, value: str) -> bool:
    """``81***``: as long as the value, alike up to the stars."""
    stem = label.rstrip("*")
    return len(label) == len(value) and len(stem) < len(label) and value.startswith(stem)


def by_date(label: str, value: str) -> bool:
    """The block of an ISO day: ``2024-05-17``, ``2024-W20``, ``2024-05``, ``2024-Q2``, ``2024``, ``2020s``."""
    day = date.fromisoformat(value[:10])
    year, week, _ = day.isocalendar()
    names = {
        day.isoformat(), f"{year}-W{week:02d}", f"{day.year:04d}-{day.month:02d}", f"{day.year:04d}-Q{(day.month - 1) // 3 + 1}",
        f"{day.year:04d}", f"{day.year // 10}0s",
    }  # fmt: skip
    return label in names


def by_set(label: str, value: str) -> bool:
    """``{a, "b, c"}``: members stand bare, or in quotes as JSON writes them."""
    if not (label.startswith("{") and label.endswith("}")):
        return False
    body, members = label[1:-1], []
    while body:
        if body.startswith('"'):
            member, end = json.JSONDecoder().raw_decode(body)
        else:
            end = len(body.split(", ", 1)[0])
            member = body[:end]
        members.append(member)
        body = body[end:].removeprefix(", ")
    return value in members


def by_rest(label: str, value: str) -> bool:
    """``not {a, b}``: every value but these."""
    return label.startswith("not {") and not by_set(label.removeprefix("not "), value)


def by_decimal_comma(label: str, value: str) -> bool:
    """An interval of numbers that are written as in ``1,5``."""
    return by_interval(label, value.replace(",", ".", 1))


def by_any(*ways: Reads) -> Reads:
    def reads(label: str, value: str) -> bool:
        for way in ways:
            try:
                if way(label, value):
                    return True
            except ValueError:
                continue
        return False

    return reads


def nothing(label: str, value: str) -> bool:
    """Suppression only: no label but ``*``."""
    return False


# ---- files ----


def parse_csv(text: str, delimiter: str = ",") -> list[list[Cell]]:
    """Comma-separated text, character by character: an empty cell is missing, an empty cell in quotes is the empty text."""
    rows: list[list[Cell]] = []
    row: list[Cell] = []
    cell, quoted, inside, i = "", False, False, 0
    while i < len(text):
        c = text[i]
        if inside:
            if c == '"' and text[i + 1 : i + 2] == '"':
                cell, i = cell + '"', i + 1
            elif c == '"':
                inside = False
            else:
                cell += c
        elif c == '"':
            inside = quoted = True
        elif c in (delimiter, "\n"):
            row.append(cell if cell or quoted else None)
            cell, quoted = "", False
            if c == "\n":
                rows.append(row)
                row = []
        else:
            cell += c
        i += 1
    return rows
