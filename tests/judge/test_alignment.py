"""Rows that are missing or were moved: a release is true if its rows can be assigned to rows of the original, and untrue if they cannot."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.cli.main import run

ORIGINAL = pl.DataFrame(
    {"age": ["20", "21", "30", "31", "40", "41"], "sex": ["m", "f"] * 3, "ill": ["flu", "gout", "hiv", "flu", "gout", "hiv"]}
)
RELEASED = ORIGINAL.with_columns(age=pl.Series(["[20, 30)"] * 2 + ["[30, 50)"] * 4), sex=pl.lit("*"))
HOW = {"k": 2, "quasi_identifiers": ["age", "sex"]}


def test_garbage_with_one_row_fewer_is_not_accepted(tmp_path):
    """0.1.0 ended with exit status 0, and silently with --quiet."""
    ORIGINAL.write_csv(tmp_path / "o.csv")
    pl.DataFrame({"age": ["zebra"] * 5, "sex": ["?"] * 5, "ill": ["none"] * 5}).write_csv(tmp_path / "r.csv")
    asked = [str(tmp_path / "o.csv"), str(tmp_path / "r.csv"), "-k", "2", "--qi", "age,sex", "--quiet"]
    assert run(["verify", *asked]) in (1, 4)
    assert run(["verify", *asked, "--reordered"]) in (1, 4)


def test_a_fabricated_sensitive_column_is_rejected(tmp_path):
    """0.1.0 certified it as 3-diverse."""
    lie = RELEASED.with_columns(ill=pl.Series(["flu", "gout", "hiv"] * 2))
    ORIGINAL.with_columns(ill=pl.lit("hiv")).write_csv(tmp_path / "o.csv")
    lie.write_csv(tmp_path / "r.csv")
    asked = [str(tmp_path / "o.csv"), str(tmp_path / "r.csv"), "-k", "2", "--qi", "age,sex", "--sensitive", "ill", "--l-diversity", "2"]
    assert run(["verify", *asked]) == 1


def test_rows_in_another_order_need_a_word():
    """Status 4, unless the user says that rows were moved; then the rows are compared in any order."""
    moved = RELEASED.reverse()
    with pytest.raises(shoal.NotCompared) as unknown:
        shoal.verify(ORIGINAL, moved, **HOW)
    assert unknown.value.exit_status == 4
    assert not unknown.value.verdict.has_checked_cells
    assert shoal.verify(ORIGINAL, moved, reordered=True, **HOW).how == "in any order"
    lie = moved.with_columns(ill=pl.Series(["flu"] * 6))
    with pytest.raises(shoal.NotAnonymous, match="not true"):
        shoal.verify(ORIGINAL, lie, reordered=True, **HOW)


def test_how_many_rows_may_be_lacking_can_be_said():
    kept = RELEASED.filter(pl.col("age") == "[30, 50)")
    assert shoal.verify(ORIGINAL, kept, withheld=2, **HOW).how == "in order"
    with pytest.raises(shoal.NotAnonymous, match="2 rows of the original are not in the release, and only 1"):
        shoal.verify(ORIGINAL, kept, withheld=1, **HOW)


def test_labels_that_cannot_be_read_are_uncompared_and_not_untrue():
    """Each column says what could not be compared."""
    strange = RELEASED.with_columns(age=pl.Series(["young"] * 2 + ["old"] * 4))
    with pytest.raises(shoal.NotCompared, match=r"'age' \(6 cells\)") as unknown:
        shoal.verify(ORIGINAL, strange, **HOW)
    told = {column.name: column.words() for column in unknown.value.verdict.columns}
    assert told["age"] == "age: 6 cells could not be read."
    assert told["ill"] == "ill: kept; every cell is as it was."


def test_a_mark_for_any_value_can_be_said():
    marked = RELEASED.with_columns(sex=pl.lit("NA"))
    with pytest.raises(shoal.NotCompared):
        shoal.verify(ORIGINAL, marked, **HOW)
    shoal.verify(ORIGINAL, marked, suppressed=["NA"], **HOW)
    shoal.verify(ORIGINAL, RELEASED.with_columns(sex=pl.lit(None, dtype=pl.String)), suppressed=[""], **HOW)


@pytest.mark.parametrize(
    "name",
    [
        "size",
        "count",
        "row",
        "len",
        "n",
        "r",
        "index",
        "value",
        "place",
        "original",
        "shown",
        "label",
        "c0",
        "c1",
        "times",
        "literal",
        "point",
    ],
)
def test_no_name_of_a_column_meets_one_of_ours(name, tmp_path):
    """0.1.0 failed with a DuplicateError."""
    frame = pl.DataFrame({name: [str(20 + i) for i in range(12)], f"{name}_": ["a", "b", None] * 4})
    release = shoal.anonymize(frame, k=3, quasi_identifiers=[name], sensitive=[f"{name}_"], l_diversity=2)
    release.write(tmp_path / "r.csv")
    release.report(tmp_path / "r.html")
    shoal.verify(frame, release.table, k=3, quasi_identifiers=[name], sensitive=[f"{name}_"], l_diversity=2)
    shoal.measure(frame, release.table, quasi_identifiers=[name])
    shoal.assess(frame, quasi_identifiers=[name], sensitive=[f"{name}_"])


def test_a_spreadsheet_safe_release_is_understood_with_that_flag(tmp_path):
    pl.DataFrame({"q": ["a"] * 4, "=x": ["=1+1", "@b", "c", "-5"]}).write_csv(tmp_path / "o.csv")
    flags = ["-k", "2", "--qi", "q", "--spreadsheet-safe"]
    assert run(["anonymize", str(tmp_path / "o.csv"), "-o", str(tmp_path / "r.csv"), "--quiet", *flags]) == 0
    assert run(["verify", str(tmp_path / "o.csv"), str(tmp_path / "r.csv"), *flags]) == 0


def test_the_help_lists_the_statuses(capsys):
    assert run(["verify", "--help"]) == 0
    assert "4  nothing wrong was found, but cells could not be compared" in capsys.readouterr().out
