"""What is asked of a clustering, beside the settings that it shares with releases."""

from __future__ import annotations

from shoal.policy.allowed import OneOf, Unchecked, YesOrNo, at_least
from shoal.policy.setting import Setting, named

METHODS = {
    "gather": "smallest largest radius",
    "center": "the same with few clusters",
    "cellular": "smallest sum of size times radius",
}
CLUSTER = named(
    method=Setting(OneOf(meaning=METHODS), "gather", f"what is made small. {'. '.join(f'{name}: {words}' for name, words in METHODS.items())}"),
    r=Setting(at_least(1), None, "every cluster has at least so many rows; a policy's k stands in for it", flags=("-r",), metavar="R"),
    max_clusters=Setting(at_least(1), None, "at most so many clusters (center)", metavar="C"),
    outliers=Setting(
        Unchecked(type="float | str | Decimal | Fraction"), None,
        "the fraction of the rows that may be left out, such as 0.01; exact", metavar="FRACTION"
    ),
    centers=Setting(
        OneOf(meaning={"input": "rows of the table", "any": "medians and modes"}), None,
        "whether a centre must be a row of the table (input), or may be medians and modes (any)",
    ),
    setup_cost=Setting(Unchecked(), None, "what opening a cluster costs: a number, or a column of numbers (cellular)", metavar="F"),
    sharing=Setting(YesOrNo(), False, "let a row be counted by several clusters (cellular, without sensitive columns)"),
    metric=Setting(
        Unchecked(), None,
        "a TOML file with one [columns.X] table per column: metric, unit, spread, places, weight, hierarchy",
        metavar="FILE"
    ),
    sensitive_as=Setting(
        OneOf(meaning={"list": "the values", "counts": "how often each occurs"}), "list",
        "how a cluster shows the sensitive values of its members"
    ),
)  # fmt: skip
