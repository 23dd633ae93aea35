"""``shoal.explore``: what each k costs, before one is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shoal import api
from shoal.engines.driver import NOBODY
from shoal.policy import Policy
from shoal.problem import Watch
from shoal.report import explore as curve


class Curve(tuple[dict[str, Any], ...]):
    """One entry a run: k, measure, loss, bound, ratio and risk."""

    def __repr__(self) -> str:
        return curve.text(list(self))

    def report(self, path: str | Path, title: str = "the table") -> None:
        """Write the curves as a page. For the owner: not for publication."""
        from shoal.atomic import write_bytes

        write_bytes(path, curve.html(list(self), title).encode(), private=True)


def explore(
    data: Any,
    *,
    ks: Sequence[int] = (2, 3, 5, 10, 20),
    measures: Sequence[str] | None = None,
    policy: Policy | str | Path | None = None,
    watch: Watch = NOBODY,
    **settings: Any,
) -> Curve:
    """Run a table with several k, and measures, and give what each costs. No release is written.

    ``data`` is a path, or a table of pandas, polars or pyarrow. ``settings`` are those of :func:`shoal.anonymize`, except ``k`` and ``measure``.
    """
    asked = api.make_policy(policy, **settings)
    return Curve(curve.explore(data, asked, ks, list(measures) if measures else [asked.measure], None, watch))
