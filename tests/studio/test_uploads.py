"""Files that were sent stay in the private folder."""

from __future__ import annotations

from pathlib import Path

from shoal.studio.uploads import safe_name
from tests.studio.conftest import Visitor
from tests.studio.people import people


def test_a_form_without_a_file_is_refused(visitor: Visitor):
    assert visitor.client.post("/load/upload", data={"file": "x"}).status_code == 400
    assert (
        visitor.client.post(
            "/load/upload", content=b"???", headers={"content-type": "multipart/form-data; boundary=x"}
        ).status_code
        == 400
    )
    assert (
        visitor.client.post(
            "/load/upload", content=b"--x\r\n", headers={"content-type": "multipart/form-data"}
        ).status_code
        == 400
    )


def test_a_name_never_leaves_the_private_folder():
    for name in ("../../x.csv", "/etc/passwd", "..\\..\\x.csv", "..", ".", "", "\x00\n", "con|<>.csv", "a" * 500):
        safe = safe_name(name)
        assert safe
        assert "/" not in safe
        assert "\\" not in safe
        assert safe not in (".", "..")
        assert len(safe) <= 120


def test_an_upload_named_like_a_path_stays_inside(visitor: Visitor, tmp_path: Path):
    assert "<strong>people.csv</strong>" in visitor.load("../../people.csv", people())
    assert not (tmp_path.parent / "people.csv").exists()
