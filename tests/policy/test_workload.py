"""A workload: the columns that questions need weigh more, and are kept better."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.policy.workload import questions, weights_of


def test_a_line_is_a_question_and_its_columns() -> None:
    lines = ["# the yearbook", "", "age=30..39 sex=f  # women", "age, job", "'marital status'=widowed age=1..2 age=5..6"]
    assert questions(lines) == [["age", "sex"], ["age", "job"], ["marital status", "age"]]


def test_weights_are_how_often_a_column_is_needed() -> None:
    found = weights_of([["age"], ["age", "sex"]], ["age", "sex", "job"])
    assert found == {"age": 2.0, "sex": 1.0, "job": 0.1}


@pytest.mark.parametrize(
    ("lines", "said"),
    [([], "asks nothing"), (["# only a comment"], "asks nothing"), (["'age"], "line 1"), (["wage"], "none of the quasi-identifiers")],
)
def test_what_is_wrong_is_said(lines: list[str], said: str) -> None:
    with pytest.raises(shoal.PolicyError, match=said):
        weights_of(questions(lines), ["age"])


def test_the_file_must_be_there(tmp_path) -> None:
    with pytest.raises(shoal.PolicyError, match="cannot be read"):
        questions(tmp_path / "none.txt")


def test_columns_that_are_asked_for_are_kept_better() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({name: rng.choice(list("pqrstuvw"), 300) for name in ("a", "b", "c")})
    hidden = {}
    for asked in ("a", "c"):
        made = shoal.anonymize(frame, k=4, quasi_identifiers=["a", "b", "c"], workload=[asked], effort=0.3)
        hidden[asked] = {name: int((made.frame[name] == "*").sum()) for name in ("a", "c")}
    assert hidden["a"]["a"] < hidden["c"]["a"]
    assert hidden["c"]["c"] < hidden["a"]["c"]


def test_a_weight_beside_a_workload_wins() -> None:
    from shoal.policy.given import make_policy

    policy = make_policy(None, k=2, quasi_identifiers=["a", "b"], workload=["a"], weights={"b": 3})
    assert [policy.columns[name].weight for name in ("a", "b")] == [2.0, 3.0]


def test_a_weight_of_another_column_is_refused() -> None:
    frame = pl.DataFrame({"a": ["x", "y"] * 4, "b": ["z"] * 8})
    with pytest.raises(shoal.PolicyError, match="not a quasi-identifier"):
        shoal.anonymize(frame, k=2, quasi_identifiers=["a"], keep=["b"], weights={"b": 2})
