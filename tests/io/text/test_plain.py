"""Texts that are read where they lie."""

from __future__ import annotations

import gzip
import io
import stat
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from shoal.errors import WriteError
from shoal.io.text.plain import plain_text


def test_plain_utf_8_is_left_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"\xef\xbb\xbfa\n1\n")
    found = plain_text(path, lambda: pytest.fail("no folder is needed"))
    assert found.path == path
    assert found.open()[found.start :] == b"a\n1\n"


@pytest.mark.parametrize("given", ["latin-1", "utf-16"])
def test_what_is_unpacked_can_be_read_by_its_owner_only(given: str, tmp_path: Path) -> None:
    folder = tmp_path / "private"
    folder.mkdir(mode=0o700)
    (tmp_path / "t.csv").write_bytes("a\nä\n".encode(given))
    found = plain_text(tmp_path / "t.csv", lambda: folder)
    assert found.path.parent == folder
    assert stat.S_IMODE(found.path.stat().st_mode) == 0o600
    assert bytes(found.open()[:]) == "a\nä\n".encode()


def test_standard_input_is_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"a\n1\n")))
    assert bytes(plain_text("-", lambda: tmp_path).open()[:]) == b"a\n1\n"


def test_a_full_disk_is_not_called_an_input_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"a\n1\n"))
    monkeypatch.setattr("os.write", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(WriteError, match=r"disk is full.*TMPDIR"):
        plain_text(tmp_path / "t.csv.gz", lambda: tmp_path)
