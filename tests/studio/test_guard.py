"""The locks: who may not talk to the studio, and what every answer forbids."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shoal.studio import guard
from shoal.studio.app import edition, make_app
from shoal.studio.desk import Desk
from shoal.studio.locks import Locks
from tests.studio.conftest import Tab, Visitor

OURS = "http://127.0.0.1:4000"


def test_nobody_gets_in_without_a_link(stranger: Visitor):
    home = stranger.locks.home
    stranger.locks.fresh_link()
    for address in (
        "",
        "/",
        "/columns",
        "/?token=",
        "/?token=wrong",
        "/static/studio.js",
        "/runs/1/release.csv",
        "/nowhere",
    ):
        for path in (f"{OURS}{home}{address}", f"{OURS}{address}", f"{OURS}/{'x' * 22}{address}"):
            answer = stranger.client.get(path)
            assert answer.status_code == 401, path
            assert "set-cookie" not in answer.headers


def test_a_link_is_exchanged_for_a_cookie_that_no_script_and_no_other_site_port_or_path_gets(stranger: Visitor):
    link = stranger.locks.fresh_link()
    token = link.split("token=")[1]
    answer = stranger.client.get(link)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert f'content="0;url={stranger.locks.home}/"' in answer.text, "the token does not stay in the address"
    assert token not in answer.text
    name, _, rest = answer.headers["set-cookie"].partition("=")
    assert name == "shoal-4000"
    said = {part.strip().lower() for part in rest.split(";")[1:]}
    assert said == {"httponly", "samesite=strict", f"path={stranger.locks.home}".lower()}, (
        "neither Domain nor an age: for this host, until the browser is closed"
    )
    assert token not in rest
    assert stranger.client.get("/").status_code == 200


def test_a_link_lets_one_browser_in_once(stranger: Visitor):
    link = stranger.locks.fresh_link()
    assert stranger.client.get(link).status_code == 200
    assert stranger.client.get(link).status_code == 200, "the browser that is in goes on"
    stranger.client.cookies.clear()
    again = stranger.client.get(link)
    assert again.status_code == 410
    assert "set-cookie" not in again.headers
    assert "This link was used" in again.text
    assert "Press Enter in the terminal" in again.text
    assert stranger.client.get("/").status_code == 401


def test_a_fresh_link_ends_the_one_before_and_no_session(visitor: Visitor):
    first, second = visitor.locks.fresh_link(), visitor.locks.fresh_link()
    other = Tab(visitor.client.app, base_url=OURS + visitor.locks.home, headers={"origin": OURS})
    assert other.get(first).status_code == 410
    assert other.get(second).status_code == 200
    assert other.get("/").status_code == 200
    assert visitor.client.get("/").status_code == 200, "a second browser ends no session"


def test_a_link_opens_the_first_page_only(stranger: Visitor):
    link = stranger.locks.fresh_link()
    query = link.split("?")[1]
    assert stranger.client.get(f"/columns?{query}").status_code == 401
    assert stranger.client.get(f"{OURS}/?{query}").status_code == 401
    assert stranger.client.post(f"/?{query}").status_code == 401
    assert stranger.client.head(f"/?{query}").status_code == 401
    assert stranger.client.get(link, headers={"host": "evil.example:4000"}).status_code == 403
    assert stranger.client.get(link, headers={"origin": "http://evil.example"}).status_code == 403
    assert stranger.client.get(link, headers={"sec-fetch-site": "cross-site"}).status_code == 200, (
        "none of these used it: the private file leads here"
    )


def test_a_cookie_is_good_at_its_own_studio_host_and_path_alone(visitor: Visitor, tmp_path: Path):
    (given,) = visitor.client.cookies.jar
    assert (given.path, given.domain) == (visitor.locks.home, "127.0.0.1")
    cookie = {"cookie": f"{given.name}={given.value}"}
    visitor.client.cookies.clear()
    assert visitor.client.get("/open", headers=cookie).status_code == 200
    here = {**cookie, "host": "localhost:4000", "origin": "http://localhost:4000"}
    assert visitor.client.get("/open", headers=here).status_code == 401, "at another host"
    assert visitor.client.get(f"{OURS}/open", headers=cookie).status_code == 401, "at another path"
    desk = Desk(folder=tmp_path, root=tmp_path)
    other = Locks(4001, home=visitor.locks.home)
    there = Tab(make_app(desk, other), base_url="http://127.0.0.1:4001" + other.home)
    for name in (given.name, other.cookie):
        assert there.get("/open", headers={"cookie": f"{name}={given.value}"}).status_code == 401, "at another studio"


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
@pytest.mark.parametrize(
    ("method", "address"), [("GET", "/"), ("POST", "/columns"), ("POST", "/load/upload"), ("POST", "/close")]
)
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
    addresses = re.findall(r'"/[^"/]+(/static/[^"]+)"', page.text)
    assert len(addresses) == 7
    for address in addresses:
        assert "immutable" in visitor.client.get(address).headers["cache-control"]
        for other in (address.split("?")[0], address[:-1] + ("0" if address[-1] != "0" else "1")):
            assert visitor.client.get(other).headers["cache-control"] == "no-store"
    for address in (
        "/open",
        f"/table?table={visitor.desk.key}",
        f"/curve?table={visitor.desk.key}",
        f"/open?v={edition()}",
    ):
        assert visitor.client.get(address, headers={"x-panes": "1"}).headers["cache-control"] == "no-store"


def test_a_form_of_absurd_size_is_cut_off(visitor: Visitor, monkeypatch):
    visitor.load("people.csv", b"age,job\n30,a\n31,b\n" * 2)
    monkeypatch.setattr(guard, "LARGEST_FORM", 1000)
    assert visitor.client.post("/columns", data={"role-0": "x" * 2000}).status_code == 413
    pieces = (b"x" * 600 for _ in range(3))
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert visitor.client.post("/runs", content=pieces, headers=headers).status_code == 413, (
        "without a length that says so"
    )
    assert "<strong>long.csv</strong>" in visitor.load("long.csv", b"age,job\n" + b"30,a\n" * 1000), (
        "a table may be larger"
    )
