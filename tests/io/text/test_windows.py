"""Text files that are read a window at a time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from shoal.errors import DataError
from shoal.io.sources import text as module
from shoal.io.sources.text import TextSource
from shoal.io.text import windows
from shoal.io.text.windows import FileText


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "WINDOW", 64)
    monkeypatch.setattr(module, "ROWS", 3)


@pytest.mark.parametrize("left", [0, 3, 40, 400])
@pytest.mark.usefixtures("small")
def test_a_file_that_is_cut_short_while_it_is_read_is_an_error_in_words(left: int, tmp_path: Path) -> None:
    """A mapped file would end the process by SIGBUS."""
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 5000)
    stretches = TextSource(path).stretches()
    next(stretches)
    os.truncate(path, left)
    with pytest.raises(DataError, match="was changed while it was read"):
        list(stretches)


@pytest.mark.usefixtures("small")
def test_a_file_that_grows_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" + b"1,2\n" * 500)
    stretches = TextSource(path).stretches()
    next(stretches)
    with path.open("ab") as file:
        file.write(b"3,4\n")
    with pytest.raises(DataError, match="was changed while it was read"):
        list(stretches)


@pytest.mark.parametrize(
    ("text", "said"), [(b'3,"4' + b"x\n" * 900, "line 4: a quoted cell begins here"), (b"3," + b"x" * 900, "line 4: a row is longer")]
)
@pytest.mark.usefixtures("small")
def test_a_quote_that_never_ends_does_not_take_the_whole_file_into_memory(
    text: bytes, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(windows, "ENOUGH", 128)
    monkeypatch.setattr(windows, "LONGEST", 256)
    (tmp_path / "t.csv").write_bytes(b"a,b\n1,2\n2,3\n" + text)
    with pytest.raises(DataError, match=said):
        list(TextSource(tmp_path / "t.csv").stretches())


@pytest.mark.usefixtures("small")
def test_long_rows_come_in_shorter_stretches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where later rows are longer than the first ones, fewer of them are in memory at once."""
    monkeypatch.setattr(windows, "ENOUGH", 256)
    monkeypatch.setattr(module, "ROWS", 1000)
    (tmp_path / "t.csv").write_bytes(b"a,b\n" + b"1,2\n" * 1000 + (b"3," + b"x" * 100 + b"\n") * 50)
    heights = [stretch.frame.height for stretch in TextSource(tmp_path / "t.csv").stretches()]
    assert sum(heights) == 1050
    assert max(heights[len(heights) // 2 :]) <= 10


def test_bytes_are_found_across_the_pieces_that_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "PIECE", 4)
    data = b"abcdefgh" * 3 + b"XYZ" + b"abc"
    (tmp_path / "t").write_bytes(data)
    text = FileText(tmp_path / "t")
    for what in (b"XYZ", b"a", b"habc", b"nowhere", b"c"):
        for start in (0, 1, 5, 20, 24, 29, 40):
            assert text.find(what, start) == data.find(what, start)
    assert text[2:9] == data[2:9]
    assert text.head() == data
