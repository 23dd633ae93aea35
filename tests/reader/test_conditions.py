"""What an analyst asks for: values, lists and ranges, in Python and on the command line."""

import polars as pl
import pytest

import shoal

TABLE = pl.DataFrame(
    {
        "age": [str(20 + i % 30) for i in range(120)],
        "job": [["nurse", "cook", "law clerk"][i % 3] for i in range(120)],
        "in": ["2024-01-05"] * 120,
    }
)


@pytest.fixture(scope="module")
def reading():
    return shoal.read(TABLE)


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ({"job": "nurse"}, 40),
        ({"job": ["nurse", "cook"]}, 80),
        ({"job": {"law clerk"}}, 40),
        ({"age": "25"}, 4),
        ({"age": 25}, 4),
        ({"age": (20, 29)}, 40),
        ({"age": (None, 24)}, 20),
        ({"age": (45, None)}, 20),
        ({"age": (20, 29), "job": "nurse"}, 16),
    ],
)
def test_what_is_shown_as_it_is_is_counted_exactly(reading, asked, count):
    assert reading.count(**asked).value == pytest.approx(count)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"age": (1, 2, 3)}, "a range is a pair"),
        ({"job": ("a", "b")}, "neither numbers nor dates"),
        ({"age": ("young", None)}, "must be numbers"),
        ({"job": "king"}, "has no such value"),
    ],
)
def test_what_makes_no_sense_is_told(reading, asked, says):
    with pytest.raises(shoal.DataError, match=says):
        reading.count(**asked)


@pytest.mark.parametrize(("asked", "count"), [(("60,0", "79,9"), 3), (("60.0", "79.9"), 3), ("60,5", 2), (60.5, 2), ((60, None), 4)])
def test_numbers_may_be_asked_for_as_the_column_writes_them(asked, count):
    reading = shoal.read(pl.DataFrame({"kg": ["60,5", "60,5", "79,9", "46,5", "84"]}))
    assert reading.count(kg=asked).value == count


def test_a_decimal_comma_is_understood_where_only_intervals_are_shown_and_not_guessed_where_it_may_be_thousands():
    reading = shoal.read(pl.DataFrame({"kg": ["[60, 80)", "[60, 80)", "[80, 100)", "[80, 100)"]}))
    assert reading.count(kg=("60,0", "79,9")).value == pytest.approx(2, abs=0.5)
    with pytest.raises(shoal.DataError, match="must be numbers"):
        reading.count(kg=("1,234", None))
