"""``shoal.explore``: what each k costs, before one is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shoal.engines.driver import NOBODY
from shoal.errors import PolicyError
from shoal.policy.given import make_policy
from shoal.policy.policy import Policy
from shoal.problem import Watch
from shoal.report import explore as curve

DEFAULT = (2, 3, 5, 10, 20)


class Curve(tuple[dict[str, Any], ...]):
    """One entry a run: k, measure, loss, bound, ratio and risk."""

    def __repr__(self) -> str:
        return curve.text(list(self))

    def warnings(self) -> list[str]:
        """Every k that cannot be had, and why."""
        return [f"k = {p['k']}: {p['infeasible']}" for p in self if "infeasible" in p]

    def _repr_html_(self) -> str:
        return curve.fragment(list(self))

    def report(self, path: str | Path, title: str = "the table") -> None:
        """Write the curves as a page. For the owner: not for publication."""
        from shoal.disk.atomic import write_bytes

        write_bytes(path, curve.html(list(self), title).encode(), private=True)


def explore(
    data: Any,
    *,
    k: Sequence[int] | int | None = None,
    ks: Sequence[int] | None = None,
    measures: Sequence[str] | None = None,
    policy: Policy | str | Path | None = None,
    watch: Watch = NOBODY,
    **settings: Any,
) -> Curve:
    """Run a table with several k, and measures, and give what each costs. No release is written.

    ``data`` is a path, or a table of pandas, polars or pyarrow. ``k`` is one or several (2, 3, 5, 10 and 20 if none is
    named; ``ks`` is its older name). ``settings`` are those of :func:`shoal.anonymize`, except ``measure``. In a
    notebook the result shows its curves.
    """
    if k is not None and ks is not None:
        raise PolicyError("Give k=[…] or ks=[…], not both.")
    chosen = k if k is not None else ks
    ks = DEFAULT if chosen is None else [chosen] if isinstance(chosen, int) else list(chosen)
    asked = make_policy(policy, **settings)
    return Curve(curve.explore(data, asked, ks, list(measures) if measures else [asked.measure], None, watch))
