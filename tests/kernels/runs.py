"""Sixty runs over all algorithms, measures, options, bounds and clusterings, and a hash of what each of them gives.

What is hashed is what a solver hands on: groups, nodes, sets, losses, bounds with their prices, labels and centres of
clusterings. Files are not. The tables are made here from fixed seeds, or are the one we ship, so that nothing but the
solvers can change a hash.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from typing import Any

import numpy as np

from shoal import algorithms, bounds, clustering, demands, demo, kernels, privacy, registry
from shoal.clustering.base import Task
from shoal.clustering.points import points_of
from shoal.hierarchies.rows import tree_from_rows
from shoal.hierarchies.tree import Tree
from shoal.instances.restricted import restricted_from_graph
from shoal.kernels.level_groups import LevelGroups
from shoal.kernels.space import Coordinates, Space
from shoal.privacy.base import Demand
from shoal.problem import Problem, Watch, quasi_identifier
from shoal.search import Annealing, top_down
from shoal.search.withholding import withhold
from tests.tables import make_problem

Parts = Iterable[Any]
SHAPES = {"tiny": (24, 3, 4), "small": (150, 4, 6), "medium": (6000, 6, 20), "wide": (700, 9, 7)}
"""Rows, columns, values of a column."""


# ---- tables ----


def deep_tree(rng: np.random.Generator, values: int) -> Tree:
    """Nested blocks of values, three levels and more; some blocks go on unchanged for a level."""
    rows, block = [[f"{v:03d}"] for v in range(values)], list(range(values))
    for level in range(3):
        join = {b: b // 2 if rng.random() < 0.8 else 1000 + 100 * level + b for b in sorted(set(block))}
        block = [join[b] for b in block]
        for v in range(values):
            rows[v].append(f"{level}:{block[v]}")
    return tree_from_rows([[*row, "*"] for row in rows])


@cache
def table(shape: str, measure: str, k: int, is_weighted: bool = False, seed: int = 1) -> Problem:
    """A skewed table, in which columns depend on each other and rows repeat."""
    n, q, values = SHAPES[shape]
    rng = np.random.default_rng([seed, n, q])
    share = 1.0 / np.arange(1, values + 1)
    base = rng.choice(values, size=n, p=share / share.sum())
    noise = rng.choice(values, size=(n, q), p=share / share.sum())
    kept = rng.random((n, q)) < 0.6
    codes = np.where(kept, (base[:, None] + np.arange(q)) % values, noise)
    weights = [0.5 + j % 3 for j in range(q)] if is_weighted else None
    rows = [[f"{v:03d}" for v in row] for row in codes]
    return make_problem(rows, k, [deep_tree(rng, values) for _ in range(q)], measure, weights)


@cache
def patients(measure: str, k: int, n: int = 3000) -> Problem:
    """The first rows of the table we ship, with hierarchies made here."""
    with open(demo.files().table, newline="", encoding="utf-8") as file:
        read = islice(csv.DictReader(file), n)
        rows = [[f"{int(r['age'] or 0):03d}", r["sex"], r["postcode"][:3], r["job"], r["nationality"]] for r in read]
    ages = [[f"{a:03d}", f"{a // 5 * 5}+5", f"{a // 10 * 10}+10", f"{a // 20 * 20}+20", "*"] for a in range(120)]
    places = sorted({r[2] for r in rows})
    trees = [
        tree_from_rows(ages),
        tree_from_rows([[v, "*"] for v in sorted({r[1] for r in rows})]),
        tree_from_rows([[p, p[:2] + "x", p[:1] + "xx", "*"] for p in places]),
        *(tree_from_rows([[v, v[:1] + "…", "*"] for v in sorted({r[j] for r in rows})]) for j in (3, 4)),
    ]
    return make_problem(rows, k, trees, measure)


def demanding(problem: Problem, name: str, **parameters: float) -> Problem:
    """The same with a sensitive column that depends on the first."""
    rng = np.random.default_rng(5)
    value = (problem.codes[problem.tuple_of_unit, 0] // 2 + rng.integers(0, 4, size=problem.n_rows)) % 6
    criterion = registry.find(privacy.CATALOG, name)
    return replace(problem, demands=(Demand(criterion, "illness", parameters),), sensitive=(value.astype(np.int32),))


def freed(problem: Problem, kind: str, which: Iterable[int] = (0,)) -> Problem:
    """The same with columns that may show any interval or subset."""
    free = set(which)
    columns = [
        quasi_identifier(c.name, c.tree, c.count, problem.measure, c.weight, free=kind if j in free else None)  # type: ignore[arg-type]
        for j, c in enumerate(problem.columns)
    ]
    return replace(problem, columns=tuple(columns))


def missing(problem: Problem) -> Problem:
    """The same where the rarest value of the second column is a missing cell that is starred."""
    columns = list(problem.columns)
    c = columns[1]
    columns[1] = quasi_identifier(c.name, c.tree, c.count, problem.measure, c.weight, starred=int(np.argmin(c.count)))
    return replace(problem, columns=tuple(columns))


# ---- what is run ----


def solve(name: str, problem: Problem) -> Parts:
    s = registry.find(algorithms.CATALOG, name).solve(problem, Watch())
    shown = [x for sets in s.sets if sets is not None for x in vars(sets).values()]
    proof = [] if s.bound is None else [s.bound.value, s.bound.prices]
    return [s.group, s.nodes, *shown, s.loss, s.guarantee, *proof]


def bound(name: str, problem: Problem) -> Parts:
    b = registry.find(bounds.CATALOG, name).compute(problem, Watch())
    return [b.value, b.prices]


def anneal(problem: Problem, leave: float | None = None) -> Parts:
    """Rounds of the search itself, with a fixed amount of work."""
    group = top_down(problem)
    if problem.demands:
        group = demands.satisfy(problem, group, Watch())
    if problem.max_withheld:
        group = withhold(problem, group, Watch())
    fee = None if leave is None else np.full(problem.n_tuples, leave)
    search = Annealing(problem, group, np.zeros(problem.n_tuples), leave=fee)
    costs = [search.round(15_000_000, hot, 0.3 * hot) for hot in (0.5, 0.1, 0.0)]
    return [search.group, *costs, search.work, search.uphill]


def grown(kind: str, n: int = 1500, r: int = 4, **options: Any) -> tuple[Space, Task]:
    """Points of a space, some of them several rows."""
    rng = np.random.default_rng([7, n])
    if kind == "numbers":
        at = Coordinates(
            n, rng.normal(size=(n, 2)).reshape(-1), np.array([1.0, 0.5]), np.array([3.0, 3.0]), combine="euclid"
        )
    elif kind == "codes":
        codes = rng.integers(0, 5, size=(n, 4)).astype(np.int32)
        at = Coordinates(
            n,
            codes=codes.reshape(-1),
            code_kind=np.zeros(4, dtype=np.int32),
            code_scale=np.array([1.0, 0.7, 0.4, 0.2]),
            code_start=np.zeros(4, dtype=np.int64),
            code_size=np.full(4, 5, dtype=np.int32),
        )
    else:
        place = rng.random((n, 2))
        at = Coordinates(n, matrix=np.ascontiguousarray(np.abs(place[:, None, :] - place[None, :, :]).sum(axis=2)))
    weight = rng.integers(1, 4, size=n).astype(np.int64)
    space = Space(at, weight)
    points = points_of(space, np.repeat(np.arange(n, dtype=np.int32), weight))
    return space, Task(points, r, options.pop("centres", "input"), **options)


def gathered(method: str, kind: str, setup: float | None = None, **options: Any) -> Parts:
    space, task = grown(kind, **options)
    if setup is not None:
        task = replace(task, setup=np.full(space.n, setup))
    a = registry.find(clustering.CATALOG, method).solve(task)
    proof = [x for x in a.proof.values() if isinstance(x, np.ndarray | float)]
    return [a.found.label, a.found.centre, a.cost, a.paper_cost, a.lower_bound, *proof]


def near(problem: Problem, k: int) -> Parts:
    packed, codes, weight = problem.packed, problem.codes, problem.weight
    some = np.arange(0, len(codes), 7, dtype=np.int32)
    yield from kernels.neighbours(packed, codes, None, k, method="tree")
    yield from kernels.neighbours(packed, codes, weight, k, method="scan")
    yield from kernels.neighbours(packed, codes, weight, k, queries=some)
    yield kernels.companion_distances(packed, codes, weight, k)
    yield kernels.covering_prices(packed, codes, weight, k)


def leveled(problem: Problem) -> Parts:
    groups = LevelGroups(problem.codes, problem.weight, [c.tree.n_leaves for c in problem.columns])
    for height in range(3):
        cuts = []
        for c in problem.columns:
            node = np.arange(c.tree.n_leaves, dtype=np.int32)
            for _ in range(height):
                node = c.tree.parent[node]
            cuts.append(node)
        yield from groups(cuts)


def text() -> Parts:
    """Fields with quotes, line ends of three kinds, empty fields and empty lines."""
    lines = [f'{i},"a ""b"" {i % 7}",,x{i * i}\r\n' if i % 3 else f'{i},"c\nd",y,\n\n' for i in range(400)]
    raw = "".join(lines).encode()
    m = kernels.measure_records(raw, ",", n_fields=4)
    fields, at = kernels.fill_records(raw, ",", m)
    yield from (m.n_records, m.n_empty_lines, m.stop, m.line, m.size, at)
    for f in fields:
        yield from (f.data, f.offset, f.valid)


def restricted(n: int, m: int) -> Problem:
    """Rows as vertices of a random graph, columns as its edges."""
    rng = np.random.default_rng([n, m])
    edges = [tuple(rng.choice(n, size=2, replace=False).tolist()) for _ in range(m)]
    return make_problem(restricted_from_graph(n, edges).rows, 2)


def withheld(problem: Problem, share: float) -> Problem:
    return replace(problem, max_withheld=int(share * problem.n_rows))


def quick(problem: Problem, seconds: float = 0.3) -> Problem:
    return replace(problem, time_limit=seconds)


def recursive(problem: Problem) -> Problem:
    return demanding(problem, "recursive-l-diversity", l=2, c=3.0)


def close_to_all(problem: Problem) -> Problem:
    return demanding(problem, "t-closeness", t=0.35)


@cache
def runs() -> dict[str, Callable[[], Parts]]:
    """Each run by its name."""
    small, medium, wide, tiny = (partial(table, shape) for shape in ("small", "medium", "wide", "tiny"))
    made: dict[str, Callable[[], Parts]] = {}

    def add(name: str, run: Callable[..., Parts], *given: Any, **options: Any) -> None:
        made[name] = partial(run, *given, **options)

    add("set-cover, entropy, k=2", solve, "set-cover", small("entropy", 2))
    add("set-cover, lm, k=5, weights", solve, "set-cover", medium("lm", 5, True))
    add("set-cover, stars, k=3, wide", solve, "set-cover", wide("stars", 3))
    add("set-cover, tree, k=4, rows withheld", solve, "set-cover", withheld(medium("tree", 4), 0.02))
    add("set-cover, patients", solve, "set-cover", patients("entropy", 5))
    add("forest, entropy, k=3", solve, "forest", medium("entropy", 3))
    add("forest, lm, k=10, weights", solve, "forest", medium("lm", 10, True))
    add(
        "forest, monotone-entropy, k=5, deletion", solve, "forest", replace(small("monotone-entropy", 5), deletion=True)
    )
    add(
        "forest, non-uniform-entropy, k=4, rows withheld",
        solve,
        "forest",
        withheld(medium("non-uniform-entropy", 4), 0.05),
    )
    add("forest, patients", solve, "forest", patients("lm", 5))
    add("forest, tree, wide, missing", solve, "forest", missing(wide("tree", 6)))
    add("meyerson-williams, stars, k=3", solve, "meyerson-williams", wide("stars", 3))
    add("meyerson-williams, entropy, k=5", solve, "meyerson-williams", medium("entropy", 5))
    add("meyerson-williams, lm, rows withheld", solve, "meyerson-williams", withheld(small("lm", 4), 0.1))
    add("meyerson-williams-diameter, stars", solve, "meyerson-williams-diameter", tiny("stars", 2))
    add("meyerson-williams-diameter, tree", solve, "meyerson-williams-diameter", tiny("tree", 2, True))
    add("full-domain, lm, k=5", solve, "full-domain", small("lm", 5))
    add("full-domain, entropy, rows withheld", solve, "full-domain", withheld(medium("entropy", 10), 0.05))
    add("full-domain, close to the whole", solve, "full-domain", close_to_all(medium("tree", 4)))
    add("mondrian, entropy, k=4", solve, "mondrian", medium("entropy", 4))
    add("mondrian, lm, intervals", solve, "mondrian", freed(medium("lm", 6), "interval", (0, 2)))
    add("mondrian, distinct values", solve, "mondrian", demanding(medium("tree", 4), "distinct-l-diversity", l=3))
    add("mondrian, patients, rows withheld", solve, "mondrian", withheld(patients("stars", 8), 0.03))
    add("exact, entropy, k=2", solve, "exact", tiny("entropy", 2))
    add("exact, stars, k=3, weights", solve, "exact", tiny("stars", 3, True))
    add("exact, lm, rows withheld", solve, "exact", withheld(tiny("lm", 4), 0.1))
    add("one-two-factor, entropy", solve, "one-two-factor", small("entropy", 2))
    add("one-two-factor, lm, medium", solve, "one-two-factor", medium("lm", 2))
    add("one-two-factor, stars, rows withheld", solve, "one-two-factor", withheld(wide("stars", 2), 0.05))
    add("two-factor, entropy", solve, "two-factor", small("entropy", 3))
    add("two-factor, stars, wide", solve, "two-factor", wide("stars", 3))
    add("two-factor, lm, rows withheld", solve, "two-factor", withheld(small("lm", 3, True), 0.05))
    add("restricted-matching, even", solve, "restricted-matching", restricted(60, 120))
    add("restricted-matching, odd", solve, "restricted-matching", restricted(31, 70))
    add("attribute-suppression, stars", solve, "attribute-suppression", small("stars", 2))
    add("attribute-suppression, wide", solve, "attribute-suppression", wide("entropy", 5))
    add("auto, entropy, k=5", solve, "auto", quick(medium("entropy", 5)))
    add("auto, lm, rows withheld", solve, "auto", quick(withheld(small("lm", 4), 0.03)))
    add("auto, a few rows", solve, "auto", table("tiny", "tree", 3).over(np.arange(24) < 11))
    add("search, entropy", anneal, medium("entropy", 5))
    add("search, lm, large groups", anneal, medium("lm", 12, True))
    add("search, rows may leave", anneal, withheld(medium("tree", 4), 0.02), leave=1.5)
    add("search, distinct and entropy demands", anneal, demanding(small("entropy", 4), "entropy-l-diversity", l=2.0))
    add("search, recursive demand", anneal, recursive(small("lm", 4)))
    add("search, close to the whole", anneal, close_to_all(small("tree", 5)))
    add("search, free intervals", anneal, freed(medium("entropy", 4), "interval", (0, 1)))
    add("search, free subsets", anneal, freed(medium("monotone-entropy", 4), "subset", (0, 3)))
    add("search, long subsets", anneal, freed(patients("entropy", 4, 900), "subset", (0, 2)))
    add("bound neighbour, lm", bound, "neighbour", medium("lm", 4))
    add("bound neighbour, free subsets", bound, "neighbour", freed(small("entropy", 4), "subset"))
    add("bound box, entropy", bound, "box", medium("entropy", 5))
    add("bound dual, non-uniform-entropy, missing", bound, "dual", missing(small("non-uniform-entropy", 4)))
    add("bound dual, patients", bound, "dual", patients("entropy", 5, 1500))
    add("bound linear, tree", bound, "linear", small("tree", 3))
    add("gather, numbers, outliers", gathered, "gather", "numbers", max_outliers=20)
    add("gather, codes, any centre", gathered, "gather", "codes", centres="any")
    add("center, numbers, outliers", gathered, "center", "numbers", max_clusters=25, max_outliers=10)
    add("cellular, numbers, set-up, outliers", gathered, "cellular", "numbers", 0.3, n=700, max_outliers=9)
    add("cellular, matrix", gathered, "cellular", "matrix", n=400, r=3)
    add("neighbours, levels and text", lambda: [*near(medium("lm", 4), 6), *leveled(medium("lm", 4)), *text()])
    return made


def digest(parts: Parts) -> str:
    """A hash of numbers and arrays, to the bit."""
    total = hashlib.sha256()
    for part in parts:
        array = np.ascontiguousarray([] if part is None else part)
        total.update(f"{array.dtype.str}{array.shape}".encode())
        total.update(array.tobytes())
    return total.hexdigest()[:32]
