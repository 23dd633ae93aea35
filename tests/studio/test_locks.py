"""Links that open a session once, and the sessions that they opened."""

from __future__ import annotations

import threading
import time

import pytest

from shoal.studio import locks
from shoal.studio.locks import Locks
from tests.studio.conftest import Visitor


def test_of_many_who_come_at_once_by_a_link_one_gets_in():
    locks = Locks(4000)
    token = locks.fresh_link().split("token=")[1]
    gate, found = threading.Barrier(8), []

    def come() -> None:
        gate.wait()
        found.append(locks.enter(token, "127.0.0.1:4000"))

    threads = [threading.Thread(target=come) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(given is not None for given in found) == 1


def test_a_session_of_which_nothing_is_heard_ends(visitor: Visitor, monkeypatch: pytest.MonkeyPatch):
    now = time.monotonic()
    monkeypatch.setattr("time.monotonic", lambda: now + locks.IDLE - 60)
    assert visitor.client.get("/").status_code == 200
    monkeypatch.setattr("time.monotonic", lambda: now + 2 * locks.IDLE - 120)
    assert visitor.client.get("/").status_code == 200, "it was heard since"
    monkeypatch.setattr("time.monotonic", lambda: now + 3 * locks.IDLE)
    assert visitor.client.get("/").status_code == 401


def test_places_and_links_are_not_guessed():
    """22 and 43 characters of 6 bits each, drawn afresh."""
    many = [Locks(4000) for _ in range(100)]
    links = {made.fresh_link() for made in many}
    assert len(links) == len({made.home for made in many}) == 100
    assert all(len(made.home) == 23 for made in many)
    assert all(len(link.split("token=")[1]) == 43 for link in links)
