"""The way out for a release: only what was verified, in the order that was asked for, with the hash of the very bytes."""

import builtins
import hashlib
import io
import os

import polars as pl
import pytest

import shoal
from shoal.errors import NotAnonymous
from shoal.io import csv_sha256, release_sha256, write_release, writing
from shoal.io.targets import text

TABLE = pl.DataFrame({"age": ["30", "10", "10", "30"], "ill": ["b", "a", "c", "d"]})


@pytest.fixture
def release():
    return shoal.anonymize(TABLE, k=2, quasi_identifiers=["age"], sensitive=["ill"])


@pytest.mark.parametrize("what", [TABLE, None, "release.csv"])
def test_only_a_release_is_written(tmp_path, what):
    with pytest.raises(NotAnonymous, match="Only a verified Release"):
        write_release(what, tmp_path / "r.csv")
    assert list(tmp_path.iterdir()) == []


def test_the_hash_is_that_of_the_file(tmp_path, release):
    told = write_release(release, tmp_path / "r.csv")
    assert told == hashlib.sha256((tmp_path / "r.csv").read_bytes()).hexdigest() == release_sha256(release)


def watch_reading(monkeypatch, name, read):
    """Note each time that Python opens a file of this name, or of one around it as a file half written has, for reading."""
    opened, low = io.open, os.open

    def high_level(file, mode="r", *rest, **how):
        if ("r" in mode or "+" in mode) and not isinstance(file, int) and name in os.path.basename(file):
            read.append(os.fspath(file))
        return opened(file, mode, *rest, **how)

    def low_level(path, flags, *rest, **how):
        if not flags & os.O_WRONLY and name in os.path.basename(path):
            read.append(os.fspath(path))
        return low(path, flags, *rest, **how)

    for module in (io, builtins):
        monkeypatch.setattr(module, "open", high_level)
    monkeypatch.setattr(os, "open", low_level)


def test_what_watches_reading_sees_it(tmp_path, monkeypatch):
    path, read = tmp_path / "r.csv", []
    path.write_text("a\n")
    with monkeypatch.context() as watched:
        watch_reading(watched, "r.csv", read)
        path.read_bytes()
        with open(path, "rb"):
            pass
        os.close(os.open(path, os.O_RDONLY))
    assert read == [str(path)] * 3


@pytest.mark.parametrize("how", [{}, {"keep_order": False}, {"spreadsheet_safe": True}], ids=str)
def test_a_file_is_rendered_once_and_hashed_on_the_way_out(tmp_path, release, monkeypatch, how):
    """The CSV was rendered twice, and read back for a hash."""
    rendered, as_csv, read = [], [], []
    render, write_csv = text.render, pl.DataFrame.write_csv
    for room in (text, writing):
        monkeypatch.setattr(room, "render", lambda frame: rendered.append(frame.height) or render(frame))
    monkeypatch.setattr(pl.DataFrame, "write_csv", lambda frame, *to, **form: as_csv.append(frame.height) or write_csv(frame, *to, **form))
    with monkeypatch.context() as watched:
        watch_reading(watched, "r.csv", read)
        told = release.write(tmp_path / "r.csv", **how)
        assert release.manifest["release_sha256"] == told
    assert (sum(rendered), sum(as_csv)) == (len(release.groups), len(release.groups)), "each row once, also for the manifest"
    assert read == []
    assert told == hashlib.sha256((tmp_path / "r.csv").read_bytes()).hexdigest()


def test_rows_keep_their_order_or_are_sorted_as_asked(tmp_path, release):
    write_release(release, tmp_path / "sorted.csv", keep_order=False)
    write_release(release, tmp_path / "kept.csv")
    assert (tmp_path / "sorted.csv").read_text() == "age,ill\n10,a\n10,c\n30,b\n30,d\n"
    assert (tmp_path / "kept.csv").read_text() == "age,ill\n30,b\n10,a\n10,c\n30,d\n"


def test_the_delimiter_of_the_original_is_kept(tmp_path):
    (tmp_path / "t.csv").write_text("age;ill\n10;a\n10;b\n")
    release = shoal.anonymize(tmp_path / "t.csv", k=2, quasi_identifiers=["age"], sensitive=["ill"])
    write_release(release, tmp_path / "r.csv")
    assert (tmp_path / "r.csv").read_text() == "age;ill\n10;a\n10;b\n"
    write_release(release, tmp_path / "c.csv", delimiter=",")
    assert (tmp_path / "c.csv").read_text() == "age,ill\n10,a\n10,b\n"


def test_a_table_without_a_form_as_text_has_a_hash_too():
    one, two = (csv_sha256(pl.DataFrame({"a": [[1, n]]})) for n in (2, 3))
    assert one != two
    assert one == csv_sha256(pl.DataFrame({"a": [[1, 2]]}))
