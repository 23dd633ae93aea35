"""What several pages ask of one release is worked out once, and forgotten with it. A release never changes, so nothing of it can grow old."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from shoal.reader.read import read
from shoal.reader.reading import Reading
from shoal.release.counted import CountedRelease
from shoal.release.release import Release
from shoal.table import Coded
from shoal.table.coded import code

T = TypeVar("T")
AnyRelease = Release | CountedRelease

_KNOWN: WeakKeyDictionary[Any, dict[tuple[str, ...], Any]] = WeakKeyDictionary()


def once(of: AnyRelease | Reading, key: tuple[str, ...], make: Callable[[], T]) -> T:
    """What was made for this release, or for this reading of one, under the same key; whoever changes it must copy it."""
    known = _KNOWN.setdefault(of, {})
    if key not in known:
        known[key] = make()
    found: T = known[key]
    return found


def read_once(release: AnyRelease) -> Reading:
    """The release as a reader has it."""
    return once(release, ("reading",), lambda: read(release))


def coded_after(release: AnyRelease, name: str) -> Coded:
    """A released column, with how many rows each line stands for."""
    return once(release, ("after", name), lambda: replace(code(release.frame[name]), rows=release.times))


def coded_before(release: AnyRelease, name: str) -> Coded:
    """A column of the original, of the released rows, with how many each line stands for. For the owner."""

    def made() -> Coded:
        lines, times = release.before([name])
        return replace(code(lines[name]), rows=times)

    return once(release, ("before", name), made)


def put_away(release: AnyRelease) -> None:
    """Forget what has an entry for each row: of a large table that is much, and a report that is drawn needs it no more."""
    known = _KNOWN.get(release, {})
    for key in [key for key in known if key[0] in ("reading", "after", "before")]:
        known.pop(key, None)
