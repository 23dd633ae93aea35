"""A share of what ``make fuzz`` runs without end: random tables and policies, each release recounted by the naive second way."""

from __future__ import annotations

import pytest

from tests.fuzz import clusters
from tests.fuzz.cases import make
from tests.fuzz.run import run
from tests.naive import recount


@pytest.mark.parametrize("block", range(8))
def test_random_tables_are_released_right_or_refused_with_a_reason(block: int) -> None:
    wrong = {seed: outcome.faults for seed in range(block * 40, block * 40 + 40) if (outcome := run(seed)).faults}
    assert not wrong


def test_most_cases_end_in_a_release() -> None:
    outcomes = [run(seed).what for seed in range(60)]
    assert outcomes.count("released") >= 30


def test_a_case_is_a_function_of_its_seed() -> None:
    one, two = make(7), make(7)
    assert one.cells == two.cells
    assert one.header == two.header


def make_asked(**more: object) -> recount.Asked:
    column = recount.Column("age", ["1", "2", "3", "4"], recount.by_interval)
    return recount.Asked(2, [column], {"ill": ["a", "a", "b", "b"]}, **more)  # type: ignore[arg-type]


GOOD = [["[1, 3)", "a"], ["[1, 3)", "a"], ["[3, 5)", "b"], ["[3, 5)", "b"]]


def test_the_naive_recount_accepts_what_is_right() -> None:
    assert recount.faults(make_asked(), ["age", "ill"], GOOD) == []


@pytest.mark.parametrize(
    "rows",
    [
        [["[1, 3)", "a"], ["2", "a"], ["[3, 5)", "b"], ["[3, 5)", "b"]],
        [["[1, 3)", "a"], ["[1, 3)", "a"], ["[1, 3)", "b"], ["[1, 3)", "b"]],
        [["[1, 3)", "a"], ["[1, 3)", "b"], ["[3, 5)", "b"], ["[3, 5)", "b"]],
        GOOD[:2],
        [*GOOD, GOOD[0]],
    ],
    ids=["a group of one", "untrue cells", "another illness", "rows lost", "a row doubled"],
)
def test_the_naive_recount_finds_what_is_wrong(rows: list[list[str | None]]) -> None:
    assert recount.faults(make_asked(), ["age", "ill"], rows)


def test_the_naive_csv_reader_tells_missing_from_empty() -> None:
    assert recount.parse_csv('a,b\n"x ""y""\nz",\n"",1\n') == [["a", "b"], ['x "y"\nz', None], ["", "1"]]


def test_a_matching_is_found_where_the_first_choice_is_wrong() -> None:
    column = recount.Column("age", ["1", "2"], recount.by_interval)
    asked = recount.Asked(2, [column])
    assert recount.matching(asked, {"age": 0}, [["*"], ["1"]]) == [1, 0]


@pytest.mark.parametrize("block", range(2))
def test_random_tables_are_clustered_right_or_refused_with_a_reason(block: int) -> None:
    wrong = {seed: outcome.faults for seed in range(block * 60, block * 60 + 60) if (outcome := clusters.run(seed)).faults}
    assert not wrong


@pytest.mark.parametrize("seed", [984, 1228, 2407, 118801])
def test_cases_that_were_wrong_once(seed: int) -> None:
    """An interval of days read as a set of two days, an empty text beside a missing one, a value that looks like a set or a range."""
    assert run(seed).faults == []
