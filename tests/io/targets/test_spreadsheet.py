"""No formula for a spreadsheet."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.io import read, undefuse
from tests.io.verified import write


@pytest.mark.parametrize(
    ("cell", "safe"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd", "'+cmd"),
        ("-x", "'-x"),
        ("@sum", "'@sum"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        ("-2+3", "'-2+3"),
        ("-5", "-5"),
        ("+4.5e-3", "+4.5e-3"),
        ("-.5", "-.5"),
        ("-1,234.5", "-1,234.5"),
        ("x=1", "x=1"),
        ("*", "*"),
        ("[20, 30)", "[20, 30)"),
        (None, None),
    ],
)
def test_no_cell_starts_a_formula_in_a_spreadsheet(tmp_path, cell, safe):
    write(pl.DataFrame({"a": [cell], "b": ["x"]}), tmp_path / "t.csv", spreadsheet_safe=True, delimiter="|")
    assert read(tmp_path / "t.csv", delimiter="|").frame["a"].to_list() == [safe]


def test_no_column_name_starts_a_formula_in_a_spreadsheet(tmp_path):
    frame = pl.DataFrame({"=cmd": ["a"], "'=cmd": ["b"], "@x": ["c"], "-5": ["d"], "age": ["e"]})
    write(frame, tmp_path / "t.csv", spreadsheet_safe=True)
    assert (tmp_path / "t.csv").read_text().splitlines()[0] == "''=cmd,'=cmd,'@x,-5,age"
    write(frame, tmp_path / "u.csv")
    assert (tmp_path / "u.csv").read_text().splitlines()[0] == "=cmd,'=cmd,@x,-5,age"


def test_what_was_made_safe_comes_back_as_it_was(tmp_path):
    frame = pl.DataFrame({"=cmd": ["=1", "x", None], "b": ["-5", "'q", "@"]})
    write(frame, tmp_path / "t.csv", spreadsheet_safe=True)
    assert undefuse(read(tmp_path / "t.csv").frame).equals(frame)
