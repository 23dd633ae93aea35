"""Results show themselves in a notebook, warnings first."""

from __future__ import annotations

import polars as pl
import pytest

import shoal

FRAME = pl.DataFrame(
    {"age": [str(20 + i % 30) for i in range(60)], "<sex>": ["f", "m"] * 30, "illness": ["flu", "ZebraMarker77", "cold"] * 20}
)
QI = ["age", "<sex>"]


def release() -> shoal.Release:
    return shoal.anonymize(FRAME, k=3, quasi_identifiers=QI, sensitive=["illness"])


@pytest.mark.parametrize(
    ("made", "first"),
    [
        (
            lambda: shoal.verify(FRAME, release().frame, k=3, quasi_identifiers=QI, keep=["illness"]),
            "NAMED, AND TELLS: column ",
        ),
        (
            lambda: shoal.cluster(FRAME.select("age"), method="gather", r=5, centers="input", quasi_identifiers=["age"]),
            "CENTRES ARE REAL ROWS",
        ),
        (lambda: shoal.assess(FRAME.with_row_index("n"), quasi_identifiers=["n", "<sex>"]), "60 of 60 rows are the only one"),
    ],
    ids=["verdict", "clustering", "assessment"],
)
def test_a_result_shows_itself_with_its_warnings_first_and_no_cell(made, first):
    found = made()
    assert found._repr_html_().split("</style>", 1)[1].startswith(f"<ul><li><strong>{first}")
    assert repr(found).startswith(first)
    for shown in (found._repr_html_(), repr(found)):
        assert "ZebraMarker77" not in shown
    assert len(repr(found)) < 2000
    assert len(found._repr_html_()) < 40_000
    assert "<sex>" not in found._repr_html_()
