"""What somebody said of the labels of a released column: its hierarchy, the manifest that was published with it, or nobody anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal import hierarchies as kinds_of
from shoal.hierarchies import files
from shoal.hierarchies.builders.file import FROM, File
from shoal.hierarchies.builders.laminar import Laminar
from shoal.hierarchies.builders.levels import Levels
from shoal.hierarchies.builders.neighbours import Neighbours
from shoal.hierarchies.builders.suppression import Suppression
from shoal.hierarchies.rows import rows_of
from shoal.release.manifest import GIVEN

Rows = Sequence[Sequence[str | None]]
Given = Mapping[str, Any] | str | Path | None


@dataclass(frozen=True)
class Explained:
    """What is known of a column's labels before one of them is read."""

    rows: Rows | None = None
    """Its hierarchy in ARX's form, where there is one."""
    is_ours: bool = False
    """Written by shoal, of no list of names: words are values, or labels of the builders, and nothing else."""
    is_plain: bool = False
    """Written by shoal, which hid values by stars or not at all: whatever else stands there is a value."""
    order: tuple[str, ...] | None = None
    """The words that the release names, from low to high, where some stand for all between two; empty where none do. None: nobody said."""
    is_list_missing: bool = False
    """Its labels are names of a list that is not there, so even a number may be the name of a set."""


NOTHING = Explained()


def explained(name: str, facts: Mapping[str, Any], hierarchies: Given) -> Explained:
    """What a manifest and the hierarchies of the caller say of a column."""
    found = _given(hierarchies, name)
    if found is not None:
        return found
    said = facts.get("hierarchies")
    text = said.get(name) if isinstance(said, Mapping) else None
    if not isinstance(text, str):
        return NOTHING
    if text == GIVEN or text.startswith(FROM):
        return Explained(is_list_missing=True)
    orders = facts.get("orders")
    order = tuple(map(str, orders.get(name, ()))) if isinstance(orders, Mapping) else None
    if order and 1 < len(order) == len(set(order)) and text == Neighbours(order).description:  # the policy lists all of them
        return Explained(Neighbours(order).rows([]), is_ours=True)
    return Explained(is_ours=True, is_plain=text == Suppression().description, order=order)


def _given(hierarchies: Given, name: str) -> Explained | None:
    """What the caller's own hierarchy says; None where he has none for this column."""
    if hierarchies is None:
        return None
    if isinstance(hierarchies, str | Path):
        path = files.find(hierarchies, name)
        return None if path is None else Explained(files.read_rows(path))
    if name not in hierarchies:
        return None
    spec = kinds_of.as_spec(hierarchies[name])
    if isinstance(spec, Levels):
        return Explained(spec.rows)
    if isinstance(spec, File):
        return Explained(files.read_rows(spec.path))
    if isinstance(spec, Neighbours):
        return Explained(spec.rows([]), is_ours=True)
    if isinstance(spec, Laminar):
        return Explained(rows_of(spec.build(name, [], False).tree), is_ours=True)
    return Explained(is_ours=True, is_plain=isinstance(spec, Suppression), order=())
