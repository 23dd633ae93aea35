"""Categories that have an order: ranges, numbered labels, and the scales of words that people use."""

from __future__ import annotations

import re
from collections.abc import Sequence

NUM = r"[0-9]+(?:\.[0-9]+)?"
_LOW = re.compile(rf"^(?:<=?|≤|under|below|less than|up to|younger than|fewer than)\s*\$?({NUM})", re.IGNORECASE)
_HIGH = re.compile(
    rf"^(?:>=?|≥|over|above|more than|older than|at least)\s*\$?({NUM})|^\$?({NUM})\s*[a-z%]*\s*(?:\+|or more|or "
    r"older|and over|and older|and above)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"^[\[(]?\$?({NUM})[a-z%]?\s*(?:-|–|—|to|thru|~|,|\.\.)\s*\$?({NUM})\s*[a-z%]*[\])]?", re.IGNORECASE
)
_ALONE = re.compile(rf"^({NUM})\s*[a-z%]*$", re.IGNORECASE)
_NUMBERED = re.compile(r"^\(?([0-9]{1,2})(?:_|(?:[.):]|\s*-)\s*(?=[^0-9]))(.+)$")
_TIMES = re.compile(r"^([0-9]+)(?:st|nd|rd|th)\b", re.IGNORECASE)
APART = frozenset(
    ("other", "others", "unknown", "missing", "n/a", "na", "refused", "skipped", "unspecified", "undetermined",
    "not applicable", "don't know", "dk", "no answer",
     "uncodeable", "?", ".", "-", "not stated", "not reported", "did not ride", "did not drive", "do not watch",
     "did not answer")
)  # fmt: skip
"""Answers that stand outside every scale."""

_SCALES = (
    (
        "very low|low;below average;lower|lower middle|medium;middle;moderate;average;mid;normal|upper "
        "middle|high;above average;upper;higher|very high"
    ),
    (
        "none;never;not at all;non travel|almost never;very rarely|rarely;seldom;hardly ever;a little;travel "
        "rarely;occas;occasionally|sometimes;some;occasional|often;frequently;freq;regul;regular;regularly;most of "
        "time;most of the time;travel frequently|very often;almost always;heavy|always"
    ),
    (
        "very bad;very poor;terrible|bad;poor|fair;ok;okay;acceptable|good|better;very "
        "good|best;excellent;great|outstanding;exceptional"
    ),
    (
        "strongly disagree;disagree strongly|disagree|slightly disagree;somewhat disagree|neither agree nor "
        "disagree;neutral;undecided;neither|slightly agree;somewhat agree|agree|strongly agree;agree strongly"
    ),
    "very dissatisfied|dissatisfied|neutral;neither|satisfied|very satisfied",
    (
        "not;not important;not at all important|notvery;not very;not very important;slightly|somewhat;somewhat "
        "important;moderately|important|very;very important|extremely;essential"
    ),
    "tiny;xs|small;s|medium;m|large;l|xl;very large;huge|xxl",
    "first;i|second;ii|third;iii|fourth;iv|fifth;v|sixth;vi",
    "mild|moderate|severe|critical;very severe",
    "jan;january|feb;february|mar;march|apr;april|may|jun;june|jul;july|aug;august|"
    "sep;sept;september|oct;october|nov;november|dec;december",
    "jan thru mar;q1|apr thru jun;q2|jul thru sep;q3|oct thru dec;q4",
    "mon;monday|tue;tues;tuesday|wed;wednesday|thu;thur;thurs;thursday|fri;friday|sat;saturday|sun;sunday",
    "infant;baby|child|adolescent;teen;teenager|young adult;youth|adult;middle aged|senior;elderly;old",
    (
        "asstprof;assistant;assistant professor;asst prof|assocprof;associate;associate professor;assoc "
        "prof|prof;full;professor;full professor"
    ),
    "no formal education;none;illiterate;iliterate;no schooling|primary;elementary;primary school;less than "
    "primary|lesshs;less than hs;< hs grad;<hs;less than high school;no high school;below high school|"
    "middle;middle school;lower secondary|somehs;some hs;some high school|secondary;high school;hs;hs "
    "grad;highschool;ged;high school graduate;hs or lower;upper secondary;below college|"
    "someps;some college;somecollege;some ps|associate;associates;assoc|college;college "
    "grad;bachelor;bachelors;bachelor's|tertiary;university;higher;post secondary|"
    "grad;graduate;master;masters;master's;advanced degree;postgraduate|phd;doctorate;doctor;doctoral",
)  # fmt: skip
SCALES: tuple[dict[str, int], ...] = tuple(
    {word: rank for rank, words in enumerate(scale.split("|")) for word in words.split(";")} for scale in _SCALES
)


def order_of(values: Sequence[str], is_nominal: bool = False, fewest: int = 3) -> tuple[list[str], str] | None:
    """The values that have an order, from low to high, and what tells it; None if nothing does.

    Answers outside the scale are left out.
    """
    inside = [v for v in values if _plain(v) not in APART]
    if len(inside) < fewest or len(values) - len(inside) > 3:
        return None
    for ranks, words in (
        (_ranges(inside), "its values are ranges"),
        (_scale(inside), "its values are steps of a scale"),
        (None if is_nominal else _numbered(inside), "its values are numbered"),
    ):
        if ranks is not None and len(set(ranks)) == len(ranks):
            return [v for _, v in sorted(zip(ranks, inside, strict=True))], words
    return None


def _plain(text: str) -> str:
    return re.sub(r"[\s_-]+", " ", text).strip().lower()


def _ranges(values: Sequence[str]) -> list[float] | None:
    """Where each range begins; there must be two real ranges at least."""
    found: list[float] = []
    real = 0
    for value in values:
        numbered = _NUMBERED.match(value)
        where = _start(numbered[2] if numbered else value)
        where = _start(value) if where is None and numbered else where
        if where is None:
            return None
        found.append(where[0])
        real += where[1]
    return found if real >= 2 else None


def _start(text: str) -> tuple[float, bool] | None:
    text = re.sub(r"(?<=\d),(?=\d{3})", "", re.sub(r"(?<=\d)[kK]\b", "000", text.strip()))
    if found := _LOW.match(text):
        return float(found[1]) - 0.5e-6 - 1e9, True
    if found := _HIGH.match(text):
        return float(found[1] or found[2]) + 0.5e-6, True
    if found := _RANGE.match(text):
        return (float(found[1]), True) if float(found[1]) <= float(found[2]) else None
    if found := _ALONE.match(text):
        return float(found[1]), False
    return None


def _scale(values: Sequence[str]) -> list[float] | None:
    texts = [_plain(re.sub(r"^\(?[0-9]{1,2}[.):_]\s*", "", v)) for v in values]
    for scale in SCALES:
        if all(t in scale for t in texts):
            return [float(scale[t]) for t in texts]
    if all(_TIMES.match(t) for t in texts):
        return [float(m[1]) for t in texts if (m := _TIMES.match(t))]
    return None


def _numbered(values: Sequence[str]) -> list[float] | None:
    found = [_NUMBERED.match(v) for v in values]
    return [float(m[1]) for m in found if m] if all(found) else None
