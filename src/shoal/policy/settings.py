"""Every setting of a run, said once. A new one is one entry here, its use, and its test.

From an entry come the key of a policy file and what is said of a wrong value, the keyword of the library with its
documentation, the option of the command, the field of the studio, and the row of the reference. ``make docs`` writes
:mod:`shoal.policy.keywords` and the reference anew.
The order is that of a policy that is written out, and that in which mistakes are told.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal import algorithms, measures
from shoal.policy.allowed import ColumnName, FolderPath, NameIn, NumberIn, OneOf, TextList, WholeNumber, YesOrNo, at_least
from shoal.policy.setting import setting, settings_of

MISSING = {"value": "a value like any other", "suppress": "suppressed", "error": "an error"}
"""What a missing cell may be."""


@dataclass(frozen=True)
class TableSettings:
    """What is asked of a whole table."""

    k: int = setting(
        at_least(2), 5, "every released row is one of at least k alike",
        why="in a group of one nobody hides", example="k = 10", label="k: rows that look alike, at least",
        flags=("-k",), is_basic=True, is_told=True,
        in_clusters="the least size of a cluster, where r is not given",
    )  # fmt: skip
    measure: str = setting(
        NameIn(catalog=measures.CATALOG), measures.DEFAULT,
        "the measure of loss that is minimised; 'shoal measures' lists them",
        metavar="NAME", label="Measure of loss to minimise", is_told=True,
        instead="What is made small is a distance: say how far apart values are with --metric or in [columns.X]",
    )  # fmt: skip
    algorithm: str = setting(
        NameIn(catalog=algorithms.CATALOG), "auto", "the algorithm that searches; 'shoal algorithms' lists them",
        metavar="NAME", label="Algorithm",
        instead="Choose with --method (method=… in Python)",
    )  # fmt: skip
    withhold: float = setting(
        NumberIn("a fraction", "a fraction between 0 and 1", 0, 1), 0.0,
        "the fraction of the rows that may be left out at no loss, such as 0.01",
        more="Not together with `deletion`.", why="0.01 lets one row in a hundred be withheld",
        example="withhold = 0.01",
        metavar="FRACTION", label="Rows that may be withheld, in percent", percent_over=0, is_basic=True,
        old="suppress",
        in_clusters="the share of rows that may be left out, where outliers is not given",
    )  # fmt: skip
    deletion: bool = setting(
        YesOrNo(), False, "let any row be withheld, at the loss of suppressing it whole",
        more="This is the paper's row deletion. The loss, the bound and the ratio count deleted rows.",
        label="Let any row be withheld; it then counts as a row with every cell suppressed",
        instead="Say how many rows may be left out with --outliers (outliers=… in Python)",
    )  # fmt: skip
    suppression_only: bool = setting(
        YesOrNo(), False,
        "let cells of quasi-identifiers keep their value or become *, in every column; then no hierarchies are given",
        more="This is the papers' k-anonymity by suppression.",
        instead="A clustering hides no cells",
    )  # fmt: skip
    missing: str = setting(
        OneOf(meaning=MISSING), "value",
        'what a missing cell is: "value" like any other, "suppress" to star it (columns with a hierarchy), '
        '"error" to stop',
        label="A missing cell is", example='missing = "suppress"',
        instead="To a clustering a missing cell is a value of its own, far from all others",
    )  # fmt: skip
    keep_order: bool = setting(
        YesOrNo(), True,
        "whether rows stay in the input's order, which may reveal something; if not, they are sorted by what they show",
        flags=("--keep-order/--shuffle",),
        label="Keep the input's order of rows, which may reveal something; otherwise rows are sorted by what they show",
        in_clusters="rows never stand in the input's order, so nothing of it is told",
    )  # fmt: skip
    seed: int = setting(
        WholeNumber(), 0, "where the search begins", metavar="N", label="Seed", is_told=True,
        in_clusters="nothing is drawn at random: every seed gives the same clusters",
    )  # fmt: skip
    time_limit: float | None = setting(
        NumberIn("a number of seconds", "a positive number of seconds", 0, is_above=True), None,
        "seconds that the search may take",
        metavar="SECONDS", label="Seconds the search may take",
        instead="A clustering is not stopped by a clock",
    )  # fmt: skip
    stop_at_ratio: float = setting(
        NumberIn(must="at least 1", least=1), 1.0,
        "stop once the loss is proved to be at most so many times the least possible, such as 1.1",
        why="no release is better than the best", example="stop_at_ratio = 1.1", metavar="RATIO",
        label="Stop once it loses at most so many percent more than the least possible", percent_over=1,
        instead="A clustering is not stopped on its way",
    )  # fmt: skip
    effort: float = setting(
        NumberIn(must="a positive number", least=0, is_above=True, is_finite=True), 1.0,
        "how much the search works, in multiples of what a table of this size usually gets",
        why="2 lets the search work twice as long as usual", metavar="TIMES", label="Effort, in multiples of the usual",
        instead="How much is searched follows from the table alone",
    )  # fmt: skip
    person: str | None = setting(
        ColumnName(), None,
        "a column that says which person a row is about: k then counts people, not rows, and the column is dropped",
        more="See [several rows of one person](howto-people.md).", metavar="COL",
        instead="Give it a table with one row per person",
    )  # fmt: skip
    target: str | None = setting(
        ColumnName(), None, "a column that analysts want to predict: columns weigh by how much they tell of it",
        more="Beside their own `weight`. The weights are counted in the table; they stand in the summary and the record, "
        "and in nothing that is published.", metavar="COL",
        instead="Say how much the distances of a column count with its weight",
    )  # fmt: skip
    missing_values: tuple[str, ...] = setting(
        TextList(), (), "texts that stand for a missing cell in columns that have a role, such as NA",
        example='missing_values = ["NA", "?"]', flags=("--missing-value",), metavar="MARK",
        in_clusters="these texts are missing cells",
    )  # fmt: skip
    hierarchies: Path | None = setting(
        FolderPath(), None,
        "a folder with one hierarchy file per column, in ARX's form; a column without one gets the default for its kind of values",
        in_python="or by column what its cells may become: ``{\"age\": shoal.intervals(5, 10)}``, a path, or rows",
        more="In a policy file its path starts at the policy's own folder.", metavar="DIR",
        in_clusters="where no other metric is given, values are as far apart as the level that joins them is high",
    )  # fmt: skip


SETTINGS = settings_of(TableSettings)
"""By their names."""
OLD_NAMES = {entry.old: name for name, entry in SETTINGS.items() if entry.old}
"""TableSettings by the names that they had before, which are still accepted."""


def check_setting(name: str, value: Any) -> Any:
    """The value of a setting as a policy keeps it. One that cannot be is an error, which carries the setting's key."""
    return SETTINGS[name].checked(value)
