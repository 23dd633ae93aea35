"""One policy, made of a file and of what was given beside it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.errors import PolicyError
from shoal.policy.columns import demands_of, with_demands, with_hierarchies, with_roles
from shoal.policy.policy import Policy
from shoal.policy.settings import OLD_NAMES, SETTINGS
from shoal.policy.workload import questions, weights_of
from shoal.privacy.asking import shorthands


def make_policy(
    policy: Policy | str | Path | None,
    *,
    quasi_identifiers: Iterable[str] | None = None,
    sensitive: Iterable[str] | None = None,
    identifiers: Iterable[str] | None = None,
    keep: Iterable[str] | None = None,
    missing_values: Iterable[str] | None = None,
    hierarchies: Mapping[str, Any] | str | Path | None = None,
    weights: Mapping[str, float] | None = None,
    workload: str | Path | Iterable[str] | None = None,
    require: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Policy:
    """One policy, made of a policy file, if there is one, and everything that was given beside it."""
    base = Policy.given(policy)
    criteria = {key: value for key in shorthands() if (value := settings.pop(key, None)) is not None}
    unknown = [key for key in settings if key not in SETTINGS]
    if unknown:
        raise TypeError(f"there is no argument called '{unknown[0]}'")
    if missing_values:
        settings["missing_values"] = missing_values if isinstance(missing_values, str) else tuple(missing_values)
    if isinstance(hierarchies, str | Path):
        settings["hierarchies"] = hierarchies
    base = override(base, **settings)
    columns = with_roles(base.columns, quasi_identifiers, sensitive, identifiers, keep)
    if hierarchies is not None and not isinstance(hierarchies, str | Path):
        columns = with_hierarchies(columns, hierarchies)
    names = [name for name, column in columns.items() if column.role == "quasi-identifier"]
    if workload is not None and base.target is not None:
        raise PolicyError("A workload and a target both say what columns weigh: choose one of them.")
    asked = {} if workload is None else weights_of(questions(workload), names)
    for name, weight in {**asked, **(weights or {})}.items():
        if name not in names:
            raise PolicyError(f"A weight was given for '{name}', which is not a quasi-identifier. Name it as one, or leave the weight out.")
        columns[name] = replace(columns[name], weight=float(weight))
    return base.changed(columns=with_demands(columns, demands_of({**criteria, "require": require or {}})))


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
