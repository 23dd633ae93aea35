"""One policy, made of a file and of what was given beside it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from shoal.errors import PolicyError
from shoal.policy.allowed import TextList
from shoal.policy.beside import BESIDE, NAMES
from shoal.policy.columns import ColumnPolicy, demands_of, with_demands, with_hierarchies, with_roles
from shoal.policy.keywords import Keywords
from shoal.policy.policy import Policy
from shoal.policy.settings import OLD_NAMES, SETTINGS
from shoal.policy.workload import questions, weights_of
from shoal.privacy.asking import shorthands


def make_policy(policy: Policy | str | Path | None, **asked: Unpack[Keywords]) -> Policy:
    """One policy, made of a policy file, if there is one, and everything that was given beside it.

    None is what was not said, and so is an empty list of columns or marks: the command gives one for an option that was left out.
    """
    base = Policy.given(policy)
    said: dict[str, Any] = {key: value for key, value in asked.items() if value is not None and not _is_left_out(key, value)}
    unknown = [key for key in asked if key not in (*SETTINGS, *OLD_NAMES, *BESIDE, *shorthands())]
    if unknown:
        raise TypeError(f"there is no argument called '{unknown[0]}'")
    beside = {key: said.pop(key, None) for key in BESIDE}
    criteria = {key: said.pop(key) for key in shorthands() if key in said}
    by_column = said.pop("hierarchies", None) if not isinstance(said.get("hierarchies"), str | Path) else None
    base = _override(base, said)
    columns = with_roles(base.columns, *(beside[key] for key in ("quasi_identifiers", "sensitive", "identifiers", "keep")))
    if by_column is not None:
        columns = with_hierarchies(columns, by_column)
    if beside["workload"] is not None and base.target is not None:
        raise PolicyError("A workload and a target both say what columns weigh: choose one of them.")
    columns = _weighed(columns, beside["workload"], beside["weights"] or {})
    return base.changed(columns=with_demands(columns, demands_of({**criteria, "require": beside["require"] or {}})))


def _weighed(columns: dict[str, ColumnPolicy], workload: Any, weights: Mapping[str, Any]) -> dict[str, ColumnPolicy]:
    """A policy's columns with the weights of a workload, and those that were given, which win."""
    names = [name for name, column in columns.items() if column.role == "quasi-identifier"]
    asked = {} if workload is None else weights_of(questions(workload), names)
    for name, weight in {**asked, **weights}.items():
        if name not in names:
            raise PolicyError(f"A weight was given for '{name}', which is not a quasi-identifier. Name it as one, or leave the weight out.")
        columns[name] = replace(columns[name], weight=_number(weight))
    return columns


def _is_left_out(key: str, value: Any) -> bool:
    entry = {**SETTINGS, **BESIDE}.get(key)
    is_list = entry is not None and (entry.allowed is NAMES or isinstance(entry.allowed, TextList))
    return is_list and isinstance(value, tuple | list) and not value


def _number(weight: Any) -> Any:
    """A weight as a number; what is none is left as it is, and is refused with its column."""
    try:
        return float(weight)
    except (TypeError, ValueError):
        return weight


def _override(policy: Policy, said: Mapping[str, Any]) -> Policy:
    """The policy with some settings replaced; old names of settings are accepted, with a warning."""
    for old, new in OLD_NAMES.items():
        if old in said and new in said:
            raise PolicyError(f"'{old}' is the old name of '{new}': give one of them.")
        if old in said:
            warnings.warn(f"'{old}' is now called '{new}'.", DeprecationWarning, stacklevel=4)
    return policy.changed(**{OLD_NAMES.get(key, key): value for key, value in said.items()})
