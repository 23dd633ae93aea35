"""What is written, where, in which order and with which delimiter; and what is never replaced."""

from __future__ import annotations

import json
import os
from pathlib import Path

import polars as pl
import pytest

from shoal.cli.outputs import check_outputs
from shoal.errors import WriteError

QI = ("--qi", "age", "--qi", "zip", "--qi", "job")
OUTPUTS = ("--manifest", "--report", "--owner-report", "--record", "--proof")


@pytest.mark.parametrize("flag", ["-o", *OUTPUTS])
def test_a_file_that_exists_is_not_replaced_without_force(shoal, people, tmp_path, flag):
    """An output file that existed was replaced without a word."""
    old = tmp_path / ("old.html" if "report" in flag else "old.csv")
    old.write_text("mine")
    out = ("-o", old) if flag == "-o" else ("-o", tmp_path / "out.csv", flag, old)
    answer = shoal("anonymize", people, *out, "-k", 3, *QI)
    assert answer.status == 2
    assert "--force" in answer.err
    assert old.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir() if path not in (old, people)] == [], "nothing at all was written"
    assert shoal("anonymize", people, *out, "-k", 3, *QI, "--force").status == 0
    assert old.read_bytes() != b"mine"


@pytest.mark.parametrize(
    "command",
    [
        ("assess", "{input}", "--qi", "age", "--report", "{old}"),
        ("explore", "{input}", "--qi", "age", "-k", "2", "--quiet", "--report", "{old}"),
        ("cluster", "{input}", "-o", "{old}", "-r", "3", "--qi", "age"),
        ("cluster", "{input}", "-o", "{new}", "-r", "3", "--qi", "age", "--members", "{old}"),
        ("cluster", "{input}", "-o", "{new}", "-r", "3", "--qi", "age", "--owner-report", "{old}"),
        ("cluster", "{input}", "-o", "{new}", "-r", "3", "--qi", "age", "--manifest", "{old}"),
        ("cluster", "{input}", "-o", "{new}", "-r", "3", "--qi", "age", "--record", "{old}"),
    ],
)
def test_every_command_asks_before_it_replaces(shoal, people, tmp_path, command):
    """All commands that write."""
    old = tmp_path / "old.csv"
    old.write_text("mine")
    arguments = [part.format(input=people, old=old, new=tmp_path / "new.csv") for part in command]
    assert shoal(*arguments).status == 2
    assert old.read_text() == "mine"
    assert not (tmp_path / "new.csv").exists()
    assert shoal(*arguments, "--force").status == 0
    assert old.read_bytes() != b"mine"


def test_python_asks_too(people, tmp_path):
    """``force=True`` in Python."""
    import shoal

    release = shoal.anonymize(people, k=3, quasi_identifiers=["age", "zip"], algorithm="mondrian")
    for write, name in ((release.write, "r.csv"), (release.report, "r.html"), (release.owner_report, "o.html"), (release.proof, "p")):
        write(tmp_path / name)
        with pytest.raises(shoal.ShoalError, match="force=True"):
            write(tmp_path / name)
        write(tmp_path / name, force=True)


def test_a_file_that_comes_while_we_write_stays(tmp_path, monkeypatch):
    """Between looking and writing."""
    from shoal.disk.atomic import writing
    from shoal.errors import WriteError

    path = tmp_path / "r.csv"

    def meanwhile() -> None:
        with writing(path, force=False) as file:
            file.write(b"ours")
            path.write_text("theirs")

    with pytest.raises(WriteError, match="exists already"):
        meanwhile()
    assert path.read_text() == "theirs"
    assert os.listdir(tmp_path) == ["r.csv"]


def test_owners_files_are_private_from_their_first_moment(shoal, people, tmp_path, monkeypatch):
    """The owner's editions: mode 0600, also where an older file was readable by all."""
    old = tmp_path / "record.json"
    old.write_text("{}")
    old.chmod(0o644)
    files = {"--owner-report": tmp_path / "o.html", "--record": old, "--proof": tmp_path / "p"}
    flags = [part for flag, path in files.items() for part in (flag, path)]
    assert shoal("anonymize", people, "-o", tmp_path / "r.csv", "-k", 3, *QI, *flags, "--force").status == 0
    for path in files.values():
        assert path.stat().st_mode & 0o777 == 0o600, path


def test_the_summary_says_which_file_is_whose(shoal, people, tmp_path):
    flags = ("--manifest", tmp_path / "m.json", "--record", tmp_path / "r.json")
    answer = shoal("anonymize", people, "-o", tmp_path / "out.csv", "-k", 3, *QI, *flags)
    said = " ".join(answer.out.split())
    assert f"to publish {tmp_path / 'out.csv'}, {tmp_path / 'm.json'}" in said
    assert f"KEEP {tmp_path / 'r.json'} tells more than the release" in said


def test_rows_are_written_in_an_order_that_tells_nothing(shoal, people, tmp_path):
    """The input's order went out; the order of the rows now depends on the rows alone."""
    backwards = tmp_path / "backwards.csv"
    pl.read_csv(people, infer_schema=False).reverse().write_csv(backwards)
    made = []
    for i, table in enumerate((people, backwards)):
        out = tmp_path / f"{i}.csv"
        assert shoal("anonymize", table, "-o", out, "-k", 3, *QI, "--shuffle", "--algorithm", "mondrian").status == 0
        made.append(pl.read_csv(out, infer_schema=False))
    assert shoal("verify", people, tmp_path / "0.csv", "-k", 3, *QI, "--shuffle").status == 0, "right after, with the same flags"
    for frame in made:
        assert frame.rows() == sorted(frame.rows(), key=lambda row: [(cell is None, cell or "") for cell in row])


def test_rows_keep_their_order_and_their_cells_on_demand(shoal, people, tmp_path):
    out = tmp_path / "out.csv"
    assert shoal("anonymize", people, "-o", out, "-k", 3, *QI, "--keep-order").status == 0
    before, after = (pl.read_csv(path, infer_schema=False) for path in (people, out))
    assert after["note"].to_list() == before["note"].to_list()


def test_sorted_rows_stay_whole(people, tmp_path):
    """Untouched columns stay beside their row."""
    import shoal

    table = pl.read_csv(people, infer_schema=False).with_row_index("id")
    release = shoal.anonymize(table, k=3, quasi_identifiers=["age", "zip", "job"], keep=["id"], algorithm="mondrian", keep_order=False)
    release.write(tmp_path / "r.csv")
    written = pl.read_csv(tmp_path / "r.csv", infer_schema=False).sort(pl.col("id").cast(int))
    for name in ("ill", "note"):
        assert written[name].to_list() == table[name].to_list()
    assert release.table["id"].to_list() == table["id"].to_list(), "in memory the owner has her own order"
    release.write(tmp_path / "kept.csv", keep_order=True)
    assert pl.read_csv(tmp_path / "kept.csv")["id"].to_list() == table["id"].to_list()


@pytest.mark.parametrize(("mark", "ending"), [(";", "csv"), ("\t", "csv"), ("|", "txt"), (",", "csv")])
def test_the_inputs_delimiter_is_the_outputs(shoal, people, tmp_path, mark, ending):
    """Semicolons in, commas out; a European spreadsheet no longer opened the release."""
    table, out = tmp_path / f"t.{ending}", tmp_path / f"o.{ending}"
    pl.read_csv(people, infer_schema=False).write_csv(table, separator=mark)
    manifest = tmp_path / "m.json"
    assert shoal("anonymize", table, "-o", out, "-k", 3, *QI, "--manifest", manifest).status == 0
    assert out.read_text().splitlines()[0] == mark.join(["age", "zip", "job", "ill", "note"])
    assert shoal("anonymize", table, "-o", out, "-k", 3, *QI, "--output-delimiter", ",", "--force").status == 0
    assert out.read_text().splitlines()[0] == "age,zip,job,ill,note"


def test_the_hash_speaks_of_the_file_whatever_its_delimiter(people, tmp_path):
    import hashlib

    import shoal

    table = tmp_path / "t.csv"
    pl.read_csv(people, infer_schema=False).write_csv(table, separator=";")
    release = shoal.anonymize(table, k=3, quasi_identifiers=["age"], algorithm="mondrian")
    told = release.manifest["release_sha256"]
    release.write(tmp_path / "o.csv")
    assert told == hashlib.sha256((tmp_path / "o.csv").read_bytes()).hexdigest() == release.manifest["release_sha256"]


def test_the_figures_are_rounded_so_that_they_stay_true(tmp_path):
    """Losses up, bounds down, four digits; what follows from them follows from the rounded ones."""
    import shoal
    from tests.report.conftest import people as many

    release = shoal.anonymize(many(600), k=4, quasi_identifiers=["age", "height", "zip"], algorithm="mondrian")
    told, exact = release.manifest, release.record
    assert told["loss"] >= exact["loss"] > told["loss"] * (1 - 1e-3)
    assert told["lower_bound"] <= exact["lower_bound"] < told["lower_bound"] * (1 + 1e-3)
    assert told["ratio"] == pytest.approx(told["loss"] / told["lower_bound"], rel=1e-3)
    assert told["ratio"] >= exact["ratio"]
    for name, value in told["measures"].items():
        if name not in ("discernibility", "average-class-size"):
            assert value["total"] >= exact["measures"][name]["total"]
            assert len(f"{value['total']:g}".replace(".", "").strip("0")) <= 4
    assert json.loads(json.dumps(told)) == told


def test_python_warns_of_columns_without_a_role(people: Path):
    """Full names went out from Python, and neither a warning nor repr nor the notebook's view said so."""
    import shoal

    with pytest.warns(shoal.ShoalWarning, match="UNPROTECTED: job, ill, note: released as they are"):
        release = shoal.anonymize(people, k=3, quasi_identifiers=["age", "zip"], algorithm="mondrian")
    assert "UNPROTECTED: job, ill, note" in repr(release)
    assert "Not protected: job, ill, note." in release._repr_html_()


def test_nothing_is_said_where_every_column_has_a_role(people: Path, recwarn):
    import shoal

    release = shoal.anonymize(
        people,
        k=3,
        quasi_identifiers=["age", "zip", "job"],
        sensitive=["ill"],
        identifiers=["note"],
        algorithm="mondrian",
        keep_order=False,
    )
    assert not [w for w in recwarn if issubclass(w.category, shoal.ShoalWarning)]
    assert "UNPROTECTED" not in repr(release)
    assert "Not protected" not in release._repr_html_()


def test_verify_follows_the_policys_order(shoal, people, tmp_path):
    """A policy that asks for sorted rows makes verify expect them."""
    policy = tmp_path / "p.toml"
    policy.write_text('k = 3\nkeep_order = false\n[columns.age]\nrole = "quasi-identifier"\n[columns.zip]\nrole = "quasi-identifier"\n')
    assert shoal("anonymize", people, "-o", tmp_path / "r.csv", "--policy", policy).status == 0
    assert shoal("verify", people, tmp_path / "r.csv", "--policy", policy).status == 0


def test_the_summary_says_that_the_order_is_the_inputs(shoal, people, tmp_path):
    """The order is not changed silently, and the summary says that it was kept."""
    kept = shoal("anonymize", people, "-o", tmp_path / "a.csv", "-k", 3, *QI)
    assert "--shuffle" in kept.out
    moved = shoal("anonymize", people, "-o", tmp_path / "b.csv", "-k", 3, *QI, "--shuffle")
    assert "--shuffle" not in moved.out


@pytest.mark.parametrize("fails", ["--report", "--owner-report", "--record"])
def test_a_failure_leaves_everything_as_it_was(shoal, people, tmp_path, monkeypatch, fails):
    """With --force, files that were replaced before the failure come back: a new release beside an old manifest belongs to nothing."""
    import shoal.cli.outputs as outputs

    names = {"-o": "r.csv", "--manifest": "m.json", "--report": "p.html", "--owner-report": "o.html", "--record": "e.json"}
    for name in names.values():
        (tmp_path / name).write_text("mine")
    real = outputs.write_together

    def breaking(*files):
        wanted = str(tmp_path / names[fails])

        def broken(path: str) -> None:
            raise OSError(28, "No space left on device")

        return real(*((path, broken if path is not None and str(path) == wanted else write) for path, write in files))

    monkeypatch.setattr(outputs, "write_together", breaking)
    flags = [part for flag, name in names.items() for part in (flag, tmp_path / name)]
    assert shoal("anonymize", people, *flags, "-k", 3, *QI, "--force").status != 0
    assert {path.name: path.read_text() for path in tmp_path.iterdir() if path != people} == dict.fromkeys(names.values(), "mine")


@pytest.mark.parametrize("flag", ["-o", "--record"])
def test_nothing_that_is_read_is_overwritten(shoal, people, tmp_path, flag):
    """'shoal never overwrites what it reads': neither the input, nor a policy, nor a hierarchy, even with --force."""
    folder = tmp_path / "levels"
    folder.mkdir()
    named = tmp_path / "job.csv"
    jobs = sorted(set(pl.read_csv(people, infer_schema=False)["job"].drop_nulls()))
    for place in (folder / "job.csv", named):
        place.write_text("".join(f"{job},*\n" for job in jobs))
    policy = tmp_path / "policy.csv"
    policy.write_text('[columns.job]\nrole = "quasi-identifier"\nhierarchy = "job.csv"\n')
    for read, more in (
        (people, ()),
        (policy, ("--policy", policy)),
        (named, ("--policy", policy)),
        (folder / "job.csv", ("--hierarchies", folder)),
    ):
        before = read.read_bytes()
        out = ("-o", read) if flag == "-o" else ("-o", tmp_path / "out.csv", flag, read)
        answer = shoal("anonymize", people, *out, "-k", 3, "--qi", "age", "--qi", "job", *more, "--force")
        assert answer.status == 2, read
        assert "never overwrites what it reads" in answer.err
        assert read.read_bytes() == before
        assert not (tmp_path / "out.csv").exists()


def test_an_engine_that_writes_a_folder_says_itself_whether_an_old_one_may_go(tmp_path):
    """With --force Spark replaces the folder of an old release; the command refused it before Spark was asked."""
    (tmp_path / "release").mkdir()
    source, output, manifest = (str(tmp_path / name) for name in ("people.parquet", "release", "release"))
    check_outputs(source, output, is_folder=True, force=True)
    with pytest.raises(WriteError, match="is a folder"):
        check_outputs(source, output, force=True)
    with pytest.raises(WriteError, match="is a folder"):
        check_outputs(source, str(tmp_path / "other"), manifest, is_folder=True, force=True)
