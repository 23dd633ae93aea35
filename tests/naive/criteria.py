"""Privacy criteria on lists of values, straight from their definitions; ``keeps`` says of groups of texts whether they keep one."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from math import log, log2


def distinct(values: list[int], table: list[int]) -> float:
    return len(set(values))


def effective(values: list[int], table: list[int]) -> float:
    shares = [c / len(values) for c in Counter(values).values()]
    return 2 ** -sum(p * log2(p) for p in shares)


def recursive(values: list[int], table: list[int], l: int) -> float:
    falling = sorted(Counter(values).values(), reverse=True)
    tail = sum(falling[l - 1 :])
    return falling[0] / tail if tail else float("inf")


def distance(values: list[int], table: list[int], ordered: bool) -> float:
    n_values = max(table) + 1
    p = [values.count(v) / len(values) for v in range(n_values)]
    q = [table.count(v) / len(table) for v in range(n_values)]
    if not ordered:
        return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2
    if n_values == 1:
        return 0.0
    return sum(abs(sum(p[: i + 1]) - sum(q[: i + 1])) for i in range(n_values)) / (n_values - 1)


def fillings(values: list[int | None]) -> list[list[int]]:
    """Every way to fill the missing cells of a group with values that it has; one value if it has none."""
    there = sorted({v for v in values if v is not None}) or [0]
    choices = [[v] if v is not None else there for v in values]
    return [list(one) for one in product(*choices)]


def distance_with_missing(values: list[int | None], table: list[int | None], ordered: bool) -> float:
    """The earth mover's distance by its definition on a line: numbers one step apart, a missing cell one range beyond the greatest."""
    n_values = max(v for v in table if v is not None) + 1
    keys: list[int | None] = [*range(n_values), None]
    p = [values.count(v) / len(values) for v in keys]
    q = [table.count(v) / len(table) for v in keys]
    if not ordered:
        return sum(abs(a - b) for a, b in zip(p, q, strict=True)) / 2
    steps = [1 / (n_values - 1)] * (n_values - 1) + [1.0] if n_values > 1 else [1.0]
    return sum(step * abs(sum(p[: i + 1]) - sum(q[: i + 1])) for i, step in enumerate(steps))


Cell = str | None
ROUNDING = 1e-9


def keeps(criterion: str, asked: dict[str, float], groups: list[list[Cell]], table: list[Cell]) -> bool:
    """Whether every group keeps a criterion, by the words of its paper: cells as texts, ``None`` for a missing one; ``table`` are all rows."""
    return all(KEPT[criterion](group, table, asked) for group in groups)


def value_of(table: list[Cell]) -> dict[Cell, object]:
    """What each text stands for: a number where all are numbers, which may have commas at the thousands, else itself."""
    texts = [text for text in set(table) if text is not None]
    try:
        numbers = {text: float(text.replace(",", "")) for text in texts}
    except ValueError:
        return {None: None, **{text: text for text in texts}}
    return {None: None, **numbers}


def are_ordered(table: list[Cell]) -> bool:
    """Numbers are, unless one is written as a code, with a zero in front."""
    there = [text for text in table if text is not None]
    is_code = any(len(text.lstrip("+-")) > 1 and text.lstrip("+-")[0] == "0" and text.lstrip("+-")[1].isdigit() for text in there)
    return bool(there) and not is_code and all(isinstance(value, float) for value in value_of(table).values() if value is not None)


def least_diverse(group: list[Cell], table: list[Cell]) -> list[list[int]]:
    """The counts of the group's values, falling, for every way to fill its missing cells with values that it has."""
    known = value_of(table)
    values = [known[text] for text in group]
    places = sorted({v for v in values if v is not None}, key=str)
    numbered = [None if v is None else places.index(v) for v in values]
    return [sorted(Counter(filled).values(), reverse=True) for filled in fillings(numbered)]


def shares(cells: list[Cell], table: list[Cell]) -> dict[object, float]:
    """The share of each value, a missing cell being one."""
    known = value_of(table)
    return {value: n / len(cells) for value, n in Counter(known[text] for text in cells).items()}


def keeps_distinct(group: list[Cell], table: list[Cell], asked: dict[str, float]) -> bool:
    known = value_of(table)
    return len({known[text] for text in group if text is not None}) >= asked["l"]


def keeps_entropy(group: list[Cell], table: list[Cell], asked: dict[str, float]) -> bool:
    n = len(group)
    return all(-sum(c / n * log2(c / n) for c in counts) >= log2(asked["l"]) - ROUNDING for counts in least_diverse(group, table))


def keeps_recursive(group: list[Cell], table: list[Cell], asked: dict[str, float]) -> bool:
    return all(counts[0] < asked["c"] * sum(counts[int(asked["l"]) - 1 :]) for counts in least_diverse(group, table))


def keeps_alpha(group: list[Cell], table: list[Cell], asked: dict[str, float]) -> bool:
    return all(counts[0] / len(group) <= asked["alpha"] + ROUNDING for counts in least_diverse(group, table))


def keeps_closeness(group: list[Cell], table: list[Cell], asked: dict[str, float]) -> bool:
    p, q = shares(group, table), shares(table, table)
    if not are_ordered(table):
        return sum(abs(p.get(v, 0) - q[v]) for v in q) / 2 <= asked["t"] + ROUNDING
    line = sorted(v for v in q if isinstance(v, float))
    at = {v: i / max(len(line) - 1, 1) for i, v in enumerate(line)} | {None: 2.0}
    order = sorted(at, key=lambda v: at[v])
    moved = 0.0
    for i, (here, after) in enumerate(pairwise(order)):
        carried = sum(p.get(v, 0) - q.get(v, 0) for v in order[: i + 1])
        moved += abs(carried) * (1.0 if after is None else at[after] - at[here])
    return moved <= asked["t"] + ROUNDING


def keeps_basic(group: list[Cell], table: list[Cell], asked: dict[str, float]) -> bool:
    p, q = shares(table, table), shares(group, table)
    return all((q[v] - p[v]) / p[v] <= asked["beta"] + ROUNDING for v in q)


def keeps_enhanced(group: list[Cell], table: list[Cell], asked: dict[str, float]) -> bool:
    p, q = shares(table, table), shares(group, table)
    return all((q[v] - p[v]) / p[v] <= min(asked["beta"], -log(p[v])) + ROUNDING for v in q)


def keeps_delta(group: list[Cell], table: list[Cell], asked: dict[str, float]) -> bool:
    p, q = shares(table, table), shares(group, table)
    return all(v in q and abs(log2(q[v] / p[v])) < asked["delta"] for v in p)


def keeps_rows(group: list[Cell], table: list[Cell], asked: dict[str, float]) -> bool:
    return len(group) >= asked["k"]


def keeps_people(group: list[Cell], table: list[Cell], asked: dict[str, float]) -> bool:
    return len({text.strip() for text in group if text is not None and text.strip()}) >= asked["k"]


KEPT = {
    "k-anonymity": keeps_rows,
    "k-people": keeps_people,
    "distinct-l-diversity": keeps_distinct,
    "entropy-l-diversity": keeps_entropy,
    "recursive-l-diversity": keeps_recursive,
    "t-closeness": keeps_closeness,
    "alpha-k-anonymity": keeps_alpha,
    "basic-beta-likeness": keeps_basic,
    "enhanced-beta-likeness": keeps_enhanced,
    "delta-disclosure-privacy": keeps_delta,
}
