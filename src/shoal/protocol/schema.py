"""The columns of a session: what a cell may hold, and what it becomes on each level of its hierarchy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies.rows import tree_from_rows

ROLES = ("quasi-identifier", "sensitive")
KEYS = ("name", "role", "length", "values", "numbers", "hierarchy")


@dataclass(frozen=True)
class SchemaColumn:
    """One column.

    ``levels`` maps each allowed value to its labels from the exact value up to ``*``; None allows any text.
    """

    name: str
    role: str
    length: int
    levels: Mapping[str, tuple[str, ...]] | None

    @property
    def height(self) -> int:
        """The level of ``*``."""
        return 1 if self.levels is None else len(next(iter(self.levels.values()))) - 1

    def check(self, value: str) -> None:
        """Refuse a value outside the schema, without repeating it."""
        if self.levels is not None and value not in self.levels:
            raise PolicyError(
                f"Column '{self.name}': the row's value is outside the session's schema ({len(self.levels)} values are "
                "allowed)."
            )
        if len(value.encode()) > self.length:
            raise PolicyError(
                f"Column '{self.name}': the row's value is longer than the {self.length} bytes that the schema allows."
            )

    def label(self, value: str, level: int) -> str:
        """The value on a level of the hierarchy."""
        if self.levels is None:
            return value if level == 0 else "*"
        return self.levels[value][level]


def make_column(data: Mapping[str, Any]) -> SchemaColumn:
    """A column from its table in the session file:

    ``values``, ``numbers`` = [low, high], ``hierarchy`` (ARX rows), or any text.
    """
    if not isinstance(data, Mapping):
        raise PolicyError("Session: each of 'columns' is a table, with a name and a role.")
    name, role = data.get("name"), data.get("role")
    if not isinstance(name, str) or not name:
        raise PolicyError("Session: a column has no name.")
    if role not in ROLES:
        raise PolicyError(f"Session: column '{name}' needs a role, one of: {', '.join(ROLES)}.")
    unknown = sorted(set(data) - set(KEYS))
    if unknown:
        raise PolicyError(
            f"Session: column '{name}' has no setting called '{unknown[0]}'. There are: {', '.join(KEYS)}."
        )
    length = data.get("length", 64)
    if type(length) is not int or not 1 <= length <= 4096:
        raise PolicyError(f"Session: column '{name}' has a 'length' that is not a number between 1 and 4096.")
    return SchemaColumn(name, str(role), length, _levels(name, data))


def _levels(name: str, data: Mapping[str, Any]) -> dict[str, tuple[str, ...]] | None:
    if "hierarchy" in data:
        given = data["hierarchy"]
        rows = (
            [[str(x) for x in row] for row in given]
            if isinstance(given, list) and all(isinstance(row, list) for row in given)
            else []
        )
        if not rows or any(len(row) != len(rows[0]) or len(row) < 2 or row[-1] != "*" for row in rows):
            raise PolicyError(
                f"Session: the hierarchy of column '{name}' needs rows of one length, the last field '*'."
            )
        try:
            tree_from_rows(rows)
        except HierarchyError as error:
            raise PolicyError(f"Session: the hierarchy of column '{name}': {error}") from error
        return {row[0]: tuple(row) for row in rows}
    if "numbers" in data:
        low, high = given if isinstance(given := data["numbers"], list) and len(given) == 2 else (None, None)
        if type(low) is not int or type(high) is not int or not low <= high <= low + 1_000_000:
            raise PolicyError(f"Session: 'numbers' of column '{name}' must be two whole numbers, the lower first.")
        return {str(v): (str(v), "*") for v in range(low, high + 1)}
    if "values" in data:
        values = [str(v) for v in given] if isinstance(given := data["values"], list) else []
        if not values or len(set(values)) != len(values):
            raise PolicyError(f"Session: 'values' of column '{name}' is no list, is empty or holds a value twice.")
        return {v: (v, "*") for v in values}
    return None
