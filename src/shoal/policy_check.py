"""What the settings of a policy may be. Each is checked by itself, so a change of one has only that one checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from typing import Any

from shoal import algorithms, measures, privacy, registry
from shoal.errors import PolicyError
from shoal.hierarchies.builders.suppression import suppression

ROLES = ("identifier", "quasi-identifier", "sensitive", "insensitive")
MISSING = ("value", "suppress", "error")


def check_setting(key: str, value: Any) -> None:
    """Raise if a setting cannot have this value. The error carries its key."""
    try:
        RULES[key](value)
    except PolicyError as error:
        raise PolicyError(str(error), (key,)) from None


def check_column(name: str, role: str, hierarchy: Any, weight: float, demands: Sequence[tuple[str, Mapping[str, float]]]) -> None:
    """Raise if a column cannot be asked for this. The error carries its key."""
    where = ("columns", name)
    if role not in ROLES:
        raise PolicyError(f"Column '{name}': the role must be one of {', '.join(ROLES)}, not '{role}'.", (*where, "role"))
    if hierarchy is not None and not callable(getattr(hierarchy, "build", None)):
        advice = "make it with shoal.intervals(5, 10) or the like, or with shoal.hierarchies.as_spec from a path or rows"
        raise PolicyError(f"Column '{name}': a {type(hierarchy).__name__} is not a hierarchy; {advice}.", (*where, "hierarchy"))
    if not _is_number(weight) or not 0 < weight < math.inf:
        raise PolicyError(f"Column '{name}': the weight must be a positive number, not {weight!r}.", (*where, "weight"))
    if demands and role != "sensitive":
        asked = ", ".join(criterion for criterion, _ in demands)
        raise PolicyError(f"Column '{name}': {asked} can be asked of sensitive columns, and its role is {role}.", (*where, "role"))
    for criterion, parameters in demands:
        wrong = registry.find(privacy.CATALOG, criterion, "criterion").check(parameters)
        if wrong:
            raise PolicyError(f"Column '{name}', {criterion}: {wrong}.", where)


def check_leaving(withhold: float, deletion: bool) -> None:
    """Rows leave for nothing or at a price: a release has one loss."""
    if withhold and deletion:
        raise PolicyError(
            "withhold lets some rows be left out at no loss, and deletion any row at the loss of suppressing it whole: choose one of them."
        )


def check_suppression(folder: Any, hierarchy: Mapping[str, Any]) -> None:
    """Where cells are only suppressed, no column has a hierarchy."""
    if folder is not None:
        raise PolicyError(
            "suppression_only keeps a cell or hides it, and a folder of hierarchies is given too: leave one of them out.", ("hierarchies",)
        )
    for name, spec in hierarchy.items():
        if spec is not None and spec != suppression():
            raise PolicyError(
                f"Column '{name}': suppression_only keeps a cell or hides it, and this column has a hierarchy: leave one of them out.",
                ("columns", name, "hierarchy"),
            )


def check_person(name: str, role: str) -> None:
    """Raise if the column that says which person a row is about has another role than that of an identifier."""
    if role != "identifier":
        raise PolicyError(
            f"Column '{name}' says which person a row is about. It is dropped like any identifier, and cannot be {role} too.",
            ("columns", name, "role"),
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _k(value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 2:
        raise PolicyError(f"k must be a whole number of at least 2, not {value!r}: in a group of one nobody hides.")


def _withhold(value: Any) -> None:
    if not _is_number(value) or not 0 <= value <= 1:
        raise PolicyError(f"withhold must be a fraction between 0 and 1, not {value!r}: 0.01 lets one row in a hundred be withheld.")


def _time_limit(value: Any) -> None:
    if value is not None and not (_is_number(value) and value > 0):
        raise PolicyError(f"time_limit must be a positive number of seconds, not {value!r}.")


def _effort(value: Any) -> None:
    if not _is_number(value) or not 0 < value < math.inf:
        raise PolicyError(f"effort must be a positive number, not {value!r}: 2 lets the search work twice as long as usual.")


def _stop_at_ratio(value: Any) -> None:
    if not _is_number(value) or not value >= 1:
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
