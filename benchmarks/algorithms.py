"""Every algorithm of the catalog: its worst ratio on small tables whose optimum is known, and time, memory and loss on large ones.

``python -m benchmarks.algorithms record [TABLES]`` writes what the page of guarantees plots (``docs/ratios.json``); with fewer random
tables than the usual 20,000 of each kind where there is no time.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement, product
from pathlib import Path

import numpy as np
from tests.contract.test_algorithms import random_table
from tests.naive.optima import optima
from tests.tables import make_problem, random_problem

from benchmarks import adult
from shoal import algorithms, bounds, instances, measures, registry
from shoal.algorithms.base import Algorithm
from shoal.errors import Infeasible, Refused
from shoal.problem import Problem, Watch

RECORD = Path(__file__).resolve().parents[1] / "docs" / "ratios.json"
N_RANDOM = 20_000


# Small tables.


def binary_tables(k: int) -> Iterator[Problem]:
    """All binary tables of up to three columns and k to six rows, but for the order of rows."""
    for q, n in product((1, 2, 3), range(k, 7)):
        values = ["".join(bits) for bits in product("01", repeat=q)]
        for rows in combinations_with_replacement(values, n):
            yield make_problem([list(row) for row in rows], k)


def random_tables(k: int, n_tables: int) -> Iterator[Problem]:
    """Random tables: suppression alone, and hierarchies deep and unbalanced under every measure, some columns weighted."""
    rng = np.random.default_rng(k)
    names = registry.names(measures.CATALOG)
    for i in range(n_tables):
        n = int(rng.integers(k, max(8, 2 * k + 2)))
        if i % 2:
            yield random_problem(rng, n, int(rng.integers(1, 5)), k, values=int(rng.integers(2, 5)))
        else:
            yield random_table(rng, names[i // 2 % len(names)], k, n=n)


def restricted_tables(n_tables: int) -> Iterator[Problem]:
    """Binary tables with exactly two zeros in each column (001), k=2."""
    rng = np.random.default_rng(1)
    for _ in range(n_tables):
        n, q = int(rng.integers(2, 8)), int(rng.integers(1, 6))
        rows = np.ones((n, q), dtype=int)
        for j in range(q):
            rows[rng.choice(n, size=2, replace=False), j] = 0
        yield make_problem([[str(v) for v in row] for row in rows], 2)


def hard_tables(n_tables: int) -> Iterator[Problem]:
    """The papers' reductions on random graphs, set systems and hypergraphs, k=3."""
    rng = np.random.default_rng(2)
    pairs, triples = list(combinations(range(5), 2)), list(combinations(range(6), 3))
    for i in range(n_tables):
        if i % 3 == 0:
            edges = [pairs[int(e)] for e in rng.choice(len(pairs), size=int(rng.integers(6, 8)), replace=False)]
            made = instances.triangles_and_stars(edges)
        else:
            sets = [triples[int(e)] for e in rng.choice(len(triples), size=int(rng.integers(2, 6)), replace=False)]
            made = instances.exact_cover(6, sets) if i % 3 == 1 else instances.perfect_matching(6, sets, 3)
        yield make_problem(made.rows, made.k, None, made.measure)


FAMILIES: dict[str, Callable[[int], Iterator[Problem]]] = {
    "all binary, k=2": lambda n: binary_tables(2),
    "all binary, k=3": lambda n: binary_tables(3),
    "random, k=2": lambda n: random_tables(2, n),
    "random, k=3": lambda n: random_tables(3, n),
    "random, k=4": lambda n: random_tables(4, n // 10),
    "restricted, k=2": lambda n: restricted_tables(n + n // 3),
    "hard, k=3": lambda n: hard_tables(n // 10),
}


@dataclass
class Tally:
    """What an algorithm did on small tables."""

    tried: int = 0
    refused: int = 0
    broken: int = 0
    """Tables on which the guarantee was not kept."""
    for_nothing: int = 0
    """Tables that need no loss, but were given some."""
    worst: float = 1.0
    nearest: float = 1.0
    promised: float | None = None
    """The ratio that came nearest to its promise, and that promise."""
    ratios: list[float] = field(default_factory=list)

    def add(self, algorithm: Algorithm, problem: Problem, least: float) -> None:
        if algorithm.refuses(problem) is not None:
            self.refused += 1
            return
        try:
            loss = algorithm.solve(problem, Watch()).loss
        except (Refused, Infeasible):
            self.refused += 1
            return
        self.tried += 1
        promised = algorithm.guarantee(problem)
        self.broken += promised is not None and loss > promised * least + 1e-7
        if least <= 1e-9:
            self.for_nothing += loss > 1e-7
            return
        ratio = loss / least
        self.ratios.append(ratio)
        self.worst = max(self.worst, ratio)
        if promised is not None and (self.promised is None or ratio / promised > self.nearest / self.promised):
            self.nearest, self.promised = ratio, promised


def small_tables(n_random: int = N_RANDOM) -> dict[str, dict[str, Tally]]:
    """For each algorithm and family of tables, its ratios to the exhaustive optimum."""
    tallies: dict[str, dict[str, Tally]] = {name: {} for name in algorithms.CATALOG}
    for family, make in FAMILIES.items():
        problems = list(make(n_random))
        least = optima(problems)
        for name in algorithms.CATALOG:
            algorithm = registry.find(algorithms.CATALOG, name)
            tally = tallies[name].setdefault(family, Tally())
            for problem, optimum in zip(problems, least, strict=True):
                tally.add(algorithm, problem, float(optimum))
    return tallies


def print_small(tallies: dict[str, dict[str, Tally]]) -> None:
    print("\nRatio to the exhaustive optimum on small tables (broken: tables on which a declared guarantee was not kept)")
    print(
        f"{'algorithm':27} {'family':17} {'tried':>7} {'refused':>8} {'worst':>7} {'nearest a promise':>18} {'mean':>7} {'loss for 0':>10} {'broken':>7}"
    )
    for name, families in tallies.items():
        for family, tally in families.items():
            if tally.tried:
                promised = f"{tally.nearest:.3f} of {tally.promised:.3f}" if tally.promised is not None else "-"
                mean = float(np.mean(tally.ratios)) if tally.ratios else 1.0
                counts = f"{tally.for_nothing:10} {tally.broken:7}"
                print(f"{name:27} {family:17} {tally.tried:7} {tally.refused:8} {tally.worst:7.3f} {promised:>18} {mean:7.3f} {counts}")


# Large tables.


def large_table(data: str, k: int, measure: str) -> Problem:
    if data == "adult":
        return adult.problem(k, measure)
    n = int(data.split("-")[1])
    return replace(random_problem(np.random.default_rng(0), n, 5, k, values=10, measure=measure), time_limit=600.0)


CASES = [
    *[("adult", k, measure) for measure in ("entropy", "tree") for k in (2, 5, 10)],
    ("random-3000", 2, "stars"),
    ("random-300", 3, "stars"),
    ("random-200", 5, "stars"),
]


def one_case(name: str, data: str, k: int, measure: str) -> dict[str, object]:
    """Run one algorithm on one table, in this very process."""
    problem = large_table(data, k, measure)
    algorithm = registry.find(algorithms.CATALOG, name)
    reason = algorithm.refuses(problem)
    if reason is not None:
        return {"refused": reason}
    start = time.process_time()
    try:
        solution = algorithm.solve(problem.by_rows() if algorithm.by_rows else problem, Watch())
    except Refused as refusal:
        return {"refused": str(refusal)}
    seconds = time.process_time() - start
    return {
        "seconds": seconds,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "loss": solution.loss,
        "per_cell": solution.loss / problem.n_rows / problem.n_columns,
        "smallest": int(solution.sizes.min()),
        "note": solution.note,
    }


def bound_of_case(data: str, k: int, measure: str) -> dict[str, object]:
    """The best lower bound on a whole table."""
    return {"bound": bounds.best(large_table(data, k, measure), Watch()).value}


def in_its_own_process(*arguments: str) -> dict[str, object]:
    """So that its peak of memory is its own."""
    command = [sys.executable, "-m", "benchmarks.algorithms", *arguments]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    if answer.returncode:
        return {"refused": answer.stderr.strip().splitlines()[-1]}
    found: dict[str, object] = json.loads(answer.stdout)
    return found


def large_tables() -> list[dict[str, object]]:
    """Every algorithm on every case; the ratio is to the best bound on the whole table."""
    rows: list[dict[str, object]] = []
    for data, k, measure in CASES:
        if data == "adult" and not adult.is_there():
            continue
        bound = float(str(in_its_own_process("bound", data, str(k), measure).get("bound", 0.0)))
        for name in algorithms.CATALOG:
            found = in_its_own_process("case", name, data, str(k), measure)
            if "loss" in found:
                found["ratio"] = float(str(found["loss"])) / bound if bound else None
            rows.append({"algorithm": name, "data": data, "k": k, "measure": measure, **found})
            print_large(rows[-1])
    return rows


def print_large(row: dict[str, object]) -> None:
    about = f"{row['data']:12} k={row['k']:<3} {row['measure']:8} {row['algorithm']:27}"
    if "refused" in row:
        print(f"{about} refused: {str(row['refused'])[:80]}", flush=True)
        return
    ratio = f"{row['ratio']:7.3f}" if row["ratio"] is not None else "      -"
    print(f"{about} {row['seconds']:7.2f} s CPU {row['peak_mib']:6.0f} MiB  loss/cell {row['per_cell']:.4f}  ratio {ratio}", flush=True)


def print_reached(rows: list[dict[str, object]]) -> None:
    """The figures that were asked for, and what was reached."""
    by = {(r["algorithm"], r["data"], r["k"], r["measure"]): r for r in rows if "refused" not in r}
    print("\nReached")
    for k in (5, 10):
        found = [by.get((name, "adult", k, "entropy")) for name in ("set-cover", "forest", "mondrian")]
        if all(found):
            cover, forest, cut = (f for f in found if f)
            print(
                f"  set-cover, Adult, k={k}: {cover['seconds']:.1f} s CPU (≤ 60), {cover['per_cell']:.4f} bits per cell; "
                f"forest {forest['per_cell']:.4f}, mondrian {cut['per_cell']:.4f}"
            )
    for data, k in (("random-3000", 2), ("random-300", 3), ("random-200", 5)):
        exact = by.get(("exact", data, k, "stars"))
        if exact:
            print(f"  exact, {data}, k={k}: {exact['note']} {exact['seconds']:.1f} s CPU (≤ 60)")
    levels = by.get(("full-domain", "adult", 5, "entropy"))
    if levels:
        print(f"  full-domain, Adult, k=5: {levels['seconds']:.2f} s CPU (≤ 2)")


def main() -> None:
    print_small(small_tables())
    print("\nLarge tables")
    print_reached(large_tables())


def record(n_random: int = N_RANDOM) -> None:
    """Measure, print, and keep what the page of guarantees plots."""
    tallies = small_tables(n_random)
    print_small(tallies)
    rows = large_tables()
    print_reached(rows)
    small = {
        name: {
            family: {
                "tables": t.tried,
                "worst": round(t.worst, 4),
                "nearest": round(t.nearest, 4),
                "promised": None if t.promised is None else round(t.promised, 4),
                "quantiles": [round(float(v), 4) for v in np.quantile(t.ratios, (0.05, 0.25, 0.5, 0.75, 0.95))],
            }
            for family, t in families.items()
            if t.tried and t.ratios
        }
        for name, families in tallies.items()
    }
    large = [
        {
            key: round(v, 4) if isinstance(v, float) else v
            for key, v in row.items()
            if key in {"algorithm", "data", "k", "measure", "ratio", "seconds", "per_cell"}
        }
        for row in rows
        if "refused" not in row
    ]
    kept = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    RECORD.write_text(json.dumps({**kept, "small": small, "large": large}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["case"]:
        print(json.dumps(one_case(sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5])))
    elif sys.argv[1:2] == ["bound"]:
        print(json.dumps(bound_of_case(sys.argv[2], int(sys.argv[3]), sys.argv[4])))
    elif sys.argv[1:2] == ["record"]:
        record(*[int(n) for n in sys.argv[2:3]])
    else:
        main()
