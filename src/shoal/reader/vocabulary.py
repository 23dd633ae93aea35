"""The labels of one released column, without its original: which values there may have been, and which of them each label stands for.

With a hierarchy the values are its leaves. Without one they are the values that some cell shows as they are, the members of the sets,
and, in a column of numbers or days, those between the least and the greatest that is shown. A label that holds none of them is a
value of its own: 'from 20 to 30' where nobody's exact age is shown.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from shoal.judge.reading import BARE, Domain, ends_of, is_suppressed, read_set, readings
from shoal.reader.certainty import NOT, Certain, Judge, joined, themselves
from shoal.reader.clock import hours
from shoal.reader.days import days_of
from shoal.reader.explained import NOTHING, Explained, Rows
from shoal.reader.stretches import between, stretches
from shoal.text.dates import DAY
from shoal.text.labels import number_text
from shoal.text.numbers import has_leading_zeros

Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
UNLIKELY = 4
"""A step of more than 1 is believed where it would be seen by chance once in ten to the power of this: 500 between three numbers, 2 between fifteen."""
LONGEST_LINE = 20_000
"""Whole numbers between the least and the greatest are all values if there are no more than this."""


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """What the labels of a column stand for."""

    values: tuple[str | None, ...]
    """What a cell can have been; None for a missing cell."""
    place: Floats
    """Where each value stands on a line: its number or its day; NaN for none."""
    is_date: bool
    start: Longs
    leaves: Longs
    """Label i stands for the values ``leaves[start[i]:start[i + 1]]``, sorted."""
    outside: NDArray[np.bool_]
    """Numbers and days beyond all that the narrowest labels speak of."""
    is_open: NDArray[np.bool_]
    """Whether a label may stand for values that nothing lists: ``*`` and ``273**``, without a hierarchy, for what no cell shows."""
    is_cut: NDArray[np.bool_]
    """Whether that is likely: in a column of codes of which some are cut short."""
    extent: tuple[Floats, Floats]
    """From where to where a value reaches on the line. One that stands for all numbers between two ends, of which none is shown, reaches from end to end."""
    is_stretch: NDArray[np.bool_]
    """Times that are shown nowhere, and stand for all from them to the next."""
    certain: Certain
    """What each label may stand for at the most: what is above is what is likely."""
    named: Mapping[str, Longs] = field(default_factory=dict)
    """The values below each name of the hierarchy, shown or not."""

    def set_of(self, label: int) -> Longs:
        return self.leaves[self.start[label] : self.start[label + 1]]


def vocabulary(labels: Sequence[str | None], told: Explained = NOTHING) -> Vocabulary:
    """Read the distinct labels of a column, with what somebody said of them."""
    shown, rows = [label for label in labels if label is not None], told.rows
    values = _leaves(rows, shown) if rows is not None else _values(shown, told)
    ends = stretches(shown, values, told.order)
    times = hours(_single(shown)) or {} if rows is None and not told.is_plain else {}
    while True:
        has_none = None in labels or any(not row[0] for row in rows or ())
        domain = Domain([*values, None] if has_none else values)
        named = _names(rows, domain) if rows is not None else {}
        spoken = {**named, **{label: np.flatnonzero(domain.where(some)) for label, some in times.items()}}
        sets = [_read(label, domain, spoken, ends, told) for label in labels]
        unread = [label for label, leaves in zip(labels, sets, strict=True) if label is not None and not len(leaves)]
        if not unread:
            break
        some = [label for label in unread if not is_suppressed(label)] or unread
        fewest = min(label.count("*") for label in some)
        values = [*values, *(label for label in some if label.count("*") == fewest)]  # the narrowest first: S** then holds S0* and S1*
    place, is_date = _line(domain)
    start = np.concatenate([[0], np.cumsum([len(s) for s in sets])]).astype(np.int64)
    leaves = np.concatenate(sets) if sets else np.zeros(0, dtype=np.int64)
    is_open, is_cut = _open(labels, ends) if rows is None else (np.zeros(len(labels), dtype=bool),) * 2
    extent = (place, place) if is_date else _extent(domain, place, shown)
    judge = Judge(labels, domain, place, is_date, told, times)
    certain = joined(judge.meaning(label) for label in labels)
    is_stretch = np.array([bool(times) and text not in set(labels) for text in domain.texts], dtype=bool)
    return Vocabulary(
        tuple(domain.texts), place, is_date, start, leaves, _outside(sets, place), is_open, is_cut, extent, is_stretch, certain, named
    )


def plain(values: Sequence[str | None]) -> Vocabulary:
    """Values that stand for themselves."""
    place, is_date = _line(Domain(values))
    nowhere, each = np.zeros(len(values), dtype=bool), np.arange(len(values))
    return Vocabulary(
        tuple(values),
        place,
        is_date,
        np.arange(len(values) + 1),
        each,
        nowhere,
        nowhere,
        nowhere,
        (place, place),
        nowhere,
        themselves(len(values)),
    )


def _open(labels: Sequence[str | None], joined: Collection[str]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """What is hidden by stars, lies from one category to another, or is none of some, may be something that no cell shows. Where some codes are cut short, that is likely,
    also of a star that hides the whole code."""
    masked = np.array([label is not None and "*" in label and read_set(label) is None for label in labels], dtype=bool)
    whole = np.array([label is not None and is_suppressed(label) for label in labels], dtype=bool)
    between_two = np.array([label is not None and (label in joined or _all_but(label) is not None) for label in labels], dtype=bool)
    cut = masked if (masked & ~whole).any() else np.zeros(len(labels), dtype=bool)
    return masked | between_two, cut | between_two


def _read(
    label: str | None, domain: Domain, named: dict[str, Longs], joined: Mapping[str, tuple[str, str]], told: Explained = NOTHING
) -> Longs:
    """The values of a label: a name of the hierarchy, a value, or what the text says; the largest set where it says several things."""
    if label is None:
        return np.array([domain.index[None]], dtype=np.int64)
    if label in named:
        return named[label]
    if label in domain.index:
        return np.array([domain.index[label]], dtype=np.int64)
    if (others := _all_but(label)) is not None:
        return np.flatnonzero(~domain.where([*others, None]))
    everything = np.arange(len(domain.texts))
    if label in joined:
        found = between(joined[label], domain.texts, told.order)
        return everything if found is None else np.flatnonzero(domain.where(found))
    read = [np.flatnonzero(reading.holds(everything)) for reading in readings(label, domain, lambda name: _mask(named.get(name), domain))]
    return max(read, key=len, default=np.zeros(0, dtype=np.int64)).astype(np.int64)


def _mask(leaves: Longs | None, domain: Domain) -> NDArray[np.bool_] | None:
    return None if leaves is None else np.isin(np.arange(len(domain.texts)), leaves)


def _leaves(rows: Rows, shown: Sequence[str]) -> list[str]:
    """The leaves of a hierarchy, and values that are shown and neither in it nor to be read by it."""
    leaves = [str(row[0]) for row in rows if row[0] not in (None, "")]
    known = {cell for row in rows for cell in row}
    domain = Domain(leaves)
    named = _names(rows, domain)
    unread = [label for label in shown if label not in known and not len(_read(label, domain, named, {}))]
    return [*leaves, *(v for v in _values(unread, NOTHING, leaves) if v not in known)] if unread else leaves


def _names(rows: Rows, domain: Domain) -> dict[str, Longs]:
    """The labels above the leaves; of two blocks with one name the larger, which holds the other."""
    found: dict[str, list[int]] = {}
    for level in range(1, max(len(row) for row in rows)):
        here: dict[str, list[int]] = {}
        for row in rows:
            label = row[level] if level < len(row) else None
            if label is not None and not is_suppressed(label) and row[0] in domain.index:
                here.setdefault(label, []).append(domain.index[row[0]])
        found.update(here)
    return {label: np.unique(np.array(leaves, dtype=np.int64)) for label, leaves in found.items()}


def _values(shown: Sequence[str], told: Explained, leaves: Sequence[str] = ()) -> list[str]:
    """The values that labels without a hierarchy, or beside one with these leaves, speak of."""
    if told.is_plain:
        return _distinct(label for label in shown if not is_suppressed(label))
    listed = [member for label in shown for member in read_set(label) or _all_but(label) or []]
    single = _single(shown)
    days = days_of(single)
    if days is not None:
        return _distinct([*days, *listed])
    times = hours(single)
    if times is not None:
        return _distinct([*(time for some in times.values() for time in some), *listed])
    joined = stretches(single, [*listed, *leaves], told.order)
    single = _distinct([*(label for label in single if label not in joined), *(end for ends in joined.values() for end in ends)])
    ranges = [label for label in single if ends_of(label) is not None]
    plain = [label for label in single if ends_of(label) is None]
    plain = plain if told.is_ours else _without_bare_lists(plain, {*listed, *leaves})
    number = Domain(plain).number
    are_numbers = bool(listed) and not np.isnan(Domain(listed).number).any()
    if ranges and (np.isnan(number).any() or (not plain and not are_numbers and _are_categories(ranges))):
        return _distinct([*plain, *listed, *ranges])
    return _distinct([*(_numbers(plain, number, ranges) if ranges else plain), *listed])


def _single(shown: Sequence[str]) -> list[str]:
    """The labels that are no sets and hide nothing by stars."""
    return [label for label in shown if read_set(label) is None and _all_but(label) is None and "*" not in label]


def _all_but(label: str) -> list[str] | None:
    """The members that ``not {a, b}`` leaves out; None if it is no such label."""
    return read_set(label.removeprefix(NOT)) if label.startswith(f"{NOT}{{") else None


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def _without_bare_lists(plain: list[str], known: set[str]) -> list[str]:
    """Labels such as ``a,b`` and ``a~b~c`` taken apart, where at least half of the members are values that stand alone elsewhere."""
    known |= set(plain)
    found: list[str] = []
    for label in plain:
        parts = next((p for p in _splits(label) if 2 * sum(part in known for part in p) >= len(p)), None)
        found += parts if parts is not None else [label]
    return _distinct(found)


def _splits(label: str) -> Iterable[list[str]]:
    for mark in BARE:
        if mark in label:
            parts = [part.strip() for part in label.split(mark)]
            if all(parts):
                yield parts


def _are_categories(ranges: Sequence[str]) -> bool:
    """Ranges without brackets of which no two overlap, in a column that shows no number, are names of classes."""
    if any(label[0] in "[(]" for label in ranges):
        return False
    ends = sorted((e[0], e[2]) for label in ranges if (e := ends_of(label)) is not None)
    return all(a[1] <= b[0] for a, b in pairwise(ends))


def _numbers(plain: Sequence[str], number: Floats, ranges: Sequence[str]) -> list[str]:
    """The numbers of a column that shows intervals: all steps of a line, or those shown and one in each gap that a label cuts out."""
    ends = np.array([(e[0], e[2]) for label in ranges if (e := ends_of(label)) is not None])
    finite = np.concatenate([number, ends[np.isfinite(ends)]])
    if not len(finite):
        return list(plain)
    text = dict(zip(number.tolist(), plain, strict=True))
    step = _step(number, finite)
    if step is not None:
        first = math.floor((finite.min() - (number[0] if len(number) else 0)) / step)
        origin = number[0] if len(number) else 0.0
        line = origin + step * np.arange(first, first + LONGEST_LINE + 2)
        line = line[(line >= finite.min()) & (line <= finite.max())]
    else:
        cuts = np.unique(finite)
        middle = (cuts[1:] + cuts[:-1]) / 2
        line = np.unique(np.concatenate([number, middle]))
    mark = "," if any("," in one for one in plain) and not any("." in one for one in plain) else "."  # as the column writes its decimals
    width = len(plain[0]) if has_leading_zeros(plain) and len({len(code) for code in plain}) == 1 else 0
    return [text.get(float(x), number_text(float(x)).replace(".", mark).zfill(width)) for x in line]


def _step(number: Floats, finite: Floats) -> float | None:
    """The step between whole numbers; None where they are not whole, or too many."""
    if (finite != np.round(finite)).any() or np.abs(finite).max() > 2**53:
        return None
    shown = np.unique(number).astype(np.int64)
    step = int(np.gcd.reduce(np.diff(np.unique(finite).astype(np.int64)))) if len(shown) > 2 else 1
    step = step if (len(shown) - 1) * math.log10(max(step, 1)) >= UNLIKELY else 1
    return float(step) if (finite.max() - finite.min()) / step <= LONGEST_LINE else None


def _line(domain: Domain) -> tuple[Floats, bool]:
    """Where the values stand on a line, if all of them do: numbers, or days. Codes with zeros in front are no numbers."""
    there = np.array([text is not None for text in domain.texts])
    if there.any() and not has_leading_zeros([t for t in domain.texts if t is not None]) and not np.isnan(domain.number[there]).any():
        return domain.number, False
    dates = Domain([text for text in domain.texts if text is not None])
    if len(dates.texts) and len(dates.calendars) == 1:
        place = np.full(len(domain.texts), np.nan)
        place[there] = dates.calendars[0].moment / DAY
        return place, True
    return np.full(len(domain.texts), np.nan), False


def _extent(domain: Domain, place: Floats, shown: Sequence[str]) -> tuple[Floats, Floats]:
    """From where to where each value reaches: see :func:`_numbers`, which puts one into each gap where numbers are not whole."""
    ends = np.array([end for label in shown if (e := ends_of(label)) is not None for end in (e[0], e[2]) if np.isfinite(end)])
    there = set(shown)
    alone = np.array([text in there for text in domain.texts], dtype=bool) & ~np.isnan(place)
    cuts = np.unique(np.concatenate([ends, place[alone]]))
    if not len(ends) or _step(place[alone], cuts) is not None:
        return place, place
    low, high = place.copy(), place.copy()
    gap = ~alone & ~np.isnan(place) & (place > cuts[0]) & (place < cuts[-1])
    after = np.searchsorted(cuts, place[gap], "right")
    low[gap], high[gap] = cuts[after - 1], cuts[after]
    return low, high


def _outside(sets: Sequence[Longs], place: Floats) -> NDArray[np.bool_]:
    """Numbers and days below and above all that labels speak of, which hold nothing smaller that is shown.

    Where 90 is the highest age shown, an interval that ends at 100 does not mean that somebody is 100. An interval from 60 to 65 with no label inside
    does mean that somebody is 60 to 64.
    """
    covered = np.zeros(len(place), dtype=bool)
    known: list[float] = []
    for leaves in sorted(sets, key=len):
        at = place[leaves]
        if not covered[leaves].any() and not np.isnan(at).all():
            known += [float(np.nanmin(at)), float(np.nanmax(at))]
        covered[leaves] = True
    return (place < min(known)) | (place > max(known)) if known else np.zeros(len(place), dtype=bool)
