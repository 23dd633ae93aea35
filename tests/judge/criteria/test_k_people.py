"""The verifier counts people."""

from __future__ import annotations

from tests.judge.criteria.groups import judged, reached


def test_rows_of_one_person_count_once_and_of_nobody_not_at_all() -> None:
    groups = [["ann", "ann", "bob"], ["ann", None, None], ["ann", "bob", "eve"]]
    assert reached("k-people", {"k": 2}, groups) == [2, 1, 3]
    assert judged("k-people", {"k": 2}, groups).is_broken.tolist() == [False, True, False]
