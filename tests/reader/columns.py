"""Random columns with every builder of hierarchies, and the labels of other tools."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np

import shoal
from shoal.hierarchies.files import text_of
from tests.naive import recount

Rng = np.random.Generator
SCALES = (
    ["never", "rarely", "sometimes", "often", "always"],
    ["very low", "low", "medium", "high", "very high"],
    ["<18", "18-24", "25-44", "45-64", "65-74", "75+"],
    ["none", "primary", "secondary", "college", "master", "phd"],
    ["mild", "moderate", "severe", "critical"],
)
TOWNS = ["Graz", "Linz", "Wien", "Enns", "Lech", "Bad Ischl", "Sankt Pölten", "Hall, Tirol", "Weiz", "Zell"]
JOBS = {
    "care": ["nurse", "doctor", "midwife"],
    "food": ["cook", "waiter", "baker"],
    "craft": ["smith", "joiner", "potter"],
    "Other": ["Other", "clown", "diver"],
}


@dataclass(frozen=True)
class Made:
    """A column as texts, and what is asked of it."""

    builder: str
    cells: list[str | None]
    spec: Any
    """Its hierarchy; None for the default."""
    reads: recount.Reads
    """The second definition of its labels."""
    place: Callable[[str], float] | None = None
    """Where a value lies on the line, if it has one."""
    is_date: bool = False
    also: frozenset[str] = frozenset()
    """Values that labels may stand for besides those of the table."""
    is_listed: bool = False
    """Whether labels are names of a list."""


def drawn(rng: Rng, values: Sequence[str], n: int) -> list[str | None]:
    """Cells of some values, a few frequent and many rare."""
    share = rng.random(len(values)) ** rng.choice([1, 3, 6]) + 0.01
    return [str(v) for v in rng.choice(values, n, p=share / share.sum())]


def words(rng: Rng, n: int, _: Path) -> Made:
    return Made("suppression", drawn(rng, TOWNS[: int(rng.integers(2, 11))], n), shoal.suppression(), recount.nothing)


def categories(rng: Rng, n: int, _: Path) -> Made:
    """No hierarchy: the default may put the rare ones together."""
    values = [f"{c}{d}" for c in ("red", "blue", "green", "grey") for d in ("", " light", " dark")]
    return Made("default words", drawn(rng, values[: int(rng.integers(3, 12))], n), None, recount.by_any(recount.by_set, recount.by_rest))


def ages(rng: Rng, n: int, _: Path) -> Made:
    numbers = rng.integers(18, int(rng.integers(30, 95)), n)
    spec = [shoal.intervals(5, 10, 20), shoal.intervals(10), shoal.intervals(2, 4), None][int(rng.integers(4))]
    return Made("intervals", numbers.astype(str).tolist(), spec, recount.by_interval, float)


def decimals(rng: Rng, n: int, _: Path) -> Made:
    """Halves and tenths in intervals with whole ends; what is frequent is often whole."""
    numbers = np.where(rng.random(n) < 0.5, rng.normal(75, 12, n).round(1), rng.normal(75, 12, n).round())
    spec = [shoal.intervals(5, 10, 20), shoal.intervals("0.5", 5), None][int(rng.integers(3))]
    return Made("intervals of decimals", [f"{x:g}" for x in numbers], spec, recount.by_interval, float)


def commas(rng: Rng, n: int, _: Path) -> Made:
    numbers = rng.normal(75, 12, n).round(1)
    cells = [f"{x:.1f}".replace(".", ",") for x in numbers]
    return Made("intervals of decimals", cells, shoal.intervals(5, 10), recount.by_decimal_comma, lambda t: float(t.replace(",", ".")))


def incomes(rng: Rng, n: int, _: Path) -> Made:
    numbers = (np.exp(rng.normal(7, 1.3, n)).astype(int) // 10) * 10
    return Made("grid", numbers.astype(str).tolist(), shoal.grid(), recount.by_interval, float)


def any_numbers(rng: Rng, n: int, _: Path) -> Made:
    numbers = rng.integers(18, 70, n) if rng.random() < 0.6 else rng.normal(20, 4, n).round(1)
    return Made("any_interval", [f"{x:g}" for x in numbers], shoal.any_interval(), recount.by_interval, float)


def day_of(text: str) -> float:
    return float(date.fromisoformat(text).toordinal())


def days(rng: Rng, n: int, _: Path) -> Made:
    first = date(int(rng.integers(1950, 2015)), 1, 1)
    cells = [(first + timedelta(int(d))).isoformat() for d in rng.integers(0, int(rng.choice([40, 400, 8000])), n)]
    units = [("month", "year"), ("week",), ("quarter", "year", "decade"), ("month", "quarter"), ("year",)][int(rng.integers(5))]
    return Made("dates", list(cells), shoal.dates(*units), recount.by_date, day_of, True)


def any_days(rng: Rng, n: int, _: Path) -> Made:
    cells = [(date(1990, 1, 1) + timedelta(int(d))).isoformat() for d in rng.integers(0, 900, n)]
    return Made("any_interval", list(cells), shoal.any_interval(), recount.by_interval, day_of, True)


def german_days(rng: Rng, n: int, _: Path) -> Made:
    def written(d: date) -> str:
        return f"{d.day:02}.{d.month:02}.{d.year}"

    cells = [written(date(1980, 1, 1) + timedelta(int(d))) for d in rng.integers(0, 5000, n)]

    def iso(text: str) -> str:
        return "-".join(reversed(text.split(".")))

    return Made("dates", list(cells), None, lambda label, v: recount.by_date(label, iso(v)), lambda t: day_of(iso(t)), True)


def clocks(rng: Rng, n: int, _: Path) -> Made:
    minutes = rng.integers(0, 1440 // 15, n) * 15
    cells = [f"{m // 60:02}:{m % 60:02}" for m in minutes.tolist()]
    return Made("times", list(cells), shoal.times(), lambda label, v: label[1:6] <= v < label[8:13])


def codes(rng: Rng, n: int, _: Path) -> Made:
    """Postal codes, some with zeros in front and some that look like numbers."""
    start = str(rng.choice(["0", "8", "A"]))
    some = [f"{start}{c}" for c in rng.integers(1000, 1400, 25)]
    return Made("prefixes", drawn(rng, some, n), shoal.prefixes(*([] if rng.random() < 0.5 else [4, 2])), recount.by_prefix)


def districts(rng: Rng, n: int, _: Path) -> Made:
    """British postal codes, which the default cuts into districts and areas."""
    some = [f"{a}{d} {u}AB" for a in ("SW", "N", "EC") for d in (1, 2, 11) for u in (1, 2)]

    def reads(label: str, v: str) -> bool:
        district = v.partition(" ")[0]
        return label == f"{re.sub('[0-9].*', '', district)} area" or label == f"{district} ***"

    return Made("default words", drawn(rng, some, n), None, reads)


def job_rows() -> list[list[str]]:
    return [[job, name, "any work", "*"] for name, members in JOBS.items() for job in members]


def names_of_a_list(rng: Rng, n: int, _: Path) -> Made:
    """Names of groups; one is called like one of its values."""
    cells = drawn(rng, [job for members in JOBS.values() for job in members], n)
    rows = job_rows()
    return Made("levels", cells, shoal.levels(rows), recount.by_rows(rows), also=frozenset(r[0] for r in rows), is_listed=True)


def names_of_numbers(rng: Rng, n: int, _: Path) -> Made:
    """'40-44' holds 41 to 45, as in the hierarchies that come with a well-known tool."""
    cells = rng.integers(20, 70, n).astype(str).tolist()
    rows = [
        [str(a), f"{(a - 1) // 5 * 5}-{(a - 1) // 5 * 5 + 4}", f"{(a - 1) // 20 * 20}-{(a - 1) // 20 * 20 + 19}", "*"]
        for a in range(15, 95)
    ]
    return Made("levels", cells, shoal.levels(rows), recount.by_rows(rows), float, also=frozenset(r[0] for r in rows), is_listed=True)


def a_file(rng: Rng, n: int, folder: Path) -> Made:
    made = names_of_a_list(rng, n, folder)
    path = folder / "job.csv"
    path.write_text(text_of(job_rows()))
    return Made("file", made.cells, shoal.hierarchies.from_file(path), made.reads, also=made.also, is_listed=True)


def sets(rng: Rng, n: int, _: Path) -> Made:
    spec = shoal.hierarchies.laminar({"west": ["Lech", "Hall, Tirol"], "middle": ["Linz", "Enns", "Weiz"], "some": ["Linz", "Enns"]})
    where = {"west": ["Lech", "Hall, Tirol"], "middle": ["Linz", "Enns", "Weiz"], "some": ["Linz", "Enns"]}
    also = frozenset(v for some in where.values() for v in some)
    return Made("laminar", drawn(rng, TOWNS, n), spec, lambda label, v: v in where.get(label, ()), also=also, is_listed=True)


def subsets(rng: Rng, n: int, _: Path) -> Made:
    return Made("any_subset", drawn(rng, TOWNS[: int(rng.integers(3, 11))], n), shoal.any_subset(), recount.by_set)


def ordered(rng: Rng, n: int, _: Path) -> Made:
    """Words with an order: of a policy that no reader can guess, or of the kind that the default finds; with an answer outside the order."""
    kind = int(rng.integers(3))
    order = [SCALES[int(rng.integers(len(SCALES)))], list(rng.permutation(TOWNS[:7])), ["cold", "cool", "mild", "warm", "hot"]][kind]
    beside = ["unknown"] if rng.random() < 0.4 else []

    def reads(label: str, v: str) -> bool:
        low, word, high = label.partition(" to ")
        return v in order and (order.index(low) <= order.index(v) <= order.index(high) if word else recount.by_set(label, v))

    spec = None if kind == 0 else shoal.neighbours(order)
    return Made(
        "neighbours" if spec else "default order",
        drawn(rng, [*order, *beside], n),
        spec,
        reads,
        also=frozenset(order) if spec else frozenset(),
    )


KINDS: tuple[Callable[[Rng, int, Path], Made], ...] = (
    words, categories, ages, ages, decimals, commas, incomes, any_numbers, days, any_days, german_days, clocks, codes, codes, districts, names_of_a_list, names_of_numbers,
    a_file, sets, subsets, subsets, ordered, ordered, ordered,
)  # fmt: skip

INTERVAL = re.compile(r"\[(-?[\d.]+), (-?[\d.]+)([\])])")


def as_others(rng: Rng, labels: Sequence[str | None]) -> list[str | None]:
    """The labels of a column in the notation of another tool, one for all."""
    way = int(rng.integers(7))

    def one(label: str | None) -> str | None:
        if label is None:
            return None
        if (found := INTERVAL.fullmatch(label)) is not None:
            low, high, end = found.groups()
            last = high if end == "]" or not high.lstrip("-").isdigit() else str(int(high) - 1)
            return (
                f"{low}-{last}",
                f"{low}~{last}",
                f"{low} to {last}",
                f"{low}..{last}",
                f"[{low}-{high}{end}",
                f"{low}–{last}",
                f"[{low}:{high}{end}",
            )[way]
        if label.startswith("{") and '"' not in label:
            members = label[1:-1].split(", ")
            return (
                ",".join(members),
                "~".join(members),
                str(members),
                "|".join(members),
                f"[{members[0]}~{members[-1]}]",
                ";".join(members),
                label,
            )[way]
        if label.endswith("**") and way % 2 and label.strip("*"):
            return f"{label.rstrip('*')}*"
        return label

    return [one(label) for label in labels]
