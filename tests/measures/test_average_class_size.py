"""Average class size as it is said in reports; what it counts is the verifier's."""

from shoal.judge.measures import REPORTED
from shoal.measures.average_class_size import AVERAGE_CLASS_SIZE


def test_it_is_counted_under_its_name() -> None:
    assert AVERAGE_CLASS_SIZE.name in REPORTED
    assert AVERAGE_CLASS_SIZE.formula
