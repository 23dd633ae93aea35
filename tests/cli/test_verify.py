"""``shoal verify`` as a steward uses it: which rows are at fault, how many may be lacking, and what to try."""

from __future__ import annotations

import json
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import shoal as library

KINDS = [("8001", "m"), ("8001", "m"), ("8056", "m"), ("8056", "m"), ("8001", "w"), ("8001", "w"), ("8056", "w"), ("8056", "w")]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text("zip,sex,ill\n" + "".join(f"{z},{s},{i % 2}\n" for i, (z, s) in enumerate(KINDS * 3)))
    return path


def changed(path: Path, to: Path, line: int, old: str, new: str) -> Path:
    lines = path.read_text().splitlines()
    assert lines[line].count(old) == 1
    lines[line] = lines[line].replace(old, new)
    to.write_text("\n".join(lines) + "\n")
    return to


def test_the_row_that_is_named_is_the_row_that_was_changed(shoal, table, tmp_path):
    """Row 3 was changed to a text that rows 1, 2, … show rightly; a reader who is sent to row 1 finds nothing."""
    release = changed(table, tmp_path / "r.csv", 3, "8056", "8001")
    answer = shoal("verify", table, release, "-k", 2, "--qi", "zip", "--qi", "sex")
    assert answer.status == 1
    assert "'zip': 1 released cell does not cover its original one, or cannot be read (at released row 3)." in answer.err


def test_the_first_of_many_rows_at_fault_are_named(shoal, table, tmp_path):
    text = table.read_text().splitlines()
    text[5:] = [line.replace("8001", "8056") for line in text[5:]]
    (tmp_path / "r.csv").write_text("\n".join(text) + "\n")
    answer = shoal("verify", table, tmp_path / "r.csv", "-k", 2, "--qi", "zip", "--qi", "sex")
    assert "10 released cells do not cover their original ones, or cannot be read (first at released rows 5, 6, 9, 10, 13)." in answer.err


def test_a_changed_cell_of_another_column_is_named_by_its_row(shoal, table, tmp_path):
    release = changed(table, tmp_path / "r.csv", 6, ",1", ",0")
    answer = shoal("verify", table, release, "-k", 2, "--qi", "zip", "--qi", "sex")
    assert answer.status == 1
    assert "'ill' is in both tables and no quasi-identifier, and 1 cell of it differs (at released row 6)." in answer.err


def policy(tmp_path: Path, *settings: str) -> Path:
    path = tmp_path / "policy.toml"
    roles = [f'[columns.{name}]\nrole = "quasi-identifier"' for name in ("zip", "sex")]
    path.write_text("\n".join(["k = 2", *settings, *roles, '[columns.ill]\nrole = "sensitive"']) + "\n")
    return path


def without_a_row(table: Path, to: Path, line: int = 4) -> Path:
    lines = table.read_text().splitlines()
    del lines[line]
    to.write_text("\n".join(lines) + "\n")
    return to


def test_a_policy_that_withholds_nothing_lets_no_row_be_lacking(shoal, table, tmp_path):
    release = without_a_row(table, tmp_path / "r.csv")
    asked = ("verify", table, release, "--policy", policy(tmp_path))
    answer = shoal(*asked)
    assert answer.status == 1
    assert "1 row of the original is not in the release, and none may be withheld. If more were allowed, say --withheld 1." in answer.err
    assert shoal(*asked, "--withheld", 1).status == 0


def test_a_policy_lets_so_many_rows_be_lacking_as_it_lets_be_withheld(shoal, table, tmp_path):
    release = without_a_row(table, tmp_path / "r.csv")
    assert shoal("verify", table, release, "--policy", policy(tmp_path, "withhold = 0.05")).status == 0
    two = without_a_row(release, tmp_path / "r2.csv", 5)
    answer = shoal("verify", table, two, "--policy", policy(tmp_path, "withhold = 0.05"))
    assert answer.status == 1
    assert "2 rows of the original are not in the release, and only 1 may be withheld." in answer.err
    assert shoal("verify", table, two, "--policy", policy(tmp_path, "deletion = true")).status == 0


def test_without_a_policy_any_number_of_rows_may_be_lacking(shoal, table, tmp_path):
    release = without_a_row(table, tmp_path / "r.csv")
    answer = shoal("verify", table, release, "-k", 2, "--qi", "zip", "--qi", "sex")
    assert answer.status == 0
    assert "1 row of the original is not in the release, of " in answer.out


@pytest.fixture
def odd(table: Path, tmp_path: Path) -> Path:
    """A row that is like no other."""
    path = tmp_path / "odd.csv"
    path.write_text(table.read_text() + "1000,d,0\n")
    return path


@pytest.mark.parametrize("settings", [["withhold = 0.05"], ["deletion = true"], ["keep_order = false", "withhold = 0.05"]])
def test_own_releases_that_lack_rows_pass_by_their_own_policy(shoal, odd, tmp_path, settings):
    asked = policy(tmp_path, *settings)
    assert shoal("anonymize", odd, "-o", tmp_path / "r.csv", "--policy", asked).status == 0
    assert len((tmp_path / "r.csv").read_text().splitlines()) == 25
    assert shoal("verify", odd, tmp_path / "r.csv", "--policy", asked).status == 0


@pytest.mark.parametrize("edition", ["--report", "--owner-report"])
@pytest.mark.parametrize("form", [(), ("--form", "bounds"), ("--spreadsheet-safe",)], ids=lambda form: "".join(form[-1:]) or "labels")
def test_the_commands_that_a_report_prints_work_on_its_release(shoal, odd, tmp_path, edition, form, monkeypatch):
    """The withheld row was allowed by a flag, and the policy that the report prints says so too. The release is called by its own name."""
    monkeypatch.chdir(tmp_path)
    Path("out").mkdir()
    flags = ("-k", 2, "--qi", "zip,sex", "--sensitive", "ill", "--withhold", 0.05, "--shuffle", *form)
    assert shoal("anonymize", odd.name, "-o", "out/May table.csv", edition, "report.md", *flags).status == 0
    report = Path("report.md").read_text()
    assert "sha256sum 'May table.csv'" in report
    assert "out/" not in report
    Path("shoal.toml").write_text(report.partition("```toml\n")[2].partition("```")[0])
    Path("out/May table.csv").rename("May table.csv")
    commands = [shlex.split(line)[1:] for line in report.splitlines() if line.startswith("shoal ")]
    assert [words[0] for words in commands] == ["anonymize", *(["assess"] if not form else []), "verify"]
    for words in commands[1:]:
        answer = shoal(*words)
        assert answer.status == 0, answer.err
    assert "1 row of the original is not in the release" in answer.out


def test_a_report_of_a_release_that_is_in_no_file_names_none(shoal, odd, tmp_path):
    made = library.anonymize(odd, k=2, quasi_identifiers=["zip", "sex"], sensitive=["ill"], withhold=0.05)
    made.report(tmp_path / "report.md")
    assert "sha256sum RELEASE\n" in (tmp_path / "report.md").read_text()
    assert "RELEASE is the release file." in (tmp_path / "report.md").read_text()


@pytest.mark.parametrize("engine", [(), ("--engine", "sqlite")], ids=["memory", "sqlite"])
def test_a_report_of_a_table_in_a_database_says_how_to_check_a_table(shoal, odd, tmp_path, engine, monkeypatch):
    """A table has no bytes for sha256sum, and its name is no file. Whoever puts the two addresses in has commands that work."""
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect("p.db")) as database, database:
        database.execute("CREATE TABLE people (zip, sex, ill)")
        database.executemany("INSERT INTO people VALUES (?, ?, ?)", [line.split(",") for line in odd.read_text().splitlines()[1:]])
    to = ("sqlite:///p.db?table=people", "sqlite:///r.db?table=released")
    flags = ("-k", 2, "--qi", "zip,sex", "--sensitive", "ill", "--withhold", 0.05, *engine, "--report", "report.md", "--manifest", "m.json")
    assert shoal("anonymize", to[0], "-o", to[1], *flags).status == 0
    report = Path("report.md").read_text()
    assert "sha256sum" not in report
    assert json.loads(Path("m.json").read_text())["release_sha256"] in report
    Path("shoal.toml").write_text(report.partition("```toml\n")[2].partition("```")[0])
    lines = [line.replace("ORIGINAL", to[0]).replace("RELEASE", to[1]) for line in report.splitlines() if line.startswith("shoal ")]
    assert [shlex.split(line)[1] for line in lines] == ["anonymize", "assess", "verify"]
    for line in lines:
        answer = shoal(*shlex.split(line)[1:], *(["--force"] if "anonymize" in line else []))
        assert answer.status == 0, answer.err


def test_own_releases_of_people_pass_by_their_own_policy(shoal, tmp_path):
    table = tmp_path / "visits.csv"
    rows = [f"p{i // 2},{z},{s},{i % 2}" for i, (z, s) in enumerate(KINDS * 3)] + ["p99,1000,d,0"]
    table.write_text("who,zip,sex,ill\n" + "\n".join(rows) + "\n")
    asked = policy(tmp_path, "withhold = 0.05", 'person = "who"')
    assert shoal("anonymize", table, "-o", tmp_path / "r.csv", "--policy", asked).status == 0
    answer = shoal("verify", table, tmp_path / "r.csv", "--policy", asked)
    assert answer.status == 0
    assert "Not in the release" not in answer.out


def test_columns_that_the_release_does_not_have_are_named(shoal, table, tmp_path):
    release = tmp_path / "r.csv"
    release.write_text("".join(line.rpartition(",")[0] + "\n" for line in table.read_text().splitlines()))
    answer = shoal("verify", table, release, "-k", 2, "--qi", "zip", "--qi", "sex")
    assert answer.status == 0
    assert "Not in the release, and not named as dropped: ill." in answer.out


def test_an_empty_cell_for_a_mark_of_missing_values_is_explained(shoal, tmp_path):
    """A release made with --missing-value shows empty cells; whoever verifies it without is told which option to give."""
    rows = ["8001,m,a", "8001,m,k.A.", "8056,w,a", "8056,w,b", "k.A.,m,a", "k.A.,m,b", "-99,w,a", "-99,w,b"]
    (tmp_path / "o.csv").write_text("zip,sex,ill\n" + "\n".join(rows) + "\n")
    marks = ("--missing-value", "k.A.", "--missing-value", "-99")
    flags = ("-k", 2, "--qi", "zip", "--qi", "sex")
    assert shoal("anonymize", tmp_path / "o.csv", "-o", tmp_path / "r.csv", *flags, "--sensitive", "ill", *marks).status == 0
    answer = shoal("verify", tmp_path / "o.csv", tmp_path / "r.csv", *flags)
    assert answer.status == 1
    assert "--missing-value -99 --missing-value k.A." in answer.err
    assert "--hierarchies or --policy" in answer.err
    assert "--sensitive ill --missing-value k.A." in answer.err
    assert shoal("verify", tmp_path / "o.csv", tmp_path / "r.csv", *flags, "--sensitive", "ill", *marks).status == 0


def test_a_printed_policy_without_its_list_of_values_stops_instead_of_making_another_release(shoal, table, tmp_path, monkeypatch):
    """The list is not published. With it, saved where the report says, the commands give what they promise."""
    monkeypatch.chdir(tmp_path)
    levels = '[["m", "man", "*"], ["w", "woman", "*"]]'
    Path("own.toml").write_text(
        f'k = 4\n[columns.zip]\nrole = "quasi-identifier"\n[columns.sex]\nrole = "quasi-identifier"\nhierarchy = {{ levels = {levels} }}\n'
        '[columns.ill]\nrole = "sensitive"\n'
    )
    assert shoal("anonymize", table.name, "-o", "r.csv", "--policy", "own.toml", "--report", "report.md").status == 0
    report = Path("report.md").read_text()
    Path("shoal.toml").write_text(report.partition("```toml\n")[2].partition("```")[0])
    for command in (("verify", table.name, "r.csv"), ("anonymize", table.name, "-o", "again.csv")):
        answer = shoal(*command, "--policy", "shoal.toml")
        assert answer.status == 2
        assert "sex.csv" in answer.err
    assert "save the list there" in report
    Path("sex.csv").write_text("m;man;*\nw;woman;*\n")
    assert shoal("verify", table.name, "r.csv", "--policy", "shoal.toml").status == 0
    assert shoal("anonymize", table.name, "-o", "again.csv", "--policy", "shoal.toml").status == 0
    assert Path("again.csv").read_bytes() == Path("r.csv").read_bytes()


CLUSTERED = ("--method", "cellular", "-r", "3", "--qi", "age")


@pytest.mark.parametrize(
    "flag",
    [("--reordered",), ("--withheld", 1), ("--deletion",), ("--suppressed", "NA"), ("--spreadsheet-safe",), ("--form", "bounds"), ("--measure", "lm"),
     ("--missing", "suppress"), ("--person", "note")],
)  # fmt: skip
def test_flags_about_releases_are_refused_for_clusters(shoal, people, tmp_path, flag):
    """0.2.0 took them and looked at none."""
    assert shoal("cluster", people, "-o", tmp_path / "c.csv", *CLUSTERED).status == 0
    answer = shoal("verify", people, tmp_path / "c.csv", *CLUSTERED, *flag)
    assert answer.status == 2
    assert f"{flag[0]} does not go with --method" in answer.err


@pytest.mark.parametrize(
    "flag", [("-r", 3), ("--max-clusters", 2), ("--outliers", 0.1), ("--centers", "any"), ("--setup-cost", 1), ("--metric", "m.toml")]
)
def test_flags_about_clusters_are_refused_for_releases(shoal, people, flag):
    answer = shoal("verify", people, people, "-k", 2, "--qi", "age", *flag)
    assert answer.status == 2
    assert f"{flag[0]} is about a table of clusters" in answer.err


def test_one_least_size_of_clusters_is_given(shoal, people, tmp_path):
    assert shoal("cluster", people, "-o", tmp_path / "c.csv", *CLUSTERED).status == 0
    assert shoal("verify", people, tmp_path / "c.csv", *CLUSTERED, "-k", 3).status == 0
    assert "give one of them" in shoal("verify", people, tmp_path / "c.csv", *CLUSTERED, "-k", 5).err


def with_years(tmp_path: Path) -> Path:
    """60 ages and what follows from them: a year of birth in the file, and a number of its own in each row."""
    path = tmp_path / "people.csv"
    rows = [(20 + 7 * i % 60, "mw"[i % 2], 1000 + 37 * i % 641) for i in range(240)]
    path.write_text("age,sex,born,cost\n" + "".join(f"{age},{sex},{2026 - age},{cost}\n" for age, sex, cost in rows))
    return path


def test_a_column_that_gives_hidden_values_back_is_said_first_and_gives_status_4(shoal, tmp_path):
    """A year of birth passed as 'Anonymous'. The run warns of it, verify refuses it, and whoever wants it there names it."""
    table, release = with_years(tmp_path), tmp_path / "r.csv"
    asked = ("-k", 6, "--qi", "age,sex")
    made = shoal("anonymize", table, "-o", release, *asked)
    assert made.out.splitlines()[0] == "6-anonymous in age, sex. Released as they are: born, cost."
    assert "'born' and 'age'" in made.out or "'born' tells what 'age' hides." in made.out
    answer = shoal("verify", table, release, *asked)
    assert answer.status == 4
    first, second, *_ = answer.out.splitlines()
    assert first.startswith("TELLS: column 'born' gives back 'age' in 100 % of the rows where it is hidden.")
    assert "--keep born" in first
    assert second == "6-anonymous in age, sex. Released as they are: born, cost."
    named = shoal("verify", table, release, *asked, "--keep", "born")
    assert named.status == 0
    assert named.out.startswith("6-anonymous in age, sex.")
    assert "NAMED, AND TELLS: column 'born' gives back 'age'" in named.out
    told = json.loads(shoal("verify", table, release, *asked, "--json").out)
    assert (told["status"], [hint["column"] for hint in told["tells"]], told["k"]) == (4, ["born"], 6)


def test_a_column_that_the_original_lacks_gives_status_4_unless_it_is_named(shoal, table, tmp_path):
    release = tmp_path / "r.csv"
    lines = table.read_text().splitlines()
    release.write_text("\n".join([lines[0] + ",no", *(f"{line},{i * 7 % 5}" for i, line in enumerate(lines[1:]))]) + "\n")
    asked = ("verify", table, release, "-k", 2, "--qi", "zip,sex")
    answer = shoal(*asked)
    assert answer.status == 4
    first, second, *_ = answer.out.splitlines()
    assert first.startswith("NOT LOOKED AT: column 'no' is not in the original, so there is nothing to compare it with.")
    assert second == "2-anonymous in zip, sex. Released as they are: ill. Not in the original: no."
    assert json.loads(shoal(*asked, "--json").out)["not_looked_at"] == ["no"]
    named = shoal(*asked, "--keep", "no")
    assert named.status == 0
    assert named.out.splitlines()[0] == "2-anonymous in zip, sex. Released as they are: ill. Not in the original, and named: no."


def test_of_many_columns_the_first_are_named_and_the_others_counted(shoal, tmp_path):
    table = tmp_path / "wide.csv"
    names = [f"c{i}" for i in range(58)]
    table.write_text("age," + ",".join(names) + "\n" + "".join("30," + ",".join("x" * 58) + "\n" for _ in range(4)))
    asked = ("-k", 4, "--qi", "age")
    first = shoal("verify", table, table, *asked).out.splitlines()[0]
    assert first == "4-anonymous in age. Released as they are: c0, c1, c2, c3, c4, c5 and 52 more."
    assert len(json.loads(shoal("verify", table, table, *asked, "--json").out)["not_protected"]) == 58
