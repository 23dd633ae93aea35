"""What an analyst can do with a release: the error of counts, means, associations, coefficients and predictions, by three readings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from benchmarks.utility_tables import Case
from shoal.reader import doubts, tally
from shoal.reader.column import Column, fit_column, labels_of
from shoal.reader.conditions import Condition
from shoal.reader.explained import explained
from shoal.reader.fit import fit
from shoal.reader.read import groups_showing, lean_of
from shoal.reader.reading import Reading
from shoal.text.cells import as_text

N_QUERIES = 300
LEAST = 0.005
READINGS = {"evenly": (0.0, 1e-9), "likeliest": (1.0, 1e-9)}
"""The plain readings: the lean, and how often each value is taken to have been seen before any was; nothing is known of groups."""


@dataclass(frozen=True, eq=False)
class Truth:
    """The original column: its distinct values, and which of them each row has."""

    values: list[str | None]
    number: np.ndarray
    code: np.ndarray


def truths(case: Case, names: list[str]) -> dict[str, Truth]:
    found = {}
    for name in names:
        text = as_text(case.table[name])
        values = text.unique().sort().to_list()
        place = {v: i for i, v in enumerate(values)}
        number = np.array([_float(v) for v in values])
        found[name] = Truth(values, number, np.array([place[v] for v in text.to_list()]))
    return found


def _float(text: str | None) -> float:
    try:
        return float(text) if text is not None else np.nan
    except ValueError:
        return np.nan


def is_number(truth: Truth) -> bool:
    return np.isfinite(truth.number).sum() >= 12 and (~np.isfinite(truth.number)).sum() <= 1


def read(case: Case, released: pl.DataFrame, lean: float) -> dict[str, Reading]:
    """The three readings. A code book of the categories is known to all of them; numbers are inferred from the release."""
    known: dict[str, Any] = {}
    original = truths(case, case.quasi_identifiers)
    if case.hierarchies is None:
        known = {n: [[v, "*"] for v in t.values if v is not None] for n, t in original.items() if not is_number(t)}
    labels = {n: labels_of(released[n], explained(n, {}, case.hierarchies or known)) for n in case.quasi_identifiers}
    group = np.zeros(released.height, dtype=np.int64)
    for name in case.quasi_identifiers:
        label = labels[name].label
        group = np.unique(group * (int(label.max()) + 1) + label, return_inverse=True)[1].reshape(-1)
    size = np.bincount(group)
    prior = max(0.5, float(size.min()) / 4)
    columns = {n: fit_column(labels[n], size[group], groups_showing(labels[n], group, size), lean, prior) for n in case.quasi_identifiers}
    frame = released.select(case.quasi_identifiers)
    found = {"reader": Reading(frame, columns, group, lean)}
    for name, (plain_lean, plain_prior) in READINGS.items():
        found[name] = Reading(frame, {n: _plainly(c, plain_lean, plain_prior) for n, c in columns.items()}, group, plain_lean)
    return found


def _plainly(column: Column, lean: float, prior: float) -> Column:
    cells = replace(column.cells, size=np.full(len(column.cells.size), 1e9), open=np.ones(len(column.cells.leaf)))
    cells = cells if cells.is_nested else replace(cells, is_nested=True, part=np.arange(len(cells.leaf)))
    share = fit(cells, lean, prior)
    return replace(column, cells=replace(column.cells), shares=(share, share, share))


Query = list[tuple[str, np.ndarray]]


def queries(original: dict[str, Truth], seed: int = 1) -> list[tuple[Query, int]]:
    """Conjunctions of one to three columns that hold for at least one row in two hundred."""
    rng = np.random.default_rng(seed)
    names, n, found = list(original), len(next(iter(original.values())).code), []
    for _ in range(30 * N_QUERIES):
        chosen = rng.choice(len(names), min(rng.integers(1, 4), len(names)), replace=False)
        asked = [(names[j], _condition(original[names[j]], rng)) for j in chosen]
        hit = np.logical_and.reduce([mask[original[name].code] for name, mask in asked])
        if hit.sum() >= LEAST * n:
            found.append((asked, int(hit.sum())))
        if len(found) == N_QUERIES:
            break
    return found


def _condition(truth: Truth, rng: np.random.Generator) -> np.ndarray:
    """A range of a twentieth to a quarter of the numbers' range around somebody's number; else up to half of the values, somebody's among them."""
    somebody = truth.code[rng.integers(len(truth.code))]
    if is_number(truth) and np.isfinite(truth.number[somebody]):
        width = (np.nanmax(truth.number) - np.nanmin(truth.number)) * rng.choice([0.07, 0.14, 0.28])
        return np.abs(truth.number - truth.number[somebody]) <= width / 2
    mask = np.zeros(len(truth.values), dtype=bool)
    mask[somebody] = True
    size = 1 if len(mask) <= 3 else int(rng.integers(1, max(2, len(mask) // 2)))
    mask[rng.choice(len(mask), size - 1, replace=False)] = True
    return mask


def mask_of(column: Column, truth: Truth, mask: np.ndarray) -> np.ndarray:
    """The condition over the values that the reader knows: a range for numbers."""
    if is_number(truth) and column.is_line:
        number = truth.number[mask & np.isfinite(truth.number)]
        if len(number):
            return (column.words.place >= number.min()) & (column.words.place <= number.max())
    wanted = {truth.values[i] for i in np.flatnonzero(mask)}
    return np.array([v in wanted for v in column.words.values])


def counts(reading: Reading, original: dict[str, Truth], asked: list[tuple[Query, int]]) -> dict[str, float]:
    error, held = [], []
    for query, true in asked:
        conditions = [(reading.columns[n], Condition(mask_of(reading.columns[n], original[n], m).astype(np.float64))) for n, m in query]
        parts = reading._cut([n for n, _ in query])
        found = tally.count(parts, tally.weigh(parts, conditions))
        error.append(abs(found.value - true) / true)
        if found.at_most > found.at_least:
            held.append(found.low - 0.5 <= true <= found.high + 0.5)
    return {
        "median": float(np.median(error)),
        "mean": float(np.mean(error)),
        "p90": float(np.quantile(error, 0.9)),
        "coverage": float(np.mean(held)) if held else 1.0,
    }


def numbers(reading: Reading, original: dict[str, Truth]) -> dict[str, float]:
    """Means and quantiles of the columns of numbers, in standard deviations; and how often the interval of the mean holds the truth."""
    off, quantile, held = [], [], []
    for name, truth in original.items():
        column = reading.columns[name]
        x = truth.number[truth.code]
        x = x[np.isfinite(x)]
        if not is_number(truth) or not column.is_line:
            continue
        mean = reading.mean(name)
        off.append(abs(mean.value - x.mean()) / x.std())
        held.append(mean.low <= x.mean() <= mean.high)
        quantile += [abs(reading.quantile(name, q).value - np.quantile(x, q)) / x.std() for q in (0.1, 0.25, 0.5, 0.75, 0.9)]
    return {"mean": float(np.mean(off)), "quantile": float(np.mean(quantile)), "coverage": float(np.mean(held))} if off else {}


def associations(reading: Reading, original: dict[str, Truth]) -> float:
    """The mean absolute difference of Cramér's V over all pairs of columns, numbers cut at their quintiles."""
    bins = {n: _bins(reading.columns[n], t) for n, t in original.items()}
    names, off = list(original), []
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            (true_a, shown_a, n_a), (true_b, shown_b, n_b) = bins[a], bins[b]
            true = np.zeros((n_a, n_b))
            np.add.at(true, (true_a, true_b), 1)
            off.append(abs(_cramer(true) - _cramer(_expected(reading, a, b, shown_a, shown_b, n_a, n_b))))
    return float(np.mean(off))


def _bins(column: Column, truth: Truth) -> tuple[np.ndarray, np.ndarray, int]:
    """The bin of each original row and of each value that the reader knows."""
    if is_number(truth) and column.is_line:
        edges = np.unique(np.nanquantile(truth.number[truth.code], [0.2, 0.4, 0.6, 0.8]))
        original = np.searchsorted(edges, np.nan_to_num(truth.number, nan=-1e18), "right")
        return original[truth.code], np.searchsorted(edges, np.nan_to_num(column.words.place, nan=-1e18), "right"), len(edges) + 1
    place = {v: i for i, v in enumerate(truth.values)}
    return truth.code, np.array([place.get(v, len(place)) for v in column.words.values]), len(place) + 1


def _expected(reading: Reading, a: str, b: str, bin_a: np.ndarray, bin_b: np.ndarray, n_a: int, n_b: int) -> np.ndarray:
    """The expected table of two columns."""
    first, second = reading.columns[a], reading.columns[b]
    together = np.zeros((len(first.cells.size), len(second.cells.size)))
    np.add.at(together, (first.kind, second.kind), 1)
    return _per_bin(first, bin_a, n_a).T @ together @ _per_bin(second, bin_b, n_b)


def _per_bin(column: Column, bin_of: np.ndarray, n: int) -> np.ndarray:
    found = np.zeros((len(column.cells.size), n))
    np.add.at(found, (column.of, bin_of[column.cells.leaf]), column.shares[1])
    return found


def _cramer(table: np.ndarray) -> float:
    table = table[table.sum(1) > 1e-9][:, table.sum(0) > 1e-9]
    n, few = table.sum(), min(table.shape)
    if few < 2:
        return 0.0
    expected = np.outer(table.sum(1), table.sum(0)) / n
    return float(np.sqrt(((table - expected) ** 2 / expected).sum() / n / (few - 1)))


def rare_gap(reading: Reading, original: dict[str, Truth]) -> float:
    """How much more often values of the rarer half of the rows are hidden than those of the other half, over all columns."""
    gaps = []
    for name, truth in original.items():
        column = reading.columns[name]
        exact = (np.diff(column.cells.start) == 1)[column.kind]
        count = np.bincount(truth.code, minlength=len(truth.values))
        order = np.argsort(-count, kind="stable")
        before = np.cumsum(count[order]) - count[order]
        frequent = np.zeros(len(count), dtype=bool)
        frequent[order[before < count.sum() / 2]] = True
        is_frequent = frequent[truth.code]
        if not is_frequent.all() and not exact.all():
            gaps.append((~exact)[~is_frequent].mean() - (~exact)[is_frequent].mean())
    return float(np.mean(gaps)) if gaps else 0.0


def design(original: dict[str, Truth], columns: dict[str, np.ndarray]) -> np.ndarray:
    """A design matrix: numbers standardised by the original, the most frequent other values as indicators."""
    parts = [np.ones((len(next(iter(columns.values()))), 1))]
    for name, truth in original.items():
        x = columns[name]
        if is_number(truth):
            known = truth.number[truth.code]
            parts.append(((np.nan_to_num(x, nan=np.nanmean(known)) - np.nanmean(known)) / np.nanstd(known))[:, None])
        else:
            top = np.argsort(-np.bincount(truth.code), kind="stable")[1:6]
            parts.append((x[:, None] == top[None, :]).astype(float))
    return np.hstack(parts)


def from_truth(original: dict[str, Truth], case: Case, frame: pl.DataFrame) -> dict[str, np.ndarray]:
    """The columns of original rows: numbers, or the places of the values."""
    found = {}
    for name, truth in original.items():
        text = as_text(frame[name]).to_list()
        place = {v: i for i, v in enumerate(truth.values)}
        found[name] = np.array([_float(v) for v in text]) if is_number(truth) else np.array([place.get(v, -1) for v in text])
    return found


def drawn(reading: Reading, original: dict[str, Truth], seed: int) -> dict[str, np.ndarray]:
    """The same from one drawing of the release."""
    from shoal.reader.draws import LEANS, draw

    found, rng = {}, np.random.default_rng(seed)
    for name, truth in original.items():
        column = reading.columns[name]
        value = draw(column, reading.group, rng, LEANS[seed % 3])
        place = {v: i for i, v in enumerate(truth.values)}
        found[name] = column.words.place[value] if is_number(truth) else np.array([place.get(v, -1) for v in column.words.values])[value]
    return found


def regression(reading: Reading, original: dict[str, Truth], case: Case, times: int = 5) -> dict[str, float]:
    """A linear model of the target: how far coefficients are from the original's, in its standard errors; how often Rubin's interval holds them."""
    y = _target(case, case.table)
    full = design(original, from_truth(original, case, case.table))
    kept = full.std(0) > 1e-9
    kept[0] = True
    true, true_error = _least_squares(full[:, kept], y)
    each = [_least_squares(design(original, drawn(reading, original, t))[:, kept], y) for t in range(times)]
    value = np.mean([b for b, _ in each], axis=0)
    between = np.var([b for b, _ in each], axis=0, ddof=1)
    error = np.sqrt(np.mean([e**2 for _, e in each], axis=0) + (1 + 1 / times) * between)
    off = np.abs(value - true)[1:] / true_error[1:]
    return {
        "off": float(np.median(off)),
        "held": float(np.mean(np.abs(value - true)[1:] <= 1.96 * error[1:])),
        "wider": float(np.median(error[1:] / true_error[1:])),
    }


def _target(case: Case, frame: pl.DataFrame) -> np.ndarray:
    text = as_text(frame[case.target]).fill_null("")
    return (text == sorted(set(as_text(case.table[case.target]).fill_null("").to_list()))[-1]).to_numpy().astype(float)


def _least_squares(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    inverse = np.linalg.pinv(x.T @ x + 1e-6 * np.eye(x.shape[1]))
    b = inverse @ x.T @ y
    rest = y - x @ b
    return b, np.sqrt(np.maximum(np.diag(inverse), 1e-12) * (rest @ rest) / max(len(y) - x.shape[1], 1))


def prediction(reading: Reading, original: dict[str, Truth], case: Case) -> dict[str, float]:
    """The area under the curve on rows held back, lost by learning from a drawing instead of the original."""
    y, test = _target(case, case.table), _target(case, case.held)
    if test.min() == test.max() or y.min() == y.max():
        return {}
    there = design(original, from_truth(original, case, case.held))
    best = _auc(there @ _logistic(design(original, from_truth(original, case, case.table)), y), test)
    got = np.mean([_auc(there @ _logistic(design(original, drawn(reading, original, t)), y), test) for t in range(3)])
    return {"lost": float(best - got), "best": float(best)}


def _logistic(x: np.ndarray, y: np.ndarray, penalty: float = 1.0) -> np.ndarray:
    b = np.zeros(x.shape[1])
    for _ in range(15):
        p = 1 / (1 + np.exp(-np.clip(x @ b, -30, 30)))
        w = np.maximum(p * (1 - p), 1e-6)
        b = b + np.linalg.solve((x * w[:, None]).T @ x + penalty * np.eye(len(b)), x.T @ (y - p) - penalty * b)
    return b


def _auc(score: np.ndarray, y: np.ndarray) -> float:
    _, inverse, n = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(n) - (n - 1) / 2)[inverse]
    return float((rank[y == 1].sum() - (y == 1).sum() * ((y == 1).sum() + 1) / 2) / max((y == 1).sum() * (y == 0).sum(), 1))


def judge(case: Case, released: pl.DataFrame, measure: str | None) -> dict[str, Any]:
    """Everything about one release."""
    original = truths(case, case.quasi_identifiers)
    readings = read(case, released, lean_of(measure))
    asked = queries(original)
    found: dict[str, Any] = {"counts": {name: counts(r, original, asked) for name, r in readings.items()}}
    reader = readings["reader"]
    found["numbers"] = numbers(reader, original)
    found["associations"] = {name: associations(r, original) for name, r in readings.items()}
    found["rare"] = rare_gap(reader, original) if released.height == case.table.height else None
    found["exact"] = float(np.mean([(np.diff(c.cells.start) == 1)[c.kind].mean() for c in reader.columns.values()]))
    found["doubtful"] = float(np.mean([doubts.moved(c) for c in reader.columns.values()]))
    if case.target and released.height == case.table.height:
        found["regression"] = regression(reader, original, case)
        if case.held.height:
            found["prediction"] = prediction(reader, original, case)
    return found
