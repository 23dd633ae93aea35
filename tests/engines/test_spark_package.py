"""The archive for workers has all that solving a part needs, and nothing that says who packed it."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from shoal.cli.main import run
from shoal.engines.spark_package import needed, package
from shoal.engines.spark_session import archived
from shoal.errors import DataError, WriteError

SOLVED = """
import sys
sys.path.insert(0, sys.argv[1])
import shoal
from shoal.kernels import _native
assert shoal.__file__.startswith(sys.argv[1]), shoal.__file__
print(len(shoal.anonymize({"a": list("xxyyzz")} and __import__("polars").DataFrame({"a": list("xxyyzz")}), k=2, quasi_identifiers=["a"]).frame))
"""


def test_shoal_alone_is_small_and_has_its_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "env.tar.gz"
    assert run(["spark", "package", "-o", str(path), "--alone"]) == 0
    assert "spark.archives" in capsys.readouterr().out
    with tarfile.open(path) as archive:
        entries = archive.getmembers()
    names = [entry.name for entry in entries]
    assert "shoal/engines/spark_parts.py" in names
    assert any(name.startswith("shoal/kernels/_native") and name.endswith(".so") for name in names)
    assert not [name for name in names if "__pycache__" in name or name.startswith("/") or ".." in name]
    assert {(entry.uid, entry.uname) for entry in entries} == {(0, "")}
    with pytest.raises(WriteError, match="exists already"):
        package(str(path), alone=True)
    with pytest.raises(DataError, match=r"\.tar\.gz"):
        package(str(tmp_path / "env.zip"))


def test_all_that_is_needed_is_known() -> None:
    assert {"numpy", "polars", "scipy", "highspy", "cffi", "pyarrow"} <= set(needed())
    assert "pytest" not in needed()


@pytest.mark.slow
def test_a_worker_without_any_library_solves_from_the_archive(tmp_path: Path) -> None:
    package(str(tmp_path / "env.tar.gz"))
    with tarfile.open(tmp_path / "env.tar.gz") as archive:
        archive.extractall(tmp_path / "env", filter="data")
    done = subprocess.run([sys.executable, "-S", "-c", SOLVED, str(tmp_path / "env")], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.strip() == "6", done.stderr


def test_a_session_is_told_where_the_archive_is(tmp_path: Path) -> None:
    assert archived(None) == {}
    with pytest.raises(DataError, match="shoal spark package"):
        archived(str(tmp_path / "absent.tar.gz"))
    (tmp_path / "env.tar.gz").write_bytes(b"")
    assert archived(str(tmp_path / "env.tar.gz"))["spark.archives"].endswith("env.tar.gz#shoal-env")
