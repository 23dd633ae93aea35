"""What is asked of one column."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from shoal import hierarchies, privacy, registry
from shoal.errors import PolicyError
from shoal.policy.settings import is_number
from shoal.privacy import asking

ROLES = ("identifier", "quasi-identifier", "sensitive", "insensitive")
METRIC_KEYS = ("metric", "unit", "spread", "places")
COLUMN_KEYS = ("role", "hierarchy", "weight", "require", *METRIC_KEYS)
"""The shorthands of the criteria are allowed too."""


@dataclass(frozen=True)
class ColumnPolicy:
    """What is asked for one column."""

    role: str = "insensitive"
    hierarchy: Any = None
    """A hierarchy spec; None for the default of its kind of column."""
    hierarchy_text: Any = None
    """The hierarchy as the file or the caller wrote it, for repeating the run."""
    weight: float = 1.0
    relevance: float = 1.0
    """What it weighs besides, by what it tells of the target: found in the table, and never written down with a policy."""
    demands: tuple[tuple[str, Mapping[str, float]], ...] = ()
    """Criteria for a sensitive column: (name in the catalog, parameters)."""
    metric: Mapping[str, Any] = field(default_factory=dict)
    """How far apart its values are, for clustering."""

    @property
    def counts(self) -> float:
        """How much a loss in this column counts."""
        return self.weight * self.relevance


def asked_of(column: ColumnPolicy) -> tuple[Any, ...]:
    """What of a column can be wrong by itself, as it is now."""
    return column.role, type(column.hierarchy), column.weight, [(criterion, dict(parameters)) for criterion, parameters in column.demands]


def check_column(name: str, role: str, hierarchy: Any, weight: float, demands: Sequence[tuple[str, Mapping[str, float]]]) -> None:
    """Raise if a column cannot be asked for this. The error carries its key."""
    where = ("columns", name)
    if role not in ROLES:
        raise PolicyError(f"Column '{name}': the role must be one of {', '.join(ROLES)}, not '{role}'.", (*where, "role"))
    if hierarchy is not None and not callable(getattr(hierarchy, "build", None)):
        advice = "make it with shoal.intervals(5, 10) or the like, or with shoal.hierarchies.as_spec from a path or rows"
        raise PolicyError(f"Column '{name}': a {type(hierarchy).__name__} is not a hierarchy; {advice}.", (*where, "hierarchy"))
    if not is_number(weight) or not 0 < weight < math.inf:
        raise PolicyError(f"Column '{name}': the weight must be a positive number, not {weight!r}.", (*where, "weight"))
    if demands and role != "sensitive":
        asked = ", ".join(criterion for criterion, _ in demands)
        raise PolicyError(f"Column '{name}': {asked} can be asked of sensitive columns, and its role is {role}.", (*where, "role"))
    for criterion, parameters in demands:
        wrong = registry.find(privacy.CATALOG, criterion, "criterion").check(parameters)
        if wrong:
            raise PolicyError(f"Column '{name}', {criterion}: {wrong}.", where)


def demands_of(entry: Mapping[str, Any]) -> tuple[asking.Asked, ...]:
    """The criteria that a table of settings asks for, by their shorthands and under ``require``."""
    found = [asking.read_shorthand(key, entry[key]) for key in asking.shorthands() if key in entry]
    required = entry.get("require", {})
    if not isinstance(required, Mapping):
        raise PolicyError("require takes a table of criteria by name; 'shoal criteria' lists them")
    return (*found, *(asking.demand_of(str(name), value) for name, value in required.items()))


def with_roles(
    columns: Mapping[str, ColumnPolicy],
    quasi_identifiers: Iterable[str] | None,
    sensitive: Iterable[str] | None,
    identifiers: Iterable[str] | None,
    keep: Iterable[str] | None = None,
) -> dict[str, ColumnPolicy]:
    """A policy's columns with roles given. A role given here wins over the policy's; a column given two roles here is an error.

    Columns to ``keep`` are insensitive: released as they are, on purpose.
    """
    for names in (quasi_identifiers, sensitive, identifiers, keep):
        if isinstance(names, str):
            raise PolicyError(f"Give a list of columns, such as ['{names}'], and not one text.")
    found = dict(columns)
    seen: dict[str, str] = {}
    for role, names in (
        ("quasi-identifier", quasi_identifiers),
        ("sensitive", sensitive),
        ("identifier", identifiers),
        ("insensitive", keep),
    ):
        for name in names or ():
            if seen.setdefault(name, role) != role:
                raise PolicyError(f"Column '{name}' is named both as {seen[name]} and as {role}. Give it one role.")
            column = found.get(name, ColumnPolicy())
            demands = column.demands if role == "sensitive" else ()
            found[name] = replace(column, role=role, demands=demands)
    return found


def with_demands(columns: Mapping[str, ColumnPolicy], asked: Sequence[asking.Asked]) -> dict[str, ColumnPolicy]:
    """A policy's columns, where each sensitive one is asked for these criteria, in place of what the policy asks of the same kind."""
    names = [name for name, column in columns.items() if column.role == "sensitive"]
    if asked and not names:
        said = ", ".join(name for name, _ in asked)
        raise PolicyError(f"{said}: this is asked of sensitive columns. Name one with --sensitive (sensitive=[…] in Python).")
    found = dict(columns)
    for name in names if asked else ():
        found[name] = replace(found[name], demands=asking.replaced(found[name].demands, asked))
    return found


def with_hierarchies(columns: Mapping[str, ColumnPolicy], given: Mapping[str, Any]) -> dict[str, ColumnPolicy]:
    found = dict(columns)
    for name, value in given.items():
        if name not in found or found[name].role != "quasi-identifier":
            raise PolicyError(
                f"A hierarchy was given for '{name}', which is not a quasi-identifier. Name it as one, or leave the hierarchy out."
            )
        spec = hierarchies.as_spec(value)
        found[name] = replace(found[name], hierarchy=spec, hierarchy_text=hierarchies.as_toml(spec))
    return found
