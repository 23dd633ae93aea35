"""Random releases, read in every way that an analyst may read them, and random questions whose answers are known."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import shoal
from shoal.reader.vocabulary import Vocabulary
from tests.naive import certain, recount
from tests.reader.columns import KINDS, Made, as_others

SLACK = 1e-6
WAYS = ("object", "manifest", "manifest", "lists", "policy", "named", "alone", "bounds", "typed", "others", "others")
"""How a release is read: as the object; its file with the manifest; with lists that the caller has, or with the policy; with the names of its quasi-identifiers alone, or
with nothing; in the other forms; and written in the notation of another tool."""
HELD = 0.93, 0.97
"""How often an interval of 95 % should hold the truth."""


@dataclass
class Tally:
    """What came of some questions."""

    n_tables: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    false: list[str] = field(default_factory=list)
    """Questions whose answer is not between the ends that were called certain."""
    tight: list[str] = field(default_factory=list)
    """Questions in which the reader was more certain than the hierarchies allow."""
    held: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    """By way of reading, by builder and by kind of question: whether the interval held the truth, where the answer is not certain."""
    n_certain: int = 0
    """Counts that are certain, and so have no interval."""
    widths: list[tuple[float, float]] = field(default_factory=list)
    """The widths of the intervals of counts, each beside what is possible."""

    def share(self, key: str) -> float:
        return float(np.mean(self.held[key])) if self.held[key] else np.nan

    def add(self, keys: list[str], holds: bool) -> None:
        for key in ["all", *keys]:
            self.held[key].append(holds)

    def add_count(self, keys: list[str], answer: Any, truth: int) -> None:
        self.asked["count"] += 1
        possible = answer.at_most - answer.at_least
        if possible <= 0:
            self.n_certain += 1
            return
        self.widths.append((answer.high - answer.low, possible))
        sizes = [f"rows in doubt: {_step(possible, (10, 100))}", f"estimate: {_step(answer.value, (1, 10, 100))}"]
        self.add(["kind: count", *keys, *sizes], bool(answer.low - SLACK <= truth <= answer.high + SLACK))


def _step(number: float, steps: tuple[int, ...]) -> str:
    """Between which steps a number lies."""
    return next((f"below {step}" for step in steps if number < step), f"{steps[-1]} or more")


@dataclass
class Case:
    """A table, its release, and how it is read."""

    columns: dict[str, Made]
    original: pl.DataFrame
    """The rows that were released, as they were."""
    shown: pl.DataFrame
    reading: Any
    way: str
    naive: dict[str, recount.Column]
    algorithm: str = "another tool's"


def case(seed: int, folder: Path) -> Case | None:
    """The case of a seed; None where there is no release of it."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(60, 400)), int(rng.integers(2, 9))
    kinds = rng.choice(len(KINDS), int(rng.integers(1, 5)), replace=False)
    columns = {f"c{j}": KINDS[kind](rng, n, folder) for j, kind in enumerate(kinds)}
    if rng.random() < 0.3:
        for made in columns.values():
            for i in np.flatnonzero(rng.random(n) < 0.08).tolist():
                made.cells[i] = None
    frame = pl.DataFrame({name: pl.Series(made.cells, dtype=pl.String) for name, made in columns.items()})
    frame = frame.with_columns(ill=pl.Series(rng.choice(["flu", "gout", "ache"], n, p=[0.6, 0.3, 0.1]).tolist()))
    about: dict[str, Any] = {
        "k": k, "quasi_identifiers": list(columns), "sensitive": ["ill"], "effort": 0.05,
        "hierarchies": {name: made.spec for name, made in columns.items() if made.spec is not None},
        "missing": str(rng.choice(["value", "suppress"])), "measure": str(rng.choice(["root-share", "non-uniform-entropy", "lm"])),
        "algorithm": str(rng.choice(["auto", "auto", "mondrian", "full-domain"])),
    }  # fmt: skip
    about |= [{}, {}, {"withhold": 0.1}, {"deletion": True}][int(rng.integers(4))]
    try:
        release = shoal.anonymize(frame, **about)
    except shoal.ShoalError:
        return None
    way = WAYS[int(rng.integers(len(WAYS)))]
    reading, shown = read(rng, release, columns, way)
    naive = {name: recount.Column(name, made.cells, made.reads, made.also) for name, made in columns.items()}
    return Case(columns, frame[release.rows], shown, reading, way, naive, about["algorithm"])


def read(rng: np.random.Generator, release: shoal.Release, columns: dict[str, Made], way: str) -> tuple[Any, pl.DataFrame]:
    """A release, read in one way."""
    shown, manifest = release.frame, json.loads(json.dumps(release.manifest))
    if way == "object":
        return shoal.read(release), shown
    if way == "manifest":
        return shoal.read(shown.clone(), manifest=manifest), shown
    if way == "lists":
        lists = {name: made.spec for name, made in columns.items() if made.spec is not None}
        return shoal.read(shown.clone(), quasi_identifiers=list(columns), hierarchies=lists, measure=manifest["measure"]), shown
    if way == "policy":
        return shoal.read(shown.clone(), manifest=manifest, policy=release.policy), shown
    if way in ("bounds", "typed"):
        return shoal.read(release.to_table(form=way), manifest=manifest, policy=release.policy, form=way), shown
    if way == "others":
        shown = shown.with_columns(pl.Series(name, as_others(rng, shown[name].to_list()), dtype=pl.String) for name in columns)
    named = list(columns) if way != "alone" else None
    return shoal.read(shown.clone(), quasi_identifiers=named), shown


Meets = Callable[[str | None], bool]


def condition(rng: np.random.Generator, case: Case, name: str, made: Made | None, cells: list[str | None]) -> tuple[Any, Meets]:
    """What is asked of a column, and which values meet it."""
    reading, there = case.reading, [cell for cell in cells if cell is not None]
    is_line = made is not None and made.place is not None and reading.columns[name].is_line
    if is_line and there and rng.random() < 0.75:
        place = made.place
        low, high = sorted(place(str(v)) for v in rng.choice(there, 2))
        if made.is_date:
            from datetime import date

            asked = str(date.fromordinal(int(low))), str(date.fromordinal(int(high)))
        else:
            low, high = low - float(rng.choice([0, 0, 0.3, 5])), high + float(rng.choice([0, 0, 0.4, 3]))
            asked = low, high
        return asked, lambda v: v is not None and low <= place(v) <= high
    if None in cells and rng.random() < 0.1:
        return None, lambda v: v is None
    shown = set(case.shown[name].to_list()) - set(cells)  # a label that is no value has no true count
    listed = [v for v in reading.columns[name].words.values if v is not None and v not in shown]
    known = listed if is_line or rng.random() < 0.5 else [v for v in there if v in set(listed)]
    some = sorted({str(v) for v in rng.choice(known or there, int(rng.integers(1, 4)))})
    if rng.random() < 0.3:
        some = some[:1]
        return some[0], one_of(some, made if is_line else None, reading.columns[name].words)
    return some, one_of(some, made if is_line else None, reading.columns[name].words)


def one_of(some: list[str], made: Made | None, words: Vocabulary) -> Meets:
    """Whether a value is one of some. Numbers and days are the same in whatever way they are written: a form with typed columns writes 65.0 for 65."""
    if made is None or made.place is None:
        return lambda v: v in some
    at, place = {text: float(x) for text, x in zip(words.values, words.place, strict=True) if text is not None}, made.place
    places = {at[text] if text in at else place(text) for text in some}
    return lambda v: v is not None and place(v) in places


def question(rng: np.random.Generator, case: Case) -> tuple[dict[str, Any], dict[str, Meets]]:
    """Conditions on one to three columns, now and then on one that is not generalized."""
    names = [*case.columns, *(name for name in ("ill",) if name in case.original.columns)]
    asked, meets = {}, {}
    for name in map(str, rng.choice(names, min(len(names), int(rng.integers(1, 4))), replace=False)):
        cells = case.original[name].to_list()
        if name == "ill" and len(asked) == 0 and rng.random() < 0.8:
            continue
        if any(cell is not None for cell in cells) and name not in case.reading.unread:
            asked[name], meets[name] = condition(rng, case, name, case.columns.get(name), cells)
    return asked, meets


def met(case: Case, meets: dict[str, Meets]) -> np.ndarray:
    """Which released rows meet conditions."""
    found = np.ones(case.original.height, dtype=bool)
    for name, test in meets.items():
        good = [v for v in case.original[name].unique().to_list() if test(v)]
        found &= case.original[name].is_in(good, nulls_equal=True).to_numpy()
    return found


def play(seed: int, folder: Path, n_questions: int, tally: Tally, *, with_naive: bool = False) -> None:
    """Ask a release of one seed."""
    found = case(seed, folder)
    if found is None:
        return
    tally.n_tables += 1
    rng = np.random.default_rng([seed, 1])
    for _ in range(n_questions):
        ask_count(rng, found, seed, tally, with_naive)
    ask_number(rng, found, tally)


def ask_count(rng: np.random.Generator, found: Case, seed: int, tally: Tally, with_naive: bool) -> None:
    asked, meets = question(rng, found)
    if not asked:
        return
    try:
        answer = found.reading.count(asked)
    except shoal.DataError:
        tally.refused += 1
        return
    truth = int(met(found, meets).sum())
    what = f"seed {seed}, {found.way}: {asked} {[m.builder for n, m in found.columns.items() if n in asked]}"
    if not answer.at_least - SLACK <= truth <= answer.at_most + SLACK:
        tally.false.append(f"{what}: {truth} is not in {answer.at_least:g} to {answer.at_most:g}")
    if with_naive and found.way != "others":
        columns = {**found.naive, "ill": recount.Column("ill", found.original["ill"].to_list(), recount.nothing)}
        least, most = certain.ends({name: found.shown[name].to_list() for name in asked}, columns, meets)
        if answer.at_least > least or answer.at_most < most:
            tally.tight.append(f"{what}: {answer.at_least:g} to {answer.at_most:g}, where {least} to {most} is certain")
    keys = [f"way: {found.way}", f"columns: {len(asked)}", *{f"builder: {found.columns[n].builder}" for n in asked if n in found.columns}]
    tally.add_count([*keys, f"algorithm: {found.algorithm}"], answer, truth)


def ask_number(rng: np.random.Generator, found: Case, tally: Tally) -> None:
    """The mean and the median of a column of numbers, and the cells of a table."""
    lines = [n for n, m in found.columns.items() if m.place is not None and not m.is_date and found.reading.columns[n].is_line]
    for name in lines:
        x = np.array([np.nan if v is None else found.columns[name].place(v) for v in found.original[name].to_list()])
        x = np.sort(x[~np.isnan(x)])
        if not len(x) or name in found.reading.unread:
            continue
        tally.asked["mean"] += 1
        for kind, answer, truth in (
            ("mean", found.reading.mean(name), x.mean()),
            ("median", found.reading.quantile(name, 0.5), x[(len(x) - 1) // 2]),
        ):
            tally.add([f"kind: {kind}"], bool(answer.low - SLACK <= truth <= answer.high + SLACK))
    name = str(rng.choice(list(found.columns)))
    column = found.reading.columns[name]
    if name in found.reading.unread or column.n_values > 60:
        return
    table = found.reading.table(name)
    true = Counter(found.original[name].to_list())
    known = {value: i for i, value in enumerate(column.words.values)}
    for value in [v for v in true if v in known]:
        typed = shoal.reader.draws.typed_value(column, known[value])
        row = table.filter(pl.col(name).eq_missing(pl.lit(typed, dtype=table[name].dtype)))
        tally.asked["cell of a table"] += 1
        tally.add(["kind: cell of a table"], bool(row["low"][0] - SLACK <= true[value] <= row["high"][0] + SLACK))


RECORDED = Path(__file__).parents[2] / "vectors" / "peers"


def ask_recorded(n_questions: int, tally: Tally) -> None:
    """Ask the recorded releases of other tools, with the hierarchies that come with them and without."""
    original = pl.read_csv(RECORDED / "adult.csv.gz", separator=";", infer_schema=False)
    names = original.columns[:8]
    for path in sorted(RECORDED.glob("*_k5_*.csv.gz")):
        shown = pl.read_csv(path, separator=";", infer_schema=False)
        rows = original[shown["index"].cast(pl.Int64)] if "index" in shown.columns else original
        if rows.height != shown.height:
            continue
        for hierarchies in (None, RECORDED / "hierarchies"):
            reading = shoal.read(shown.clone(), quasi_identifiers=names, hierarchies=hierarchies)
            made = {n: Made("recorded", rows[n].to_list(), None, recount.nothing, float if n == "age" else None) for n in names}
            found = Case(
                made, rows, shown.select(*names), reading, f"{path.name.removesuffix('.csv.gz')} {'with' if hierarchies else 'without'}", {}
            )
            tally.n_tables += 1
            rng = np.random.default_rng(1)
            for _ in range(n_questions):
                ask_count(rng, found, -1, tally, with_naive=False)
