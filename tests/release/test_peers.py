"""Releases of Adult by other tools get the verdict, the smallest group and the losses that another scorer found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import shoal
from shoal.cli.main import run
from shoal.judge.verdict import Verdict

FOLDER = Path(__file__).parents[2] / "vectors" / "peers"
EXPECTED = json.loads((FOLDER / "expected.json").read_text())
ORIGINAL = FOLDER / "adult.csv.gz"
QI = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation"]
HOW = {"quasi_identifiers": QI, "hierarchies": FOLDER / "hierarchies"}


def verdict(name: str, **more) -> Verdict:
    return shoal.verify(ORIGINAL, FOLDER / f"{name}.csv.gz", k=5, **HOW, **more)


@pytest.mark.parametrize("name", EXPECTED)
def test_releases_by_other_tools_get_the_right_verdict(name):
    """17 of 23 were called untrue, and none is."""
    told = EXPECTED[name]
    found = verdict(name, reordered=told["status"] == 4, keep=["index"] if name.endswith("_index") else None)
    assert (found.n_rows, found.smallest_group) == (told["rows"], told["smallest_group"])
    assert all(column.is_true for column in found.columns)


@pytest.mark.parametrize("name", EXPECTED)
def test_releases_by_other_tools_get_the_losses_of_another_scorer(name):
    """By the same readings."""
    told = EXPECTED[name]
    found = shoal.measure(ORIGINAL, FOLDER / f"{name}.csv.gz", **HOW)
    assert found.smallest_group == told["smallest_group"]
    for key in ("entropy", "lm"):
        assert found.measures[key]["per_cell_all_rows"] == pytest.approx(told[f"{key}_per_cell_all_rows"], abs=5.1e-5)


def test_rows_in_another_order_are_told_from_untrue_ones(capsys):
    """Status 4 unless the user says that rows were moved."""
    asked = [str(ORIGINAL), str(FOLDER / "qiyuangong_k5_strict.csv.gz"), "-k", "5", "--qi", ",".join(QI)]
    folder = ["--hierarchies", str(FOLDER / "hierarchies")]
    assert run(["verify", *asked, *folder]) == 4
    assert "NOT COMPARED" in capsys.readouterr().out
    assert run(["verify", *asked, *folder, "--reordered"]) == 0
    assert "compared in any order" in capsys.readouterr().out


def test_a_label_that_is_a_name_and_a_range_is_said(capsys):
    """543 rows of this release carry an age that is also a name of the hierarchy, for other ages."""
    age = verdict("anonypy_k5_aligned").columns[1]
    assert (age.name, age.reads_names) == ("age", False)
    assert age.n_ambiguous > 0
    assert "could also be read by their text" in age.words()


def test_a_column_of_the_tools_own_is_named():
    with pytest.raises(shoal.NotCompared, match="column 'index' is not in the original"):
        verdict("anjana_k5_s10_index")
    found = verdict("anjana_k5_s10_index", keep=["index"])
    assert [column.name for column in found.columns if column.kind == "added"] == ["index"]
    assert found.how == "in order"


def test_labels_of_two_levels_that_hold_the_same_values():
    """'High School' and 'Secondary education' hold the same leaves; the tree knew one of them."""
    rows = [
        ["HS-grad", "High School", "Secondary education", "*"],
        ["11th", "High School", "Secondary education", "*"],
        ["PhD", "University", "Higher", "*"],
    ]
    import polars as pl

    original = pl.DataFrame({"x": ["HS-grad", "11th", "PhD", "PhD"]})
    for label in ("High School", "Secondary education"):
        for other in ("University", "Higher", "PhD"):
            released = pl.DataFrame({"x": [label, label, other, other]})
            shoal.verify(original, released, k=2, quasi_identifiers=["x"], hierarchies={"x": rows})
            found = shoal.measure(original, released, quasi_identifiers=["x"], hierarchies={"x": rows})
            assert found.measures["tree"]["total"] == pytest.approx(2 / 3)  # the lowest level on which the set stands


def test_rows_that_are_suppressed_whole_are_a_group_too():
    """ARX keeps the sensitive values of such rows, and here they are all the same."""
    with pytest.raises(shoal.NotAnonymous, match=r"1 of 2564 groups break distinct-l-diversity.* every cell is suppressed"):
        verdict("arx_k5_l2_local_fast", sensitive=["salary-class"], l_diversity=2)
