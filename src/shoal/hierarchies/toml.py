"""A spec as a policy writes it, so that a run can be repeated from a file."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

from shoal.hierarchies.encoded import Spec


def as_toml(spec: Spec) -> Any:
    """What stands after ``hierarchy =`` for this spec.

    >>> from shoal.hierarchies import any_subset, intervals
    >>> as_toml(intervals(5, 10)), as_toml(any_subset())
    ({'intervals': [5, 10]}, {'any_subset': True})
    """
    if isinstance(path := getattr(spec, "path", None), Path):
        return str(path.resolve())
    content = next((getattr(spec, name) for name in ("widths", "lengths", "units", "rows", "sets") if hasattr(spec, name)), True)
    made: dict[str, Any] = {spec.name: _plain(content) if content else True}
    if getattr(spec, "form", None) is not None:
        made["form"] = getattr(spec, "form")  # noqa: B009 - only dates have one
    if spec.name == "laminar" and isinstance(content, tuple):
        made[spec.name] = {label: sorted(members) for label, members in content}
    return made


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, frozenset | set):
        return sorted(value)
    return "" if value is None else value
