"""Releases that are true, and twenty ways to make one that is not: what a judge is tried with."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

NAMES = ("age", "town", "sex")
K = 3


@dataclass(frozen=True)
class Tried:
    """An original, and a release of it by position."""

    before: pl.DataFrame
    after: pl.DataFrame


def honest(seed: int) -> Tried:
    """Groups of three to six rows that show an interval, a set and a star or a value. Rows of a group lie anywhere."""
    rng = random.Random(seed)
    rows: list[tuple[str | None, ...]] = []
    for _ in range(rng.randint(3, 8)):
        low = rng.randrange(20, 80, 10)
        towns = rng.sample(["Bonn", "Kiel", "Ulm", "Trier"], 2)
        sex = rng.choice(["f", "m", None])
        for _ in range(rng.randint(K, 6)):
            age, town = str(rng.randrange(low, low + 10)), rng.choice(towns)
            rows.append((age, town, sex or rng.choice("fm"), rng.choice(["flu", "gout", "mumps"]), f"[{low}, {low + 10})",
                         f"{{{', '.join(sorted(towns))}}}", sex or "*"))  # fmt: skip
    rng.shuffle(rows)
    whole = pl.DataFrame(rows, schema=["age", "town", "sex", "ill", "a", "t", "s"], orient="row")
    before = whole.select("age", "town", "sex", "ill", note=pl.int_range(pl.len()).cast(pl.String))
    after = whole.select(age="a", town="t", sex="s", ill="ill").with_columns(before["note"])
    return Tried(before, after)


def put(tried: Tried, rng: random.Random, column: str, text: str | None, rows: int = 1) -> pl.DataFrame:
    """The release with other texts in some cells of a column."""
    at = rng.sample(range(tried.after.height), rows)
    return tried.after.with_columns(pl.when(pl.int_range(pl.len()).is_in(at)).then(pl.lit(text, pl.String)).otherwise(column).alias(column))


def swapped(tried: Tried, rng: random.Random, columns: tuple[str, ...]) -> pl.DataFrame:
    """Two rows exchange some cells."""
    order = list(range(tried.after.height))
    i, j = rng.sample(order, 2)
    order[i], order[j] = j, i
    return tried.after.with_columns(tried.after[order].select(columns))


Way = Callable[[Tried, random.Random], pl.DataFrame]
WAYS: dict[str, Way] = {
    "an interval elsewhere": lambda t, r: put(t, r, "age", "[90, 99)"),
    "an interval that ends too early": lambda t, r: put(t, r, "age", "[20, 21)", 4),
    "an exact age": lambda t, r: put(t, r, "age", t.before["age"][0]),
    "a missing age": lambda t, r: put(t, r, "age", None),
    "a label that nobody can read": lambda t, r: put(t, r, "age", "middle"),
    "three such labels": lambda t, r: put(t, r, "age", "middle", 3),
    "a set of other towns": lambda t, r: put(t, r, "town", "{Aachen, Berlin}"),
    "a town of another row": lambda t, r: put(t, r, "town", "Ulm", 3),
    "half of a set": lambda t, r: put(t, r, "town", "{Bonn, Nowhere}", 2),
    "a row that is suppressed alone": lambda t, r: t.after.with_columns(
        pl.when(pl.int_range(pl.len()) == r.randrange(t.after.height)).then(pl.lit("*")).otherwise(name).alias(name) for name in NAMES),
    "the other sex": lambda t, r: put(t, r, "sex", r.choice("fm"), 5),
    "a third sex": lambda t, r: put(t, r, "sex", "x"),
    "an illness changed": lambda t, r: put(t, r, "ill", "cholera"),
    "an illness missing": lambda t, r: put(t, r, "ill", None),
    "two illnesses exchanged": lambda t, r: swapped(t, r, ("ill",)),
    "two rows exchanged": lambda t, r: swapped(t, r, ("age", "town", "sex")),
    "a note changed": lambda t, r: put(t, r, "note", "7,", 2),
    "a column added": lambda t, r: t.after.with_columns(age_again=t.before["age"]),
    "a row twice": lambda t, r: pl.concat([t.after, t.after.head(1)]),
    "everything suppressed but one": lambda t, r: t.after.with_columns(
        pl.when(pl.int_range(pl.len()) > 0).then(pl.lit("*")).otherwise(name).alias(name) for name in NAMES),
}  # fmt: skip


def doctored(tried: Tried, way: str, seed: int) -> pl.DataFrame:
    """The release after one such change."""
    return WAYS[way](tried, random.Random(seed))
