"""Every kernel of this tree beside the same kernel of the last release: CPU seconds, best of several, in the same run.

The release's tree is checked out by git beside this one and compiled there. Both are then asked in turn, in processes of their own, so that
a busy moment of the machine slows both. ``python -m benchmarks kernels`` prints the table; a ratio above 1.05 is marked.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
RELEASE = "7545a2c5b4c2"
"""The last commit of 0.1.0: a copy of the project may come without its tags."""
TURNS = int(os.environ.get("SHOAL_BENCHMARK_TURNS", "5"))
ALLOWED = 1.05
SHORTEST = 0.03
"""Seconds that a measurement takes at least."""
Case = Callable[[], object]


# ---- the tables ----


def trees(rng: np.random.Generator, sizes: list[int]) -> tuple[list[Any], list[Any]]:
    """Blocks of about four, level by level, with prices that grow towards the root."""
    parents, prices = [], []
    for leaves in sizes:
        parent: list[int] = []
        level, width = [0.0] * leaves, leaves
        while width > 1:
            begin, above = len(parent), (width + 3) // 4
            parent += [begin + width + i // 4 for i in range(width)]
            level += [level[-1] + 0.5 + rng.random()] * above
            width = above
        parent.append(len(parent))
        parents.append(np.array(parent, dtype=np.int32))
        prices.append(np.array(level))
    return parents, prices


def table(n: int, sizes: list[int], seed: int = 0) -> tuple[Any, Any, Any]:
    """Distinct tuples of a skewed table whose columns depend on each other, with weights."""
    from shoal import kernels

    rng = np.random.default_rng(seed)
    base = rng.beta(1, 3, size=n)
    codes = np.empty((n, len(sizes)), dtype=np.int32)
    for j, size in enumerate(sizes):
        codes[:, j] = np.minimum(np.where(rng.random(n) < 0.6, base, rng.beta(1, 3, size=n)) * size, size - 1)
    codes, weight = np.unique(codes, axis=0, return_counts=True)
    return kernels.pack(*trees(rng, sizes)), np.ascontiguousarray(codes.astype(np.int32)), weight.astype(np.int64)


def space(n: int, seed: int = 0, kind: str = "numbers") -> Any:
    from shoal.kernels.space import Coordinates, Space

    rng = np.random.default_rng(seed)
    weight = rng.integers(1, 4, size=n).astype(np.int64)
    if kind == "numbers":
        at = Coordinates(n, rng.normal(size=(n, 3)).reshape(-1), np.ones(3), np.full(3, 9.0), combine="euclid")
    else:
        codes = rng.integers(0, 9, size=(n, 6)).astype(np.int32)
        kinds, sizes = np.zeros(6, dtype=np.int32), np.full(6, 9, dtype=np.int32)
        at = Coordinates(
            n, codes=codes.reshape(-1), code_kind=kinds, code_scale=np.ones(6), code_start=np.zeros(6, dtype=np.int64), code_size=sizes
        )
    return Space(at, weight)


# ---- the kernels, room by room ----


def table_cases() -> dict[str, Case]:
    from shoal import kernels
    from shoal.kernels.level_groups import LevelGroups
    from shoal.kernels.mondrian import cut_top_down

    packed, codes, weight = table(60_000, [64, 16, 2, 30, 7, 90])
    n, rng = len(codes), np.random.default_rng(3)
    key = rng.integers(0, 2**40, size=400_000)
    group = rng.integers(0, n // 5, size=n).astype(np.int32)
    tuples = np.arange(n, dtype=np.int32)
    leaves = codes.max(axis=0) + 1
    levels = LevelGroups(codes, weight, leaves.tolist())
    up = [packed.parent[packed.first[j] : packed.first[j] + leaves[j]] for j in range(6)]
    ordered = np.array([1, 0, 0, 1, 0, 0], dtype=np.int32)
    long_tree = np.append(np.arange(1, 300_000, dtype=np.int32), np.int32(299_999))
    return {
        "fold": lambda: kernels.rank_keys(key),
        "closures": lambda: [kernels.closures(packed, codes, tuples, group, n // 5) for _ in range(4)],
        "cheapest ancestors": lambda: [kernels.cheapest_ancestors(long_tree, np.linspace(0, 1, 300_000)) for _ in range(5)],
        "split": lambda: kernels.split(packed, codes, weight, 5),
        "mondrian": lambda: cut_top_down(packed, leaves.astype(np.int32), ordered, codes, weight, 5),
        "level groups": lambda: [levels(up) for _ in range(4)],
    }


def near_cases() -> dict[str, Case]:
    from shoal import kernels

    packed, codes, weight = table(12_000, [64, 16, 2, 30, 7, 90])
    small, some, heavy = table(3_000, [40, 12, 2, 30], seed=2)
    whole = kernels.pack(
        [packed.parent[a:b] for a, b in zip(packed.first, packed.first[1:], strict=False)],
        [np.round(8 * packed.price[a:b]) for a, b in zip(packed.first, packed.first[1:], strict=False)],
    )
    reach = np.full(len(codes), 12.0)
    squares = [np.abs(np.subtract.outer(np.arange(s), np.arange(s))).astype(float) for s in (40, 12, 2, 30)]
    index, distance = kernels.neighbours(packed, codes, weight, 9, threads=1)
    ones = np.ones(len(codes), dtype=np.int64)
    index1, distance1 = kernels.neighbours(packed, codes, ones, 9, threads=1)
    to1, length1 = kernels.grow_forest(ones, 10, index1, distance1)
    near, apart = kernels.neighbours(small, some, None, 60, threads=1)
    own = np.zeros(len(some))
    start = np.arange(0, len(codes) + 1, 5)
    start = np.append(start, len(codes)) if start[-1] != len(codes) else start
    dense = np.abs(np.subtract.outer(np.arange(26.0) ** 2 % 37, np.arange(26.0) ** 2 % 41))
    return {
        "neighbours, tree": lambda: kernels.neighbours(packed, codes, weight, 6, threads=1, method="tree"),
        "neighbours, scan": lambda: kernels.neighbours(small, some, heavy, 6, threads=1, method="scan"),
        "covering prices": lambda: kernels.covering_prices(packed, codes, weight, 6, threads=1),
        "companions by tables": lambda: kernels.companions_by_tables(squares, some, heavy, 5),
        "near pairs": lambda: kernels.near_pairs(whole, codes, reach, reach, 8, threads=1),
        "grow forest": lambda: [kernels.grow_forest(weight, 10, index, distance) for _ in range(6)],
        "decompose": lambda: [kernels.decompose(to1, length1, 10) for _ in range(6)],
        "leave one out": lambda: [kernels.leave_one_out(packed, codes, np.arange(len(codes), dtype=np.int32), start) for _ in range(10)],
        "cover by balls": lambda: kernels.cover_by_balls(heavy, 4, near, apart, own, small, some),
        "cover by diameters": lambda: kernels.cover_by_diameters(np.minimum(dense, dense.T) + 1 - np.eye(26), 3),
    }


def box_cases() -> dict[str, Case]:
    from shoal import kernels
    from shoal.kernels.boxes import Boxes
    from shoal.kernels.closed_boxes import box_slack, closed_boxes, subset_optimum, subset_prices
    from shoal.kernels.set_cover import SetCover

    packed, codes, weight = table(2_500, [64, 16, 2, 30, 7], seed=1)
    upper = kernels.covering_prices(packed, codes, weight, 4, threads=1)
    least, _ = kernels.cheapest_boxes(packed, codes, weight, 5, upper, threads=1)
    _, boxes, _ = kernels.tight_boxes(packed, codes, weight, 5, least, 0.5, 0.6, 0.7, 3_000_000, threads=1)
    found = closed_boxes(packed, codes, weight, 5, np.inf, 2_000_000, 40_000_000)
    assert found is not None
    few = codes[:13]
    price = subset_prices(packed, few)
    price[[bin(m).count("1") < 3 for m in range(1 << 13)]] = np.inf

    def cover() -> Any:
        made, limit = SetCover(packed, codes, weight, 4), 0.5
        while made.n_open:
            report = made.round(limit)
            limit = max(2 * report.done, report.least * 1.2)
        return made.groups()

    def fresh() -> Boxes:
        return Boxes(boxes.nodes, boxes.price, boxes.tightness, boxes.start, boxes.tuples.copy())

    return {
        "cheapest boxes": lambda: kernels.cheapest_boxes(packed, codes, weight, 5, upper, threads=1),
        "tight boxes": lambda: kernels.tight_boxes(packed, codes, weight, 5, least, 0.8, threads=1),
        "tight boxes, kept": lambda: kernels.tight_boxes(packed, codes, weight, 5, least, 0.5, 0.6, 0.7, 3_000_000, threads=1),
        "price round": lambda: [kernels.price_round(b, weight, 5, least, 0.5, 0.05) for b in [fresh()] for _ in range(4)],
        "cover along prices": lambda: kernels.cover_along_prices(packed, codes, weight, 5, least, boxes),
        "closed boxes": lambda: closed_boxes(packed, codes, weight, 5, np.inf, 2_000_000, 40_000_000),
        "box slack": lambda: box_slack(found, weight, 5, least),
        "set cover": cover,
        "subsets": lambda: [(subset_prices(packed, few), subset_optimum(price)) for _ in range(4)],
    }


def search_cases() -> dict[str, Case]:
    from shoal import kernels
    from shoal.kernels import Effort, Formula, FreeColumn, Promise, Rows, TreeColumn

    packed, codes, weight = table(6_000, [64, 16, 2, 30, 7], seed=4)
    sizes = (codes.max(axis=0) + 1).tolist()
    near, _ = kernels.neighbours(packed, codes, None, 12, threads=1)
    tuple_of = np.repeat(np.arange(len(codes), dtype=np.int32), weight)
    n = len(tuple_of)
    of_tuple, n_groups = kernels.split(packed, codes, weight, 5)
    group = of_tuple[tuple_of]
    part, ones, worth = np.arange(n, dtype=np.int32), np.ones(n, dtype=np.int32), np.zeros(len(codes))
    cut = [slice(a, b) for a, b in zip(packed.first, packed.first[1:], strict=False)]
    plain = [TreeColumn(packed.parent[c], packed.price[c], s) for c, s in zip(cut, sizes, strict=True)]
    counts = [np.bincount(codes[tuple_of, j], minlength=s).astype(float) for j, s in enumerate(sizes)]
    interval = FreeColumn(True, Formula(0), 1.0, counts[0])
    subset = FreeColumn(False, Formula(0), 1.0, counts[3])
    long = FreeColumn(False, Formula(2), 1.0, np.concatenate([counts[0], np.ones(40)]))
    value = (np.arange(n) % 5).astype(np.int32)
    promise = Promise("entropy", value, np.bincount(value) / n, l=2.0)

    def rows(columns: list[Any], leave: Any = None, promises: tuple[Any, ...] = ()) -> Rows:
        make = getattr(kernels, "make_columns", None) or kernels.make_space  # its name in 0.1.0
        return Rows(make(columns), codes, near, tuple_of, ones, worth, leave, promises)

    def search(made: Rows, k: int = 5) -> Case:
        return lambda: made.improve(group, part, k, Effort(work=12_000_000, hot=0.3, cold=0.05, seed=1, pool=max(64, 6 * k)))

    grown = np.full(len(codes), 6.0)
    return {
        "search, trees": search(rows(plain)),
        "search, rows may leave": search(rows(plain, grown)),
        "search, free columns": search(rows([interval, *plain[1:3], subset, plain[4]])),
        "search, long subsets": search(rows([long, *plain[1:]])),
        "search, demands": search(rows(plain, None, (promise,)), 5),
        "parts": lambda: [rows(plain).parts(group, n_groups, 400, s) for s in range(6)],
    }


def matching_cases() -> dict[str, Case]:
    from shoal import kernels

    rng = np.random.default_rng(8)
    n, m = 3_000, 24_000
    u, v = rng.integers(0, n, size=m), rng.integers(0, n, size=m)
    u[:n], v[:n] = np.arange(n), (np.arange(n) + 1) % n
    keep = u != v
    u, v = u[keep].astype(np.int32), v[keep].astype(np.int32)
    cost = rng.integers(1, 2000, size=len(u))
    ring = np.column_stack([np.roll(np.arange(n), 1), np.roll(np.arange(n), -1)]).astype(np.int32)
    packed, codes, _ = table(9_000, [64, 16, 2, 30, 7], seed=6)
    cycle = np.arange(len(codes), dtype=np.int32)
    heavy = rng.integers(1, 3, size=n).astype(np.int64)
    by_weight = np.argsort(-cost, kind="stable")
    return {
        "matching": lambda: kernels.best_matching(n, u, v, 2 * (4000 - cost)),
        "perfect matching": lambda: kernels.best_matching(n, u, v, -2 * cost, perfect=True),
        "start of a two-factor": lambda: [kernels.start_two_factor(n, u, v, cost, None, 12) for _ in range(3)],
        "walk cycles": lambda: [kernels.walk_cycles(ring) for _ in range(100)],
        "cut cycles": lambda: [kernels.cut_cycles(packed, codes, cycle, np.array([0, len(codes)])) for _ in range(6)],
        "stars": lambda: [kernels.group_stars(heavy, u[by_weight], v[by_weight], np.arange(n, dtype=float)) for _ in range(10)],
    }


def metric_cases() -> dict[str, Case]:
    from shoal.kernels.space_ascent import ascend
    from shoal.kernels.space_cells import greedy_cells, improve_cells
    from shoal.kernels.space_improve import recentre, spread
    from shoal.kernels.space_prices import price_cover, price_pass

    s, c, mid = space(8_000), space(5_000, kind="codes"), space(1_500, 3)
    t, t_mid = s.rth_distance(10), mid.rth_distance(8)
    reach = float(np.median(t))
    lists = s.balls(np.arange(s.n, dtype=np.int32), 1.5 * t)
    turn = np.lexsort((lists.d, lists.owner()))
    lists = type(lists)(lists.first, np.ascontiguousarray(lists.at[turn]), np.ascontiguousarray(lists.d[turn]))
    y = 0.3 * t
    given = np.where(np.arange(len(lists.at)) % 7 == 0, 1.0, 0.0)
    no_setup = np.zeros(mid.n)
    near = mid.nearest(12)[0]
    of_row = np.repeat(np.arange(mid.n, dtype=np.int32), mid.weight)
    first = np.concatenate([[0], np.cumsum(mid.weight)])
    centres, _ = mid.mark(float(np.quantile(t_mid, 0.9)), 8)
    found = mid.distances(centres[:, None], np.arange(mid.n, dtype=np.int32)[None, :]).argmin(axis=0)
    label = found[of_row].astype(np.int32)
    big = np.flatnonzero(np.bincount(label, minlength=len(centres)) >= 8)
    label = mid.distances(centres[big][:, None], np.arange(mid.n, dtype=np.int32)[None, :]).argmin(axis=0)[of_row].astype(np.int32)
    by_owner = np.argsort(label, kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(label, minlength=len(big)))])
    members = of_row[by_owner]
    order = np.argsort(-t, kind="stable").astype(np.int32)
    every = np.arange(len(of_row), dtype=np.int64)
    return {
        "space, tree": lambda: space(6_000),
        "rth distance": lambda: (s.rth_distance(10), c.rth_distance(10)),
        "nearest": lambda: s.nearest(10),
        "balls": lambda: s.balls(np.arange(s.n, dtype=np.int32), 1.5 * t),
        "counts": lambda: (s.counts(1.5 * reach), c.counts(2.0)),
        "cheapest ball": lambda: s.cheapest_ball(t),
        "peel": lambda: s.peel(t, float(np.quantile(t, 0.9)), 10, s.total),
        "mark": lambda: [s.mark(2 * reach, 10) for _ in range(3)],
        "farthest first": lambda: s.farthest_first(200),
        "cover": lambda: s.cover(1.5 * reach, 3 * reach, 60, s.weight),
        "distances between": lambda: s.distances_between(0.5 * reach, 0.52 * reach, 2_000_000),
        "ascent": lambda: ascend(mid, t_mid, no_setup, 8.0),
        "greedy cells": lambda: greedy_cells(mid, t_mid, no_setup, 8, mid.weight, 0.0),
        "improve cells": lambda: improve_cells(mid, of_row, near, first, every, no_setup, 8, 5, label, centres[big], 6),
        "recentre": lambda: [recentre(mid, ends, members, centres[big]) for _ in range(5)],
        "spread": lambda: [spread(s, order, np.arange(s.n, dtype=np.int32), reach, s.weight) for _ in range(3)],
        "price pass": lambda: [price_pass(lists, t, s.weight, 10, y) for _ in range(3)],
        "price cover": lambda: [price_cover(lists, s.weight, 10, y, given) for _ in range(3)],
    }


def text_cases() -> dict[str, Case]:
    from shoal import kernels

    line = 'plain,"quoted ""twice""",,12345,some longer text of a field\n'
    raw = (line * 60_000).encode()
    measured = kernels.measure_records(raw, ",", n_fields=5)
    return {
        "measure records": lambda: kernels.measure_records(raw, ",", n_fields=5),
        "fill records": lambda: kernels.fill_records(raw, ",", measured),
    }


ROOMS = (table_cases, near_cases, box_cases, search_cases, matching_cases, metric_cases, text_cases)


# ---- timing ----


def seconds_of(case: Case) -> float:
    """CPU seconds of one call; a short one is called again until it can be measured."""
    start, calls = time.process_time(), 0
    while calls == 0 or time.process_time() - start < SHORTEST:
        case()
        calls += 1
    return (time.process_time() - start) / calls


def time_here() -> None:
    """CPU seconds of every kernel of the tree that is imported, as JSON."""
    wanted = set(sys.argv[2:])
    best: dict[str, float] = {}
    for cases in (room() for room in ROOMS):
        for name, case in cases.items():
            if wanted and name not in wanted:
                continue
            best[name] = min(seconds_of(case) for _ in range(3))
    print(json.dumps(best))


def released() -> Path:
    """Where the last release is installed: from a work tree of its tag, compiled there."""
    tree, home = ROOT / "build" / RELEASE, ROOT / "build" / f"{RELEASE}-installed"
    if not (home / "shoal").exists():
        if not (tree / "setup.py").exists():
            subprocess.run(["git", "worktree", "add", "--quiet", "--force", "--detach", str(tree), RELEASE], cwd=ROOT, check=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(home), str(tree)]
        subprocess.run(pip, check=True, capture_output=True)
    return home


def ask(home: Path, names: list[str]) -> dict[str, float]:
    """Time the kernels of one tree, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(home), "SHOAL_THREADS": "1"}
    asked = [sys.executable, str(Path(__file__)), "here", *names]
    answer = subprocess.run(asked, env=environment, cwd=home, capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)  # type: ignore[no-any-return]


def main(names: list[str] | None = None) -> None:
    """Print both trees' seconds and their ratio, kernel by kernel; those that look slow are asked again."""
    homes = {"release": released(), "here": ROOT / "src"}
    best: dict[str, dict[str, float]] = {who: {} for who in homes}
    asked = names or []
    for turn in range(2 * TURNS):
        for who, home in homes.items():
            for name, seconds in ask(home, asked).items():
                best[who][name] = min(best[who].get(name, np.inf), seconds)
        if turn + 1 >= TURNS:
            asked = [n for n in best["here"] if best["here"][n] > ALLOWED * best["release"][n]]
            if not asked:
                break
    print(f"{'kernel':28} {RELEASE:>9} {'here':>9} {'ratio':>6}")
    for name in best["here"]:
        old, new = best["release"][name], best["here"][name]
        slow = "  slower" if new > ALLOWED * old else ""
        print(f"{name:28} {1e3 * old:7.1f}ms {1e3 * new:7.1f}ms {new / max(old, 1e-9):6.2f}{slow}")


if __name__ == "__main__":
    time_here()
