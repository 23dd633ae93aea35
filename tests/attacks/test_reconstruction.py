"""R1 and R3: the values of a group, computed from what is published. What the attacker has, wants and gets: ``reconstruction.py``."""

from __future__ import annotations

import json
import math
from itertools import islice

import numpy as np
import polars as pl
import pytest

import shoal
from tests.attacks import reconstruction
from tests.attacks.published import files, guess


def round_up(value: float) -> float:
    """To four digits, as figures are told; written here, so that the attack needs nothing but what is published."""
    if value <= 0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(value)) - 3)
    return math.ceil(value / unit - 1e-9) * unit


@pytest.mark.parametrize("seed", range(4))
def test_everything_published_fits_whatever_fits_the_release(seed: int):
    """R1, R3: for small groups, every assignment of values that fits the release fits every published byte."""
    for target in islice(reconstruction.targets(seed), 3):
        alone, both = reconstruction.attack(target, most=25)
        assert alone >= 1
        assert both == alone, target


def test_the_ages_of_five_people():
    """R1: a release in which one group hides its ages, and a report whose figures were an oracle for them: 100,000 assignments, one fitted."""
    original, group, rows = _people()
    release = guess(
        original,
        group,
        {"k": 5, "quasi_identifiers": ["age", "height"], "hierarchies": {"age": shoal.intervals(10, 20), "height": shoal.suppression()}},
    )
    assert set(release.frame["age"].to_list()) >= {"[20, 30)", "41"}
    published = files(release)
    report, manifest = json.loads(published["report.json"]), json.loads(published["manifest.json"])
    ages = np.stack(np.meshgrid(*[np.arange(20, 30)] * 5, indexing="ij"), axis=-1).reshape(-1, 5)
    fits = np.ones(len(ages), dtype=bool)
    for told, values in _oracles(original, rows, ages, report, manifest):
        fits &= np.isclose(values, told, rtol=1e-9) | np.isclose([round_up(v) for v in values], told, rtol=1e-9)
    assert fits.sum() == len(ages), f"{fits.sum()} of {len(ages)} assignments are left"


@pytest.mark.parametrize("measure", ["stars", "tree", "entropy"])
def test_a_label_that_names_a_value_and_a_group(measure: str):
    """R1: 'Other' may be the value or the group around it; the report counted which it was, and the loss depended on it."""
    rows = [["Other", "Other", "*"], ["cook", "Other", "*"], ["nurse", "care", "*"], ["medic", "care", "*"]]
    asked = {"k": 3, "quasi_identifiers": ["job"], "hierarchies": {"job": rows}, "measure": measure}
    mixed, alone = ["Other", "cook", "cook"], ["Other"] * 3
    tables = [pl.DataFrame({"job": [*first, *second, *["nurse"] * 3]}) for first in (mixed, alone) for second in (mixed, alone)]
    releases = [guess(table, np.repeat(np.arange(3), 3), asked) for table in tables]
    assert len({tuple(release.frame["job"]) for release in releases}) == 1, "one release"
    assert len({json.dumps(files(release)) for release in releases}) == 1, "and nothing that tells the tables apart"


def _people() -> tuple[pl.DataFrame, np.ndarray, list[int]]:
    """Sixteen groups of five who share their age and height, and five people between 20 and 29."""
    rng = np.random.default_rng(3)
    age, height = np.repeat(np.arange(41, 57), 5), np.repeat(150 + rng.integers(0, 40, 16), 5)
    age, height = np.append(age, [21, 22, 24, 27, 29]), np.append(height, [151, 158, 163, 170, 179])
    group = np.repeat(np.arange(17), 5)
    return pl.DataFrame({"age": age.astype(str), "height": height.astype(str)}), group, list(range(80, 85))


def _oracles(original, rows, ages, report, manifest):
    """Figures of the original that the files tell, each with what it would be for every assignment."""
    others = original.with_row_index().filter(~pl.col("index").is_in(rows))
    counts = np.stack([(ages == a).sum(axis=1) for a in range(20, 30)], axis=1).astype(float)
    spent = (counts * np.log2(np.maximum(counts, 1))).sum(axis=1)
    told = manifest["measures"]["non-uniform-entropy"]["total"]
    heights = original["height"].cast(float).to_numpy()[rows]
    if told is not None:
        shared = original.select(pl.len().over("height").alias("n"))["n"].to_numpy()[rows]
        yield told, 5 * np.log2(5) - spent + np.log2(len(original) / shared).sum()
    pair = next(p for p in report["pairs"] if {p["a"], p["b"]} == {"age", "height"})
    if "correlation" in pair and "before" in pair["correlation"]:
        known = others["age"].cast(float).to_numpy(), others["height"].cast(float).to_numpy()
        n = 85.0
        sum_a, sum_h = known[0].sum() + ages.sum(axis=1), known[1].sum() + heights.sum()
        sum_ah = (known[0] * known[1]).sum() + ages @ heights
        var_a = (known[0] ** 2).sum() + (ages**2).sum(axis=1) - sum_a**2 / n
        var_h = (known[1] ** 2).sum() + (heights**2).sum() - sum_h**2 / n
        yield pair["correlation"]["before"], (sum_ah - sum_a * sum_h / n) / np.sqrt(var_a * var_h)


def test_a_figure_that_is_told_could_have_been_made_by_others():
    """R3: where loss and bound are told, any assignment of a group's cells leads to the told loss with some values of the other open cells."""
    rng = np.random.default_rng(5)
    n_groups, size = 40, 5
    group = np.repeat(np.arange(n_groups), size)
    decade = rng.integers(1, 9, n_groups)[group]
    age = 10 * decade + rng.integers(0, 10, len(group))
    frame = pl.DataFrame({"age": age.astype(str)})
    release = guess(frame, group, {"k": size, "quasi_identifiers": ["age"], "hierarchies": {"age": shoal.intervals(10)}})
    told = release.manifest["loss"]
    assert told is not None
    assert told == pytest.approx(round_up(release.loss), rel=1e-9)
    assert told >= release.loss
    for _ in range(20):
        mine = 10 * decade[:size] + (rng.integers(0, 10, size) if rng.random() < 0.7 else np.full(size, rng.integers(0, 10)))
        assert any(
            math.isclose(round_up(_entropy(np.append(mine, rest))), told, rel_tol=1e-9)
            for rest in _others(rng, age[size:], decade[size:], told, mine)
        ), mine


def _entropy(age: np.ndarray) -> float:
    """The loss of a release that shows decades: for each row the entropy of its decade's ages."""
    total = 0.0
    for decade in np.unique(age // 10):
        _, counts = np.unique(age[age // 10 == decade], return_counts=True)
        total += counts.sum() * np.log2(counts.sum()) - (counts * np.log2(counts)).sum()
    return float(total)


def _others(rng, rest, decade, told, mine):
    """The other rows' ages, changed one by one towards the figure that is told."""
    rest = rest.copy()
    best = _entropy(np.append(mine, rest))
    for _ in range(20_000):
        yield rest
        changed = rest.copy()
        i = rng.integers(len(rest))
        changed[i] = 10 * decade[i] + rng.integers(0, 10)
        lost = _entropy(np.append(mine, changed))
        if abs(lost - told) <= abs(best - told) or rng.random() < 0.05:
            rest, best = changed, lost
