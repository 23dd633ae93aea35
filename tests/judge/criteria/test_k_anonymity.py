"""The verifier counts rows."""

from __future__ import annotations

from tests.judge.criteria.groups import judged, reached


def test_a_group_reaches_its_rows() -> None:
    groups = [["flu", None], ["flu"] * 3]
    assert reached("k-anonymity", {"k": 3}, groups) == [2, 3]
    found = judged("k-anonymity", {"k": 3}, groups)
    assert (found.is_broken.tolist(), found.reached) == ([True, False], 2.0)
