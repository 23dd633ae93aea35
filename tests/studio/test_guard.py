"""The locks: who may not talk to the studio, and what every answer forbids."""

from __future__ import annotations

import re

import pytest

from shoal.studio import guard
from shoal.studio.app import edition
from tests.studio.conftest import Visitor

OURS = "http://127.0.0.1:4000"


def test_nobody_gets_in_without_the_token(stranger: Visitor):
    for address in ("/", "/columns", "/?token=", "/?token=wrong", "/static/studio.js", "/runs/1/release.csv", "/nowhere"):
        answer = stranger.client.get(address)
        assert answer.status_code == 401, address
        assert "set-cookie" not in answer.headers


def test_the_token_is_exchanged_for_a_cookie_that_no_script_and_no_other_site_gets(stranger: Visitor):
    answer = stranger.client.get(f"/?token={stranger.locks.token}", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/", "the token does not stay in the address"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert stranger.locks.token.lower() not in cookie
    assert stranger.client.get("/").status_code == 200


def test_the_token_opens_the_first_page_only(stranger: Visitor):
    assert stranger.client.get(f"/columns?token={stranger.locks.token}").status_code == 401
    assert stranger.client.post(f"/?token={stranger.locks.token}").status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:4001"},
        {"origin": "http://localhost:4000"},
        {"origin": OURS, "sec-fetch-site": "cross-site"},
        {"origin": OURS, "sec-fetch-site": "same-site"},
        {"origin": OURS, "host": "evil.example"},
        {"origin": OURS, "host": "evil.example:4000"},
        {"origin": OURS, "host": ""},
    ],
)
@pytest.mark.parametrize(("method", "address"), [("GET", "/"), ("POST", "/columns"), ("POST", "/load/upload"), ("POST", "/close")])
def test_a_request_from_elsewhere_is_refused_even_with_the_cookie(visitor: Visitor, headers, method, address):
    assert visitor.client.request(method, address, headers=headers).status_code == 403


def test_a_change_must_say_where_it_comes_from(visitor: Visitor):
    del visitor.client.headers["origin"]
    assert visitor.client.get("/").status_code == 200
    assert visitor.client.post("/columns").status_code == 403


def test_every_answer_forbids_what_pages_do_not_need(visitor: Visitor):
    for address in ("/", "/nowhere", "/static/studio.css", "/status"):
        headers = visitor.client.get(address).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"


def test_a_browser_keeps_styles_and_scripts_of_this_edition_and_nothing_else(visitor: Visitor):
    """What holds a cell is never kept; a style of another edition of the program is asked for again."""
    visitor.load("people.csv", b"age,job\n30,a\n31,b\n" * 2)
    page = visitor.client.get("/")
    assert page.headers["cache-control"] == "no-store"
    addresses = re.findall(r'"(/static/[^"]+)"', page.text)
    assert len(addresses) == 4
    for address in addresses:
        assert "immutable" in visitor.client.get(address).headers["cache-control"]
        for other in (address.split("?")[0], address[:-1] + ("0" if address[-1] != "0" else "1")):
            assert visitor.client.get(other).headers["cache-control"] == "no-store"
    for address in ("/open", f"/table?table={visitor.desk.key}", f"/curve?table={visitor.desk.key}", f"/open?v={edition()}"):
        assert visitor.client.get(address, headers={"x-panes": "1"}).headers["cache-control"] == "no-store"


def test_a_form_of_absurd_size_is_cut_off(visitor: Visitor, monkeypatch):
    visitor.load("people.csv", b"age,job\n30,a\n31,b\n" * 2)
    monkeypatch.setattr(guard, "LARGEST_FORM", 1000)
    assert visitor.client.post("/columns", data={"role-0": "x" * 2000}).status_code == 413
    pieces = (b"x" * 600 for _ in range(3))
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert visitor.client.post("/runs", content=pieces, headers=headers).status_code == 413, "without a length that says so"
    assert "<strong>long.csv</strong>" in visitor.load("long.csv", b"age,job\n" + b"30,a\n" * 1000), "a table may be larger"
