"""What a run says at its end."""

from __future__ import annotations

from pathlib import Path


def test_the_summary_tells_what_reading_assumed(shoal, tmp_path: Path):
    path = tmp_path / "old.csv"
    path.write_bytes(b"age,town\n" + b"".join(f"{i % 7},K\xf6ln\n".encode("latin-1") for i in range(40)))
    answer = shoal("anonymize", path, "-o", tmp_path / "out.csv", "-k", "4", "--qi", "age")
    assert answer.status == 0
    assert "note" in answer.out
