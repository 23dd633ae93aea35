"""shoal publishes tables about people so that nobody stands alone in the columns that are named.

Each row shows the same there as at least k - 1 others; the table keeps as much as the search can keep; and releases come with a proved
bound that says how close to the best possible they are.
"""

from __future__ import annotations

from typing import Any

from shoal.errors import (
    DataError,
    HierarchyError,
    Infeasible,
    NotAnonymous,
    NotCompared,
    PolicyError,
    ProtocolError,
    Refused,
    ShoalError,
    ShoalWarning,
)

__version__ = "0.3.0"

_LAZY = {
    "Policy": "shoal.policy.policy:Policy",
    "Release": "shoal.release.release:Release",
    "Watch": "shoal.problem:Watch",
    "anonymize": "shoal.api:anonymize",
    "any_interval": "shoal.hierarchies:any_interval",
    "any_subset": "shoal.hierarchies:any_subset",
    "assess": "shoal.report:assess",
    "cluster": "shoal.clustering.run:cluster",
    "dates": "shoal.hierarchies:dates",
    "explore": "shoal.report.exploring:explore",
    "init": "shoal.starter:init",
    "instances": "shoal.instances",
    "intervals": "shoal.hierarchies:intervals",
    "laminar": "shoal.hierarchies:laminar",
    "levels": "shoal.hierarchies:levels",
    "make_monotone": "shoal.monotone:make_monotone",
    "measure": "shoal.api:measure",
    "grid": "shoal.hierarchies:grid",
    "neighbours": "shoal.hierarchies:neighbours",
    "prefixes": "shoal.hierarchies:prefixes",
    "publish": "shoal.api:publish",
    "read": "shoal.reader.read:read",
    "restricted": "shoal.restriction:restricted",
    "source": "shoal.io.sql.connections:source",
    "spark": "shoal.spark",
    "suggest": "shoal.starter:suggest",
    "times": "shoal.hierarchies:times",
    "suppression": "shoal.hierarchies:suppression",
    "verify": "shoal.api:verify",
    "verify_clustering": "shoal.clustering.audit:verify_clustering",
}

__all__ = [
    "DataError",
    "HierarchyError",
    "Infeasible",
    "NotAnonymous",
    "NotCompared",
    "Policy",
    "PolicyError",
    "ProtocolError",
    "Refused",
    "Release",
    "ShoalError",
    "ShoalWarning",
    "Watch",
    "anonymize",
    "any_interval",
    "any_subset",
    "assess",
    "cluster",
    "dates",
    "explore",
    "grid",
    "init",
    "instances",
    "intervals",
    "laminar",
    "levels",
    "make_monotone",
    "measure",
    "neighbours",
    "prefixes",
    "publish",
    "read",
    "restricted",
    "source",
    "spark",
    "suggest",
    "suppression",
    "times",
    "verify",
    "verify_clustering",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        from importlib import import_module

        from shoal.registry import load

        address = _LAZY[name]
        value = load(address) if ":" in address else import_module(address)
        globals()[name] = value
        return value
    raise AttributeError(f"shoal has no '{name}'")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
