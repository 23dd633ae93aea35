"""Visits to a hospital: several rows of one person."""

from __future__ import annotations

import numpy as np
import polars as pl

import shoal

QI = ["age", "sex", "ward"]


def visits(n: int = 400, people: int = 90, seed: int = 0) -> pl.DataFrame:
    """Visits to a hospital: a patient has several, always of one age and sex, and in any ward."""
    rng = np.random.default_rng(seed)
    who = rng.integers(0, people, n)
    age, sex = rng.integers(18, 90, people), rng.choice(["m", "f"], people)
    return pl.DataFrame(
        {
            "patient": [f"p{i}" for i in who],
            "age": [str(a) for a in age[who]],
            "sex": sex[who],
            "ward": rng.choice(list("abcd"), n),
            "illness": rng.choice(["flu", "hiv", "cold", "none"], n),
        }
    )


def people_of_groups(table: pl.DataFrame, release: shoal.Release) -> list[int]:
    """An owner's own count: who is behind the rows that look alike."""
    shown = list(release.frame.select(QI).iter_rows())
    who = table["patient"].to_list()
    groups: dict[tuple, set] = {}
    for cells, row in zip(shown, release.rows.tolist(), strict=True):
        groups.setdefault(cells, set()).add(who[row])
    return [len(people) for people in groups.values()]


def anonymize(table: pl.DataFrame, **more) -> shoal.Release:
    given = {"k": 4, "quasi_identifiers": QI, "sensitive": ["illness"], "person": "patient", "effort": 0.05}
    return shoal.anonymize(table, **{**given, **more})
