"""What the values of a column say of its role, whatever it is called:

``male`` and ``female``, ``married`` and ``single``, ``agree`` and ``disagree``.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import polars as pl

from shoal.columns import names

MOST = 60
SHARE = 0.6
"""At least this share of the values, and two of them, must speak of the same topic."""
NEUTRAL = {
    "other",
    "others",
    "none",
    "unknown",
    "missing",
    "not known",
    "not sure",
    "refused",
    "not applicable",
    "no answer",
    "other/unknown",
}


class Told(NamedTuple):
    """What the values speak of, and the role that follows."""

    role: Literal["quasi-identifier", "sensitive"]
    about: str


def told_by(values: pl.Series) -> Told | None:
    """The topic that most values belong to. What outsiders may know comes first: that is the safer of the two."""
    if not 2 <= len(values) <= MOST:
        return None
    said = {value.strip().lower() for value in values.to_list()} - NEUTRAL
    if known := _topic(said, names.KNOWN_VALUES):
        return Told("quasi-identifier", known)
    if secret := _topic(said, names.SENSITIVE_VALUES):
        return Told("sensitive", secret)
    return None


def _topic(said: set[str], topics: names.Topics) -> str | None:
    found = [(len(said & set(words)), about) for about, words in topics]
    n, about = max(found, default=(0, ""), key=lambda pair: pair[0])
    return about if n >= 2 and n >= SHARE * len(said) else None
