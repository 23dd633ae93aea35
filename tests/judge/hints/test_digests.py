"""Digests that anybody can compute again."""

from __future__ import annotations

import base64
import hashlib
import zlib

import numpy as np
import pytest

from shoal.judge.hints.digests import recomputed
from tests.judge.hints.drawn import drawn

RNG = np.random.default_rng(0)
AGE, ZIP, JOB = (RNG.integers(low, high, 60).astype(str).tolist() for low, high in ((20, 90), (10_000, 99_999), (1, 9)))
COLUMNS = [drawn(AGE, "age"), drawn(ZIP, "zip"), drawn(JOB, "job")]


def cells(digest, columns, separator=""):
    return [digest(separator.join(row)) for row in zip(*columns, strict=True)]


@pytest.mark.parametrize(
    ("shown", "name", "of"),
    [
        (cells(lambda t: hashlib.md5(t.encode()).hexdigest(), [AGE]), "md5", ["age"]),
        (cells(lambda t: hashlib.sha256(t.encode()).hexdigest(), [ZIP, AGE], "|"), "sha256", ["zip", "age"]),
        (cells(lambda t: hashlib.sha1(t.encode()).hexdigest()[:12], [AGE, ZIP, JOB], "-"), "sha1", ["age", "zip", "job"]),
        (cells(lambda t: hashlib.md5((t + "\n").encode()).hexdigest().upper(), [ZIP]), "md5", ["zip"]),
        (cells(lambda t: base64.b64encode(hashlib.sha512(t.encode()).digest()).decode(), [AGE, ZIP], ","), "sha512", ["age", "zip"]),
        (cells(lambda t: hashlib.blake2b(t.encode(), digest_size=16).hexdigest(), [ZIP, JOB], ";"), "blake2b-128", ["zip", "job"]),
        (cells(lambda t: str(zlib.crc32(t.encode())).zfill(10), [ZIP, AGE]), "crc32", ["zip", "age"]),
    ],
    ids=["md5", "sha256", "cut off", "with a newline", "base64", "blake2", "crc32"],
)
def test_the_digest_of_one_to_three_columns_is_found(shown, name, of):
    found = recomputed(drawn(shown), COLUMNS, [])
    assert found is not None
    assert (found[0], found[1]) == (name, of)
    assert found[2] > 0.8


def test_the_digest_of_a_column_that_is_not_released_is_found():
    names = [f"Person {i}" for i in range(60)]
    shown = cells(lambda t: hashlib.sha256(t.encode()).hexdigest(), [names])
    assert recomputed(drawn(shown), COLUMNS[:1], [drawn(names, "name")]) == ("sha256", ["name"], 1.0)


def test_codes_that_are_no_digests_are_not_called_so():
    assert recomputed(drawn([f"{n:032x}" for n in RNG.integers(0, 2**62, 60).tolist()]), COLUMNS, []) is None
    assert recomputed(drawn(cells(lambda t: hashlib.md5(("salt" + t).encode()).hexdigest(), [AGE])), COLUMNS, []) is None
    assert recomputed(drawn(["a text", "another"] * 30), COLUMNS, []) is None
