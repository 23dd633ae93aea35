"""Policy: what the user asked for, from a TOML file, flags or keywords.

Flags and keywords override the file. A mistake is reported with the file, the line and the key.
"""

from __future__ import annotations

import copy
import hashlib
import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from shoal import measures
from shoal.errors import PolicyError
from shoal.hierarchies.builders.suppression import suppression
from shoal.policy.columns import ColumnPolicy, asked_of, check_column
from shoal.policy.settings import OLD_NAMES, RULES, check_setting
from shoal.policy.toml import column_lines, read, toml_key, toml_value
from shoal.table import Table


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
        _check_leaving(self.withhold, self.deletion)
        if self.suppression_only:
            _check_suppression(self.hierarchies, {name: column.hierarchy for name, column in self.columns.items()})
        if "hierarchies" in keys and self.hierarchies is not None:
            object.__setattr__(self, "hierarchies", Path(self.hierarchies))
        if self.person is not None and self.person not in self.columns:
            object.__setattr__(self, "columns", {**self.columns, self.person: ColumnPolicy(role="identifier")})
        for name, column in self.columns.items():
            if not isinstance(column, ColumnPolicy):
                raise PolicyError(f"Column '{name}': what is asked of a column is a ColumnPolicy, not {type(column).__name__}.")
            if asked_of(column) != checked.get(name):
                check_column(name, column.role, column.hierarchy, column.weight, column.demands)
        if self.person is not None:
            _check_person(self.person, self.columns[self.person].role)
        if self.target is not None and self.target in self.named("identifier"):
            raise PolicyError(
                f"The target '{self.target}' is an identifier, which is dropped. Take a column that is released.", ("target",)
            )
        object.__setattr__(self, "_checked", {name: asked_of(column) for name, column in self.columns.items()})

    @classmethod
    def given(cls, policy: Policy | str | Path | None) -> Policy:
        """What a caller gave as a policy. A file is read; of a Policy, only columns that were changed since it was checked are."""
        if isinstance(policy, Policy):
            return policy.changed()
        return cls() if policy is None else cls.read(policy)

    @classmethod
    def read(cls, path: str | Path) -> Policy:
        """Read a TOML policy."""
        place, values, columns = read(Path(path))
        try:
            return cls(**{OLD_NAMES.get(key, key): value for key, value in values.items()}, columns=columns)
        except PolicyError as error:
            written = {OLD_NAMES.get(key, key): key for key in values}
            place.fail(tuple(written.get(part, part) for part in error.key[:1]) + error.key[1:], str(error))

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
            lines += ["", f"[columns.{toml_key(name)}]", *column_lines(column)]
        return "\n".join(lines) + "\n"


def _check_leaving(withhold: float, deletion: bool) -> None:
    """Rows leave for nothing or at a price: a release has one loss."""
    if withhold and deletion:
        raise PolicyError(
            "withhold lets some rows be left out at no loss, and deletion any row at the loss of suppressing it whole: choose one of them."
        )


def _check_suppression(folder: Any, hierarchy: Mapping[str, Any]) -> None:
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


def _check_person(name: str, role: str) -> None:
    """Raise if the column that says which person a row is about has another role than that of an identifier."""
    if role != "identifier":
        raise PolicyError(
            f"Column '{name}' says which person a row is about. It is dropped like any identifier, and cannot be {role} too.",
            ("columns", name, "role"),
        )
