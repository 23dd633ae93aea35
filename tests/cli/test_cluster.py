"""The command ``shoal cluster``."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from shoal.cli.main import run
from tests.columns.hospital import stays

HEAD = "name,age,town,illness\n"
ROWS = [
    ("Ada", 20, "A", "flu"),
    ("Bea", 22, "A", "flu"),
    ("Cyd", 24, "A", "cold"),
    ("Dan", 60, "B", "gout"),
    ("Eve", 61, "B", "flu"),
    ("Flo", 99, "C", "cold"),
]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(HEAD + "".join(f"{n},{a},{t},{i}\n" for n, a, t, i in ROWS))
    return path


def cluster(people: Path, output: Path, *more: str) -> int:
    flags = ["--qi", "age", "--qi", "town", "--sensitive", "illness", "--identifier", "name"]
    return run(["cluster", str(people), "-o", str(output), *flags, *more])


def test_every_output_that_is_asked_for_is_written(people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    metric = tmp_path / "metric.toml"
    metric.write_text("[columns.age]\nunit = 10\n")
    out = {name: tmp_path / name for name in ("out.csv", "m.json", "members.csv", "proof.json", "page.html", "r.json")}
    status = cluster(people, out["out.csv"], "--method", "gather", "-r", "2", "--outliers", "0.17", "--metric", str(metric), "--manifest",
                     str(out["m.json"]), "--members", str(out["members.csv"]), "--proof", str(out["proof.json"]), "--owner-report",
                     str(out["page.html"]), "--record", str(out["r.json"]))  # fmt: skip
    assert status == 0
    table = pl.read_csv(out["out.csv"])
    assert table.columns == ["age", "town", "size", "illness"]
    assert sorted(table["size"]) == [2, 3]
    manifest, record = (json.loads(out[name].read_text()) for name in ("m.json", "r.json"))
    for owners in ("r.json", "members.csv", "proof.json", "page.html"):
        assert out[owners].stat().st_mode & 0o777 == 0o600, owners
    assert next(iter(record)) == "notice"
    assert "Not for publication" in record["notice"]
    assert (manifest["n_outliers"], manifest["max_outliers"]) == (1, 1)
    assert record["ratio"] <= record["guarantee"] == 4
    assert (manifest["lower_bound"], manifest["ratio"]) == (None, None)
    assert record["largest_radius"] <= manifest["largest_radius"] <= record["largest_radius"] * 1.001
    assert "unit" not in json.dumps(manifest), "found from the values"
    assert pl.read_csv(out["members.csv"])["line"].to_list() == [2, 3, 4, 5, 6, 7]
    page = out["page.html"].read_text()
    assert "<svg" in page
    printed = capsys.readouterr().out
    assert "age (number, 1 is 10)" in printed
    for name, *_ in ROWS:
        assert name not in page + printed + out["out.csv"].read_text()
    assert "99" not in out["out.csv"].read_text()


def test_the_long_form_and_the_other_methods_are_written(people: Path, tmp_path: Path) -> None:
    out = tmp_path / "long.csv"
    assert cluster(people, out, "--method", "cellular", "-r", "3", "--long", "--quiet") == 0
    table = pl.read_csv(out)
    assert table.columns == ["age", "town", "size", "radius", "illness"]
    assert table.height == 6
    assert cluster(people, tmp_path / "c.csv", "--method", "center", "-r", "2", "--max-clusters", "1", "--sensitive-as", "counts") == 0
    assert json.loads(pl.read_csv(tmp_path / "c.csv")["illness"][0]) == {"flu": 3, "cold": 2, "gout": 1}


@pytest.mark.parametrize(
    ("more", "status", "words"),
    [
        (["-r", "7"], 3, "cannot make a cluster"),
        (["-r", "2", "--outliers", "1"], 2, "below 1"),
        (["-r", "2", "--method", "center", "--max-clusters", "0"], 3, "smallest feasible number is 1"),
        (["-r", "2", "--setup-cost", "1"], 2, "--method cellular"),
        (["-r", "2", "--metric", "none.toml"], 2, "no metric file"),
        (["-r", "2", "--plot", "age", "town", "--owner-report", "page.html"], 2, "'town' is none"),
        (["-r", "2", "--report", "page.html"], 2, "--owner-report"),
        (["-r", "2", "--plot", "age", "age"], 2, "--plot is about the pictures of --owner-report"),
        (["-r", "2", "--long", "--sensitive-as", "list"], 2, "leave --sensitive-as out"),
        (["-r", "2", "--l-diversity", "4"], 3, "does not keep distinct-l-diversity (l=4)"),
        ([], 2, "how many rows"),
    ],
)
def test_errors_have_their_status_and_write_nothing(
    people: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    more: list[str],
    status: int,
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cluster(people, tmp_path / "out.csv", *more) == status
    assert words in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv"]


def test_several_rows_of_one_patient_are_said(shoal, tmp_path):
    """A clustering counts rows: r stays of one patient are no crowd."""
    (table := tmp_path / "stays.csv").write_text(stays().write_csv())
    asked = ("--method", "gather", "-r", 10, "--qi", "PLZ", "--qi", "Geschlecht")
    assert "R COUNTS ROWS: 'PatNr' has 150 different values" in shoal("cluster", table, "-o", tmp_path / "c.csv", *asked).out
    stays().unique("PatNr", keep="first", maintain_order=True).write_csv(table)
    assert "R COUNTS ROWS" not in shoal("cluster", table, "-o", tmp_path / "d.csv", *asked).out


def test_shared_rows_are_clustered_and_verified(people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, asked = str(tmp_path / "c.csv"), ["--qi", "age", "--method", "cellular", "-r", "3", "--sharing"]
    assert run(["cluster", str(people), "-o", out, *asked, "--proof", str(tmp_path / "p.json")]) == 0
    assert "at most 6 times the optimum" in (said := capsys.readouterr().out)
    assert "a row may be counted by several clusters" in said
    assert run(["verify", str(people), out, *asked, "--proof", str(tmp_path / "p.json")]) == 0
    assert run(["cluster", str(people), "-o", str(tmp_path / "d.csv"), *asked, "--sensitive", "illness"]) == 2
    assert "would show which rows these have in common" in capsys.readouterr().err


VALUES = "age,ill\n" + "".join(
    f"{age},{ill}\n" for age, ill in zip([1, 2, 3, 51, 52, 53], ["HIV"] * 3 + ["flu", "cold", "HIV"], strict=True)
)
AGES = ("--qi", "age", "--sensitive", "ill", "--method", "cellular", "-r", "3")


def test_clusters_of_one_sensitive_value_are_said_and_prevented(shoal, tmp_path):
    """0.2.0 dropped what a policy asks of sensitive values, in silence, and its verify too."""
    (table := tmp_path / "t.csv").write_text(VALUES)
    (policy := tmp_path / "p.toml").write_text(
        'k = 3\n[columns.age]\nrole = "quasi-identifier"\n[columns.ill]\nrole = "sensitive"\nl_diversity = 2\n'
    )
    said = shoal("cluster", table, "-o", tmp_path / "plain.csv", *AGES).out
    assert "ALL ROWS HAVE ONE VALUE of 'ill' in 1 of 2 clusters" in said
    assert "Ask for --l-diversity 2" in said
    assert "Nothing was asked of them." in said
    for asked in (("--policy", policy), ("--l-diversity", 2)):
        said = shoal("cluster", table, "-o", tmp_path / "kept.csv", "--force", *AGES, *asked).out
        assert "Every cluster keeps distinct-l-diversity (l=2) of 'ill'." in said
        assert "Guarantee: none: clusters are merged" in said
        assert pl.read_csv(tmp_path / "kept.csv").height == 1
        assert "Every cluster keeps distinct" in shoal("verify", table, tmp_path / "kept.csv", *AGES, *asked).out
        refused = shoal("verify", table, tmp_path / "plain.csv", *AGES, *asked)
        assert refused.status == 1
        assert "1 of 2 clusters break distinct-l-diversity" in refused.err
