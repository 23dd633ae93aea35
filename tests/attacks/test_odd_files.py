"""A false release whose falsehood is hidden in the file's types, names or digits.

The attacker has    the original, a true release and its policy, and may write any file: CSV or Parquet of any types, with any names.
The attacker wants  ``shoal verify`` to end with 0 although a group is too small, a cell is another value, or a column is shown that was to be hidden.
The attacker gets   1, or 4 where a column cannot be compared: never 0.
"""

from __future__ import annotations

import datetime as dt

import polars as pl
import pytest

import shoal
from shoal.cli.main import run


def status(tmp_path, original: pl.DataFrame, release: pl.DataFrame, *flags: str, ending: str = "parquet") -> int:
    """What the command says of a release."""
    places = [tmp_path / f"{name}.{ending}" for name in ("original", "release")]
    for frame, place in zip((original, release), places, strict=True):
        frame.write_parquet(place) if ending == "parquet" else frame.write_csv(place)
    return run(["verify", *map(str, places), "-k", "2", "--quiet", *flags])


@pytest.mark.parametrize(
    ("truth", "lie"),
    [
        ("9007199254740993", "9007199254740992"),
        ("9007199254740993", "9007199254740992.0"),
        ("9007199254740993", "[9007199254740990, 9007199254740993)"),
        ("9007199254740993", "[9007199254740992-9007199254740992]"),
        ("9007199254740993", ">9007199254740993"),
        ("0.10000000000000000001", "0.1"),
        ("1e998", "1e999"),
        ("1" + "0" * 400, "2" + "0" * 400),
    ],
)
def test_numbers_are_compared_to_the_last_digit(tmp_path, truth, lie):
    """Numbers that are one as floats were one value."""
    original = pl.DataFrame({"id": [truth] * 4 + ["5"] * 4, "ill": list("abcdabcd")})
    release = original.with_columns(id=pl.Series([lie] * 4 + ["5"] * 4))
    assert status(tmp_path, original, original, "--qi", "id", ending="csv") == 0
    assert status(tmp_path, original, release, "--qi", "id", ending="csv") == 1


@pytest.mark.parametrize("label", ["9007199254740993.0", "[9007199254740993, 9007199254740994)", ">=9007199254740993", "9007199254740993"])
def test_long_numbers_in_true_labels_are_read(tmp_path, label):
    original = pl.DataFrame({"id": ["9007199254740993"] * 4 + ["5"] * 4})
    assert status(tmp_path, original, pl.DataFrame({"id": [label] * 4 + ["5"] * 4}), "--qi", "id", ending="csv") == 0


@pytest.mark.parametrize(
    ("before", "after"),
    [([[0.0, 1.0]], [[-0.0, 1.0]]), ([{"x": 0.0}], [{"x": -0.0}]), ([[None, 1.0]], [[float("nan"), 1.0]]), ([[[0.0]]], [[[-0.0]]])],
)
def test_what_a_reader_tells_apart_inside_a_cell(tmp_path, before, after):
    """Both zeros, and NaN and null, inside lists and structs."""
    age = pl.Series("age", ["30"] * 4)
    kept = [pl.DataFrame([age, pl.Series("pay", cells * 4)]) for cells in (before, after)]
    assert status(tmp_path, kept[0], kept[0], "--qi", "age") == 0
    assert status(tmp_path, kept[0], kept[1], "--qi", "age") == 1


BASE = 1_700_000_000 * 10**9


@pytest.mark.parametrize(
    ("before", "after", "dtype"),
    [
        ([BASE], [BASE + 34], pl.List(pl.Datetime("ns"))),
        ({"x": BASE}, {"x": BASE + 34}, pl.Struct({"x": pl.Duration("ns")})),
        ([[{"x": 7}]], [[{"x": 8}]], pl.List(pl.List(pl.Struct({"x": pl.Time})))),
        ([BASE], [BASE + 1], pl.Array(pl.Datetime("ns", "UTC"), 1)),
    ],
    ids=["datetime", "duration", "time", "array"],
)
def test_billionths_of_a_second_inside_a_cell_are_compared(tmp_path, before, after, dtype):
    """Python's own times end at millionths: a hidden age in the last digits was called equal."""
    age = pl.Series("age", ["30"] * 4)
    kept = [pl.DataFrame([age, pl.Series("seen", [cells] * 4).cast(dtype)]) for cells in (before, after)]
    assert status(tmp_path, kept[0], kept[0], "--qi", "age") == 0
    assert status(tmp_path, kept[0], kept[1], "--qi", "age") == 1


@pytest.mark.parametrize(("cell", "forms"), [(float("nan"), ["NaN", ""]), (-0.0, ["-0.0", "0.0"])], ids=["NaN", "zero"])
def test_a_column_of_text_shows_a_number_in_one_way(tmp_path, cell, forms):
    """A text file may show NaN as an empty cell. One that shows it now as the one, now as the other, writes a bit into each."""
    original = pl.DataFrame({"age": [str(30 + i % 2) for i in range(8)], "lab": [cell] * 8})
    for lab, expected in (([forms[0]] * 8, 0), ([forms[1]] * 8, 0), (forms * 4, 1)):
        original.write_parquet(tmp_path / "o.parquet")
        (tmp_path / "r.csv").write_text("age,lab\n" + "".join(f'"[30, 40)",{text}\n' for text in lab))
        assert run(["verify", str(tmp_path / "o.parquet"), str(tmp_path / "r.csv"), "-k", "2", "--quiet", "--qi", "age"]) == expected


@pytest.mark.parametrize("column", ["age", "rh"])
def test_a_guard_for_spreadsheets_that_some_cells_lack_is_refused(tmp_path, capsys, column):
    """It was taken away before cells were compared and groups counted: a group of one was not seen, and a bit in each cell neither."""
    original = pl.DataFrame({"age": ["-a", "-b"] * 5, "rh": ["+", "-"] * 5})
    safe = original.select(pl.concat_str(pl.lit("'"), pl.col(name)).alias(name) for name in original.columns)
    assert status(tmp_path, original, safe, "--qi", "age", "--spreadsheet-safe", ending="csv") == 0
    mixed = safe.with_columns(pl.Series(column, [original[column][0], *safe[column][1:]]))
    assert status(tmp_path, original, mixed, "--qi", "age", "--spreadsheet-safe", ending="csv") == 2
    assert f"Column '{column}' was not written with --spreadsheet-safe" in capsys.readouterr().err


def test_a_local_time_that_occurs_twice_is_two_values(tmp_path):
    """Strict k: two moments of one local time are two values, for a reader of the file."""
    hours = pl.Series("at", [dt.datetime(2024, 11, 3, 4), dt.datetime(2024, 11, 3, 5)]).dt.replace_time_zone("UTC")
    frame = pl.DataFrame([hours.dt.convert_time_zone("America/Havana")])
    assert frame["at"].dt.hour().to_list() == [0, 0]
    assert status(tmp_path, frame, frame, "--qi", "at") == 1


PEOPLE = pl.DataFrame(
    {
        "name": [f"p{i}" for i in range(8)],
        "age": [str(30 + i) for i in range(8)],
        "ill": ["flu", "hiv"] * 4,
        "pay": [str(i % 5) for i in range(8)],
    }
)
TRUE = PEOPLE.drop("name").with_columns(age=pl.lit("[30, 40)"))
POLICY = 'k = 2\n[columns]\nage = {role = "quasi-identifier"}\nill = {role = "sensitive"}\nname = {role = "identifier"}\npay = {role = "insensitive"}\n'


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        (TRUE, 0),
        (TRUE.with_columns(index=pl.Series(range(8))), 4),
        (TRUE.with_columns(PEOPLE["name"]), 1),
        (TRUE.with_columns(PEOPLE["name"].alias("who")), 1),
        (TRUE.with_columns(PEOPLE["age"].alias("age_in_full")), 1),
        (TRUE.with_columns(PEOPLE["age"].reverse().alias("age_in_full")), 4),
        (TRUE.drop("ill"), 1),
        (TRUE.drop("pay"), 1),
        (TRUE.rename({"ill": "Ill"}), 1),
    ],
    ids=["true", "index", "identifier", "identifier renamed", "copy", "copy, moved", "no sensitive", "no kept", "case"],
)
def test_columns_that_must_or_must_not_be_there_are_checked(tmp_path, release, expected):
    """A column that was to be dropped, one that was to be kept, and either under another name."""
    (tmp_path / "policy.toml").write_text(POLICY)
    assert status(tmp_path, PEOPLE, release, "--policy", str(tmp_path / "policy.toml")) == expected


@pytest.mark.parametrize("name", ["Ill", "ILL ", " ill", "i_l_l", "\uff49\uff4c\uff4c"])
def test_a_column_whose_name_only_looks_alike_is_not_called_compared(tmp_path, name):
    """Without a policy: a fabricated column under a name that looks like the original's is not called compared."""
    lie = TRUE.rename({"ill": name}).with_columns(pl.lit("flu").alias(name))
    assert status(tmp_path, PEOPLE, lie, "--qi", "age") == 4


def test_a_type_does_not_tell_what_was_withheld(tmp_path):
    """The values of an enumeration inside lists and structs, too, are cut down to those that are released."""
    kind = pl.Enum(["flu", "HIDDEN"])
    ill = ["flu"] * 10 + ["HIDDEN"]
    original = pl.DataFrame(
        {
            "age": ["20"] * 10 + ["99"],
            "plain": pl.Series(ill, dtype=kind),
            "list": pl.Series([[x] for x in ill], dtype=pl.List(kind)),
            "struct": pl.Series([{"x": x} for x in ill], dtype=pl.Struct({"x": kind})),
        }
    )
    release = shoal.anonymize(original, k=5, quasi_identifiers=["age"], withhold=0.2, keep=["plain", "list", "struct"])
    assert release.manifest["n_withheld"] == 1
    release.write(tmp_path / "r.parquet")
    assert b"HIDDEN" not in (tmp_path / "r.parquet").read_bytes()
    assert "HIDDEN" not in str(release.table.schema)


HEADLESS = "".join(f"SECRET{i},{20 + i % 3},KEPT{i % 2}\n" for i in range(12))


@pytest.mark.parametrize(
    "command",
    [
        ("anonymize", "{t}", "-o", "{t}.out.csv", "-k", "2", "--qi", "age"),
        ("explore", "{t}", "-k", "2", "--qi", "age"),
        ("verify", "{t}", "{t}", "-k", "2", "--qi", "age"),
        ("measure", "{t}", "{t}", "--qi", "age"),
        ("read", "{t}", "--count", "age=3"),
        ("read", "{t}", "--mean", "age"),
        ("cluster", "{t}", "-o", "{t}.out.csv", "-r", "2", "--qi", "age"),
    ],
    ids=lambda command: " ".join(part for part in command[:1] + command[-2:]),
)
def test_a_file_without_a_header_is_somebodys_row(tmp_path, capsys, command):
    """No cell in an error: where the first row was taken for names, these are cells."""
    place = tmp_path / "t.csv"
    place.write_text(HEADLESS)
    assert run([part.format(t=place) for part in command]) != 0
    said = capsys.readouterr()
    assert "SECRET" not in said.err + said.out
    assert "KEPT" not in said.err + said.out


def test_sets_that_cross_are_told_without_their_values():
    """The message about two sets listed their values."""
    with pytest.raises(shoal.HierarchyError) as error:
        shoal.anonymize(
            pl.DataFrame({"zip": ["SECRET0", "SECRET1", "SECRET2"] * 2}),
            k=2,
            quasi_identifiers=["zip"],
            hierarchies={"zip": shoal.laminar([["SECRET0", "SECRET1"], ["SECRET1", "SECRET2"]])},
        )
    assert "cross" in str(error.value)
    assert "SECRET" not in str(error.value)


@pytest.mark.parametrize("command", ["anonymize", "verify", "measure", "check"])
def test_a_value_that_a_hierarchy_lists_twice_is_told_by_its_lines(tmp_path, capsys, command):
    """The message showed the value; the lines are enough."""
    table, folder = tmp_path / "t.csv", tmp_path / "levels"
    folder.mkdir()
    table.write_text("zip\n" + "SECRET0\nSECRET1\n" * 3)
    (folder / "zip.csv").write_text("SECRET0,north,*\nSECRET0,south,*\nSECRET1,south,*\n")
    how = {
        "anonymize": ["anonymize", table, "-o", tmp_path / "out.csv", "-k", "2", "--qi", "zip", "--hierarchies", folder],
        "verify": ["verify", table, table, "-k", "2", "--qi", "zip", "--hierarchies", folder],
        "measure": ["measure", table, table, "--qi", "zip", "--hierarchies", folder],
        "check": ["hierarchy", "check", table, folder],
    }[command]
    assert run([str(part) for part in how]) != 0
    said = "".join(capsys.readouterr())
    assert "SECRET" not in said
    assert "line" in said
