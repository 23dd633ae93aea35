"""From what a user wrote to a spec: in Python, in a policy, or nothing at all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any, cast

from shoal import registry
from shoal.errors import HierarchyError, PolicyError
from shoal.hierarchies.builders import CATALOG
from shoal.hierarchies.encoded import Spec

_CODE_NAME = re.compile(r"(?:^|[_\W])(?:zip|zip_?code|post_?code|postal_?code|postal|plz|cap|icd\w*|ort_?code)(?:$|[_\W])", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9./-]*(?: [A-Za-z0-9]+)?", re.ASCII)
BEYOND_INTERVALS = 1e24
"""Numbers as large as these are no quantities."""
_DIGIT = re.compile(r"\d", re.ASCII)


def as_spec(hierarchy: object) -> Spec:
    """A spec as it is; a path or a list of rows in its stead."""
    from shoal.hierarchies.builders.file import from_file
    from shoal.hierarchies.builders.levels import levels

    if isinstance(hierarchy, str | PathLike):
        return from_file(hierarchy)
    if hasattr(hierarchy, "build") and hasattr(hierarchy, "description") and not isinstance(hierarchy, type):
        return cast(Spec, hierarchy)
    if isinstance(hierarchy, Sequence):
        return levels(hierarchy)
    made = ", ".join(f"{name}()" for name in CATALOG if name != "file")
    raise HierarchyError(f"A hierarchy is a path, a list of rows, or made by one of {made}; not a {type(hierarchy).__name__}.")


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


def default_spec(column: str, values: Sequence[str]) -> Spec:
    """What a column gets that was given no hierarchy: numbers intervals, dates month and year, codes prefixes, other text suppression.

    >>> default_spec("age", ["17", "18", "90"]).description, default_spec("zip", ["81243", "81249"]).description
    ('intervals of 5, 10, 20', 'prefixes of 4')
    """
    from shoal.hierarchies.builders.dates import dates
    from shoal.hierarchies.builders.intervals import Intervals, suggest_widths
    from shoal.hierarchies.builders.prefixes import Prefixes, suggest_lengths
    from shoal.hierarchies.builders.suppression import suppression
    from shoal.hierarchies.numbers import date_forms, parse_numbers

    if not len(values):
        return suppression()
    number, wrong = parse_numbers(values)
    named_code = _CODE_NAME.search(column) is not None and all(_CODE.fullmatch(v) for v in values)
    if not len(wrong) and not named_code and not _has_leading_zeros(values):
        return Intervals(suggest_widths(number)) if abs(number).max() < BEYOND_INTERVALS else suppression()
    forms = [form for form, unfit in date_forms(values).items() if unfit == 0 and form != "YYYYMMDD"]
    if forms:
        return dates(form=forms[0] if len(forms) > 1 else None)
    if named_code or _are_codes(values):
        return Prefixes(suggest_lengths(values))
    return suppression()


def _has_leading_zeros(values: Sequence[str]) -> bool:
    """Numbers are not written 01234; codes are."""
    return any(len(v) > 1 and v[0] == "0" and v.isdigit() for v in values)


def _are_codes(values: Sequence[str]) -> bool:
    """Short texts without blanks (but one), each with a digit in it, several of them beginning alike."""
    if len(values) < 3 or not all(2 < len(v) <= 16 and _CODE.fullmatch(v) and _DIGIT.search(v) for v in values):
        return False
    return len({v[:2] for v in values}) < len(values)
