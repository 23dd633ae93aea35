"""The values of a group, computed from what is published. What the attacker has, wants and gets: ``reconstruction.py``."""

from __future__ import annotations

import json
import math
from itertools import islice

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.measures import CATALOG
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
    """For small groups, every assignment of values that fits the release fits every published byte."""
    for target in islice(reconstruction.targets(seed), 2):
        alone, both = reconstruction.attack(target, most=15)
        assert alone >= 1
        assert both == alone, target


def test_the_ages_of_five_people_cannot_be_computed():
    """A release in which one group hides its ages, and a report whose figures were an oracle for them: 100,000 assignments, one fitted."""
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


@pytest.mark.parametrize("measure", sorted(CATALOG))
def test_nothing_tells_whether_a_label_is_a_value_or_a_group(measure: str):
    """'Other' may be the value or the group around it; the report counted which it was, and the loss depended on it."""
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


@pytest.mark.parametrize("measure", ["entropy", "root-share"])
def test_at_the_boundary_where_figures_begin_to_be_told(measure: str):
    """The smallest table of a series that tells its loss. Whatever one group holds, values of the others lead to the same figure: by all sums
    that they can make, exactly."""
    rng = np.random.default_rng(0)
    decade, last = np.repeat(np.arange(1, 121), 5), np.minimum(rng.geometric(0.35, 600) - 1, 9)
    asked = {"k": 5, "quasi_identifiers": ["age"], "hierarchies": {"age": shoal.intervals(10)}, "keep_order": False, "measure": measure}
    for n_groups in range(60, 120, 3):
        n = 5 * n_groups
        ages = (10 * decade + last)[:n].astype(str)
        release = guess(pl.DataFrame({"age": ages}), np.repeat(np.arange(n_groups), 5), asked)
        told = release.manifest["loss"]
        if told is not None:
            break
    assert told == pytest.approx(round_up(release.loss), rel=1e-12)
    n_open = sum(label.startswith("[") for label in set(release.frame["age"].to_list()))
    each, figure, sum_of = FIGURES[measure](n, n_open)
    others = _sums(each, n_open - 1, sum_of(told)) if measure == "entropy" else _some_sums(each, n_open - 1)
    for mine in each.tolist():
        near = (others + mine)[np.abs(others + mine - sum_of(told)) < 2]
        assert any(np.isclose(round_up(figure(x)), told, rtol=1e-12) for x in near), mine


PARTS = [(5,), (4, 1), (3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1), (1,) * 5]


def _entropies(n: int, n_open: int):
    """What a group of five rows can lose, by how many of them have the same value; the loss is the sum."""
    return np.array([5 * np.log2(5) - sum(c * np.log2(c) for c in part) for part in PARTS]), lambda x: x, lambda told: told


def _roots(n: int, n_open: int):
    """Σ c√c of a group of five rows: the loss follows from the sum over all groups, with those that show one age."""
    whole, most = n**1.5 - (n / 5 - n_open) * 5**1.5, n_open * 5**1.5
    each = np.array([sum(c**1.5 for c in part) for part in PARTS])
    return each, lambda x: n * (most - x) / (whole - x), lambda told: (n * most - told * whole) / (n - told)


FIGURES = {"entropy": _entropies, "root-share": _roots}


def _sums(each: np.ndarray, n: int, near: float) -> np.ndarray:
    """All sums of n of these that can still come near a number."""
    sums = np.zeros(1)
    for left in range(n, 0, -1):
        sums = np.unique(np.round(sums[:, None] + each, 6))
        sums = sums[(sums <= near + 2) & (sums + (left - 1) * each.max() >= near - 2 - each.max())]
    return sums


def _some_sums(each: np.ndarray, n: int) -> np.ndarray:
    """A million sums of n of these: of roots there are too many to try all."""
    rng = np.random.default_rng(1)
    return np.concatenate([rng.multinomial(n, rng.dirichlet(np.ones(len(each))), 1000) @ each for _ in range(1000)])


@pytest.mark.parametrize("measure", ["entropy", "root-share"])
@pytest.mark.parametrize("n_groups", [20, 60])
def test_an_extreme_figure_is_not_told(n_groups: int, measure: str):
    """Where every decade holds each age equally often, a loss of 664.4 said so of all of them."""
    group = np.repeat(np.arange(n_groups), 10)
    age = 10 + 10 * (group % 8) + np.tile(np.arange(10), n_groups)
    asked = {"k": 10, "quasi_identifiers": ["age"], "hierarchies": {"age": shoal.intervals(10)}, "keep_order": False, "measure": measure}
    release = guess(pl.DataFrame({"age": age.astype(str)}), group, asked)
    if measure == "entropy":
        assert release.loss == pytest.approx(10 * n_groups * np.log2(10)), "the most that such labels can lose"
    report = json.loads(files(release)["report.json"])
    assert release.manifest["loss"] is release.manifest["lower_bound"] is release.manifest["ratio"] is None
    assert "664" not in json.dumps(report["loss_by_column"])
    moved = age.copy()
    moved[rng_of(n_groups).permutation(len(age))[: len(age) // 2]] //= 10
    moved = np.where(moved < 10, 10 * moved + 3, moved)  # half of the rows of a decade have one age: nothing extreme
    assert guess(pl.DataFrame({"age": moved.astype(str)}), group, asked).manifest["loss"] is not None


def rng_of(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)
