"""What several pages ask of one release, worked out once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from shoal.release.counted import CountedRelease
from shoal.release.release import Release
from shoal.table import Coded
from shoal.table.coded import code
from shoal.table.once import forget, once

if TYPE_CHECKING:
    from shoal.reader.reading import Reading

AnyRelease = Release | CountedRelease


def read_once(release: AnyRelease) -> Reading:
    """The release as a reader has it."""
    from shoal.reader.read import read

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
    """Forget what has an entry for each row: of a large table that is much, and a report that is drawn needs it no
    more.
    """
    forget(release, ("reading", "after", "before"))
