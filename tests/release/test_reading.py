"""What a released cell may stand for, read as a stranger would."""

from __future__ import annotations

import pytest

from shoal.release.reading import covers, read_set


@pytest.mark.parametrize(
    ("shown", "inside", "outside"),
    [
        ("*", ["a", "7"], []),
        ("{a, b}", ["a", "b"], ["c", "a, b"]),
        ('{"a, b", c}', ["a, b", "c"], ["a", "b"]),
        ("[20, 30)", ["20", "29.9"], ["30", "19", "x"]),
        ("(20, 30]", ["30", "20.1"], ["20"]),
        ("[2024-01-01, 2024-02-01)", ["2024-01-31"], ["2024-02-01", "12"]),
        ("[20, inf)", ["20", "1e9"], ["19"]),
        ("20-29", ["20", "29"], ["30"]),
        ("2024-05", ["2024-05-01", "2024-05-31"], ["2024-06-01", "2024"]),
        ("2024", ["2024-05-01", "2024", "2024.0"], ["2025-01-01", "20240"]),
        ("-5..5", ["-5", "0"], ["6"]),
        ("<50", ["49"], ["50"]),
        (">=50", ["50"], ["49"]),
        ("50+", ["50", "99"], ["49"]),
        ("81***", ["81243", "81999"], ["82000", "812", "8124312"]),
        ("81*", ["81", "81999"], ["82"]),
        ("39.0", ["39"], ["40"]),
    ],
)
def test_readings(shown, inside, outside):
    assert all(covers(shown, text) for text in inside)
    assert not any(covers(shown, text) for text in outside)


@pytest.mark.parametrize("shown", ["nurse", "", "a*b*", "[a, b)", "{"])
def test_what_cannot_be_read_is_not_guessed(shown):
    assert not any(covers(shown, text) for text in ("x", "12", "2024-01-31"))


def test_sets_with_quotes_come_back():
    from shoal.hierarchies.labels import set_label

    members = ["x", "y, z", 'say "so"', " blank ", "{}", "back\\slash"]
    assert sorted(read_set(set_label(members))) == sorted(members)
