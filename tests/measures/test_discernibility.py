"""Discernibility as it is said in reports; what it counts is the verifier's."""

from shoal.judge.measures import REPORTED
from shoal.measures.discernibility import DISCERNIBILITY


def test_it_is_counted_under_its_name() -> None:
    assert DISCERNIBILITY.name in REPORTED
    assert DISCERNIBILITY.formula
