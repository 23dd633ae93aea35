"""What a run says at its end."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from shoal import clock, measures
from shoal.report.words import ENDED_EARLY
from tests.columns.hospital import stays


def test_the_summary_tells_what_reading_assumed(shoal, tmp_path: Path):
    path = tmp_path / "old.csv"
    path.write_bytes(b"age,town\n" + b"".join(f"{i % 7},K\xf6ln\n".encode("latin-1") for i in range(40)))
    answer = shoal("anonymize", path, "-o", tmp_path / "out.csv", "-k", "4", "--qi", "age")
    assert answer.status == 0
    assert "note" in answer.out


class Rushing:
    """A clock on which a minute passes whenever somebody looks."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 60.0
        return self.now


def test_a_run_that_the_clock_ended_says_so(shoal, people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Under load such a release lost 1.9 times as much, and nothing in the terminal told it."""
    asked = ("anonymize", people, "-k", "4", "--qi", "age,zip", "--qi", "job", "--time-limit", "5")
    assert "ENDED EARLY" not in shoal(*asked, "-o", tmp_path / "calm.csv").out
    monkeypatch.setattr(clock.time, "monotonic", Rushing())
    said = " ".join(shoal(*asked, "-o", tmp_path / "late.csv", "--owner-report", tmp_path / "owner.md").out.split())
    assert f"ENDED EARLY {ENDED_EARLY}" in said
    assert ENDED_EARLY in (tmp_path / "owner.md").read_text()


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ((), "no release of these rows by these hierarchies loses less than"),
        (("--withhold", "0.05"), "no release that withholds at most 3 of these rows, whichever, by these hierarchies loses less than"),
        (("--deletion",), "whichever it deletes, with every cell of a deleted row counted as hidden, loses less than"),
    ],
)
def test_summary_reports_and_verification_say_of_which_releases_the_bound_speaks(shoal, people: Path, tmp_path: Path, flags, said):
    asked = ("-k", "4", "--qi", "age,zip", "--qi", "job", *flags)
    out, page, proof = tmp_path / "out.csv", tmp_path / "report.md", tmp_path / "proof.json"
    answer = shoal("anonymize", people, "-o", out, *asked, "--effort", "0.05", "--owner-report", page, "--proof", proof)
    assert said in " ".join(answer.out.split())
    assert said in page.read_text()
    verify_flags = ("--withheld", "3") if "--withhold" in flags else flags
    checked = shoal("verify", people, out, *asked[:6], *verify_flags, "--proof", proof)
    assert said in " ".join(checked.out.split()), checked.err


def test_what_suppressing_everything_would_lose_counts_the_rows_that_the_loss_counts(shoal, tmp_path: Path):
    """Deleted rows are paid for: the loss is a share of what all 27 rows of two cells lose. The reports' columns add up to it."""
    path, page = tmp_path / "odd.csv", tmp_path / "owner.json"
    pl.DataFrame({"a": ["x"] * 12 + ["y"] * 12 + ["p", "q", "r"], "b": ["1"] * 12 + ["2"] * 12 + ["7", "8", "9"]}).write_csv(path)
    asked = ("-k", "4", "--qi", "a,b", "--deletion", "--measure", measures.DEFAULT, "--owner-report", page)
    said = " ".join(shoal("anonymize", path, "-o", tmp_path / "out.csv", *asked).out.split())
    assert "3 withheld" in said
    told = json.loads(page.read_text())
    share = float(re.findall(r"([0-9.]+) % of what suppressing everything would lose", said)[0])
    assert share == pytest.approx(100 * told["record"]["loss"] / 54, abs=0.05)
    of_columns = [column[measures.DEFAULT]["per_cell"] for column in told["loss_by_column"]]
    assert sum(of_columns) / 2 == pytest.approx(told["record"]["loss_per_cell"])


def stops(path: Path) -> Path:
    """A table with coordinates that nearly each row has for itself, and two columns of few values."""
    rng = np.random.default_rng(0)
    n = 600
    frame = pl.DataFrame(
        {
            "lat": np.round(44.9 + rng.normal(0, 0.05, n), 5),
            "long": np.round(-93.2 + rng.normal(0, 0.05, n), 5),
            "race": rng.choice(["White", "Black", "Latino", "Asian", "Native"], n, p=[0.4, 0.3, 0.15, 0.1, 0.05]),
            "gender": rng.choice(["Female", "Male"], n, p=[0.35, 0.65]),
        }
    )
    frame.write_csv(path)
    return path


def cells_of(out: str) -> dict[str, list[int]]:
    """What the summary says of each column: percent exact, generalized and hidden."""
    said = " ".join(out.split("  cells ")[1].split("  risk before ")[0].split())
    parts = re.findall(r"(\w+) (\d+) % exact, (\d+) % generalized, (\d+) % hidden", said)
    return {name: [int(exact), int(general), int(hidden)] for name, exact, general, hidden in parts}


def test_the_usual_measure_keeps_few_values_and_generalizes_coordinates(shoal, tmp_path: Path):
    """74 % of GPS coordinates were exact, and 52 % of race and 47 % of gender were stars; the summary did not say what columns lost."""
    table = stops(tmp_path / "stops.csv")
    asked = ("anonymize", table, "-k", "5", "--qi", "lat,long,race,gender", "--effort", "0.1")
    answer = shoal(*asked, "-o", tmp_path / "r.csv")
    assert answer.status == 0
    cells = cells_of(answer.out)
    assert set(cells) == {"lat", "long", "race", "gender"}
    assert cells["race"][2] <= 15
    assert cells["gender"][2] <= 10
    shown = pl.read_csv(tmp_path / "r.csv", infer_schema=False)
    for name, (exact, _, hidden) in cells.items():
        wide = shown[name].str.starts_with("[").mean()
        assert exact == pytest.approx(100 * (1 - wide - (shown[name] == "*").mean()), abs=1), "an interval is not exact"
        assert hidden == pytest.approx(100 * (shown[name] == "*").mean(), abs=1)


def test_a_column_can_weigh_more(shoal, tmp_path: Path):
    """There was no --weight."""
    table = stops(tmp_path / "stops.csv")
    asked = ("anonymize", table, "-k", "5", "--qi", "lat,long,race,gender", "--effort", "0.1", "--measure", "entropy")
    plain, heavy = shoal(*asked, "-o", tmp_path / "a.csv"), shoal(*asked, "--weight", "race=30", "-o", tmp_path / "b.csv")
    assert cells_of(heavy.out)["race"][0] > cells_of(plain.out)["race"][0]


def test_the_summary_says_what_the_published_report_says_of_columns_that_tell_others(shoal, tmp_path):
    """'Postleitzahl' goes out beside 'PLZ': the report that was published said so, and the summary that the owner read did not."""
    frame = stays().select("PLZ", "Geschlecht", "Ort", "Diagnose").with_columns(Postleitzahl=pl.col("PLZ"))
    (table := tmp_path / "stays.csv").write_text(frame.write_csv())
    asked = (
        "--qi",
        "PLZ",
        "--qi",
        "Geschlecht",
        "--keep",
        "Postleitzahl",
        "--keep",
        "Ort",
        "--sensitive",
        "Diagnose",
        "-k",
        40,
        "--effort",
        0.1,
    )
    said = " ".join(shoal("anonymize", table, "-o", tmp_path / "r.csv", "--report", tmp_path / "r.md", *asked).out.split())
    published = [line for line in (tmp_path / "r.md").read_text().splitlines() if " hides." in line]
    assert any("'Postleitzahl' tells what 'PLZ' hides." in line for line in published)
    assert "TELLS 'Postleitzahl' tells what 'PLZ' hides." in said
    assert "TELLS 'Ort' tells some of what 'PLZ' hides." in said


def test_marks_of_missing_that_were_taken_as_values_are_said_with_the_flag_to_give(shoal, tmp_path):
    """NA and k.A. were values like any other, and postal codes lost their prefixes by them, without a word."""
    (table := tmp_path / "stays.csv").write_text(stays().select("PLZ", "Geschlecht", "Gewicht").write_csv())
    asked = ("--qi", "PLZ", "--qi", "Geschlecht", "--qi", "Gewicht", "-k", 5, "--effort", 0.1)
    said = " ".join(shoal("anonymize", table, "-o", tmp_path / "r.csv", *asked).out.split())
    n_codes, n_sexes = (int(stays()[name].is_in(["NA", "k.A."]).sum()) for name in ("PLZ", "Geschlecht"))
    assert f"Cells that hold 'NA' or 'k.A.' were taken as values: {n_codes} of PLZ, {n_sexes} of Geschlecht." in said
    assert "--missing-value NA --missing-value k.A." in said
    assert "PLZ (prefixes of" in said
    marks = ("--missing-value", "NA", "--missing-value", "k.A.")
    assert "were taken as values" not in shoal("anonymize", table, "-o", tmp_path / "r2.csv", *asked, *marks).out


def test_a_mark_that_keeps_numbers_out_of_intervals_is_said(shoal, tmp_path):
    """Numbers with a comma, of which two cells hold NA, could only be hidden."""
    rows = "".join(f"{('NA' if i % 60 == 7 else str(50 + i % 40) + ',5')};{'m' if i % 2 else 'w'}\n" for i in range(120))
    (table := tmp_path / "w.csv").write_text("Gewicht;sex\n" + rows)
    said = " ".join(shoal("anonymize", table, "-o", tmp_path / "r.csv", "--qi", "Gewicht", "--qi", "sex", "-k", 5).out.split())
    assert "2 of Gewicht (so it was not put into intervals)" in said


def test_rows_that_are_not_in_memory_are_looked_at_too(shoal, tmp_path):
    """The first rows of a large file tell as well which column says what another hides."""
    rng = np.random.default_rng(2)
    zips = rng.integers(80300, 80340, 400)
    frame = pl.DataFrame({"zip": zips, "code": [f"Z-{z}" for z in zips], "age": rng.integers(20, 60, 400)})
    frame.write_csv(tmp_path / "people.csv")
    answer = shoal(
        "anonymize", tmp_path / "people.csv", "-o", tmp_path / "r.csv", "-k", "5", "--qi", "zip,age", "--keep", "code", "--engine", "files", "--effort", "0.1"
    )  # fmt: skip
    assert answer.status == 0
    assert "TELLS 'code' tells what 'zip' hides." in re.sub(r"\s+", " ", answer.out)


def test_commands_in_a_report_read_files_as_the_run_did(shoal, tmp_path):
    """A file with a delimiter that cannot be found out: the commands that the report prints run as they stand."""
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"zip": rng.integers(80300, 80304, 200), "age": rng.integers(20, 24, 200)})
    frame.write_csv(tmp_path / "people.csv", separator="^")
    for engine in ("memory", "files"):
        out = tmp_path / engine
        out.mkdir()
        files = ("-o", out / "r.csv", "--report", out / "r.md", "--engine", engine)
        assert (
            shoal("anonymize", tmp_path / "people.csv", *files, "-k", "3", "--qi", "zip,age", "--delimiter", "^", "--effort", "0.1").status
            == 0
        )
        said = (out / "r.md").read_text()
        assert "--policy shoal.toml --delimiter '^'\n" in said
        command = next(line for line in said.splitlines() if line.startswith("shoal assess"))
        assert shoal(*shlex.split(command.replace("r.csv", str(out / "r.csv")))[1:]).status == 0


def test_a_chance_that_is_up_to_something_is_rounded_up(shoal, tmp_path):
    """A third is more than 0.333, and the report says 33.4 %."""
    table = tmp_path / "three.csv"
    table.write_text("zip,ill\n" + "1,flu\n" * 3 + "2,gout\n" * 4)
    assert "with a chance of up to 0.334," in " ".join(shoal("assess", table, "--qi", "zip").out.split())
    summary = shoal("anonymize", table, "-o", tmp_path / "out.csv", "-k", 3, "--qi", "zip", "--sensitive", "ill").out
    assert " ".join(summary.split()).count("with a chance of up to 0.334,") == 2
