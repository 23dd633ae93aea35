"""What is asked of one column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from shoal import hierarchies, privacy, registry
from shoal.errors import PolicyError
from shoal.policy.allowed import NumberIn, OneOf, Unchecked
from shoal.policy.setting import Setting, named, setting, settings_of
from shoal.privacy import asking

ROLES = ("identifier", "quasi-identifier", "sensitive", "insensitive")


@dataclass(frozen=True)
class ColumnPolicy:
    """What is asked of one column."""

    role: str = setting(
        OneOf(meaning=dict(zip(ROLES, ("dropped", "made coarser", "kept, and watched", "released as it is, on purpose"), strict=True))), "insensitive",
        "what the column is to people; with a hierarchy and no role it is a quasi-identifier", example='role = "sensitive"',
    )  # fmt: skip
    hierarchy: Any = setting(
        Unchecked(type="Any"), None, "what a cell may become: a file, from the policy's folder, or a hierarchy as in the next examples",
        more="`{ prefixes = [4, 3, 1] }`, `{ dates = [\"month\", \"year\"] }`, `{ suppression = true }`, `{ levels = [[\"nurse\", \"health\", \"*\"], …] }`, "
        "`{ laminar = [[\"a\", \"b\"], …] }`, `{ any_interval = true }`, `{ any_subset = true }`.",
        why="make it with shoal.intervals(5, 10) or the like, or with shoal.hierarchies.as_spec from a path or rows",
        example="hierarchy = { intervals = [5, 10, 20] }",
    )  # fmt: skip
    hierarchy_text: Any = None
    """The hierarchy as the file or the caller wrote it, for repeating the run."""
    weight: float = setting(
        NumberIn(must="a positive number", least=0, is_above=True, is_finite=True),
        1.0,
        "how much a loss in this column counts",
        example="weight = 2",
    )
    relevance: float = 1.0
    """What it weighs besides, by what it tells of the target: found in the table, and never written down with a policy."""
    demands: tuple[tuple[str, Mapping[str, float]], ...] = setting(
        Unchecked(type="Mapping[str, Any]"), (), "criteria of a sensitive column, by name; of the whole table, of every sensitive column",
        name="require",
    )  # fmt: skip
    """Criteria for a sensitive column: (name in the catalog, parameters)."""
    metric: Mapping[str, Any] = field(default_factory=dict)
    """How far apart its values are, for clustering: settings of METRIC."""

    @property
    def counts(self) -> float:
        """How much a loss in this column counts."""
        return self.weight * self.relevance


COLUMN = settings_of(ColumnPolicy)
METRIC = named(
    metric=Setting(
        Unchecked(type="str"),
        None,
        "how far apart values are, to a clustering: number, date, category, hierarchy or place",
        example='metric = "number"',
    ),
    unit=Setting(Unchecked(type="float"), None, "how much counts as 1, in days for dates", example="unit = 10"),
    spread=Setting(Unchecked(type="bool"), None, "whether the column's spread counts as 1", example="spread = true"),
    places=Setting(Unchecked(type="str"), None, "a file with the latitude and longitude of each value", example='places = "towns.csv"'),
)
"""The settings of a column, by their keys. The shorthands of the criteria are allowed too."""


def asked_of(column: ColumnPolicy) -> tuple[Any, ...]:
    """What of a column can be wrong by itself, as it is now."""
    return column.role, type(column.hierarchy), column.weight, [(criterion, dict(parameters)) for criterion, parameters in column.demands]


def check_column(name: str, role: str, hierarchy: Any, weight: float, demands: Sequence[tuple[str, Mapping[str, float]]]) -> None:
    """Raise if a column cannot be asked for this. The error carries its key."""
    where = ("columns", name)
    for key, value in (("role", role), ("weight", weight)):
        wrong = COLUMN[key].allowed.wrong(f"Column '{name}': the {key}", value)
        if wrong is not None:
            raise PolicyError(wrong, (*where, key))
    if hierarchy is not None and not callable(getattr(hierarchy, "build", None)):
        advice = COLUMN["hierarchy"].why
        raise PolicyError(f"Column '{name}': a {type(hierarchy).__name__} is not a hierarchy; {advice}.", (*where, "hierarchy"))
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
    """A policy's columns with hierarchies given."""
    if not isinstance(given, Mapping):
        raise PolicyError(f"hierarchies takes a mapping from columns, or a folder with one file per column, not a {type(given).__name__}.")
    found = dict(columns)
    for name, value in given.items():
        if name not in found or found[name].role != "quasi-identifier":
            raise PolicyError(
                f"A hierarchy was given for '{name}', which is not a quasi-identifier. Name it as one, or leave the hierarchy out."
            )
        spec = hierarchies.as_spec(value)
        found[name] = replace(found[name], hierarchy=spec, hierarchy_text=hierarchies.as_toml(spec))
    return found
