"""A clustering in hand: its forms, members and files."""

from __future__ import annotations

from pathlib import Path

import pandas
import polars as pl

from tests.clustering.people import QI, people, run


def test_the_long_form_the_members_and_the_files_agree(tmp_path: Path) -> None:
    frame = people()
    c = run(frame, r=4, method="gather", outliers=0.05)
    assert c.long.height == 60 - len(c.outliers)
    assert c.long.columns == [*QI, "size", "illness"]
    together = c.long.group_by(QI).len()
    assert (together["len"] >= 4).all()
    assert c.members["row"].to_list() == list(range(60))
    assert [i for i, x in enumerate(c.members["cluster"].to_list()) if x is None] == c.outliers
    c.write(tmp_path / "out.csv")
    c.write(tmp_path / "long.parquet", long=True)
    c.owner_report(tmp_path / "page.html")
    assert c.proof(tmp_path / "proof") <= c.lower_bound
    assert pl.read_csv(tmp_path / "out.csv").height == c.table.height
    assert pl.read_parquet(tmp_path / "long.parquet").height == c.long.height
    page = (tmp_path / "page.html").read_text()
    assert "<svg" in page
    assert "http" not in page.replace("http-equiv", "")
    assert "person" not in page


def test_the_kind_of_table_given_comes_back() -> None:
    assert isinstance(run(people().to_pandas(), r=5).table, pandas.DataFrame)
    assert type(run(people().to_arrow(), r=5).table).__module__.startswith("pyarrow")
