"""Writing in stretches gives the file that writing whole gives."""

from __future__ import annotations

import datetime as dt
import hashlib
import stat
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from shoal.disk.atomic import _UMASK
from shoal.errors import NotAnonymous, WriteError
from shoal.io import open_target, read, write_for_owner
from shoal.io.source import file_sha256
from shoal.io.targets.files import FileTarget

FRAME = pl.DataFrame(
    {
        "=name": ['a"b', "=1+1", None, "", "x\ny"],
        "n": [1, 2, None, 4, 5],
        "f": [0.5, -0.0, float("nan"), None, 1e20],
        "day": [dt.date(2024, 1, 31)] * 5,
        "c": pl.Series(["u", "v", "u", None, "v"], dtype=pl.Categorical),
    }
)


def streamed(path: Path, frame: pl.DataFrame, stretch: int, **how: Any) -> str | None:
    with open_target(path, **how) as target:
        target.write(frame.iter_slices(stretch))
        assert not path.exists(), "before it is published"
        target.publish(told := target.sha256())
    return told


@pytest.mark.parametrize("stretch", [1, 2, 100])
@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.csv.gz"])
def test_texts_are_the_same_bytes(name: str, stretch: int, tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    expected = write_for_owner(FRAME, tmp_path / "whole" / name)
    told = streamed(tmp_path / name, FRAME, stretch)
    assert told == hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == file_sha256(tmp_path / name)
    assert told == expected
    assert read(tmp_path / name).frame.equals(read(tmp_path / "whole" / name).frame)


def test_cells_are_made_safe_for_spreadsheets(tmp_path: Path) -> None:
    streamed(tmp_path / "t.csv", FRAME, 2, spreadsheet_safe=True)
    text = (tmp_path / "t.csv").read_text()
    assert text.startswith("'=name")
    assert "'=1+1" in text


def test_cells_without_a_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="cannot be written as text"):
        streamed(tmp_path / "t.csv", pl.DataFrame({"l": [[1]]}), 1)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_was_changed_since_is_not_published(tmp_path: Path) -> None:
    with open_target(tmp_path / "t.csv") as target:
        target.write(iter([FRAME]))
        assert isinstance(target, FileTarget)
        target.path.write_bytes(b"a\n1\n")
        with pytest.raises(NotAnonymous, match="changed since"):
            target.publish(target.sha256())
    assert list(tmp_path.iterdir()) == [], "nothing is left"


def test_until_it_is_published_only_its_owner_can_read_it(tmp_path: Path) -> None:
    for private, mode in ((False, 0o666 & ~_UMASK), (True, 0o600)):
        place = tmp_path / f"{private}.csv"
        with open_target(place, private=private) as target:
            target.write(iter([FRAME]))
            assert isinstance(target, FileTarget)
            assert stat.S_IMODE(target.path.stat().st_mode) == 0o600
            target.publish(None)
        assert stat.S_IMODE(place.stat().st_mode) == mode
