"""What the settings of a policy may be. Each is checked by itself, so a change of one has only that one checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from typing import Any

from shoal import algorithms, measures, registry
from shoal.errors import PolicyError

MISSING = ("value", "suppress", "error")
OLD_NAMES = {"suppress": "withhold"}
"""Settings by the names that they had before 0.2, which are still accepted."""


def check_setting(key: str, value: Any) -> None:
    """Raise if a setting cannot have this value. The error carries its key."""
    try:
        RULES[key](value)
    except PolicyError as error:
        raise PolicyError(str(error), (key,)) from None


def is_number(value: Any) -> bool:
    """Whether this is a number, and not a truth value."""
    return isinstance(value, Real) and not isinstance(value, bool)


def _k(value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 2:
        raise PolicyError(f"k must be a whole number of at least 2, not {value!r}: in a group of one nobody hides.")


def _withhold(value: Any) -> None:
    if not is_number(value) or not 0 <= value <= 1:
        raise PolicyError(f"withhold must be a fraction between 0 and 1, not {value!r}: 0.01 lets one row in a hundred be withheld.")


def _time_limit(value: Any) -> None:
    if value is not None and not (is_number(value) and value > 0):
        raise PolicyError(f"time_limit must be a positive number of seconds, not {value!r}.")


def _effort(value: Any) -> None:
    if not is_number(value) or not 0 < value < math.inf:
        raise PolicyError(f"effort must be a positive number, not {value!r}: 2 lets the search work twice as long as usual.")


def _stop_at_ratio(value: Any) -> None:
    if not is_number(value) or not value >= 1:
        raise PolicyError(f"stop_at_ratio must be at least 1, not {value!r}: no release is better than the best.")


def _seed(value: Any) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise PolicyError(f"seed must be a whole number, not {value!r}.")
    if int(value) < 0:
        raise PolicyError(f"seed must not be negative, and {value!r} is.")


def _missing_values(value: Any) -> None:
    if isinstance(value, str) or not isinstance(value, Iterable) or not all(isinstance(mark, str) for mark in value):
        raise PolicyError('missing_values must be a list of texts, such as ["NA", "?"].')


def _missing(value: Any) -> None:
    if value not in MISSING:
        raise PolicyError(f"missing must be one of {', '.join(MISSING)}, not '{value}'.")


def _one_column(key: str) -> Callable[[Any], None]:
    def rule(value: Any) -> None:
        if value is not None and not isinstance(value, str):
            raise PolicyError(f"{key} must be the name of one column.")

    return rule


def _hierarchies(value: Any) -> None:
    if value is None:
        return
    advice = "hierarchies takes a folder with one file per column (--hierarchies DIR)"
    if not isinstance(value, str | PathLike):
        raise PolicyError(f"{advice}, not a {type(value).__name__}; the hierarchy of a single column stands with the column.")
    if not Path(value).is_dir():
        raise PolicyError(f"'{value}' is not a folder: {advice}. Make it, correct its name, or leave it out.")


def _yes_or_no(key: str) -> Callable[[Any], None]:
    def rule(value: Any) -> None:
        if not isinstance(value, bool):
            raise PolicyError(f"{key} must be true or false, not {value!r}.")

    return rule


def _name_in(catalog: registry.Catalog, kind: str) -> Callable[[Any], None]:
    def rule(value: Any) -> None:
        if not isinstance(value, str):
            raise PolicyError(f"{kind} must be a name, not {value!r}.")
        registry.check(catalog, value, kind)

    return rule


RULES: dict[str, Callable[[Any], None]] = {
    "person": _one_column("person"),
    "target": _one_column("target"),
    "k": _k,
    "withhold": _withhold,
    "time_limit": _time_limit,
    "effort": _effort,
    "stop_at_ratio": _stop_at_ratio,
    "seed": _seed,
    "deletion": _yes_or_no("deletion"),
    "suppression_only": _yes_or_no("suppression_only"),
    "keep_order": _yes_or_no("keep_order"),
    "measure": _name_in(measures.CATALOG, "measure"),
    "algorithm": _name_in(algorithms.CATALOG, "algorithm"),
    "missing_values": _missing_values,
    "missing": _missing,
    "hierarchies": _hierarchies,
}
"""What each setting must keep, in the order in which mistakes are told."""

SETTINGS = frozenset(RULES) - {"hierarchies"} | set(OLD_NAMES)
"""What may be given by name beside a policy."""
