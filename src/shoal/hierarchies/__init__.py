"""Hierarchies: what a cell may be generalized to, as trees over a column's values, or as free intervals and sets."""

from typing import TYPE_CHECKING, Any

from shoal.registry import load

_NAMES: dict[str, str] = {
    "Encoded": "shoal.hierarchies.encoded:Encoded",
    "Spec": "shoal.hierarchies.encoded:Spec",
    "Tree": "shoal.hierarchies.tree:Tree",
    "any_interval": "shoal.hierarchies.builders.any_interval:any_interval",
    "any_subset": "shoal.hierarchies.builders.any_subset:any_subset",
    "as_spec": "shoal.hierarchies.specs:as_spec",
    "as_toml": "shoal.hierarchies.specs:as_toml",
    "dates": "shoal.hierarchies.builders.dates:dates",
    "default_spec": "shoal.hierarchies.defaults:default_spec",
    "from_file": "shoal.hierarchies.builders.file:from_file",
    "intervals": "shoal.hierarchies.builders.intervals:intervals",
    "grid": "shoal.hierarchies.builders.grid:grid",
    "laminar": "shoal.hierarchies.builders.laminar:laminar",
    "levels": "shoal.hierarchies.builders.levels:levels",
    "neighbours": "shoal.hierarchies.builders.neighbours:neighbours",
    "prefixes": "shoal.hierarchies.builders.prefixes:prefixes",
    "spec_from_toml": "shoal.hierarchies.specs:spec_from_toml",
    "suppression": "shoal.hierarchies.builders.suppression:suppression",
    "times": "shoal.hierarchies.builders.times:times",
}

__all__ = [
    "Encoded",
    "Spec",
    "Tree",
    "any_interval",
    "any_subset",
    "as_spec",
    "as_toml",
    "dates",
    "default_spec",
    "from_file",
    "grid",
    "intervals",
    "laminar",
    "levels",
    "neighbours",
    "prefixes",
    "spec_from_toml",
    "suppression",
    "times",
]

if TYPE_CHECKING:
    from shoal.hierarchies.builders.any_interval import any_interval
    from shoal.hierarchies.builders.any_subset import any_subset
    from shoal.hierarchies.builders.dates import dates
    from shoal.hierarchies.builders.file import from_file
    from shoal.hierarchies.builders.grid import grid
    from shoal.hierarchies.builders.intervals import intervals
    from shoal.hierarchies.builders.laminar import laminar
    from shoal.hierarchies.builders.levels import levels
    from shoal.hierarchies.builders.neighbours import neighbours
    from shoal.hierarchies.builders.prefixes import prefixes
    from shoal.hierarchies.builders.suppression import suppression
    from shoal.hierarchies.builders.times import times
    from shoal.hierarchies.defaults import default_spec
    from shoal.hierarchies.encoded import Encoded, Spec
    from shoal.hierarchies.specs import as_spec, as_toml, spec_from_toml
    from shoal.hierarchies.tree import Tree


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        return load(_NAMES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_NAMES])
