"""Reading a released cell as somebody who has only the file: which values of the column may it stand for?

This knows nothing of codes and solvers. Without any hierarchy it reads sets, intervals, ranges, dates and masks as the tools of this
field write them:

    *  **                                   any value
    {a, b}  {"a, b", c}  ['a', 'b']          a set; also bare or in brackets: a,b  a;b  a|b  a~b~c  [a, b], where all are values of the column
    [20, 30)  [20, 30[  (20;30]  [67.0-77.0)  [37-51]  [20:30]   an interval, of numbers or of dates as the column writes them
    20-29  20..29  20~29  20 to 29          a range, both ends included
    <50  >=50  50+                          one side
    [a~b]                                   from a to b in alphabetical order
    81***  3*  *17                          a mask: as many characters as there are stars; one star at the end may stand for any ending
    2024  2024-05  2024-Q2  2024-W07  2020s the days in it

What has two readings is given both; :mod:`shoal.judge.lexicon` decides.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from shoal.text.calendar import BRACKET, Calendar, calendars_of
from shoal.text.numbers import read_numbers

NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
INFINITE = r"[+-]?(?:[iI]nf(?:inity)?|∞)"
STARS = re.compile(r"\*+")
ENDS = re.compile(rf"\s*({NUMBER}|{INFINITE}|)\s*(?:[,;:]|\.\.|-|–|~|to)\s*({NUMBER}|{INFINITE}|)\s*", re.ASCII)
RANGE = re.compile(rf"({NUMBER})\s*(?:-|–|—|\.\.|~|\bto\b)\s*({NUMBER})", re.ASCII)
COMPARED = re.compile(rf"(<=|>=|<|>|≤|≥)\s*({NUMBER})", re.ASCII)
AT_LEAST = re.compile(rf"({NUMBER})\s*\+", re.ASCII)
PLAIN = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d+)?", re.ASCII)
"""A number as numbers are written; a code such as 007 is none."""
MEMBER = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^,;|]*?)\s*(?:[,;|]|$)""", re.ASCII)
BARE = (",", ";", "|", "~")
MOST_LETTERS = 20_000_000
"""Characters of a column's values that are laid out in a table, to be compared place by place."""

Booleans = NDArray[np.bool_]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]


def is_suppressed(shown: str) -> bool:
    """Whether a cell says nothing at all."""
    return STARS.fullmatch(shown) is not None


class Domain:
    """The values that a column may have: as texts, as numbers, and as moments where they are dates."""

    def __init__(self, texts: Sequence[str | None], numbers: Floats | None = None) -> None:
        self.texts = texts
        self.index = {text: i for i, text in enumerate(texts)}
        self._numbers = numbers

    @cached_property
    def number(self) -> Floats:
        """Each value as a number; NaN for none. The first values' may be known already."""
        there = [i for i, text in enumerate(self.texts) if text is not None]
        found = np.full(len(self.texts), np.nan)
        found[there] = read_numbers([str(self.texts[i]) for i in there])[0]
        if self._numbers is not None:
            found[: len(self._numbers)] = self._numbers
        return found

    @cached_property
    def calendars(self) -> list[Calendar]:
        """The ways in which all values can be read as days."""
        return calendars_of(self.texts)

    @cached_property
    def order(self) -> list[str]:
        """The values in alphabetical order."""
        return sorted(t for t in self.texts if t is not None)

    def equal_to(self, text: str) -> Booleans:
        """Which values are this very number, written as numbers are: 39 is 39.0, and 007 is not 7."""
        there = np.flatnonzero(self.number == float(text))
        found = np.zeros(len(self.texts), dtype=bool)
        found[[i for i in there.tolist() if PLAIN.fullmatch(str(self.texts[i])) and is_same_number(str(self.texts[i]), text)]] = True
        return found

    def between(self, low: str, low_in: bool, high: str, high_in: bool) -> Reading:
        """The values between two numbers; what a float cannot tell from an end, as of numbers with twenty digits, is compared exactly."""
        span = Span(self.number, float(low), low_in, float(high), high_in)
        ends = exact(low), exact(high)
        ties = [(i, exact(str(self.texts[i]))) for i in np.flatnonzero(np.isin(self.number, [span.low, span.high])).tolist()]
        unlike = [(i, value) for i, value in ties if value is not None and value not in ends]
        if not unlike or ends[0] is None or ends[1] is None:
            return span
        inside = span.holds(np.arange(len(self.texts)))
        for i, value in unlike:
            inside[i] = ends[0] < value < ends[1]
        return Some(inside)

    @cached_property
    def _letters(self) -> tuple[Longs, NDArray[np.uint32]] | None:
        """How long each text is (−1 for none), and its characters place by place; None where that would be too much."""
        length = np.array([-1 if text is None else len(text) for text in self.texts], dtype=np.int64)
        if len(length) * int(length.max(initial=0)) > MOST_LETTERS:
            return None
        texts = np.array(["" if text is None else text for text in self.texts], dtype=str)
        letters = texts.view(np.uint32).reshape(len(texts), texts.itemsize // 4)
        return length, np.asfortranarray(letters)

    def like(self, mask: str) -> Booleans:
        """Which values a mask with stars stands for, each star one character."""
        if self._letters is None:
            fits = re.compile("".join("." if c == "*" else re.escape(c) for c in mask), re.DOTALL).fullmatch
            return np.fromiter((t is not None and fits(t) is not None for t in self.texts), dtype=bool, count=len(self.texts))
        return self._spelled(mask, self._letters[0] == len(mask))

    def beginning(self, stem: str) -> Booleans:
        """Which values begin so."""
        if self._letters is None:
            return np.fromiter((t is not None and t.startswith(stem) for t in self.texts), dtype=bool, count=len(self.texts))
        return self._spelled(stem, self._letters[0] >= len(stem))

    def _spelled(self, mask: str, found: Booleans) -> Booleans:
        """Those of some values, all long enough, that have the mask's characters in their places."""
        if self._letters is None or not found.any():
            return found
        for at, letter in enumerate(mask):
            if letter != "*":
                found &= self._letters[1][:, at] == ord(letter)
        return found

    def where(self, texts: Iterable[str | None]) -> Booleans:
        """Which values are among these."""
        found = np.zeros(len(self.texts), dtype=bool)
        found[[self.index[t] for t in texts if t in self.index]] = True
        return found


@dataclass(frozen=True, eq=False)
class Some:
    """Some values of a column."""

    inside: Booleans

    def holds(self, values: Longs) -> Booleans:
        """Which of these values, given by their places, are among them."""
        return self.inside[values]


@dataclass(frozen=True, eq=False)
class Span:
    """The values between two ends on a line: numbers, or moments."""

    at: Floats
    """Where each value of the column stands on the line."""
    low: float
    low_in: bool
    high: float
    high_in: bool

    def holds(self, values: Longs) -> Booleans:
        at = self.at[values]
        above = at >= self.low if self.low_in else at > self.low
        return above & (at <= self.high if self.high_in else at < self.high)

    def range(self, line: Floats) -> tuple[int, int]:
        """The first and the last place but one that it takes on the sorted line."""
        first = np.searchsorted(line, self.low, "left" if self.low_in else "right")
        last = np.searchsorted(line, self.high, "right" if self.high_in else "left")
        return int(first), max(int(first), int(last))


Reading = Some | Span


def read_set(shown: str) -> list[str] | None:
    """The members of ``{a, b}`` or ``['a', 'b']``; None if it is not a set."""
    shown = re.sub(r"^(?:frozen)?set\((.*)\)$", r"\1", shown, flags=re.DOTALL)
    if len(shown) < 2 or shown[0] + shown[-1] not in ("{}", "[]", "()") or (shown[0] != "{" and shown[1] not in "'\""):
        return None
    body, members, at = re.sub(r"'[ \n]+'", "', '", shown[1:-1]), [], 0
    while at < len(body):
        match = MEMBER.match(body, at)
        if match is None or match.end() == at:
            return None
        members.append(_unquoted(match.group(1)))
        at = match.end()
    return members


def _unquoted(text: str) -> str:
    if text.startswith('"'):
        try:
            return str(json.loads(text, strict=False))
        except ValueError:
            return text[1:-1]
    return text[1:-1].replace("\\'", "'") if len(text) > 1 and text[0] == text[-1] == "'" else text


def exact(text: str) -> Decimal | None:
    """A number as it is written, with all its digits; None if it is no plain one."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def is_same_number(a: str, b: str) -> bool:
    """Whether two texts are one number, to the last digit.

    >>> is_same_number("39", "39.0"), is_same_number("9007199254740993", "9007199254740992")
    (True, False)
    """
    x, y = exact(a), exact(b)
    return a == b if x is None or y is None else x == y


def ends_of(shown: str) -> tuple[float, bool, float, bool] | None:
    """The ends of an interval or a range of numbers and whether they belong to it; None if it is none.

    >>> ends_of("[67.0-77.0)"), ends_of("17~19"), ends_of("50+")
    ((67.0, True, 77.0, False), (17.0, True, 19.0, True), (50.0, True, inf, False))
    """
    ends = ends_as_written(shown)
    return None if ends is None else (float(ends[0]), ends[1], float(ends[2]), ends[3])


def ends_as_written(shown: str) -> tuple[str, bool, str, bool] | None:
    """The same with the ends as texts, which have all their digits."""
    if match := BRACKET.fullmatch(shown):
        inner = ENDS.fullmatch(match[2])
        return None if inner is None else (_end(inner[1], "-inf"), match[1] == "[", _end(inner[2], "inf"), match[3] == "]")
    if match := RANGE.fullmatch(shown):
        return match[1], True, match[2], True
    if match := AT_LEAST.fullmatch(shown):
        return match[1], True, "inf", False
    if match := COMPARED.fullmatch(shown):
        bound, sign = match[2], match[1]
        return ("-inf", False, bound, sign != "<") if sign in ("<", "<=", "≤") else (bound, sign != ">", "inf", False)
    return None


def _end(text: str, default: str) -> str:
    return text.replace("∞", "inf") if text else default


def readings(shown: str, domain: Domain, named: Callable[[str], Booleans | None] = lambda label: None) -> list[Reading]:
    """All that a text may say of the column's values, without its hierarchy; ``named`` knows the labels that may stand in a set."""
    if is_suppressed(shown):
        return [Some(np.ones(len(domain.texts), dtype=bool))]
    days = [Span(c.moment, *ends) for c in domain.calendars if (ends := c.ends_of(shown)) is not None]
    found = [*([] if days else _sets(shown, domain, named)), *_numbers(shown, domain), *days]
    return [*found, *_alphabetical(shown, domain), *_masks(shown, domain)]


def has_strangers(shown: str, domain: Domain, named: Callable[[str], Booleans | None]) -> bool:
    """Whether a set names something that neither the column nor its hierarchy has. Such a member stands for no value."""
    return any(_member(member, domain, named) is None for member in read_set(shown) or ())


def _member(member: str, domain: Domain, named: Callable[[str], Booleans | None]) -> Booleans | None:
    """The values that a member of a set stands for; None if it is neither a value of the column nor a label of its hierarchy."""
    if member in domain.index:
        return domain.where([member])
    label = named(member)
    return domain.equal_to(member) if label is None and PLAIN.fullmatch(member) else label


def _sets(shown: str, domain: Domain, named: Callable[[str], Booleans | None]) -> Iterator[Reading]:
    """Members listed in braces, in brackets with quotes, or bare: each a value of the column or a label of its hierarchy."""

    def one(member: str) -> Booleans | None:
        return _member(member, domain, named)

    listed = read_set(shown)
    if listed is not None:
        known = [mask for mask in map(one, listed) if mask is not None]  # a member that is not a value of the column stands for none
        if known:
            yield Some(np.logical_or.reduce(known))
        return
    if ends_of(shown) is not None:
        return
    bracket = BRACKET.fullmatch(shown)
    for text in (shown, bracket[2]) if bracket else (shown,):
        for mark in BARE if not (bracket and "~" in shown) else ():
            parts = _known_parts(text, mark, one) if mark in text else None
            if parts is not None:
                yield Some(np.logical_or.reduce(parts))


def _known_parts(shown: str, mark: str, one: Callable[[str], Booleans | None]) -> list[Booleans] | None:
    """A bare list taken apart into members that are known; a member may hold the mark itself."""
    cells, at, found = shown.split(mark), 0, []
    while at < len(cells):
        for end in range(len(cells), at, -1):
            mask = None if end - at == len(cells) else one(mark.join(cells[at:end]).strip(" "))
            if mask is not None:
                break
        else:
            return None
        found.append(mask)
        at = end
    return found


def _numbers(shown: str, domain: Domain) -> Iterator[Reading]:
    """An interval, a range, one side, or a number written otherwise: ``39.0`` stands for 39."""
    ends = ends_as_written(shown)
    if ends is not None:
        yield domain.between(*ends)
    elif PLAIN.fullmatch(shown):
        yield Some(domain.equal_to(shown))


def _alphabetical(shown: str, domain: Domain) -> Iterator[Reading]:
    """``[a~b]``: from a to b over the column's values in alphabetical order."""
    if not (shown.startswith("[") and shown.endswith("]") and "~" in shown):
        return
    cells = shown[1:-1].split("~")
    for cut in range(1, len(cells)):
        low, high = "~".join(cells[:cut]), "~".join(cells[cut:])
        if low in domain.index and high in domain.index:
            yield Some(domain.where(domain.order[bisect_left(domain.order, low) : bisect_right(domain.order, high)]))


def _masks(shown: str, domain: Domain) -> Iterator[Reading]:
    """As many characters as there are stars; where one star ends the text, any ending."""
    if "*" not in shown:
        return
    yield Some(domain.like(shown))
    stem = shown[:-1]
    if shown.endswith("*") and "*" not in stem:
        yield Some(domain.beginning(stem))


def covers(shown: str, original: str) -> bool:
    """Whether a text may stand for a value, by any reading, without a hierarchy.

    >>> covers("[20, 30)", "29"), covers("2024-05", "2024-06-01"), covers("nurse", "cook")
    (True, False, False)
    """
    domain = Domain([original])
    return any(reading.holds(np.zeros(1, dtype=np.int64))[0] for reading in readings(shown, domain))
