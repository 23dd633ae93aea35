"""What a released cell may stand for, read by somebody who has only the file."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.judge import reading
from shoal.judge.reading import covers, read_set


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
def test_a_label_covers_what_a_stranger_would_read(shown, inside, outside):
    assert all(covers(shown, text) for text in inside)
    assert not any(covers(shown, text) for text in outside)


@pytest.mark.parametrize("shown", ["nurse", "", "a*b*", "[a, b)", "{"])
def test_what_cannot_be_read_is_not_guessed(shown):
    assert not any(covers(shown, text) for text in ("x", "12", "2024-01-31"))


@settings(max_examples=300)
@given(
    st.text(alphabet="[](){}*~,;|-–.:/+<>= 0129aeWQsTinf'\"\\\n\u00a0\uff11é", max_size=14),
    st.sampled_from(["12", "a, b", "2024-01-31", "007", '"q', ""]),
)
def test_any_text_is_read_or_not_but_never_an_error(shown, value):
    assert covers(shown, value) in (True, False)


@pytest.mark.parametrize(
    ("shown", "value"), [("\uff11\uff12", "12"), ("[\uff11, 20)", "12"), ("7", "007"), ("12\u00a0", "12"), ("\u2217", "12")]
)
def test_look_alikes_are_not_read(shown, value):
    """What a reader of the file tells apart is told apart: other digits, other blanks, codes that are not numbers."""
    assert not covers(shown, value)


def test_sets_with_quotes_come_back():
    from shoal.text.labels import set_label

    members = ["x", "y, z", 'say "so"', " blank ", "{}", "back\\slash"]
    assert sorted(read_set(set_label(members))) == sorted(members)


@pytest.mark.parametrize("most", [0, 20_000_000])
def test_a_mask_is_compared_place_by_place_as_a_pattern_would(monkeypatch: pytest.MonkeyPatch, most: int):
    """Letter by letter over all values at once, or value by value where they are too long for that: the same answer."""
    monkeypatch.setattr(reading, "MOST_LETTERS", most)
    texts = ["", "a", "ab", "abc", "aXc", "ab\n", "ab\0", "äb", "Äb", "a*c", "***", "𝒳b", "\ud800b", None, "81000", "8100", "81", "ab "]
    domain = reading.Domain(texts)
    for mask in ("*", "**", "***", "a*", "*b", "a*c", "ab*", "ä*", "𝒳*", "81***", "81*", "*\0", "ab\0*", "x*", "*" * 9, "a" * 40 + "*"):
        pattern = re.compile("".join("." if c == "*" else re.escape(c) for c in mask), re.DOTALL)
        assert domain.like(mask).tolist() == [t is not None and pattern.fullmatch(t) is not None for t in texts], mask
    for stem in ("", "a", "ab", "81", "𝒳", "ab\0", "a" * 40):
        assert domain.beginning(stem).tolist() == [t is not None and t.startswith(stem) for t in texts], stem
    assert reading.Domain([]).like("a*").tolist() == []
