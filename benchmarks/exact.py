"""The exact algorithm on tables of 200 rows at k = 5: seconds, loss, bound and gap after a limit of time, beside the way over boxes alone.

python -m benchmarks.exact               all tables, 120 seconds each, with groups and over boxes alone: about an hour
python -m benchmarks.exact 30 lm         a limit of 30 seconds, only tables whose name holds this text
python -m benchmarks.exact 30 lm both    only the way that the algorithm goes: groups first, then boxes; or only "boxes"
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from unittest import mock

import numpy as np
import polars as pl
from tests.tables import make_problem, random_problem

from benchmarks import adult, ratios
from shoal.algorithms import exact
from shoal.clock import Deadline
from shoal.partition import closing
from shoal.problem import Problem, Watch

N_ROWS, K, LIMIT = 200, 5, 120.0
MEASURES = ("entropy", "lm", "tree", "root-share", "stars")
LINE = "{:34} {:7} {:>8} {:>11} {:>11} {:>8}"


def of_adult(measure: str, seed: int) -> Problem:
    """The first rows of Adult (seed 0), or as many drawn at random."""
    frame = adult.table()
    drawn = np.arange(N_ROWS) if seed == 0 else np.sort(np.random.default_rng(seed).choice(frame.height, N_ROWS, replace=False))
    rows = [list(row) for row in frame[drawn].select(adult.QUASI_IDENTIFIERS).iter_rows()]
    return make_problem(rows, K, [adult.tree(name) for name in adult.QUASI_IDENTIFIERS], measure)


def of_frame(frame: pl.DataFrame, measure: str) -> Problem:
    return make_problem([list(row) for row in frame.iter_rows()], K, None, measure)


def of_noise(seed: int, values: int, measure: str) -> Problem:
    return random_problem(np.random.default_rng(seed), N_ROWS, 5, K, values=values, measure=measure, deep=True)


def cases() -> Iterator[tuple[str, Callable[[], Problem]]]:
    """The tables, each with its measure."""
    for measure in MEASURES if adult.is_there() else ():
        yield f"Adult, first rows, {measure}", partial(of_adult, measure, 0)
    for seed, measure in ((1, "entropy"), (2, "entropy"), (1, "root-share"), (2, "root-share")) if adult.is_there() else ():
        yield f"Adult, drawn {seed}, {measure}", partial(of_adult, measure, seed)
    for measure in ("entropy", "stars"):
        yield f"clustered x 8, noise 0.3, {measure}", partial(of_frame, ratios.clustered(1, N_ROWS, 8, 8, 0.3), measure)
        yield f"noise x 6, {measure}", partial(of_frame, ratios.clustered(11, N_ROWS, 6, 8, 1.0), measure)
        yield f"skewed x 4, {measure}", partial(of_frame, ratios.skewed(12, N_ROWS, [60, 40, 10, 4]), measure)
    yield "levels x 5, 6 values, entropy", partial(of_noise, 3, 6, "entropy")
    yield "levels x 5, 8 values, lm", partial(of_noise, 4, 8, "lm")


def main(limit: float = LIMIT, named: str = "", only: str = "") -> None:
    print(LINE.format("table", "way", "seconds", "loss", "bound", "gap"))
    for name, make in cases():
        if named not in name:
            continue
        for way, by_groups in (("both", closing.applies), ("boxes", lambda _: False)):
            if only not in way:
                continue
            problem, start = replace(make(), time_limit=limit), time.perf_counter()
            with mock.patch.object(closing, "applies", by_groups):
                found = exact.EXACT.solve(problem, Deadline(Watch(), limit))
            assert found.bound is not None
            gap = "closed" if found.note == "Proved optimal." else f"{found.loss / found.bound.value - 1:.2%}"
            figures = f"{time.perf_counter() - start:.1f}", f"{found.loss:.3f}", f"{found.bound.value:.3f}", gap
            print(LINE.format(name, way, *figures), flush=True)


if __name__ == "__main__":
    main(*(float(a) if number == 0 else a for number, a in enumerate(sys.argv[1:])))  # type: ignore[arg-type]
