"""The gate: only the very table that was verified is written, and the figures that are published are the recount's."""

from __future__ import annotations

import dataclasses
import datetime as d
import re
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal import io
from shoal.judge.gate import fingerprint
from tests.release.twelve import DATA, HOW, nothing_in, release


def test_a_plain_frame_is_not_written(tmp_path):
    """Io.write took any frame."""
    for verdict in (None, "verified", shoal.verify(DATA, release().table, **HOW)):
        with pytest.raises(shoal.NotAnonymous):
            io.write(DATA, tmp_path / "r.csv", verdict=verdict)
    assert nothing_in(tmp_path)


def test_what_anybody_verified_may_be_written(tmp_path):
    frame = release().table
    io.write(frame, tmp_path / "r.csv", verdict=shoal.verify(DATA, frame, **HOW))
    shoal.verify(DATA, tmp_path / "r.csv", **HOW)


def test_a_verdict_cannot_be_made_or_changed():
    """Nor a verdict on something else passed on."""
    verdict = release().verdict
    with pytest.raises(shoal.NotAnonymous):
        dataclasses.replace(verdict, fingerprint=fingerprint(DATA))


def test_a_clustering_passes_the_same_gate(tmp_path):
    """Clustering.write wrote whatever frame it held."""
    found = shoal.cluster(DATA, r=3, quasi_identifiers=["age"], sensitive=["ill"])
    with pytest.raises(shoal.NotAnonymous):
        dataclasses.replace(found, frame=DATA).write(tmp_path / "c.csv")
    found.frame[0, "age"] = "99"
    with pytest.raises(shoal.NotAnonymous):
        found.write(tmp_path / "c.csv")
    found.long_frame[0, "ill"] = "none"
    with pytest.raises(shoal.NotAnonymous):
        found.write(tmp_path / "c.csv", long=True)
    assert nothing_in(tmp_path)


def test_a_sensitive_column_does_not_take_the_place_of_the_radius():
    """The long table of clusters lost its radius to a column of that name."""
    frame = pl.DataFrame({"x": [1, 2, 9, 9], "radius": ["a", "b", "a", "b"]})
    found = shoal.cluster(frame, method="cellular", r=2, quasi_identifiers=["x"], sensitive=["radius"])
    assert found.long_frame.columns == ["x", "size", "radius_", "radius"]


S = pl.Series
PAIRS = [
    (S([1.0, None]), S([1.0, float("nan")])),
    (S([0.0]), S([-0.0])),
    (S([""]), S([None], dtype=pl.String)),
    (S([1]), S([1.0])),
    (S(["1"]), S(["1.0"])),
    (S(["a", "bc"]), S(["ab", "c"])),
    (S(["é"]), S(["e\u0301"])),
    (S(["K"]), S(["\u212a"])),
    (S([True, None]), S([True, False])),
    (S([d.date(2020, 1, 1)]), S([d.datetime(2020, 1, 1)])),
    (S([Decimal("1.0")]), S([Decimal("1.1")])),
    (S([b"a", None]), S([None, b"a"])),
    (S([[1], [2, 3]]), S([[1, 2], [3]])),
    (S([[], [None]], dtype=pl.List(pl.Int8)), S([[None], []], dtype=pl.List(pl.Int8))),
    (S([{"a": 1, "b": None}]), S([{"a": None, "b": 1}])),
    (S(["a"], dtype=pl.Enum(["a", "b"])), S(["a"], dtype=pl.Enum(["a", "c"]))),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_the_fingerprint_tells_apart_what_a_reader_would(one, other):
    """NaN and null, the two zeros, types, texts that look alike."""
    assert fingerprint(pl.DataFrame({"x": one})) != fingerprint(pl.DataFrame({"x": other}))
    assert fingerprint(pl.DataFrame({"x": one})) != fingerprint(pl.DataFrame({"y": one}))


@given(st.lists(st.one_of(st.none(), st.text(max_size=20)), max_size=12), st.integers(0, 5))
def test_the_fingerprint_does_not_depend_on_how_the_cells_lie_in_memory(cells, cut):
    whole = pl.Series("x", ["before", None, *cells], dtype=pl.String)[2:]
    parts = pl.concat([whole[:cut], whole[cut:]], rechunk=False)
    plain = pl.Series("x", cells, dtype=pl.String)
    assert fingerprint(whole.to_frame()) == fingerprint(parts.to_frame()) == fingerprint(plain.to_frame())


def test_only_the_verifiers_hold_the_key():
    """What makes a verdict is said nowhere but where something is recounted."""
    source = Path(shoal.__file__).parent
    users = {str(path.relative_to(source)) for path in source.rglob("*.py") if re.search(r"gate(\.| import .*)\bKEY\b", path.read_text())}
    assert users == {
        "judge/verdict.py",
        "judge/judge.py",
        "clustering/verify.py",
        "clustering/result.py",
        "clustering/run.py",
    }
