"""A release stays what was verified, and its figures are the recount's."""

from __future__ import annotations

import dataclasses
import hashlib

import pytest

import shoal
from tests.release.twelve import DATA, nothing_in, release


def test_a_release_with_another_frame_is_refused(tmp_path):
    """Dataclasses.replace put any table into a release, and write() wrote it."""
    with pytest.raises(shoal.NotAnonymous):
        dataclasses.replace(release(), frame=DATA).write(tmp_path / "r.csv")
    assert nothing_in(tmp_path)


@pytest.mark.parametrize("field", ["frame", "verdict", "facts", "bound", "groups"])
def test_no_part_of_a_release_can_be_exchanged(field):
    """A release stays as it was made."""
    made = release()
    with pytest.raises(shoal.NotAnonymous):
        dataclasses.replace(made, **{field: getattr(made, field)})


def test_a_frame_that_was_changed_in_place_is_refused(tmp_path):
    """The writer compares what it is about to write."""
    made = release()
    made.frame[0, "age"] = "20"
    for act in (lambda: made.write(tmp_path / "r.csv"), lambda: made.table, lambda: made.report(tmp_path / "r.html")):
        with pytest.raises(shoal.NotAnonymous, match="not the table that was verified"):
            act()
    assert nothing_in(tmp_path)


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_the_hash_is_of_the_bytes_written(tmp_path, ending):
    made = release()
    told = made.write(tmp_path / f"r.{ending}")
    assert told == hashlib.sha256((tmp_path / f"r.{ending}").read_bytes()).hexdigest() == made.manifest["release_sha256"]


def test_a_loss_that_the_recount_does_not_find_stops_the_release(monkeypatch):
    """The loss in the manifest was the solver's word."""
    from shoal.engines import driver

    true = driver.solve
    monkeypatch.setattr(driver, "solve", lambda *a, **b: dataclasses.replace(s := true(*a, **b), loss=s.loss * 0.9))
    with pytest.raises(shoal.NotAnonymous, match="recounted"):
        release()
