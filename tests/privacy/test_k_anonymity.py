"""k-anonymity: rows that look alike are counted."""

from __future__ import annotations

from hypothesis import given

from tests.privacy.counting import TABLES, groups_of, is_met, reached


@given(rows=TABLES)
def test_it_reaches_the_size_of_the_group(rows):
    groups = groups_of(rows)
    assert reached("k-anonymity", {"k": 2}, groups) == [len(g) for g in groups]
    assert is_met("k-anonymity", {"k": 2}, groups) == [len(g) >= 2 for g in groups]
