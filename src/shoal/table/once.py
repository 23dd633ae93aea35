"""What is asked several times of a thing that never changes is worked out once, and forgotten with it."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")
_KNOWN: WeakKeyDictionary[Any, dict[tuple[str, ...], Any]] = WeakKeyDictionary()


def once(of: Any, key: tuple[str, ...], make: Callable[[], T]) -> T:
    """What was made for this solution, this release or this reading of one under the same key; whoever changes it must
    copy it.
    """
    known = _KNOWN.setdefault(of, {})
    if key not in known:
        known[key] = make()
    found: T = known[key]
    return found


def forget(of: Any, names: Container[str]) -> None:
    """Forget what was made under keys that begin with these names."""
    known = _KNOWN.get(of, {})
    for key in [key for key in known if key[0] in names]:
        known.pop(key, None)
