"""The verifier counts different values."""

from __future__ import annotations

from tests.judge.criteria.groups import judged, reached


def test_a_missing_cell_is_no_value_and_one_number_written_twice_is_one() -> None:
    assert reached("distinct-l-diversity", {"l": 2}, [["flu", "hiv", None], ["flu", None]]) == [2, 1]
    assert reached("distinct-l-diversity", {"l": 2}, [["1", "1.0"], ["1", "2"]]) == [1, 2]
    assert judged("distinct-l-diversity", {"l": 2}, [["1", "1.0"], ["1", "2"]]).is_broken.tolist() == [True, False]
