"""Dicts and lists that stay as they were made: what is published about a release cannot be edited afterwards.

They are real dicts and lists, so that ``json.dumps`` and comparisons work as usual; a copy of one is an ordinary dict or list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

NESTED = (Mapping, list, tuple)


def _refuse(self: object, *_: object, **__: object) -> NoReturn:
    raise TypeError("This cannot be changed: it says what was verified. Work on a copy, such as dict(manifest).")


class FrozenDict(dict[str, Any]):
    """A dict that refuses every change."""

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __copy__(self) -> dict[str, Any]:
        return dict(self)

    def __deepcopy__(self, memo: object) -> Any:
        return thaw(self)

    def __reduce__(self) -> Any:
        return freeze, (thaw(self),)


class FrozenList(list[Any]):
    """A list that refuses every change."""

    __setitem__ = __delitem__ = __iadd__ = __imul__ = append = extend = insert = _refuse
    pop = remove = clear = sort = reverse = _refuse

    def __copy__(self) -> list[Any]:
        return list(self)

    def __deepcopy__(self, memo: object) -> Any:
        return thaw(self)

    def __reduce__(self) -> Any:
        return freeze, (thaw(self),)


def freeze(value: Any) -> Any:
    """The same dicts and lists, all the way down, as ones that refuse every change.

    >>> freeze({"a": [1, 2]}) == {"a": [1, 2]}
    True
    """
    if isinstance(value, Mapping):
        return FrozenDict({key: freeze(inner) if isinstance(inner, NESTED) else inner for key, inner in value.items()})
    if isinstance(value, list | tuple):
        return FrozenList([freeze(inner) if isinstance(inner, NESTED) else inner for inner in value])
    return value


def thaw(value: Any) -> Any:
    """An ordinary copy, all the way down."""
    if isinstance(value, Mapping):
        return {key: thaw(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [thaw(inner) for inner in value]
    return value
