"""The record: everything that is known of a run, exactly, for its owner."""

import hashlib
import json
from types import SimpleNamespace

import polars as pl
import pytest

import shoal
from shoal.problem import Bound
from shoal.release.record import input_sha256, lower_bound_of, ratio_of, unprotected_words

TABLE = pl.DataFrame({"age": [str(20 + i % 7) for i in range(40)], "ill": ["flu", "gout"] * 20, "shoe": ["a"] * 40})


def test_the_ratio_says_how_far_from_the_best_a_release_can_be():
    assert ratio_of(3.0, 2.0) == 1.5
    assert ratio_of(2.0, 2.0 + 1e-12) == 1.0, "rounding never makes a release better than the best"
    assert ratio_of(0.0, 0.0) == 1.0
    assert ratio_of(3.0, 0.0) is None


def test_a_bound_above_the_loss_is_never_told():
    story = SimpleNamespace(bound=Bound("dual", 5.0, None), why_no_bound="")
    assert lower_bound_of(story, 5.0) == (5.0, "dual")
    value, why = lower_bound_of(story, 4.0)
    assert value is None
    assert "contradicts the loss" in why
    assert lower_bound_of(SimpleNamespace(bound=None, why_no_bound="there was no time"), 4.0) == (None, "there was no time")


def test_it_is_exact_and_says_that_it_is_not_for_publication(tmp_path):
    TABLE.write_csv(tmp_path / "t.csv")
    release = shoal.anonymize(tmp_path / "t.csv", k=4, quasi_identifiers=["age"], sensitive=["ill"], l_diversity=2)
    record = json.loads(json.dumps(release.record))
    assert "Not for publication" in record["notice"]
    assert record["shoal"] == shoal.__version__
    assert (record["n_rows"], record["n_released"], record["n_withheld"]) == (40, 40, 0)
    assert record["unprotected"] == ["shoe"]
    assert record["input_sha256"] == hashlib.sha256((tmp_path / "t.csv").read_bytes()).hexdigest()
    assert [c["name"] for c in record["criteria"]] == ["k-anonymity", "distinct-l-diversity"]
    assert all(c["reached"] >= (4 if c["name"] == "k-anonymity" else 2) for c in record["criteria"])
    assert record["lower_bound"] <= record["loss"]


def test_what_was_no_file_has_no_hash_of_one():
    assert input_sha256(shoal.anonymize(TABLE, k=4, quasi_identifiers=["age"]).original) is None


def test_columns_without_a_role_are_named_with_what_to_do():
    with pytest.warns(shoal.ShoalWarning, match="shoe: released as they are"):
        shoal.anonymize(TABLE, k=4, quasi_identifiers=["age"], sensitive=["ill"])
    assert "--qi" in unprotected_words(["shoe"])
