"""Files of SPSS, Stata and SAS, with their labels."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

from shoal.io import read


def test_codes_become_their_labels(tmp_path: Path) -> None:
    stats = pytest.importorskip("pyreadstat")
    coded = pl.DataFrame({"sex": [1.0, 2.0, 1.0], "age": [31.0, 45.0, 28.5], "n": [1.0, 2.0, 9.0]})
    labels = {"sex": {1: "male", 2: "female"}, "n": {9: "unknown"}}
    stats.write_sav(coded, str(tmp_path / "t.sav"), variable_value_labels=labels)
    stats.write_dta(coded, str(tmp_path / "t.dta"), variable_value_labels={"sex": labels["sex"]})
    stats.write_xport(coded, str(tmp_path / "t.xpt"))
    assert read(tmp_path / "t.sav").frame.rows() == [("male", 31.0, "1"), ("female", 45.0, "2"), ("male", 28.5, "unknown")]
    assert read(tmp_path / "t.dta").frame["sex"].to_list() == ["male", "female", "male"]
    assert read(tmp_path / "t.xpt").frame["sex"].to_list() == [1, 2, 1]


def test_a_file_that_sas_wrote_is_read(tmp_path: Path) -> None:
    pytest.importorskip("pyreadstat")
    path = tmp_path / "iris.sas7bdat"
    path.write_bytes(gzip.decompress((Path(__file__).parents[3] / "vectors" / "iris.sas7bdat.gz").read_bytes()))
    frame = read(path).frame
    assert frame.shape == (150, 5)
    assert frame["Species"].value_counts().sort("Species").rows() == [("setosa", 50), ("versic", 50), ("virgin", 50)]  # SAS cut them
    assert frame.row(0) == (5.1, 3.5, 1.4, 0.2, "setosa")
