"""Every label that our builders write is understood by the verifier with the same flags."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.api import make_policy
from shoal.cli.main import run
from shoal.errors import HierarchyError
from shoal.io import read
from shoal.release.resolve import texts_of
from shoal.release.texts import as_rows

DATES = {
    "slashes and a time": [f"2016/{1 + i % 12:02d}/01 00:47:{i:02d}" for i in range(24)],
    "points": [f"{1 + i:02d}.{1 + i % 12:02d}.2016" for i in range(24)],
    "iso": [f"20{10 + i % 4}-03-{1 + i:02d}" for i in range(24)],
    "codes": [f"81{100 + i}" for i in range(24)],
    "leading zeros": [f"00{100 + i}" for i in range(24)],
    "numbers": [str(1000 * i) for i in range(24)],
    "decimal commas": [f"{i},5" for i in range(24)],
    "times": [f"{i:02d}:15" for i in range(24)],
}


@pytest.mark.parametrize("kind", DATES)
@pytest.mark.parametrize("measure", ["entropy", "lm", "tree"])
def test_every_label_of_ours_is_understood_with_the_same_flags(kind, measure, tmp_path):
    """R12: dates such as 2016/01/01 00:47:36 and 01.01.2016 were called untrue."""
    pl.DataFrame({"when": DATES[kind], "x": ["a", "b"] * 12}).write_csv(tmp_path / "o.csv", separator="|")
    flags = ["-k", "4", "--qi", "when,x"]
    assert run(["anonymize", str(tmp_path / "o.csv"), "-o", str(tmp_path / "r.csv"), "--measure", measure, "--quiet", *flags]) == 0
    assert run(["verify", str(tmp_path / "o.csv"), str(tmp_path / "r.csv"), *flags]) == 0
    assert run(["measure", str(tmp_path / "o.csv"), str(tmp_path / "r.csv"), "--qi", "when,x"]) == 0


def test_a_hierarchy_that_was_given_is_taken_as_it_stands(tmp_path):
    (tmp_path / "job.csv").write_text("nurse;health;*\ncook;food;*\n")
    table = read(pl.DataFrame({"job": ["nurse", "cook"]}))
    for given in (tmp_path / "job.csv", [["nurse", "health", "*"], ["cook", "food", "*"]]):
        policy = make_policy(None, k=2, quasi_identifiers=["job"], hierarchies={"job": given})
        assert as_rows(texts_of(table, policy, "job")) == [("nurse", "health", "*"), ("cook", "food", "*")]


def test_without_one_the_default_of_its_kind_is_taken():
    policy = make_policy(None, k=2, quasi_identifiers=["age"])
    texts = texts_of(read(pl.DataFrame({"age": ["17", "25", "41"]})), policy, "age")
    assert texts.levels[0].to_list() == ["17", "25", "41"]
    assert set(texts.levels[-1].to_list()) == {"*"}


def test_a_file_that_is_wrong_is_named_with_its_line(tmp_path):
    (tmp_path / "job.csv").write_text("nurse;health;*\nnurse;food;*\n")
    policy = make_policy(None, k=2, quasi_identifiers=["job"], hierarchies={"job": tmp_path / "job.csv"})
    with pytest.raises(HierarchyError, match=r"job\.csv: .*2"):
        texts_of(read(pl.DataFrame({"job": ["nurse"]})), policy, "job")
