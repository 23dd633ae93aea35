"""Makes the demo table: 10,000 patients of an invented hospital, none of whom is a real person.

Ages, jobs, nationalities, places, seasons and diagnoses depend on each other as in real life. Common values are very
common and rare ones very rare, and some cells are missing. Draws use whole numbers from a bit generator whose stream
NumPy keeps stable, so the same seed gives the same bytes everywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from shoal.demo.vocabulary import DIAGNOSES, FAMILY, FAMILY_END, GIVEN, GIVEN_END, HOME, JOBS, NATIONS

SEED = 20230101
N_ROWS = 10_000
HEADER = ("name", "record", "age", "sex", "postcode", "admitted", "job", "nationality", "diagnosis")
MISSING = {"age": 50, "sex": 40, "postcode": 100, "admitted": 20, "job": 500, "nationality": 250, "diagnosis": 30}
"""Missing cells in ten thousand."""
FIRST_DAY, N_DAYS = date(2023, 1, 1), 731

Ints = NDArray[np.int64]


class Dice:
    """Whole-number draws."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def below(self, limit: int, n: int) -> Ints:
        return (self._bits.random_raw(n) % np.uint64(limit)).astype(np.int64)

    def pick(self, weights: Sequence[int] | Ints, n: int) -> Ints:
        """n draws, each number as likely as its weight."""
        edges = np.cumsum(np.asarray(weights, dtype=np.int64))
        return np.searchsorted(edges, self.below(int(edges[-1]), n), side="right")

    def pick_by(self, kinds: Ints, weights_of: dict[int, Ints]) -> Ints:
        """One draw for each row, by the weights of the row's kind."""
        out = np.empty(len(kinds), dtype=np.int64)
        for kind in np.unique(kinds).tolist():
            rows = np.flatnonzero(kinds == kind)
            out[rows] = self.pick(weights_of[kind], len(rows))
        return out


def draw_ages(dice: Dice, n: int) -> Ints:
    """Hospitals see infants, few children, women and men of all ages, and many of the old; hardly anyone past a
    hundred.
    """
    knots = [0, 1, 5, 12, 20, 32, 45, 65, 80, 90, 97, 104]
    height = [420, 170, 60, 55, 120, 180, 140, 260, 330, 150, 14, 1]
    weights = [64 * height[-1]]
    for (low, high), (a, b) in reversed([*zip(pairwise(knots), pairwise(height), strict=True)]):
        weights[:0] = [(64 * (a * (high - x) + b * (x - low))) // (high - low) for x in range(low, high)]
    return dice.pick(weights, n)


def draw_sexes(dice: Dice, ages: Ints) -> Ints:
    """0 female, 1 male, 2 other: women outlive men."""
    kinds = (ages >= 75).astype(np.int64)
    return dice.pick_by(kinds, {0: np.array([520, 475, 5]), 1: np.array([620, 379, 1])})


def make_postcodes() -> tuple[list[str], Ints, NDArray[np.bool_]]:
    """Codes, how many live there, and whether it is a town: six regions, districts in each, a few codes in every
    district.
    """
    codes, people, town = [], [], []
    for region in range(6):
        for district in range(9 - region):
            for place in range(5 - (district > 2) - (region > 3)):
                codes.append(
                    f"{region + 2}{(district * 7 + region) % 10}{(district * 3) % 10}"
                    f"{place * 2}{(region * district + place) % 10}"
                )
                people.append(60_000 // ((region + 1) * (district + 1) * (place + 1)))
                town.append(district < 3)
    return codes, np.array(people, dtype=np.int64), np.array(town)


def draw_days(dice: Dice, n: int) -> Ints:
    """Fewer people come at weekends, in August and at Christmas."""
    days = [FIRST_DAY + timedelta(days=i) for i in range(N_DAYS)]
    weights = [
        (10 - 5 * (d.weekday() > 4)) * (10 - 4 * (d.month == 8)) * (10 - 7 * (d.month == 12 and d.day > 22))
        for d in days
    ]
    return dice.pick(weights, n)


def draw_jobs(dice: Dice, ages: Ints, sexes: Ints, town: NDArray[np.bool_]) -> Ints:
    place = {job.name: j for j, job in enumerate(JOBS)}
    weights_of = {}
    for sex in range(3):
        for in_town in range(2):
            work = np.array(
                [j.weight * (j.women, 10 - j.women, 5)[sex] * (j.town if in_town else 10) for j in JOBS], dtype=np.int64
            )
            idle = np.zeros(len(JOBS), dtype=np.int64)
            child, pupil, student, retired = (idle.copy() for _ in range(4))
            child[place["child"]], pupil[place["pupil"]], student[place["student"]], retired[place["retired"]] = (
                1,
                1,
                1,
                1,
            )
            total = int(work.sum())
            young = work + student * 2 * total
            by_age = [child, pupil, young, work, work + retired * 2 * total, work // 40 + retired * total]
            for a, weights in enumerate(by_age):
                weights_of[(a * 3 + sex) * 2 + in_town] = weights
    age_class = np.searchsorted(np.array([6, 18, 25, 60, 67]), ages, side="right")
    return dice.pick_by((age_class * 3 + sexes) * 2 + town, weights_of)


def draw_nations(dice: Dice, postcodes: Ints, codes: list[str], ages: Ints) -> tuple[list[str], Ints]:
    """Newcomers are young, and settle where others from their country live: each district has a community of its
    own.
    """
    names = [nation for group in NATIONS.values() for nation in group]
    base = np.array([weight for group in NATIONS.values() for weight in group.values()], dtype=np.int64)
    home = names.index(HOME)
    weights_of = {}
    districts = sorted({code[:3] for code in codes})
    for d in range(len(districts)):
        for young in range(2):
            weights = base.copy()
            weights[(d * 5) % len(names)] += 0 if (d * 5) % len(names) == home else 300
            weights[home] *= 1 if young else 4
            weights_of[d * 2 + young] = weights
    district = np.array([districts.index(code[:3]) for code in codes])[postcodes]
    return names, dice.pick_by(district * 2 + (ages < 50), weights_of)


def draw_diagnoses(dice: Dice, ages: Ints, sexes: Ints, days: Ints) -> Ints:
    age_class = np.searchsorted(np.array([5, 18, 45, 68]), ages, side="right")
    months = np.array([(FIRST_DAY + timedelta(days=i)).month for i in range(N_DAYS)])[days]
    winter = ((months >= 11) | (months <= 3)).astype(np.int64)
    weights_of = {}
    for a in range(5):
        for sex in range(3):
            for w in range(2):
                share = [(d.women, d.men, min(d.women, d.men))[sex] for d in DIAGNOSES]
                weights = [d.by_age[a] * s * (d.winter if w else 1) for d, s in zip(DIAGNOSES, share, strict=True)]
                weights_of[(a * 3 + sex) * 2 + w] = np.array(weights, dtype=np.int64)
    return dice.pick_by((age_class * 3 + sexes) * 2 + winter, weights_of)


def draw_names(dice: Dice, n: int) -> list[str]:
    parts = [dice.below(len(p), n).tolist() for p in (GIVEN, GIVEN_END, FAMILY, FAMILY_END)]
    return [f"{GIVEN[a]}{GIVEN_END[b]} {FAMILY[c]}{FAMILY_END[d]}" for a, b, c, d in zip(*parts, strict=True)]


def make_table(n: int = N_ROWS, seed: int = SEED) -> list[list[str]]:
    """Columns in the header's order; an empty text is a missing cell."""
    dice = Dice(seed)
    ages = draw_ages(dice, n)
    sexes = draw_sexes(dice, ages)
    codes, people, towns = make_postcodes()
    places = dice.pick(people, n)
    days = draw_days(dice, n)
    jobs = draw_jobs(dice, ages, sexes, towns[places])
    nations, nationality = draw_nations(dice, places, codes, ages)
    diagnoses = draw_diagnoses(dice, ages, sexes, days)
    records = np.argsort(dice.below(2**62, n), kind="stable").tolist()
    columns = {
        "name": draw_names(dice, n),
        "record": [f"R{700_000 + 7 * r}" for r in records],
        "age": [str(a) for a in ages.tolist()],
        "sex": [("female", "male", "other")[s] for s in sexes.tolist()],
        "postcode": [codes[p] for p in places.tolist()],
        "admitted": [(FIRST_DAY + timedelta(days=d)).isoformat() for d in days.tolist()],
        "job": [JOBS[j].name for j in jobs.tolist()],
        "nationality": [nations[m] for m in nationality.tolist()],
        "diagnosis": [DIAGNOSES[d].name for d in diagnoses.tolist()],
    }
    for name, rate in MISSING.items():
        gone = (dice.below(10_000, n) < rate).tolist()
        columns[name] = ["" if g else cell for g, cell in zip(gone, columns[name], strict=True)]
    return [columns[name] for name in HEADER]


def make_hierarchies() -> dict[str, list[tuple[str, ...]]]:
    """For each column that has one, its leaves with their ancestors, the root last."""
    nations: list[tuple[str, ...]] = [
        (nation, part, continent, "*") for (part, continent), group in NATIONS.items() for nation in group
    ]
    return {
        "diagnosis": [(d.name, d.chapter, "*") for d in DIAGNOSES],
        "job": [(j.name, j.field, j.sector, "*") for j in JOBS],
        "nationality": nations,
    }


def render() -> dict[str, bytes]:
    """Every file that is made, by its path within the demo's folder."""
    rows = zip(*make_table(), strict=True)
    table = "\n".join(",".join(row) for row in [HEADER, *rows]) + "\n"
    made = {"patients.csv": table.encode()}
    for column, leaves in make_hierarchies().items():
        made[f"hierarchies/{column}.csv"] = ("\n".join(";".join(leaf) for leaf in leaves) + "\n").encode()
    return made


def main(folder: str) -> None:
    """Write every file into a folder."""
    for name, data in render().items():
        place = Path(folder) / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


if __name__ == "__main__":
    main(sys.argv[1])
