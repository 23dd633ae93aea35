"""From what a user wrote to a spec: in Python, in a policy, or nothing at all."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, cast

from shoal import registry
from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies.builders import CATALOG
from shoal.hierarchies.encoded import Spec


def as_spec(hierarchy: object) -> Spec:
    """A spec as it is; a path or a list of rows becomes one."""
    from shoal.hierarchies.builders.file import from_file
    from shoal.hierarchies.builders.levels import levels

    if isinstance(hierarchy, str | PathLike):
        return from_file(hierarchy)
    if hasattr(hierarchy, "build") and hasattr(hierarchy, "description") and not isinstance(hierarchy, type):
        return cast(Spec, hierarchy)
    if isinstance(hierarchy, Sequence):
        return levels(hierarchy)
    made = ", ".join(f"{name}()" for name in CATALOG if name != "file")
    raise HierarchyError(
        f"A hierarchy is a path, a list of rows, or made by one of {made}; not a {type(hierarchy).__name__}."
    )


def spec_from_toml(value: Any, folder: str | PathLike[str] = ".") -> Spec:
    """What a policy says after ``hierarchy =``. Paths are taken from the policy's folder."""
    from shoal.hierarchies.builders.file import from_file

    if isinstance(value, str):
        return from_file(Path(folder) / value)
    if not isinstance(value, dict) or not value:
        raise PolicyError('A hierarchy is a file ("job.csv") or a table such as { intervals = [5, 10, 20] }.')
    kinds = [name for name in value if name in CATALOG]
    if len(kinds) != 1:
        known = ", ".join(CATALOG)
        found = f"'{kinds[0]}' and '{kinds[1]}'" if kinds else ", ".join(f"'{name}'" for name in value)
        raise PolicyError(f"A hierarchy must name exactly one kind, not {found}. There are: {known}.")
    kind = kinds[0]
    options = {name: option for name, option in value.items() if name != kind}
    made: Spec = registry.find(CATALOG, kind, "hierarchy").from_toml(value[kind], **options)
    return from_file(Path(folder) / value[kind]) if kind == "file" else made


def as_toml(spec: Spec) -> Any:
    """What stands after ``hierarchy =`` for a spec, so that a run can be repeated from a policy.

    >>> from shoal.hierarchies import any_subset, intervals
    >>> as_toml(intervals(5, 10)), as_toml(any_subset())
    ({'intervals': [5, 10]}, {'any_subset': True})
    """
    return spec.to_toml()
