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

from shoal.errors import PolicyError
from shoal.hierarchies.builders.suppression import suppression
from shoal.policy.columns import ColumnPolicy, asked_of, check_column
from shoal.policy.settings import OLD_NAMES, SETTINGS, TableSettings, check_setting
from shoal.policy.toml import read, written
from shoal.table import Table


@dataclass(frozen=True)
class Policy(TableSettings):
    """Everything that decides a release, except the data."""

    columns: Mapping[str, ColumnPolicy] = field(default_factory=dict)
    _checked: Mapping[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._check(SETTINGS.keys(), {})

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
        for key in (key for key in SETTINGS if key in keys):
            object.__setattr__(self, key, check_setting(key, getattr(self, key)))
        _check_leaving(self.withhold, self.deletion)
        if self.suppression_only:
            _check_suppression(self.hierarchies, {name: column.hierarchy for name, column in self.columns.items()})
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
            key_of = {OLD_NAMES.get(key, key): key for key in values}
            place.fail(tuple(key_of.get(part, part) for part in error.key[:1]) + error.key[1:], str(error))

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
        settings = {name: getattr(self, name) for name in SETTINGS}
        if self.hierarchies is not None:
            settings["hierarchies"] = str(self.hierarchies) if whole_paths else self.hierarchies.name
        return written(settings, self.columns)


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
