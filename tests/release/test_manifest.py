"""The manifest tells no more than the release: no values, no folders, rounded figures."""

from __future__ import annotations

import json

import shoal
from shoal.release.manifest import printable
from shoal.report.model import owner_model
from tests.report.conftest import JOBS, people


def test_a_printed_policy_names_no_values_and_keeps_the_rest(release):
    text = printable(release.policy)
    assert "nurse" not in text
    assert "k = 4" in text
    assert "[columns.job]" in text


def test_a_printed_policy_names_files_without_their_folders(tmp_path):
    (tmp_path / "job.csv").write_text("".join(f"{j};*\n" for j in JOBS))
    for given in ({"job": tmp_path / "job.csv"}, tmp_path):
        found = shoal.anonymize(people(100), k=4, quasi_identifiers=["job"], hierarchies=given, algorithm="mondrian")
        text = json.dumps(owner_model(found))
        assert str(tmp_path) not in text
        assert "job.csv" in text or tmp_path.name in text


def test_what_only_the_owner_may_know_is_left_out(release):
    """Times, seed, hashes of the input and exact figures are in the record and nowhere else."""
    assert {"seconds", "seed", "input_sha256", "n_rows"} <= set(release.record)
    for key in ("seconds", "seed", "input_sha256", "notice"):
        assert key not in release.manifest
    assert json.loads(json.dumps(release.manifest)) == release.manifest


def test_a_loss_is_published_rounded_up_and_a_bound_rounded_down(release):
    assert release.record["loss"] <= release.manifest["loss"] <= release.record["loss"] * 1.001
    assert release.record["lower_bound"] * 0.999 <= release.manifest["lower_bound"] <= release.record["lower_bound"]
    assert release.manifest["ratio"] >= release.record["ratio"]
