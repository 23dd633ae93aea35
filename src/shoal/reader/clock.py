"""Times of a day in a release without its original: ``[07:00, 08:00)`` stands for the minutes in it, as finely as the labels cut the day."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np

from shoal.text.dates import parse_times

INTERVAL = re.compile(r"\[(\d{2}:\d{2}), (\d{2}:\d{2})\)", re.ASCII)


def hours(labels: Sequence[str]) -> Mapping[str, list[str]] | None:
    """The times that each label stands for, where labels are times of a day and intervals of such; None if they are not.

    >>> hours(["[06:00, 07:00)", "[06:00, 12:00)"])["[06:00, 07:00)"]
    ['06:00']
    """
    cut = {label: found for label in labels if (found := INTERVAL.fullmatch(label)) is not None}
    alone = [label for label in labels if label not in cut]
    if not cut or len(parse_times(alone)[1] if alone else ()):
        return None
    ends = {label: (_minute(found[1]), _minute(found[2])) for label, found in cut.items()}
    minutes = {label: second // 60 for label, second in zip(alone, parse_times(alone)[0].tolist() if alone else [], strict=True)}
    step = math.gcd(*(end for pair in ends.values() for end in pair), *minutes.values()) or 1
    first, last = min(begin for begin, _ in ends.values()), max(end for _, end in ends.values())
    text: dict[int, list[str]] = {}
    for label, minute in minutes.items():
        text.setdefault(minute, []).append(label)
    line = sorted({*range(first, last, step), *minutes.values()})
    return {
        **{label: [label] for label in alone},
        **{label: [t for m in line if begin <= m < end for t in text.get(m, [_written(m)])] for label, (begin, end) in ends.items()},
    }


def nearest(texts: Sequence[str], values: Sequence[str | None]) -> dict[str, int]:
    """The listed time that each time falls to: the last that is not after it; nothing where one of the two are no times."""
    listed = [
        (_minute(value), i) for i, value in enumerate(values) if value is not None and re.fullmatch(r"\d{1,2}:\d{2}(?::\d{2})?", value)
    ]
    second, wrong = parse_times(texts) if listed and texts else (np.zeros(0), np.zeros(1))
    if len(wrong):
        return {}
    listed.sort()
    at = np.searchsorted([minute for minute, _ in listed], second // 60, "right") - 1
    return {text: listed[i][1] for text, i in zip(texts, at.tolist(), strict=True) if i >= 0}


def _minute(text: str) -> int:
    hour, minute = text.split(":")[:2]
    return 60 * int(hour) + int(minute)


def _written(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"
