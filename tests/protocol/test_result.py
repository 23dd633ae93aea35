"""What a session ends with: sorted, recounted, and without groups below k."""

from __future__ import annotations

import pytest

from shoal.errors import NotAnonymous
from shoal.protocol.result import make_result, recount
from tests.protocol.rehearsal import make_session
from tests.protocol.sessions import COLUMNS

SESSION = make_session("extraction", 3, COLUMNS)


def test_groups_below_k_are_left_out_and_counted() -> None:
    rows = [("30", "flu"), ("40", "gout"), ("30", "cold"), ("30", "ache")]
    made = make_result(SESSION, rows, 5, {7: "late"})
    assert made.rows == (("30", "ache"), ("30", "cold"), ("30", "flu"))
    assert (made.n_submitted, made.n_withheld, made.named) == (5, 2, {7: "late"})
    assert made.csv() == "age,ill\n30,ache\n30,cold\n30,flu\n"


def test_the_order_of_rows_says_nothing_of_who_sent_what() -> None:
    rows = [("30", "flu"), ("30", "cold"), ("30", "ache")]
    assert make_result(SESSION, rows, 3, {}).digest == make_result(SESSION, rows[::-1], 3, {}).digest


def test_starred_cells_are_counted_in_quasi_identifiers_only() -> None:
    assert make_result(SESSION, [("*", "*")] * 3, 3, {}).n_suppressed == 3


def test_a_small_group_does_not_pass_the_recount() -> None:
    recount([("30", "a")] * 3, 1, 3)
    recount([], 1, 3)
    with pytest.raises(NotAnonymous, match="has 2 rows, 3 were asked"):
        recount([("30", "a")] * 3 + [("40", "a")] * 2, 1, 3)
