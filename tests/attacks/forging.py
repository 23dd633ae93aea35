"""A forger of proofs: has the original, the release and the policy, may write any file, and wants a bound above the true optimum.

:func:`attack` tries files on small tables whose optimum is known by trying everything, until so many claimed more, and counts what the checker took.
Nothing but a :class:`shoal.ShoalError` may come back for a file that is not taken.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

import shoal
from shoal import bounds, measures, registry
from shoal.errors import Infeasible, ShoalError
from shoal.problem import Bound, Problem, Watch
from shoal.proof.case import Case
from shoal.proof.check import check_claim, most_bytes
from shoal.proof.file import Partitions, ProofCut, ProofPrices, ProofTexts, pack, parse
from shoal.proof.partitions import least_partition
from shoal.release.cases import case_for
from shoal.release.release import Release
from shoal.release.resolve import Hierarchies
from shoal.release.witness import OVER_SETS, rounded, rounded_cuts, walked
from tests.naive.free import free_optimum
from tests.naive.released import least_paid

Random = np.random.Generator
JOBS = (("nurse", "health", "*"), ("doctor", "health", "*"), ("cook", "food", "*"), ("waiter", "food", "*"), ("clerk", "office", "*"))
NAMES = (("age", "zip", "job"), ("size", "count", "row"), ("n_rows", "c0", "price"), ("price", "shown", "places"))
PER_TABLE = 120


@dataclass(frozen=True, eq=False)
class Target:
    """A small release, what a proof for it has to prove, and the truth."""

    case: Case
    problem: Problem
    release: Release
    honest: ProofPrices
    optimum: float
    with_cuts: Bound | None = None
    """What prices and cuts prove, where that is more than prices prove."""


@dataclass
class Tally:
    """What came of an attack."""

    forged: int = 0
    claiming_more: int = 0
    """Files whose prices add up to more than the optimum."""
    accepted: int = 0
    wrong: int = 0
    """Accepted with a bound above the optimum: must stay 0."""
    tables: int = 0
    honest: int = 0
    """Tables whose honest proof was accepted: must be all."""
    kinds: dict[str, int] = field(default_factory=dict)


def attack(n_claiming: int, seed: int = 0) -> Tally:
    """Try forged proofs until at least so many claimed more than the optimum."""
    rng = np.random.default_rng(seed)
    tally = Tally()
    other = target(rng)
    while tally.claiming_more < n_claiming:
        here = target(rng)
        tally.tables += 1
        tally.honest += honest_holds(here)
        for kind, data in forgeries(rng, here, other):
            count(tally, here, kind, data)
        climb(rng, here, tally)
        other = here
    return tally


def honest_holds(here: Target) -> bool:
    """Whether both honest proofs are taken, that of prices and that of all partitions, and prove no more than is true."""
    counted = Partitions(least_partition(here.case, here.honest.shift), here.honest.shift)
    try:
        proved = [check_claim(here.case, parse(pack(proof), most_bytes(here.case))) for proof in (here.honest, counted)]
    except ShoalError:
        return False
    return max(proved) <= here.optimum + 1e-9


def count(tally: Tally, here: Target, kind: str, data: bytes) -> float | None:
    """Show a file to the checker; what it takes for proved, None if it takes nothing."""
    tally.forged += 1
    tally.kinds[kind] = tally.kinds.get(kind, 0) + 1
    try:
        claimed = parse(data, most_bytes(here.case))
        tally.claiming_more += claims(here, claimed) > here.optimum + 1e-6
        proved = check_claim(here.case, claimed)
    except ShoalError:
        return None
    tally.accepted += 1
    tally.wrong += proved > here.optimum + 1e-9 * max(1.0, here.optimum)
    return proved


def claims(here: Target, proof: ProofPrices | Partitions) -> float:
    """What a file would prove, were it true."""
    if isinstance(proof, Partitions):
        return float(proof.total) * 2.0 ** min(-proof.shift, 900)
    if len(proof.prices) != here.problem.n_tuples:
        return 0.0
    unit = 2.0 ** min(-proof.shift, 900)
    worth = np.sort(np.repeat(proof.prices.astype(float) * unit - here.problem.offset_of_tuple, here.problem.weight))
    total = float(worth.sum()) - float(np.maximum(worth[len(worth) - here.problem.max_withheld :], 0.0).sum())
    return total - sum(float(cut.price) * unit * (int(here.problem.weight[cut.tuples].sum()) // here.problem.k) for cut in proof.cuts)


# ---- tables ----


def target(rng: Random) -> Target:
    """A small table, policy and release, all at random, with an honest proof."""
    while True:
        try:
            names = NAMES[int(rng.integers(len(NAMES)))]
            table = small_table(rng, names)
            diverse = {"sensitive": ["ill"], "l_diversity": 2} if "ill" in table.columns and rng.random() < 0.5 else {}
            release = shoal.anonymize(table, **random_settings(rng, names), **diverse)
        except Infeasible:
            continue
        return target_of(release)


def target_of(release: Release) -> Target:
    rows = release.problem.by_rows()
    truth = least_paid(rows) if rows.is_laminar else free_optimum(rows)
    case = case_for(Hierarchies(release.original, release.policy))
    problem = release.problem
    bound = bounds.best(problem, Watch(), 1) if problem.is_laminar or release.problem.n_rows % 2 else walked(problem)
    honest = rounded(problem, np.zeros(problem.n_tuples) if bound.prices is None else bound.prices)
    honest = replace(honest, by_sets=bound.name in OVER_SETS, cuts=rounded_cuts(problem, bound.cuts, honest.shift) if bound.cuts else ())
    return Target(case, problem, release, honest, truth, bound if bound.cuts else None)


def small_table(rng: Random, names: Sequence[str]) -> pl.DataFrame:
    n = int(rng.integers(4, 9))
    ages: list[str | None] = [str(a) for a in rng.choice([17, 18, 23, 31, 39, 52, 68, 90][: int(rng.choice([1, 3, 8, 8]))], n)]
    zips = [str(z) for z in rng.choice(["81241", "81243", "81249", "10115", "10117"], n)]
    jobs: list[str | None] = [JOBS[i][0] for i in rng.integers(0, len(JOBS), n)]
    if rng.random() < 0.3:
        jobs[int(rng.integers(n))] = None
    if rng.random() < 0.3:
        ages[int(rng.integers(n))] = None
    columns: dict[str, list[str | None]] = dict(zip(names, (ages, zips, jobs), strict=True))
    if rng.random() < 0.4:
        columns["ill"] = [str(v) for v in rng.choice(["flu", "gout"], n)]
    return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))


def random_settings(rng: Random, names: Sequence[str]) -> dict[str, Any]:
    return {
        "quasi_identifiers": names,
        "k": int(rng.integers(2, 4)),
        "measure": str(rng.choice(registry.names(measures.CATALOG))),
        "algorithm": str(rng.choice(["mondrian", "forest", "auto"])),
        "missing": str(rng.choice(["value", "suppress"])),
        **[{}, {}, {"withhold": 0.15}, {"withhold": 0.3}, {"deletion": True}][int(rng.integers(5))],
        "weights": {name: float(rng.choice([0.5, 1.0, 2.0, 7.0])) for name in names} if rng.random() < 0.5 else {},
        "hierarchies": random_hierarchies(rng, names),
    }


def random_hierarchies(rng: Random, names: Sequence[str]) -> dict[str, Any]:
    """Defaults, rows of labels, and now and then a column that is generalized freely."""
    found: dict[str, Any] = {names[2]: shoal.hierarchies.levels(JOBS)} if rng.random() < 0.6 else {}
    if rng.random() < 0.25:
        found[names[0]] = shoal.hierarchies.any_interval()
    if rng.random() < 0.2:
        found[names[2]] = shoal.hierarchies.any_subset()
    return found


# ---- forgeries ----


def forgeries(rng: Random, here: Target, other: Target) -> Iterator[tuple[str, bytes]]:
    """Files of every kind, at random."""
    kinds = list(CHANGES.items())
    for _ in range(PER_TABLE):
        kind, change = kinds[int(rng.integers(len(kinds)))]
        made = change(rng, here, other)
        yield kind, made if isinstance(made, bytes) else pack(greedier(rng, here, made))


def greedier(rng: Random, here: Target, proof: ProofPrices) -> ProofPrices:
    """The same prices, to be checked in either way, most of the time scaled so that they add up to a little more than the optimum."""
    proof = replace(proof, by_sets=not proof.cuts and bool(rng.random() < 0.5))
    claimed = claims(here, proof)
    if not 0 < claimed <= here.optimum or rng.random() < 0.2:
        return proof
    factor = here.optimum / claimed * (1.0 + 10.0 ** rng.uniform(-5, 0))
    return replace(proof, prices=np.ceil(proof.prices * factor).astype(np.int64)) if factor < 1e6 else proof


def raised(rng: Random, here: Target, other: Target) -> ProofPrices:
    factor = float(rng.choice([1.0001, 1.01, 1.1, 1.5, 3.0]))
    return replace(here.honest, prices=np.ceil(here.honest.prices * factor).astype(np.int64) + int(rng.integers(0, 3)))


def one_raised(rng: Random, here: Target, other: Target) -> ProofPrices:
    prices = here.honest.prices.copy()
    prices[rng.integers(len(prices))] += int(2.0 ** rng.uniform(0, 41))
    return replace(here.honest, prices=prices)


def moved(rng: Random, here: Target, other: Target) -> ProofPrices:
    prices = here.honest.prices.copy()
    a, b = rng.integers(len(prices), size=2)
    part = int(prices[a] * rng.random())
    prices[a] -= part
    prices[b] += int(part * rng.choice([1.0, 1.2, 2.0]))
    return replace(here.honest, prices=prices)


def as_paid(rng: Random, here: Target, other: Target) -> ProofPrices:
    """Every row pays what the release made it pay: the sum is its loss, which would make it the optimum."""
    solution = here.release.solution
    problem, kept = solution.problem, np.flatnonzero(solution.group >= 0)
    paid = np.full(problem.n_units, problem.price_of_suppression)
    paid[kept] = 0.0
    for j, column in enumerate(problem.columns):
        sets = solution.sets[j]
        price = column.price if sets is None else column.weight * problem.measure.set_price(column.tree, column.count, sets)
        paid[kept] += price[solution.nodes[solution.group[kept], j]]
    of_kind, prices = np.zeros(here.release.problem.n_units), np.zeros(here.problem.n_tuples)
    np.maximum.at(of_kind, problem.kind_of_unit, paid)
    np.maximum.at(prices, here.problem.tuple_of_unit, of_kind[here.problem.kind_of_unit])
    factor = float(rng.choice([0.97, 1.0, 1.0, 1.0001]))
    return replace(here.honest, prices=np.floor(np.ldexp(prices * factor, here.honest.shift)).astype(np.int64))


def at_random(rng: Random, here: Target, other: Target) -> ProofPrices:
    top = np.ldexp(here.problem.price_of_suppression, here.honest.shift)
    return replace(here.honest, prices=np.floor(rng.random(len(here.honest.prices)) * top * rng.random()).astype(np.int64))


def cut_prices(rng: Random, here: Target, other: Target) -> ProofPrices:
    """Prices that are too high, and cuts that are to make up for it: of few tuples, of all, cheap ones, and the same one many times."""
    n = len(here.honest.prices)
    top = max(int(here.honest.prices.max(initial=0)), 1)
    cuts = []
    for _ in range(int(rng.integers(1, 5))):
        held = np.flatnonzero(rng.random(n) < rng.choice([0.3, 0.6, 1.0]))
        cuts += [ProofCut(held, int(top * rng.random() * rng.choice([0.1, 1.0, 4.0])))] * int(rng.choice([1, 1, 70]))
    return replace(raised(rng, here, other), cuts=cuts)


def other_cuts(rng: Random, here: Target, other: Target) -> ProofPrices:
    """An honest proof with cuts, of which one is changed: fewer tuples that it holds, or less that it costs."""
    bound = here.with_cuts
    if bound is None or bound.prices is None:
        return raised(rng, here, other)
    honest = rounded(here.problem, bound.prices)
    cuts = rounded_cuts(here.problem, bound.cuts, honest.shift)
    at = int(rng.integers(len(cuts)))
    held = cuts[at].tuples
    smaller = held[rng.random(len(held)) < 0.7]
    cuts[at] = ProofCut(smaller, cuts[at].price) if rng.random() < 0.5 else ProofCut(held, int(cuts[at].price * rng.random()))
    return replace(honest, cuts=cuts)


def other_unit(rng: Random, here: Target, other: Target) -> ProofPrices:
    return replace(here.honest, shift=here.honest.shift - int(rng.choice([1, 2, 5, 40, 100, -1, -30])))


def exchanged(rng: Random, here: Target, other: Target) -> ProofPrices:
    """Prices stay, tuples change places."""
    order = rng.permutation(len(here.honest.prices))
    columns = {name: ProofTexts(t.values, t.places[order]) for name, t in here.honest.columns.items()}
    return replace(here.honest, columns=columns)


def other_rows(rng: Random, here: Target, other: Target) -> ProofPrices:
    """Tuples dropped or doubled."""
    n = len(here.honest.prices)
    chosen = rng.integers(0, n, size=int(rng.integers(1, n + 2)))
    columns = {name: ProofTexts(t.values, t.places[chosen]) for name, t in here.honest.columns.items()}
    return replace(here.honest, columns=columns, prices=here.honest.prices[chosen] * int(rng.choice([1, 2])))


def withheld_ones(rng: Random, here: Target, other: Target) -> ProofPrices:
    """A proof for some rows of the table alone, as many as were released."""
    problem = here.problem.by_rows()
    mask = np.zeros(problem.n_rows, dtype=bool)
    mask[rng.permutation(problem.n_rows)[: here.release.record["n_released"]]] = True
    some = problem.over(mask)
    return rounded(some, np.full(some.n_tuples, some.price_of_suppression) * rng.random())


def other_names(rng: Random, here: Target, other: Target) -> ProofPrices:
    names = list(here.honest.columns)
    texts = [here.honest.columns[names[i]] for i in rng.permutation(len(names))]
    return replace(here.honest, columns=dict(zip(names, texts, strict=True)))


def of_another(rng: Random, here: Target, other: Target) -> ProofPrices:
    return other.honest


def all_partitions(rng: Random, here: Target, other: Target) -> bytes:
    """The claim that no partition is cheaper: than a little more than the optimum, than another table's, than what it was in another unit."""
    shift = here.honest.shift + int(rng.choice([0, 0, 0, 1, -1, 20, -39]))
    wanted = [here.optimum * (1.0 + 10.0 ** rng.uniform(-7, 1)), other.optimum, float(here.release.loss), 10.0 ** rng.uniform(-3, 4)]
    return pack(Partitions(int(np.ldexp(wanted[int(rng.choice(4, p=[0.7, 0.1, 0.1, 0.1]))], shift)) + int(rng.integers(1, 3)), shift))


def strange_text(rng: Random, here: Target, other: Target) -> bytes:
    """JSON that says more, or otherwise, than it should."""
    content = json.loads(gzip.decompress(pack(raised(rng, here, other))))
    extra: list[Callable[[], Any]] = [
        lambda: content.update(shift=float(content["shift"])),
        lambda: content.update(prices=[float(p) for p in content["prices"]]),
        lambda: content.update(prices=[p * 10**12 for p in content["prices"]]),
        lambda: content.update(prices=[-p for p in content["prices"]]),
        lambda: content.update(prices=[float("inf")] * len(content["prices"])),
        lambda: content.update(weights=[9.0] * 3, intervals=[[0, 1]], rows=[1], measure="stars", k=99),
        lambda: content.update(columns=content["columns"][:-1]),
        lambda: content.update(columns=content["columns"] * 2),
        lambda: content["columns"][0].update(weight=100.0),
        lambda: content["columns"][0].update(values=["*"] * len(content["columns"][0]["values"])),
        lambda: content["columns"][0].update(places=[0] * len(content["prices"])),
        lambda: content.update(shift=None, prices=None),
        lambda: content.update(all_partitions=sum(content["prices"])),
    ]
    extra[int(rng.integers(len(extra)))]()
    return gzip.compress(json.dumps(content).encode(), compresslevel=1)


def torn(rng: Random, here: Target, other: Target) -> bytes:
    """Bytes changed or cut."""
    data = bytearray(pack(raised(rng, here, other)))
    for _ in range(int(rng.integers(1, 4))):
        data[int(rng.integers(len(data)))] = int(rng.integers(256))
    return bytes(data[: int(rng.integers(1, len(data) + 1))] if rng.random() < 0.3 else data)


CHANGES: dict[str, Callable[[Random, Target, Target], ProofPrices | bytes]] = {
    f.__name__: f
    for f in (
        raised, one_raised, moved, as_paid, at_random, other_unit, exchanged, other_rows, withheld_ones, other_names, of_another,
        cut_prices, other_cuts, all_partitions, strange_text, torn,
    )
}  # fmt: skip


def climb(rng: Random, here: Target, tally: Tally) -> None:
    """The guided forger asks the checker itself: raise a price, keep it if that is taken, else raise by less."""
    proof = here.honest
    step = max(int(proof.prices.max(initial=0)) // 4, 1 << 20)
    for _ in range(PER_TABLE // 3):
        prices = proof.prices.copy()
        prices[rng.integers(len(prices))] += step
        if rng.random() < 0.4:  # at the cost of another
            which = rng.integers(len(prices))
            prices[which] = max(prices[which] - step // 2, 0)
        tried = replace(proof, prices=prices)
        if count(tally, here, "climb", pack(tried)) is not None:
            proof = tried
        else:
            step = max(step * 3 // 4, 1)
