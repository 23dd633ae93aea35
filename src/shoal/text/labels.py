"""How a generalized cell is written: ``[20, 30)``, ``{a, b}``, ``*``; and read back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from decimal import Decimal

ROOT = "*"
_NEEDS_QUOTES = re.compile(r'[,{}"\\]|^\s|\s$|^$')
_INTERVAL = re.compile(r"^\[(.+), (.+)([\])])$")
_MEMBER = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|([^,{}"]*[^,{}"\s]))\s*(?:,|$)')


def number_text(number: Decimal | float | int) -> str:
    """A number as people write it.

    >>> number_text(Decimal("20")), number_text(Decimal("0.50")), number_text(-1200.0), number_text(Decimal("1E+3"))
    ('20', '0.5', '-1200', '1000')
    """
    exact = number if isinstance(number, Decimal) else Decimal(repr(number))
    if exact == exact.to_integral_value():
        return str(exact.quantize(Decimal(1))) if abs(exact) < Decimal(10) ** 20 else str(exact)
    return format(exact.normalize(), "f")


def interval_label(low: str, high: str, closed: bool = False) -> str:
    """From ``low`` up to ``high``; ``closed`` if ``high`` itself belongs to it.

    >>> interval_label("20", "30"), interval_label("20", "29", closed=True)
    ('[20, 30)', '[20, 29]')
    """
    return f"[{low}, {high}{']' if closed else ')'}"


def read_interval(label: str) -> tuple[str, str, bool] | None:
    """The two ends of an interval and whether it is closed; None if the text is none.

    >>> read_interval("[20, 30)"), read_interval("20-30")
    (('20', '30', False), None)
    """
    found = _INTERVAL.match(label)
    return (found[1], found[2], found[3] == "]") if found else None


def set_label(members: Iterable[str]) -> str:
    """A set of values, sorted; members that would be misread are quoted.

    >>> set_label(["b", "a"]), set_label(["x, y", "z"])
    ('{a, b}', '{"x, y", z}')
    """
    return "{" + ", ".join(_quoted(m) for m in sorted(members)) + "}"


def _quoted(member: str) -> str:
    return json.dumps(member, ensure_ascii=False) if _NEEDS_QUOTES.search(member) else member


def read_set(label: str) -> list[str] | None:
    """The members of a set; None if the text is none.

    >>> read_set('{"x, y", z}'), read_set("a")
    (['x, y', 'z'], None)
    """
    if not (label.startswith("{") and label.endswith("}")):
        return None
    body, at, members = label[1:-1], 0, []
    while at < len(body):
        found = _MEMBER.match(body, at)
        if not found:
            return None
        members.append(json.loads(found[1]) if found[1] else found[2])
        at = found.end()
    return members or None
