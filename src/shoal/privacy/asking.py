"""What a user writes for a criterion, read by the catalog: a requirement of the command, a key of a policy, a keyword
of the library.

    --require t-closeness=0.3           --require recursive-l-diversity=c=2,l=3
    require = { t-closeness = 0.3, recursive-l-diversity = { c = 2, l = 3 } }

A *shorthand* is a key that one or several criteria declare, such as ``l_diversity`` for three of them: a number asks
for the first of the catalog, ``{ entropy = 2.5 }`` or ``entropy:2.5`` for one of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from shoal import registry
from shoal.errors import PolicyError
from shoal.privacy import CATALOG
from shoal.privacy.base import Criterion, Parameters

Asked = tuple[str, Parameters]
"""A criterion's name, and its parameters."""


@cache
def criteria() -> tuple[Criterion, ...]:
    """All criteria that can be asked of a sensitive column, in the catalog's order."""
    found = (registry.find(CATALOG, name, "criterion") for name in CATALOG)
    return tuple(criterion for criterion in found if not criterion.about_rows)


def shorthands() -> dict[str, list[Criterion]]:
    """Each shorthand with the criteria that share it."""
    found: dict[str, list[Criterion]] = {}
    for criterion in criteria():
        if criterion.shorthand:
            found.setdefault(criterion.shorthand, []).append(criterion)
    return found


def demand_of(name: str, value: Any) -> Asked:
    """A criterion with what was written for it: a number, several, a table of its parameters, or a text of either."""
    criterion = registry.find(CATALOG, name, "criterion")
    if criterion.about_rows:
        raise PolicyError(f"{name} is asked for by its own setting, and not of a column.")
    parameters = _parameters(criterion, value)
    wrong = criterion.check(parameters)
    if wrong:
        raise PolicyError(f"{name}: {wrong}. {_usage(criterion)}")
    whole = {p.name for p in criterion.parameters if p.is_whole}
    return name, {key: int(x) if key in whole else x for key, x in parameters.items()}


def read_requirement(text: str) -> Asked:
    """``NAME=PARAMETERS``, as on the command line.

    >>> read_requirement("recursive-l-diversity=c=2,l=3")
    ('recursive-l-diversity', {'c': 2.0, 'l': 3})
    """
    name, equals, rest = text.partition("=")
    if not equals:
        raise PolicyError(
            f"A requirement is written NAME=PARAMETERS, not '{text}'. There are: "
            f"{', '.join(c.name for c in criteria())}."
        )
    return demand_of(name.strip(), rest)


def read_requirements(texts: Iterable[str]) -> dict[str, Parameters]:
    """Several requirements; the same criterion twice is refused, for one of the two would be lost."""
    found: dict[str, Parameters] = {}
    for name, parameters in map(read_requirement, texts):
        if name in found:
            raise PolicyError(f"{name} is asked for twice. Ask for it once, with what is stricter.")
        found[name] = parameters
    return found


def read_shorthand(key: str, value: Any) -> Asked:
    """What a shorthand asks for.

    >>> read_shorthand("l_diversity", 3), read_shorthand("l_diversity", "recursive:2,3")
    (('distinct-l-diversity', {'l': 3}), ('recursive-l-diversity', {'c': 2.0, 'l': 3}))
    """
    shared = shorthands()[key]
    kinds = {criterion.kind: criterion for criterion in shared}
    chosen, inner = shared[0], value
    if isinstance(value, str) and ":" in value:
        kind, _, inner = value.partition(":")
        chosen = _kind(key, kinds, kind)
    elif isinstance(value, Mapping) and len(value) == 1 and next(iter(value)) in kinds:
        [(kind, inner)] = value.items()
        chosen = kinds[kind]
    try:
        return demand_of(chosen.name, inner)
    except PolicyError as error:
        raise PolicyError(f"{key}: {error} {_forms(key, shared)}") from None


def _kind(key: str, kinds: Mapping[str, Criterion], kind: str) -> Criterion:
    if kind.strip() not in kinds:
        raise PolicyError(f"{key}: there is no kind called '{kind}'. {_forms(key, list(kinds.values()))}")
    return kinds[kind.strip()]


def _parameters(criterion: Criterion, value: Any) -> dict[str, float]:
    names = [p.name for p in criterion.parameters]
    try:
        if isinstance(value, Mapping):
            return {str(key): _number(x) for key, x in value.items()}
        if isinstance(value, str):
            parts = [part.strip() for part in value.split(",")]
            if all("=" in part for part in parts):
                return {key: _number(x) for key, x in _each_once(part.split("=", 1) for part in parts).items()}
            value = parts
        values = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        return dict(zip(names, map(_number, values), strict=True))
    except (TypeError, ValueError):
        raise PolicyError(f"{criterion.name}: this cannot be read. {_usage(criterion)}") from None


def _each_once(pairs: Iterable[Sequence[str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, text in pairs:
        if key.strip() in found:
            raise ValueError
        found[key.strip()] = text
    return found


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise TypeError
    return float(value)


def _usage(criterion: Criterion) -> str:
    means = "; ".join(f"{p.name}: {p.words}" for p in criterion.parameters)
    names = ",".join(p.name.upper() for p in criterion.parameters)
    return f"Write {criterion.name}={names} ({means})."


def _forms(key: str, shared: Sequence[Criterion]) -> str:
    first, *others = shared
    said = f"'{key}' takes {', '.join(p.name for p in first.parameters)}"
    return said + "".join(f", or {c.kind}:{','.join(p.name for p in c.parameters)}" for c in others) + "."


def replaced(demands: Iterable[Asked], asked: Sequence[Asked]) -> tuple[Asked, ...]:
    """Demands with others put in place of those that are the same criterion or share its shorthand."""

    def place(name: str) -> str:
        return registry.find(CATALOG, name, "criterion").shorthand or name

    taken = {place(name) for name, _ in asked}
    return (*(d for d in demands if place(d[0]) not in taken), *asked)


def as_toml(demands: Iterable[Asked]) -> dict[str, Any]:
    """Demands as the keys of a column in a policy: by shorthand where they have one, else under ``require``."""
    found: dict[str, Any] = {}
    for name, parameters in demands:
        criterion = registry.find(CATALOG, name, "criterion")
        plain = {key: int(x) if x == int(x) else x for key, x in parameters.items()}
        value: Any = plain if len(plain) > 1 else next(iter(plain.values()))
        if criterion.shorthand and criterion.shorthand not in found:
            found[criterion.shorthand] = {criterion.kind: value} if criterion.kind else value
        else:
            found.setdefault("require", {})[name] = value
    return found


__all__ = [
    "Asked",
    "as_toml",
    "criteria",
    "demand_of",
    "read_requirement",
    "read_requirements",
    "read_shorthand",
    "replaced",
    "shorthands",
]
