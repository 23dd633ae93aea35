"""Reading a released cell as a stranger would: which original values may it stand for?

This knows nothing of codes and solvers. It takes the hierarchy as rows of text, where there is one, and otherwise reads sets,
intervals, ranges and masks as the tools of this field write them:

    *   **   {a, b}   {"a, b", c}   [20, 30)   (20, 30]   20-29   20..29   <50   >=50   50+   81***

A label of the hierarchy is a name: ``40-44`` stands for the leaves below it, whatever its digits say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date

NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
DAY = r"\d{4}-\d{2}-\d{2}"
SIDE = rf"{DAY}|{NUMBER}|[+-]?inf|[+-]?∞|"
BRACKET = re.compile(rf"^([\[(])\s*({SIDE})\s*[,;]\s*({SIDE})\s*([\])])$")
RANGE = re.compile(rf"^({NUMBER})\s*(?:-|–|\.\.|~|to)\s*({NUMBER})$")
COMPARED = re.compile(rf"^(<=|>=|<|>|≤|≥)\s*({NUMBER})$")
AT_LEAST = re.compile(rf"^({NUMBER})\s*\+$")
STARS = re.compile(r"^\*+$")
MEMBER = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^,]*?)\s*(?:,|$)')

Test = Callable[[str], bool]


def is_suppressed(shown: str) -> bool:
    """Whether a cell says nothing at all."""
    return bool(STARS.match(shown))


def read_set(shown: str) -> list[str] | None:
    """The members of ``{a, b}``; None if it is no set."""
    if not (len(shown) >= 2 and shown[0] == "{" and shown[-1] == "}"):
        return None
    body, members, at = shown[1:-1], [], 0
    while at < len(body):
        match = MEMBER.match(body, at)
        if match is None or match.end() == at:
            return None
        text = match.group(1)
        members.append(json.loads(text) if text.startswith('"') else text)
        at = match.end()
    return members


def reader_of(shown: str) -> Test | None:
    """What ``shown`` says of an original text, without any hierarchy; None if it cannot be read."""
    if is_suppressed(shown):
        return lambda original: True
    members = read_set(shown)
    if members is not None:
        inside = set(members)
        return lambda original: original in inside
    for read in (_part_of_a_date, _number, _bracket, _range, _compared, _mask):
        test = read(shown)
        if test is not None:
            return test
    return None


def _amount(text: str) -> float | None:
    """A number, or a day as a number, or None."""
    try:
        if re.fullmatch(DAY, text):
            return float(date.fromisoformat(text).toordinal())
        return float(text.replace("∞", "inf"))
    except ValueError:
        return None


def _between(low: float | None, low_in: bool, high: float | None, high_in: bool) -> Test:
    def test(original: str) -> bool:
        x = _amount(original.strip())
        if x is None:
            return False
        above = low is None or x > low or (low_in and x == low)
        below = high is None or x < high or (high_in and x == high)
        return above and below

    return test


def _part_of_a_date(shown: str) -> Test | None:
    """``2024-05`` and ``2024`` stand for the days in them; a year may be a plain number as well."""
    if not re.fullmatch(r"\d{4}(?:-(?:0[1-9]|1[0-2]))?", shown):
        return None
    plain = _number(shown)
    return lambda original: original.startswith(f"{shown}-") or (plain is not None and plain(original))


def _number(shown: str) -> Test | None:
    """``39.0`` stands for 39."""
    x = _amount(shown) if re.fullmatch(NUMBER, shown) else None
    return None if x is None else _between(x, True, x, True)


def _bracket(shown: str) -> Test | None:
    match = BRACKET.match(shown)
    if match is None:
        return None
    left, low, high, right = match.groups()
    return _between(_amount(low) if low else None, left == "[", _amount(high) if high else None, right == "]")


def _range(shown: str) -> Test | None:
    match = RANGE.match(shown)
    return _between(float(match.group(1)), True, float(match.group(2)), True) if match else None


def _compared(shown: str) -> Test | None:
    if match := AT_LEAST.match(shown):
        return _between(float(match.group(1)), True, None, False)
    match = COMPARED.match(shown)
    if match is None:
        return None
    sign, bound = match.group(1), float(match.group(2))
    if sign in ("<", "<=", "≤"):
        return _between(None, False, bound, sign != "<")
    return _between(bound, sign != ">", None, False)


def _mask(shown: str) -> Test | None:
    stem = shown.rstrip("*")
    if stem == shown or "*" in stem:
        return None
    hidden = len(shown) - len(stem)
    return lambda original: original.startswith(stem) and (hidden == 1 or len(original) == len(shown))
