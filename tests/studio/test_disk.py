"""Files picked from the disk: inside the folder, and left there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.studio.conftest import Visitor
from tests.studio.people import people

MARKER = "ZebraMarker77"


@pytest.mark.parametrize(
    "path", ["../secret.csv", "/etc/passwd", "link.csv", "..", "folder/../../secret.csv", "nowhere.csv", "a\x00b", ""]
)
def test_a_path_outside_is_refused(visitor: Visitor, tmp_path: Path, path: str):
    (tmp_path / "secret.csv").write_text(f"a\n{MARKER}\n")
    (visitor.desk.root / "folder").mkdir()
    (visitor.desk.root / "link.csv").symlink_to(tmp_path / "secret.csv")
    answer = visitor.client.post("/load/disk", data={"path": path})
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert visitor.desk.loading is None


@pytest.mark.parametrize("folder", ["..", "/", "/etc", "folder/../..", "link", "nowhere"])
def test_a_folder_outside_is_not_listed(visitor: Visitor, tmp_path: Path, folder: str):
    (tmp_path / "secret.csv").write_text("a\n")
    (visitor.desk.root / "link").symlink_to(tmp_path)
    answer = visitor.client.get("/open", params={"folder": folder})
    assert answer.status_code == 400
    assert "secret.csv" not in answer.text


def test_a_table_is_picked_from_the_disk_and_left_there(visitor: Visitor):
    (visitor.desk.root / "people.csv").write_bytes(people())
    assert "people.csv" in visitor.client.get("/").text
    visitor.client.post("/load/disk", data={"path": "people.csv"})
    assert "60 rows" in visitor.wait("/")
    assert (visitor.desk.root / "people.csv").exists()
