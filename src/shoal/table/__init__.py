"""The table as it came: its columns, their roles, their values as sorted texts with codes, and equal rows folded.

Everything here loads on use, so that naming a role costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shoal.table.coded import Coded
    from shoal.table.roles import ROLES, Role
    from shoal.table.table import Kind, Table

__all__ = ["ROLES", "Coded", "Kind", "Role", "Table"]

_HOME = {"Coded": "coded", "Kind": "table", "ROLES": "roles", "Role": "roles", "Table": "table"}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"shoal.table.{_HOME[name]}"), name)
    raise AttributeError(f"module 'shoal.table' has no attribute '{name}'")
