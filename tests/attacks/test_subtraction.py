"""A withheld person, found by subtracting the release from what is told of the whole table.

He has:   the release, the manifest and the report; he knows that somebody was withheld.
He wants: that person's values.
He does:  for each column he takes the rows that the report counts for a value and takes away those that the release shows with it;
          and he runs the program with every value that the person might have.
He gets:  nothing: no published figure counts a withheld row.
"""

from __future__ import annotations

import json
from itertools import islice

import numpy as np
import polars as pl
import pytest

from tests.attacks import reconstruction
from tests.attacks.published import files, guess

PERSON = {"zip": "81675", "sex": "f", "job": "medic"}


def _release():
    """Twelve people in groups of four who share all values, and one who was withheld."""
    groups = [("81541", "m", "nurse"), ("81675", "f", "cook"), ("80331", "m", "medic"), ("81675", "m", "medic")]
    rows = [row for row in groups for _ in range(4)] + [tuple(PERSON.values())]
    frame = pl.DataFrame(rows, schema=list(PERSON), orient="row").with_columns(pl.lit("flu").alias("ill"))
    group = np.append(np.repeat(np.arange(4), 4), -1)
    return guess(frame, group, {"k": 4, "quasi_identifiers": list(PERSON), "sensitive": ["ill"], "withhold": 0.1})


def test_nothing_is_left_when_the_release_is_subtracted():
    """The counts 'before' held the withheld rows; their difference from the release was somebody's zip, sex and job."""
    release = _release()
    report = json.loads(files(release)["report.json"])
    found = {}
    for column in report["columns"]:
        shown = dict(release.frame[column["name"]].value_counts().iter_rows())
        for bar in column.get("before", ()):
            if bar["rows"] != shown.get(bar["label"], 0):
                found[column["name"]] = bar["label"]
    assert found == {}


def test_no_published_sum_has_more_rows_than_the_release():
    """Whatever counts rows counts released ones; the number of withheld rows is told, and nothing else of them."""
    release = _release()
    report = json.loads(files(release)["report.json"])
    n = release.frame.height
    assert report["manifest"]["n_withheld"] == 1
    assert report["risk"]["after"]["n_rows"] == n
    assert "before" not in report["risk"]
    assert sum(bin["rows"] for bin in report["sizes"]) == n
    assert all(sum(bar["rows"] for bar in c["after"]) + c["after_pooled"] == n for c in report["columns"])


@pytest.mark.parametrize("seed", range(3))
def test_a_withheld_person_may_have_been_anybody(seed: int):
    """Whatever values the withheld rows had, the published files are the same bytes."""
    found = (t for t in reconstruction.targets(100 + seed) if (t.group[list(t.rows)] < 0).all())
    for target in islice(found, 2):
        alone, both = reconstruction.attack(target, most=12)
        assert both == alone >= 1
