"""What people and files do wrong: refused or shown harmlessly, where the user looks."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import random

import pytest

from tests.studio.conftest import Visitor
from tests.studio.people import people

MARKER = "ZebraMarker77"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("picture.csv", b"\x89PNG\r\n\x1a\n\x00\x00" * 20),
        ("empty.csv", b""),
        ("header.csv", b"age,zip\n"),
        ("broken.parquet", b"PAR1 not really PAR1"),
        ("broken.csv.gz", b"\x1f\x8b broken"),
        ("program.exe", b"MZ\x90"),
        ("ragged.csv", f"a,b\n1,2\n{MARKER},3,4\n".encode()),
    ],
)
def test_a_file_that_is_not_a_table_is_refused_and_removed(visitor: Visitor, name: str, content: bytes):
    visitor.load(name, content)
    page = visitor.client.get("/").text
    assert 'role="alert"' in page
    assert MARKER not in page
    assert str(visitor.desk.folder) not in page
    assert list(visitor.desk.folder.iterdir()) == [], "what could not be read is gone"


@pytest.mark.parametrize("name", ["../server.py", "..%2fserver.py", "%2e%2e/desk.py", "nothing.js", "/etc/passwd"])
def test_only_the_studios_own_files_are_served(visitor: Visitor, name: str):
    assert visitor.client.get(f"/static/{name}").status_code == 404
    assert visitor.client.get(f"/tables/{visitor.desk.key}/runs/1/none/{name}").status_code in (404, 409)


def test_columns_named_with_markup_or_a_formula_are_harmless(visitor: Visitor):
    names = ["<script>alert(1)</script>", "=cmd|' /C calc'!A0", '"><img src=x onerror=alert(1)>', "{{ 7*7 }}"]
    header = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    pages = [visitor.load("bad.csv", people(header=header))]
    roles = {
        f"role-{i}": role
        for i, role in enumerate(["quasi-identifier", "quasi-identifier", "quasi-identifier", "sensitive"])
    }
    visitor.client.post("/columns", data=roles)
    pages += [visitor.client.get("/").text]
    visitor.client.post("/answers", data={"key": visitor.desk.questions()[0].key, "answer": "insensitive"})
    pages += [
        visitor.wait("/risk"),
        visitor.client.get("/hierarchies/0").text,
        visitor.client.get("/?column=0").text,
        visitor.run(),
    ]
    pages += [visitor.run(k="6"), visitor.client.get("/compare").text, visitor.file(1, "report.html").text]
    for page in pages:
        assert "<script>alert" not in page
        assert "<img" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in pages[0]
    assert "{{ 7*7 }}" in pages[0], "shown as it is, not computed"
    released = csv.reader(io.StringIO(visitor.file(1, "release.csv").text))
    assert next(released) == names
    again = visitor.file(1, "policy.toml").text
    assert "<script>" in again, "the policy has the name as it is"


def test_three_hundred_columns_can_be_given_roles(visitor: Visitor):
    n = 300
    draw = random.Random(1)
    rows = [",".join(str(draw.randint(0, 9)) for _ in range(n)) for _ in range(50)]
    page = visitor.load("wide.csv", "\n".join([",".join(f"c{i}" for i in range(n)), *rows, ""]).encode())
    assert page.count('name="role"') == n
    answer = visitor.client.post("/columns", data={f"role-{i}": "quasi-identifier" for i in range(n)})
    assert answer.status_code == 200
    page = visitor.wait("/risk")
    assert "not all were looked at" in page


def test_a_column_of_a_million_values_is_not_arranged_by_hand(visitor: Visitor):
    n = 1_000_000
    content = "id,age\n" + "\n".join(f"person-{i},{i % 90}" for i in range(n))
    page = visitor.load("long.csv", content.encode())
    assert "1,000,000 rows" in page
    assert "person-49<" in page, "the first page of rows"
    assert "person-50<" not in page, "and no more"
    visitor.give_roles(age="quasi-identifier", id="quasi-identifier")
    page = visitor.client.get("/hierarchies/0").text
    assert "too many values to arrange by hand" in page
    assert "person-7" not in page
    assert visitor.client.post("/hierarchies/0/tree", json={"change": "look"}).status_code == 400


def test_what_is_published_shows_no_rare_value_and_hidden_cells_are_on_no_page(visitor: Visitor):
    content = people().decode().replace("20,81000,nurse,flu", f"97,{MARKER}1,{MARKER}2,{MARKER}3", 1)
    assert MARKER in visitor.load("people.csv", content.encode())
    visitor.client.post("/cells", data={"hide": "yes"})
    pages = [visitor.client.get("/?column=1").text]
    roles = {"age": "quasi-identifier", "zip": "quasi-identifier", "job": "quasi-identifier", "ill": "sensitive"}
    pages += [visitor.give_roles(**roles), visitor.client.get("/").text, visitor.run(k="4", withhold="10")]
    pages += [visitor.run(k="5"), visitor.client.get("/compare").text]
    pages += [visitor.client.get(f"/?view={view}").text for view in ("before", "after", "both")]
    pages += [visitor.client.get(f"/rows/{row}?table={visitor.desk.key}").text for row in range(60)]
    pages += [visitor.file(1, name).text for name in ("report.html", "report.md", "report.json", "manifest.json")]
    assert "Download the results" in pages[3]
    assert not [page for page in pages if MARKER in page]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"k": "1"}, "at least 2"),
        ({"k": "many"}, "whole number"),
        ({"k": ""}, ""),
        ({"withhold": "150"}, "between 0 and 1"),
        ({"measure": "<b>"}, "no measure"),
        ({"algorithm": "magic"}, "no algorithm"),
        ({"require distinct-l-diversity": "2"}, "sensitive column"),
        ({"require distinct-l-diversity": "much"}, "distinct-l-diversity=L"),
        ({"require t-closeness": "far"}, "t-closeness=T"),
        ({"stop_at_ratio": "-5"}, "at least 1"),
        ({"time_limit": "-1"}, "positive"),
        ({"seed": "-1"}, "negative"),
    ],
)
def test_settings_that_make_no_sense_are_refused(visitor: Visitor, settings: dict[str, str], words: str):
    visitor.load("people.csv", people())
    visitor.give_roles(job="quasi-identifier")
    answer = visitor.client.post("/runs", data={"k": "5", "algorithm": "mondrian", **settings})
    assert ('role="alert"' in answer.text) == bool(words)
    assert words in answer.text


def test_what_nobody_expected_is_told_without_details(visitor: Visitor, monkeypatch):
    visitor.load("people.csv", people())

    def fail(*_: object) -> None:
        raise RuntimeError(MARKER)

    monkeypatch.setattr(visitor.desk, "risk", fail)
    visitor.desk.give_roles({"job": "quasi-identifier"})
    answer = visitor.client.get("/risk")
    assert answer.status_code == 500
    assert "RuntimeError" in answer.text
    assert MARKER not in answer.text


def test_pages_answer_before_a_table_is_loaded(visitor: Visitor):
    for address in ("/", "/open", "/risk", "/close", "/compare"):
        assert visitor.client.get(address).status_code == 200
    assert visitor.client.get("/runs/1").status_code == 409
    assert visitor.client.get("/hierarchies/0").status_code == 404


def test_a_spreadsheet_gets_no_formula(visitor: Visitor):
    content = b"age,note\n" + b"".join(f"{30 + i % 3},=cmd{i}\n".encode() for i in range(30))
    visitor.load("formulas.csv", content)
    visitor.give_roles(age="quasi-identifier")
    visitor.run()
    plain = visitor.file(1, "release.csv").text
    safe = visitor.file(1, "release.csv?safe=1").text
    assert ",=cmd" in plain
    assert ",=cmd" not in safe
    assert ",'=cmd" in safe
    manifest = visitor.file(1, "manifest.json")
    assert json.loads(manifest.text)["release_sha256"] == hashlib.sha256(plain.encode()).hexdigest()
