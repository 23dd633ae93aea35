"""All recorded runs, and the small texts beside the tables that they read."""

from __future__ import annotations

from benchmarks.recorded import asking, calling, judging, making, refusing
from benchmarks.recorded.run import Run

TEXTS = (
    ("workload.txt", "age=30..39 sex\njob\npostcode sex\n"),
    ("metric.toml", '[columns.age]\nunit = 10\n\n[columns.job]\nhierarchy = "trees/job.csv"\nweight = 2\n'),
    (
        "whole.toml",
        'k = 4\nmeasure = "lm"\nkeep_order = false\nmissing = "suppress"\nmissing_values = ["NA"]\nwithhold = 0.02\nseed = 3\n\n[columns.age]\nhierarchy = { intervals = [5, 10, 20] }\nweight = 2\n\n'
        '[columns.job]\nhierarchy = "trees/job.csv"\n\n[columns.sex]\nrole = "quasi-identifier"\n\n[columns.postcode]\nrole = "identifier"\n\n[columns.illness]\nrole = "sensitive"\nl_diversity = 2\n',
    ),
)


def runs() -> list[Run]:
    """Each of them once."""
    return [run for family in (making, asking, judging, refusing, calling) for run in family.all_of_them()]
