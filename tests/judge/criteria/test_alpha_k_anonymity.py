"""The verifier finds the share of the commonest value."""

from __future__ import annotations

from tests.judge.criteria.groups import judged, reached


def test_the_commonest_value_may_have_the_share_itself() -> None:
    groups = [["a", "a", "b"], ["a", "a", "b", None], ["a", "b", "c"]]
    assert reached("alpha-k-anonymity", {"alpha": 0.5}, groups) == [2 / 3, 3 / 4, 1 / 3]
    assert judged("alpha-k-anonymity", {"alpha": 2 / 3}, groups).is_broken.tolist() == [False, True, False]
