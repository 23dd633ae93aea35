"""Policy: what the user asked for, from a TOML file, flags or keywords.

Flags and keywords override the file. A mistake is reported with the file, the line and the key.
"""

from __future__ import annotations

import copy
import hashlib
import math
import tomllib
import warnings
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from shoal import measures
from shoal.errors import PolicyError
from shoal.hierarchies import spec_from_toml
from shoal.policy_check import MISSING, ROLES, RULES, check_column, check_leaving, check_person, check_setting, check_suppression
from shoal.policy_text import Place, toml_key, toml_value
from shoal.privacy import asking
from shoal.table import Table

OLD_NAMES = {"suppress": "withhold"}
"""Settings by the names that they had before 0.2, which are still accepted."""
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


@dataclass(frozen=True)
class Policy:
    """Everything that decides a release, except the data."""

    k: int = 5
    measure: str = measures.DEFAULT
    algorithm: str = "auto"
    withhold: float = 0.0
    """The share of the rows that may be left out at no loss."""
    deletion: bool = False
    missing: str = "value"
    keep_order: bool = True
    """Whether released rows are written in the input's order; else they are sorted by what they show."""
    missing_values: tuple[str, ...] = ()
    """Texts that stand for a missing cell in columns that have a role, such as NA."""
    person: str | None = None
    """The column that says which person a row is about: k then counts people, and the column is dropped."""
    seed: int = 0
    time_limit: float | None = None
    stop_at_ratio: float = 1.0
    effort: float = 1.0
    hierarchies: Path | None = None
    """A folder with a file for each column that has no hierarchy of its own. A plain text is taken as its path."""
    suppression_only: bool = False
    """Whether a cell of a quasi-identifier keeps its value or becomes a star, in every column: the papers' k-anonymity by suppression."""
    target: str | None = None
    """A column that analysts want to predict: quasi-identifiers weigh by what they tell of it."""
    columns: Mapping[str, ColumnPolicy] = field(default_factory=dict)
    _checked: Mapping[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._check(RULES.keys(), {})

    def changed(self, **said: Any) -> Policy:
        """The policy with other values for some settings. Only these are checked: all others were when this policy was made."""
        unknown = said.keys() - {f.name for f in fields(self) if f.init}
        if unknown:
            raise TypeError(f"a policy has no setting called '{min(unknown)}'")
        made = copy.copy(self)
        for key, value in said.items():
            object.__setattr__(made, key, value)
        made._check(said.keys(), self._checked)
        return made

    def _check(self, keys: AbstractSet[str], checked: Mapping[str, Any]) -> None:
        """Check the settings of these names, and each column that is not asked for what was checked before."""
        for key in (key for key in RULES if key in keys):
            check_setting(key, getattr(self, key))
        check_leaving(self.withhold, self.deletion)
        if self.suppression_only:
            check_suppression(self.hierarchies, {name: column.hierarchy for name, column in self.columns.items()})
        if "hierarchies" in keys and self.hierarchies is not None:
            object.__setattr__(self, "hierarchies", Path(self.hierarchies))
        if self.person is not None and self.person not in self.columns:
            object.__setattr__(self, "columns", {**self.columns, self.person: ColumnPolicy(role="identifier")})
        for name, column in self.columns.items():
            if not isinstance(column, ColumnPolicy):
                raise PolicyError(f"Column '{name}': what is asked of a column is a ColumnPolicy, not {type(column).__name__}.")
            if _asked_of(column) != checked.get(name):
                check_column(name, column.role, column.hierarchy, column.weight, column.demands)
        if self.person is not None:
            check_person(self.person, self.columns[self.person].role)
        if self.target is not None and self.target in self.named("identifier"):
            raise PolicyError(
                f"The target '{self.target}' is an identifier, which is dropped. Take a column that is released.", ("target",)
            )
        object.__setattr__(self, "_checked", {name: _asked_of(column) for name, column in self.columns.items()})

    @classmethod
    def given(cls, policy: Policy | str | Path | None) -> Policy:
        """What a caller gave as a policy. A file is read; of a Policy, only columns that were changed since it was checked are."""
        if isinstance(policy, Policy):
            return policy.changed()
        return cls() if policy is None else cls.read(policy)

    @classmethod
    def read(cls, path: str | Path) -> Policy:
        """Read a TOML policy."""
        return _read(Path(path))

    def with_missing(self, table: Table) -> Table:
        """The table as the policy reads it: its marks of missing cells are missing in all columns that have a role."""
        names = [name for name, column in self.columns.items() if column.role != "insensitive"]
        return table.with_missing(self.missing_values, names)

    def named(self, role: str) -> list[str]:
        """The columns with a role, in the policy's order."""
        return [name for name, column in self.columns.items() if column.role == role]

    @property
    def demands(self) -> tuple[tuple[str, str, Mapping[str, float]], ...]:
        """What is asked of sensitive columns: a criterion, a column, and its parameters."""
        return tuple((asked, name, given) for name in self.named("sensitive") for asked, given in self.columns[name].demands)

    def most_withheld(self, n_rows: int) -> int:
        """How many of so many rows may be withheld at no loss."""
        return math.floor(self.withhold * n_rows + 1e-9)

    def may_lack(self, n_rows: int) -> int:
        """How many of so many rows a release may lack: all, where any row may be deleted at its loss."""
        return n_rows if self.deletion else self.most_withheld(n_rows)

    def sha256(self) -> str:
        """A fingerprint of all that decides a release."""
        return hashlib.sha256(self.toml().encode()).hexdigest()

    def toml(self, whole_paths: bool = True) -> str:
        """The policy as a file that repeats it; without ``whole_paths``, its folder of hierarchies by the name alone."""
        lines = [f"k = {self.k}"]
        for key in (
            "measure",
            "algorithm",
            "withhold",
            "deletion",
            "suppression_only",
            "missing",
            "keep_order",
            "seed",
            "time_limit",
            "stop_at_ratio",
            "effort",
        ):
            value = getattr(self, key)
            default = next(f.default for f in fields(Policy) if f.name == key)
            if value is not None and (value != default or key in ("measure", "seed")):
                lines.append(f"{key} = {toml_value(value)}")
        if self.person is not None:
            lines.append(f"person = {toml_value(self.person)}")
        if self.target is not None:
            lines.append(f"target = {toml_value(self.target)}")
        if self.missing_values:
            lines.append(f"missing_values = {toml_value(self.missing_values)}")
        if self.hierarchies is not None:
            lines.append(f"hierarchies = {toml_value(str(self.hierarchies) if whole_paths else self.hierarchies.name)}")
        for name, column in self.columns.items():
            lines += ["", f"[columns.{toml_key(name)}]", *_column_lines(column)]
        return "\n".join(lines) + "\n"


SETTINGS = frozenset(f.name for f in fields(Policy) if f.init) - {"columns", "hierarchies"} | set(OLD_NAMES)
"""What may be given by name beside a policy."""


def _asked_of(column: ColumnPolicy) -> tuple[Any, ...]:
    """What of a column can be wrong by itself, as it is now."""
    return column.role, type(column.hierarchy), column.weight, [(criterion, dict(parameters)) for criterion, parameters in column.demands]


def _column_lines(column: ColumnPolicy) -> list[str]:
    lines = [f'role = "{column.role}"']
    if column.hierarchy_text is not None:
        lines.append(f"hierarchy = {toml_value(column.hierarchy_text)}")
    if column.weight != 1:
        lines.append(f"weight = {toml_value(column.weight)}")
    lines += [f"{key} = {toml_value(value)}" for key, value in asking.as_toml(column.demands).items()]
    lines += [f"{key} = {toml_value(value)}" for key, value in column.metric.items()]
    return lines


def demands_of(entry: Mapping[str, Any]) -> tuple[asking.Asked, ...]:
    """The criteria that a table of settings asks for, by their shorthands and under ``require``."""
    found = [asking.read_shorthand(key, entry[key]) for key in asking.shorthands() if key in entry]
    required = entry.get("require", {})
    if not isinstance(required, Mapping):
        raise PolicyError("require takes a table of criteria by name; 'shoal criteria' lists them")
    return (*found, *(asking.demand_of(str(name), value) for name, value in required.items()))


def _read(path: Path) -> Policy:
    try:
        text = path.read_text(encoding="utf-8-sig")
        content = tomllib.loads(text)
    except FileNotFoundError:
        raise PolicyError(f"There is no policy file '{path}'.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"The policy file '{path}' cannot be read: {type(error).__name__}.") from None
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{path}: this is not TOML: {error}.") from None
    place = Place(path, text)
    simple = SETTINGS | {"hierarchies"}
    criteria = ("require", *asking.shorthands())
    for key in content:
        if key not in simple and key not in ("columns", *criteria):
            known = sorted(simple - set(OLD_NAMES) | {"columns", *criteria})
            place.fail((key,), f"there is no setting called '{key}'; there are {', '.join(known)}")
    for old, new in OLD_NAMES.items():
        if old in content and new in content:
            place.fail((old,), f"this is the old name of '{new}', which is given too. Leave it out")
    columns = {name: _read_column(place, name, entry, content) for name, entry in content.get("columns", {}).items()}
    for key in criteria:
        if key in content and not any(column.role == "sensitive" for column in columns.values()):
            place.fail((key,), 'this is asked of sensitive columns, and no column has that role. Give one role = "sensitive"')
    values = {key: content[key] for key in simple & set(content)}
    if "hierarchies" in values:
        values["hierarchies"] = path.parent / place.typed(("hierarchies",), values["hierarchies"], str, "the path of a folder")
    for key, kind, words in (("k", int, "a whole number"), ("withhold", float, "a fraction"), ("suppress", float, "a fraction"), ("seed", int, "a whole number"),
                             ("time_limit", float, "a number of seconds"), ("stop_at_ratio", float, "a number"), ("effort", float, "a number"),
                             ("deletion", bool, "true or false"), ("suppression_only", bool, "true or false"), ("keep_order", bool, "true or false"), ("measure", str, "a name"), ("algorithm", str, "a name"),
                             ("missing", str, "a word"), ("person", str, "the name of a column"), ("target", str, "the name of a column")):  # fmt: skip
        if key in values:
            values[key] = place.typed((key,), values[key], kind, words)
    if "missing_values" in values:
        values["missing_values"] = tuple(
            place.typed(("missing_values",), values["missing_values"], list, 'a list of texts, such as ["NA", "?"]')
        )
    try:
        return Policy(**{OLD_NAMES.get(key, key): value for key, value in values.items()}, columns=columns)
    except PolicyError as error:
        written = {OLD_NAMES.get(key, key): key for key in values}
        place.fail(tuple(written.get(part, part) for part in error.key[:1]) + error.key[1:], str(error))


def _read_column(place: Place, name: str, entry: Any, content: Mapping[str, Any]) -> ColumnPolicy:
    where = ("columns", name)
    if not isinstance(entry, Mapping):
        place.fail(where, 'a column needs a table of settings, such as role = "quasi-identifier"')
    known = (*COLUMN_KEYS, *asking.shorthands())
    for key in entry:
        if key not in known:
            place.fail((*where, key), f"there is no column setting called '{key}'; there are {', '.join(known)}")
    spec = None
    if "hierarchy" in entry:
        spec = place.within((*where, "hierarchy"), lambda: spec_from_toml(entry["hierarchy"], place.path.parent))
    role = entry.get("role", "quasi-identifier" if "hierarchy" in entry else "insensitive")
    criteria = ("require", *asking.shorthands())
    shared = {key: content[key] for key in criteria if key in content and role == "sensitive"}
    weight = place.typed((*where, "weight"), entry.get("weight", 1.0), float, "a number")
    first = next((key for key in criteria if key in entry), "require")
    demands = place.within((*where, first), lambda: asking.replaced(demands_of(shared), demands_of(entry)))
    return ColumnPolicy(
        role=role,
        hierarchy=spec,
        hierarchy_text=_anchored(entry.get("hierarchy"), place.path.parent),
        weight=weight,
        demands=demands,
        metric={key: entry[key] for key in METRIC_KEYS if key in entry},
    )


def _anchored(value: Any, folder: Path) -> Any:
    """A hierarchy's path, made absolute."""
    return str((folder / value).resolve()) if isinstance(value, str) else value


def override(policy: Policy, **given: Any) -> Policy:
    """The policy with its settings replaced by those that are not None; old names of settings are accepted, with a warning."""
    said = {key: value for key, value in given.items() if value is not None}
    for old, new in OLD_NAMES.items():
        if old in said and new in said:
            raise PolicyError(f"'{old}' is the old name of '{new}': give one of them.")
        if old in said:
            warnings.warn(f"'{old}' is now called '{new}'.", DeprecationWarning, stacklevel=4)
            said[new] = said.pop(old)
    return policy.changed(**said)


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


__all__ = ["MISSING", "ROLES", "SETTINGS", "ColumnPolicy", "Policy", "demands_of", "override", "with_demands", "with_roles"]
