"""Clusters in a file, with their proof, as whoever checks them has them."""

from __future__ import annotations

from pathlib import Path

import pytest

import shoal
from tests.clustering.published import QI, people


@pytest.fixture
def published(tmp_path: Path) -> Path:
    people().write_csv(tmp_path / "table.csv")
    made = shoal.cluster(tmp_path / "table.csv", method="cellular", r=3, quasi_identifiers=QI)
    made.write(tmp_path / "clusters.csv")
    made.proof(tmp_path / "proof")
    return tmp_path
