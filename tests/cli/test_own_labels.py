"""What anonymize writes by its own hierarchies, verify and measure read with no more than the same flags."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

DRAW = random.Random(5)
N = 400
WHEN = [datetime(2016, 1, 1) + timedelta(minutes=DRAW.randrange(60 * 24 * 400)) for _ in range(N)]
COLUMNS: dict[str, list[str]] = {
    "income": [str(int(10 ** DRAW.uniform(1, 5))) for _ in range(N)],
    "fee": [f"{DRAW.randrange(1, 90)},{DRAW.randrange(10)}" for _ in range(N)],
    "paid": [f"${DRAW.randrange(1, 90_000):,}" for _ in range(N)],
    "age group": [DRAW.choice(["<18", "18-24", "25-34", "35-64", "65+", "unknown"]) for _ in range(N)],
    "mood": [DRAW.choice(["low", "medium", "high"]) for _ in range(N)],
    "scale": [str(DRAW.randrange(11)) for _ in range(N)],
    "seen": [w.strftime("%Y/%m/%d %H:%M:%S") for w in WHEN],
    "noted": [w.strftime("%d.%m.%Y") for w in WHEN],
    "stamp": [f"{w.month}/{w.day}/{w:%y} {w.hour}:{w:%M}" for w in WHEN],
    "issued": [w.strftime("%b-%Y") for w in WHEN],
    "unsure": [f"{1 + w.day % 12:02d}/{w.month:02d}/{w.year}" for w in WHEN],
    "called": [w.strftime("%H:%M") for w in WHEN],
    "lat": [f"{51 + DRAW.random():.4f}" for _ in range(N)],
    "job": [DRAW.choice(["nurse"] * 60 + ["clerk"] * 50 + ["cook"] * 40 + [f"rare {i}" for i in range(9)]) for _ in range(N)],
    "postcode": [
        f"{DRAW.choice(['SW1A', 'SW9', 'N1', 'EC2M'])} {DRAW.randrange(1, 9)}{DRAW.choice('AB')}{DRAW.choice('XY')}" for _ in range(N)
    ],
    "precinct": [str(DRAW.randrange(1, 6)) for _ in range(N)],
}


@pytest.mark.parametrize("second", ["age group", "income", "seen"])
@pytest.mark.parametrize("column", list(COLUMNS))
def test_a_release_is_read_with_the_same_flags(shoal, tmp_path: Path, column: str, second: str) -> None:
    names = list(dict.fromkeys([column, second]))
    pl.DataFrame({name: COLUMNS[name] for name in names}).write_csv(tmp_path / "t.csv")
    flags = [flag for name in names for flag in ("--qi", name)]
    answer = shoal("anonymize", tmp_path / "t.csv", "-o", tmp_path / "r.csv", "-k", 5, *flags, "--time-limit", 0.05)
    assert answer.status == 0, answer.err
    checked = shoal("verify", tmp_path / "t.csv", tmp_path / "r.csv", "-k", 5, *flags)
    assert checked.status == 0, checked.err
    assert shoal("measure", tmp_path / "t.csv", tmp_path / "r.csv", *flags).status == 0
