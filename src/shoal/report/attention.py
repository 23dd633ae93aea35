"""What somebody who signs a release has to look at first: columns that nothing protects, groups that share a value,
columns that tell what others hide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.columns.kinds import understand
from shoal.columns.relations import Relation, follows, relations, there
from shoal.judge.hints.hints import hints
from shoal.release.counted import CountedRelease
from shoal.release.disclosure import is_open
from shoal.release.release import Release
from shoal.report.once import coded_after
from shoal.table import Table
from shoal.table.once import once
from shoal.text.cells import has_text
from shoal.text.missing import marks_in

MOST_ROWS = 200_000
"""Rows that are compared, spread over the table."""
MOST_PAIRS = 2_000
"""Pairs of columns that are compared."""


def attention(
    release: Release | CountedRelease, sensitive: Sequence[Mapping[str, Any]], for_owner: bool
) -> dict[str, Any]:
    """What to look at first, as data.

    For publication it is counted in the released table alone; the owner's edition looks at the original.
    """
    told: dict[str, Any] = {
        "unnamed": list(release.facts["unprotected"]),
        "kept": [name for name in release.policy.named("insensitive") if name in release.columns],
        "one_value": [
            {"column": s["column"], "rows": s["rows_in_groups_of_one_value"]}
            for s in sensitive
            if s["rows_in_groups_of_one_value"]
        ],
        "own_value": own_values(release, [s["column"] for s in sensitive]),
        "tells": [],
    }
    if isinstance(release, CountedRelease):
        told["not_looked_at"] = True  # that needs all columns of single rows
    else:
        told["tells"] = tells_of(release) if for_owner else tells_after(release)
    if for_owner:
        told["several_rows"] = [dict(found) for found in release.facts["several_rows"]]
        told["names_inside"] = [dict(found) for found in release.facts["names_inside"]]
        told["order"] = list(release.facts["telling_order"]) if release.policy.keep_order else []
    return told


def own_values(release: Release | CountedRelease, names: Sequence[str]) -> list[dict[str, Any]]:
    """Sensitive columns in which half of the rows or more have a value that no other row has: whoever knows it of
    somebody finds the row, whatever its group.
    """
    found = []
    n_rows = np.ones(release.frame.height, dtype=np.int64) if isinstance(release, Release) else release.times
    for name in names:
        counted = (
            pl.DataFrame({"v": release.frame[name], "n": n_rows}).drop_nulls("v").group_by("v").agg(pl.col("n").sum())
        )
        alone = int((counted["n"] == 1).sum())
        if 2 * alone >= max(int(n_rows.sum()), 1):
            found.append({"column": name, "rows": alone})
    return found


def tells_of(release: Release) -> list[dict[str, str]]:
    """What the summary and the owner's report say of columns that tell what others hide: by the original, and whatever
    the published report says beside.
    """
    found = tells_before(release)
    known = {(told["teller"], told["told"]) for told in found}
    return [*found, *(told for told in tells_after(release) if (told["teller"], told["told"]) not in known)]


def tells_before(release: Release) -> list[dict[str, str]]:
    """Columns released as they are that are copies, codes, parts or sums of protected ones, by the original's values.

    For the owner.
    """
    return [dict(told) for told in once(release, ("tells before",), lambda: _tells_before(release))]


def _tells_before(release: Release) -> list[dict[str, str]]:
    protected = [column.name for column in release.problem.columns]
    found = tells_in(release.original, release.frame.columns, set(protected))
    known = {(told["teller"], told["told"]) for told in found}
    return [*found, *(told for told in _hinted(release, protected) if (told["teller"], told["told"]) not in known)]


def _hinted(release: Release, protected: Sequence[str]) -> list[dict[str, str]]:
    """What ``shoal verify`` finds in the hidden cells, so that it surprises nobody who read this."""
    others = [name for name in release.frame.columns if name not in protected]
    found = hints(
        release.original.frame,
        release.frame,
        release.rows,
        protected,
        others,
        seed=int(release.verdict.fingerprint[:8], 16),
    )
    return [{"teller": hint.column, "told": told, "how": hint.tells} for hint in found for told in hint.of]


def tells_in(original: Table, names: Sequence[str], hidden: set[str]) -> list[dict[str, str]]:
    """The same of rows of the original, all or some, over the columns that are released."""
    kept = [name for name in names if has_text(original.frame.schema[name])]
    step = -(-max(original.n_rows, 1) // MOST_ROWS)
    frame = original.frame.select(original.frame[name] for name in kept)  # a name by itself may be a pattern
    table = original if step == 1 else Table(frame.gather_every(step))
    found = relations(frame if step == 1 else table.frame, [understand(table.coded(name)) for name in kept])
    return [_told(r, hidden) for r in found if _is_between(r, hidden)]


def _is_between(r: Relation, hidden: set[str]) -> bool:
    """Whether a protected column and one that is released as it is are in it."""
    named = {name for name in (r.teller, r.told, r.other) if name is not None}
    return bool(named & hidden) and bool(named - hidden)


def _told(r: Relation, hidden: set[str]) -> dict[str, str]:
    """Which column tells what a protected one hides: all of it, or a part."""
    if r.how == "sum":
        named = [name for name in (r.teller, r.told, r.other) if name is not None]
        protected = next(name for name in named if name in hidden)
        return {"teller": " and ".join(name for name in named if name != protected), "told": protected, "how": "all"}
    if r.told in hidden:
        return {"teller": r.teller, "told": r.told, "how": "all"}
    return {"teller": r.told, "told": r.teller, "how": "all" if r.how in ("copy", "order") else "some"}


def tells_after(release: Release) -> list[dict[str, str]]:
    """The same as far as the release itself shows it: in the rows whose protected cell is exact, one column decides the
    other.
    """
    return [dict(told) for told in once(release, ("tells after",), lambda: _tells_after(release))]


def _tells_after(release: Release) -> list[dict[str, str]]:
    opened = is_open(release.solution)
    protected = [column.name for column in release.problem.columns]
    others = [name for name in release.frame.columns if name not in protected and has_text(release.frame[name].dtype)]
    codes = {name: _codes(release, name) for name in (*protected, *others)}
    found = []
    for j, told in enumerate(protected[: max(MOST_PAIRS // max(len(others), 1), 1)]):
        exact = np.flatnonzero(~opened[:, j][release.groups])
        is_hidden = len(exact) < len(release.groups)
        exact = exact[:: -(-max(len(exact), 1) // MOST_ROWS)]
        for teller in others:
            how = _decides(codes[teller][exact], codes[told][exact])
            if how and is_hidden:
                found.append({"teller": teller, "told": told, "how": how})
    return found


def _codes(release: Release, name: str) -> NDArray[np.int64]:
    """A number for each text of a released column; 0 where there is none, or a mark of missing."""
    column = coded_after(release, name)
    is_mark = column.values.is_in(list(marks_in(column.values, column.counts()))).to_numpy()
    # a missing cell has code −1, which is the last
    of_value = np.append(np.where(is_mark, 0, np.arange(1, column.n_values + 1)), 0)
    return of_value[column.codes]


def _decides(x: NDArray[np.int64], y: NDArray[np.int64]) -> str:
    """Whether x decides y (it tells all of it), or y decides x (it tells some of it), and not by accident."""
    x, y = there(x, y)
    if not len(x) or x.min() == x.max() or y.min() == y.max():
        return ""
    if follows(x, y):
        return "all"
    return "some" if follows(y, x) else ""
