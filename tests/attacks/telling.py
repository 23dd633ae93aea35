"""Tables with a column that gives hidden values back, in many ways. The attacker has the release alone; the caller of ``verify`` has both tables.

Each kind is a column made of the original: as somebody adds it by mistake, or to pass values on. The release hides ages in ranges of twenty years, postal
codes but for their first digit, and sex and job altogether; eight groups of about fifty rows.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import zlib
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

QI = ["age", "zip", "sex", "job"]
K = 5
Maker = Callable[[np.random.Generator, pl.DataFrame], Sequence[object]]


def table(rng: np.random.Generator, n: int = 400) -> pl.DataFrame:
    """People, an illness, and a pay that nobody shares."""
    return pl.DataFrame(
        {
            "age": rng.integers(20, 100, n).astype(str),
            "zip": (rng.integers(80, 99, n) * 1000 + rng.integers(0, 12, n)).astype(str),
            "sex": rng.choice(["f", "m"], n),
            "job": rng.choice([f"job {letter}" for letter in "abcdefghijkl"], n),
            "ill": rng.choice(["flu", "gout", "cold", "hiv"], n),
            "pay": np.round(rng.lognormal(10, 0.5, n), 2).astype(str),
        }
    )


def released(original: pl.DataFrame) -> pl.DataFrame:
    """A true release of it."""
    low = [int(age) // 20 * 20 for age in original["age"]]
    return original.with_columns(
        age=pl.Series([f"[{a}, {a + 20})" for a in low]), zip=original["zip"].str.head(1) + "****", sex=pl.lit("*"), job=pl.lit("*")
    )


def ages(t: pl.DataFrame) -> np.ndarray:
    return t["age"].cast(pl.Int64).to_numpy()


def zips(t: pl.DataFrame) -> np.ndarray:
    return t["zip"].cast(pl.Int64).to_numpy()


def changed(rng: np.random.Generator, cells: pl.Series, share: float) -> list[str]:
    """Some cells exchanged for others of the column, one at least."""
    found = cells.to_list()
    for i in rng.choice(len(found), max(1, int(share * len(found))), replace=False).tolist():
        found[i] = cells[int(rng.integers(len(found)))]
    return found


def joined(t: pl.DataFrame, names: Sequence[str], separator: str) -> list[str]:
    return [separator.join(row) for row in t.select(names).iter_rows()]


def digest(name: str, texts: Sequence[str], salt: str = "") -> list[str]:
    return [hashlib.new(name, (salt + text).encode()).hexdigest() for text in texts]


def secret(rng: np.random.Generator, cells: pl.Series) -> list[int]:
    """A number for each value, which nobody can compute."""
    values = cells.unique().sort().to_list()
    codes = dict(zip(values, rng.permutation(9 * len(values)).tolist(), strict=False))
    return [codes[value] for value in cells]


def months(rng: np.random.Generator, t: pl.DataFrame) -> list[str]:
    return [str(12 * age + rng.integers(12) + round(rng.random(), 3)) for age in ages(t)]


def dates(rng: np.random.Generator, t: pl.DataFrame) -> list[str]:
    return [f"{rng.integers(1, 29):02}.{rng.integers(1, 13):02}.{2026 - age}" for age in ages(t)]


def noisy_digits(rng: np.random.Generator, t: pl.DataFrame) -> list[str]:
    return ["".join(f"{c}{rng.integers(10)}" for c in code) for code in t["zip"]]


def rank(values: np.ndarray) -> np.ndarray:
    return np.argsort(np.argsort(values, kind="stable"))


KINDS: dict[str, Maker] = {
    "birth year": lambda rng, t: 2026 - ages(t),
    "birth year by birthday": lambda rng, t: 2026 - ages(t) - rng.integers(0, 2, t.height),
    "float": lambda rng, t: ages(t).astype(float),
    "join": lambda rng, t: joined(t, ["age", "zip"], "/"),
    "md5 of three": lambda rng, t: digest("md5", joined(t, ["age", "zip", "sex"], "")),
    "one cell changed": lambda rng, t: changed(rng, t["age"], 0),
    "cells changed": lambda rng, t: changed(rng, t["zip"], 0.03),
    "half of the cells": lambda rng, t: [age if rng.random() < 0.5 else None for age in t["age"]],
    "half noise": lambda rng, t: changed(rng, t["age"], 0.45),
    "line": lambda rng, t: 7 * ages(t) + 13,
    "sum": lambda rng, t: ages(t) + zips(t),
    "product": lambda rng, t: ages(t) * zips(t),
    "backwards": lambda rng, t: [code[::-1] for code in t["zip"]],
    "beginning": lambda rng, t: [code[:4] for code in t["zip"]],
    "last digits": lambda rng, t: [code[-2:] for code in t["zip"]],
    "flag": lambda rng, t: (ages(t) > 50).astype(int),
    "finer ranges": lambda rng, t: [f"{age // 3 * 3}-{age // 3 * 3 + 2}" for age in ages(t).tolist()],
    "rank": lambda rng, t: rank(ages(t)),
    "percentile": lambda rng, t: np.round(100 * rank(zips(t)) / t.height, 1),
    "salted digest": lambda rng, t: digest("sha256", t["age"].to_list(), "s3cret"),
    "sha256 of two": lambda rng, t: digest("sha256", joined(t, ["zip", "age"], "|")),
    "sha1 cut off": lambda rng, t: [code[:10] for code in digest("sha1", joined(t, ["age", "job"], ";"))],
    "digest in base64": lambda rng, t: [
        base64.b64encode(hashlib.md5(c.encode()).digest()).decode() for c in joined(t, ["age", "zip"], ",")
    ],
    "text in base64": lambda rng, t: [base64.b64encode(text.encode()).decode() for text in joined(t, ["age", "zip"], ",")],
    "crc32": lambda rng, t: [zlib.crc32(text.encode()) for text in joined(t, ["zip", "age"], "")],
    "secret codes": lambda rng, t: secret(rng, t["job"]),
    "pronoun and letter": lambda rng, t: [f"{'Mrs' if sex == 'f' else 'Mr'} {rng.choice(list('ABCDEFGH'))}." for sex in t["sex"]],
    "date of birth": dates,
    "other case": lambda rng, t: [job.upper().replace(" ", "_") for job in t["job"]],
    # not thought of when the search was made
    "exclusive or": lambda rng, t: zips(t) ^ 0x5A5A,
    "modular": lambda rng, t: (37 * ages(t) + 11) % 101,
    "months and days": months,
    "substituted": lambda rng, t: secret(rng, t["zip"]),
    "half of the digits": lambda rng, t: [code[::2] for code in t["zip"]],
    "json": lambda rng, t: [f'{{"a": "{a}", "z": [{z}]}}' for a, z in t.select("age", "zip").iter_rows()],
    "other digits": lambda rng, t: ["".join(chr(0x660 + int(c)) for c in code) for code in t["zip"]],
    "digits among others": noisy_digits,
    "parity of a number": lambda rng, t: [2 * int(rng.integers(10**5, 10**6)) + (sex == "f") for sex in t["sex"]],
    "one of three": lambda rng, t: [f"{rng.integers(20, 100)};{age};{rng.integers(20, 100)}" for age in t["age"]],
    "noise of a year": lambda rng, t: ages(t) + rng.integers(-1, 2, t.height),
}

ODD_CELLS: dict[str, Maker] = {
    "there or not": lambda rng, t: ["yes" if sex == "f" else None for sex in t["sex"]],
    "blanks after a text": lambda rng, t: [noise(rng) + " " * age for age in ages(t).tolist()],
    "marks that nobody sees": lambda rng, t: [noise(rng) + "".join("\u200b\u200c"[int(bit)] for bit in f"{age:07b}") for age in ages(t)],
    "capital letters": lambda rng, t: [
        "".join(c.upper() if bit == "1" else c for c, bit in zip(noise(rng), f"{age:07b}", strict=True)) for age in ages(t)
    ],
    "length of noise": lambda rng, t: ["".join(rng.choice(list("abcdefgh"), age)) for age in ages(t)],
    "inside a number": lambda rng, t: [f"{noise(rng)}-{age:02x}{rng.integers(256):02x}-{noise(rng)}" for age in ages(t)],
    "one letter inside": lambda rng, t: [noise(rng) + ("q" if sex == "f" else "z") + noise(rng) for sex in t["sex"]],
    "duration": lambda rng, t: [dt.timedelta(days=365 * age + int(rng.integers(365))) for age in ages(t).tolist()],
    "date in a struct": lambda rng, t: [{"born": dt.date(2024 - age, int(rng.integers(1, 13)), 1)} for age in ages(t).tolist()],
    "length of a list": lambda rng, t: [rng.integers(0, 9, age).tolist() for age in ages(t)],
    "list": lambda rng, t: [[int(rng.integers(1000)), age] for age in ages(t).tolist()],
    "bytes": lambda rng, t: [bytes([*rng.integers(0, 256, 6).tolist(), age]) for age in ages(t).tolist()],
}
"""Columns that Parquet or a text file may hold, and in which the hidden value is no text of its own."""


def noise(rng: np.random.Generator) -> str:
    return "".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), 7))


def column(kind: str, rng: np.random.Generator, original: pl.DataFrame) -> pl.Series:
    """The column of a kind, as texts."""
    return pl.Series("extra", [None if cell is None else str(cell) for cell in KINDS[kind](rng, original)], dtype=pl.String)
