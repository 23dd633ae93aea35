"""Random small tables with random policies: usual ones and very unusual ones.

A case is a function of its seed. Cells of people carry a marker (``MARK``) where they can, so that a message that shows one is found.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import shoal
from shoal import algorithms, measures, registry
from tests.naive import recount
from tests.naive.recount import Cell, Column

MARK = "Zq7"
NAMES = [
    "age", "zip", "sex", "size", "count", "row", "rows", "len", "group", "shown", "original", "leaf", "rank", "value", "n", "price", "c0", "c1", "index",
    "literal", "weight", "released", "__row__", "name", "a b", "ä", "x,y", 'q"q', "=1", "*", "k", "1", "level", "sensitive", "Größe", "tuple", "struct", "right", "len_right", "^.*$", "^a", "original_right", "literal ", "COUNT", "(a)", "$",
]  # fmt: skip
ODD = [
    "*", "**", "", " ", "a", "A", " a", "a ", "NA", "nan", "null", "None", "?", "-", "0", "-0", "1", "1.0", "01", "1e3", "1,5", "[1, 2)", "{a, b}", "{a}", "a,b", 'say "hi"',
    "line\nbreak", "é", "e\u0301", "日本", "\u200b", "40-44", "<18", "65+", "=SUM(A1)", "\t", "a*", "2016", "2016-01", "(1, 2]", "true", "b\\", "\ufeffx", "ﬁ", "I", "l", "Α", "🐟",
]  # fmt: skip
MEASURES = [*registry.names(measures.CATALOG), measures.DEFAULT]
ALGORITHMS = ["auto"] * 10 + registry.names(algorithms.CATALOG)
FORMS = ["polars"] * 5 + ["typed"] * 3 + ["csv", "parquet", "pandas", "pyarrow"]


@dataclass
class Case:
    """A table, what is asked of it, and what the naive recount needs to know."""

    seed: int
    header: list[str]
    cells: dict[str, list[Cell]]
    quasi_identifiers: list[Column]
    keywords: dict[str, Any]
    """The arguments of ``shoal.anonymize`` besides the table."""
    demands: list[tuple[str, str, dict[str, float]]] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    form: str = "polars"
    """How the table is handed over."""
    person: str | None = None

    @property
    def n_rows(self) -> int:
        return len(self.cells[self.header[0]])

    def most_withheld(self) -> int:
        if self.keywords.get("deletion"):
            return self.n_rows
        return int(Decimal(str(self.keywords.get("withhold", 0.0))) * self.n_rows)

    def asked(self) -> recount.Asked:
        names = {c.name for c in self.quasi_identifiers}
        others = {name: self.cells[name] for name in self.header if name not in names and name not in self.dropped}
        return recount.Asked(self.keywords["k"], self.quasi_identifiers, others, self.dropped, self.most_withheld(), self.demands)


Made = tuple[list[Cell], Any, recount.Reads, dict[str, Any]]


def pick(rng: random.Random, values: Sequence[str], n: int, missing: float) -> list[Cell]:
    """Cells drawn from a few values, some of them more often than others."""
    weights = [rng.random() ** 2 + 0.01 for _ in values]
    return [None if rng.random() < missing else rng.choices(values, weights)[0] for _ in range(n)]


def plain(rng: random.Random, n: int, missing: float) -> Made:
    pool = ODD if rng.random() < 0.5 else [f"{MARK}{c}" for c in "abcdef"]
    return pick(rng, rng.sample(pool, rng.randint(1, 5)), n, missing), shoal.suppression(), recount.nothing, {}


def tree(rng: random.Random, n: int, missing: float) -> Made:
    """A hierarchy in rows: nested blocks, some repeated under another label, and leaves that no row has."""
    values = [f"{MARK}{i}" for i in range(rng.randint(1, 7))]
    block: dict[str, str] = {v: v for v in values}
    rows = {v: [v] for v in values}
    for level in range(rng.randint(0, 3)):
        now = sorted(set(block.values()))
        target = {b: rng.choice(now) if rng.random() < 0.6 else b for b in now}
        style = rng.choice(["l{}:{}", "{0}{1}-{1}9", "[{}, {})"])
        block = {v: target[b] for v, b in block.items()}
        for v in values:
            rows[v].append(style.format(level, now.index(block[v])))
    given = [[*row, "*"] for row in rows.values()]
    cells = pick(rng, rng.sample(values, rng.randint(1, len(values))), n, missing)
    return cells, shoal.levels(given), recount.by_rows(given), {"also": frozenset(values)}


def numbers(rng: random.Random, n: int, missing: float) -> Made:
    scale = rng.choice([1, 1, 10, Decimal("0.1"), Decimal("0.05"), 1000])
    values = sorted({str(scale * rng.randint(-30, 90)) for _ in range(rng.randint(1, 9))})
    widths = sorted({scale * w for w in rng.sample([2, 5, 10, 20, 40], rng.randint(1, 3))})
    widths = [w for i, w in enumerate(widths) if all(w % v == 0 for v in widths[:i])]
    spec = rng.choice([shoal.intervals(*map(str, widths)), shoal.intervals(), shoal.any_interval(), None])
    reads = (
        recount.by_interval if spec is not None else recount.by_any(recount.by_interval, recount.by_prefix)
    )  # a column may be called zip
    return pick(rng, values, n, missing), spec, reads, {}


def codes(rng: random.Random, n: int, missing: float) -> Made:
    length = rng.randint(2, 5)
    values = ["".join(rng.choices("0189AB", k=length if rng.random() < 0.8 else length - 1)) for _ in range(rng.randint(1, 7))]
    lengths = rng.sample(range(1, length), rng.randint(0, length - 1))
    return pick(rng, sorted(set(values)), n, missing), shoal.prefixes(*lengths), recount.by_prefix, {}


def days(rng: random.Random, n: int, missing: float) -> Made:
    first = date(rng.randint(1950, 2030), rng.randint(1, 12), rng.randint(1, 28))
    spread = rng.choice([5, 40, 500, 9000])
    values = sorted({(first + timedelta(rng.randint(0, spread))).isoformat() for _ in range(rng.randint(1, 7))})
    units = rng.choice(
        [("month", "year"), ("week",), ("day", "week"), ("quarter", "decade"), ("year",), ("month", "quarter", "year", "decade")]
    )
    spec = rng.choice([shoal.dates(*units), shoal.dates(*units), shoal.any_interval(), None])
    return pick(rng, values, n, missing), spec, recount.by_any(recount.by_date, recount.by_interval), {}


def subsets(rng: random.Random, n: int, missing: float) -> Made:
    pool = [v for v in ODD if v not in ("*", "**") and not v.startswith("{")] if rng.random() < 0.6 else [f"{MARK}{c}" for c in "abcdef"]
    return pick(rng, rng.sample(pool, rng.randint(1, 6)), n, missing), shoal.any_subset(), recount.by_set, {}


def nested(rng: random.Random, n: int, missing: float) -> Made:
    values = [f"{MARK}{i}" for i in range(rng.randint(2, 7))]
    sets, part = [], values
    while len(part) > 1:
        part = part[: rng.randint(1, len(part) - 1)] if rng.random() < 0.7 else part[rng.randint(1, len(part) - 1) :]
        sets.append(set(part))
    return pick(rng, values, n, missing), shoal.laminar(sets), recount.by_set, {"also": frozenset().union(*sets)}


def whatever(rng: random.Random, n: int, missing: float) -> Made:
    """Odd texts, and no hierarchy given: the default of whatever it looks like."""
    reads = recount.by_any(
        recount.by_interval, recount.by_decimal_comma, recount.by_prefix, recount.by_date, recount.by_set, recount.by_rest
    )
    return pick(rng, rng.sample(ODD, rng.randint(1, 6)), n, missing), None, reads, {}


KINDS: list[Callable[[random.Random, int, float], Made]] = [plain, tree, tree, numbers, codes, days, subsets, nested, whatever]


def make(seed: int) -> Case:
    """The case of a seed."""
    rng = random.Random(seed)
    k = rng.choice([2, 2, 3, 3, 4, 5])
    n = rng.choice([k, k + rng.randint(0, 6), rng.randint(4, 14), rng.randint(13, 40)])
    missing = rng.choice([0.0, 0.0, 0.1, 0.4])
    header = rng.sample(NAMES, rng.randint(2, 6))
    n_qi = rng.randint(1, min(4, len(header) - 1))
    cells: dict[str, list[Cell]] = {}
    columns, hierarchies, weights = [], {}, {}
    for name in header[:n_qi]:
        values, spec, reads, more = rng.choice(KINDS)(rng, n, missing)
        cells[name] = values
        weights[name] = rng.choice([0.5, 1.0, 2.0, 3.7])
        if spec is not None:
            hierarchies[name] = spec
        columns.append(Column(name, values, reads, weight=weights[name], **more))
    keywords: dict[str, Any] = {
        "k": k,
        "measure": rng.choice(MEASURES),
        "algorithm": rng.choice(ALGORITHMS),
        "quasi_identifiers": header[:n_qi],
        "hierarchies": hierarchies,
        "weights": weights,
        "seed": rng.randint(0, 9),
        "time_limit": 0.05,
    }
    case = Case(seed, header, cells, columns, keywords)
    for name in header[n_qi:]:
        add_other(rng, case, name, n, missing)
    rng.shuffle(case.header)
    if rng.random() < 0.35:
        keywords["withhold"] = rng.choice([0.1, 0.2, 0.5])
    elif rng.random() < 0.1:
        keywords["deletion"] = True
    if rng.random() < 0.15:
        keywords["missing"] = rng.choice(["suppress", "suppress", "error"])
    case.form = rng.choice(FORMS)
    if rng.random() < 0.3:
        add_person(rng, case, n)
    return case


def add_person(rng: random.Random, case: Case, n: int) -> None:
    """A column that says which person a row is about: few people or many, some with many rows, some rows of nobody."""
    name = next(name for name in rng.sample(NAMES, len(NAMES)) if name not in case.header)
    k = case.keywords["k"]
    pool = (
        [f"{MARK}{i}" for i in range(rng.choice([k - 1, k, k + 1, 2 * k, n]))]
        if rng.random() < 0.7
        else rng.sample(ODD, min(len(ODD), 3 * k))
    )
    case.cells[name] = pick(rng, pool, n, rng.choice([0.0, 0.0, 0.1, 0.3])) if rng.random() < 0.6 else [rng.choice(pool) for _ in range(n)]
    case.header.insert(rng.randint(0, len(case.header)), name)
    case.dropped.append(name)
    case.keywords["person"] = case.person = name


def add_other(rng: random.Random, case: Case, name: str, n: int, missing: float) -> None:
    """A column that is not a quasi-identifier: sensitive, an identifier, or named as nothing."""
    role = rng.choice(["sensitive", "sensitive", "identifier", "none"])
    pool = (
        [f"{MARK}{c}" for c in "uvwxyz"]
        if rng.random() < 0.5
        else rng.choice([ODD, [str(i) for i in range(0, 12, 3)], ["1.5", "2", "10", "-3"]])
    )
    case.cells[name] = pick(rng, rng.sample(pool, min(len(pool), rng.randint(1, 5))), n, missing)
    if role == "identifier":
        case.keywords.setdefault("identifiers", []).append(name)
        case.dropped.append(name)
    if role != "sensitive" or "sensitive" in case.keywords:
        return
    case.keywords["sensitive"] = [name]
    kind = rng.choice(["none", "none", "distinct", "entropy", "recursive", "t", "both"])
    if kind in ("distinct", "both"):
        l = rng.choice([2, 2, 3])
        case.keywords["l_diversity"] = l
        case.demands.append(("distinct-l-diversity", name, {"l": l}))
    if kind == "entropy":
        l = rng.choice([1.2, 1.5, 2.0])
        case.keywords["l_diversity"] = {"entropy": l}
        case.demands.append(("entropy-l-diversity", name, {"l": l}))
    if kind == "recursive":
        c, l = rng.choice([1.5, 3.0, 9.0]), rng.choice([2, 2, 3])
        case.keywords["l_diversity"] = {"recursive": {"c": c, "l": l}}
        case.demands.append(("recursive-l-diversity", name, {"c": c, "l": l}))
    if kind in ("t", "both"):
        t = rng.choice([0.15, 0.3, 0.5])
        case.keywords["t_closeness"] = t
        case.demands.append(("t-closeness", name, {"t": t}))
