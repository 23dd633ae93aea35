"""P12: an outsider's connections lock nobody out. The figure of 2,000 and 200 is played in the benchmark; here a share, with a smaller gate."""

import socket
import time

import pytest

from shoal.protocol.transport import gate as gates
from shoal.protocol.transport.client import MinerLink
from shoal.protocol.transport.gate import Gate, Guest
from tests.protocol.processes import SHOAL, Cast, free_port, shoal, wait_for
from tests.protocol.stalling import Stalling, longest_wait
from tests.protocol.test_processes import SCHEMA

SMALL = """
import sys
from shoal.protocol.transport import gate
gate.MOST, gate.EACH = 40, 24
gate.HANDSHAKE_SECONDS = gate.HEADER_SECONDS = gate.IDLE_SECONDS = 1.5
gate.BODY_SECONDS = 3.0
gate.open_files = lambda: 1000
gate.Gate.__init__.__defaults__ = (40, 24)
from shoal.cli.main import run
sys.exit(run())
"""
WEAK = """
import sys, uvicorn
from shoal.protocol.transport import web
web.Server.startup = uvicorn.Server.startup
from uvicorn.protocols.http.h11_impl import H11Protocol
web.Guarded = H11Protocol
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
from shoal.cli.main import run
sys.exit(run())
"""
"""0.1.0: no gate; few open files stand for the many connections that fill many."""


@pytest.fixture
def miner(tmp_path):
    """A miner's directory, and a way to serve it with a program of the test's own."""
    (tmp_path / "schema.toml").write_text(SCHEMA)
    arguments = ["--protocol", "extraction", "--open", "-k", 3, "--schema", tmp_path / "schema.toml"]
    shoal("miner", "init", tmp_path / "miner", *arguments, "--url", f"https://127.0.0.1:{free_port()}")
    cast = Cast(tmp_path)

    def serve(program):
        cast.commands["miner"] = [*SHOAL[:2], program, "miner", "serve", str(tmp_path / "miner")]
        cast.restart("miner")
        wait_for(lambda: "Miner of" in (tmp_path / "miner.err").read_text())
        return cast.session

    yield serve
    cast.stop()


def ask(session, patience=1.0):
    """An honest customer's first request, on a connection of her own."""
    link = MinerLink(session, patience=patience)
    try:
        return link.view("status")
    finally:
        link.connection.close()


def test_idle_connections_and_half_sent_requests_lock_nobody_out(miner):
    """P12: they push each other out; who asks in full is answered at once, from the same address too."""
    session = miner(SMALL)
    outsider = Stalling(session.miner)
    try:
        for hold in (outsider.idle, outsider.half_headers, outsider.half_bodies):
            hold(60)
            worst, n = longest_wait(lambda: ask(session, patience=20), 1.0)
            assert n >= 1
            assert worst < 15, "seconds on a loaded machine; who is locked out waits for more than 20"
        assert outsider.alive() <= 24
        wait_for(lambda: outsider.alive() == 0)  # nobody is kept longer than the limits
        assert ask(session)["phase"] == "join"
    finally:
        outsider.close()


def test_without_a_gate_they_do(miner):
    """P12, won: against the rule of 0.1.0 the same outsider locks everybody out."""
    session = miner(WEAK)
    assert ask(session)["phase"] == "join"
    outsider = Stalling(session.miner)
    try:
        outsider.idle(100)
        time.sleep(0.5)
        with pytest.raises(Exception, match="cannot be reached"):
            ask(session, patience=2)
    finally:
        outsider.close()


def test_a_connection_that_lasts_is_used_again(miner):
    """Honest customers who stay connected are pushed out too, and notice nothing: the next request connects again."""
    session = miner(SMALL)
    link = MinerLink(session, patience=20)
    link.view("status")
    outsider = Stalling(session.miner)
    try:
        outsider.idle(80)
        assert link.view("status")["phase"] == "join"
    finally:
        outsider.close()
        link.connection.close()


def guests(gate, addresses):
    made = []
    for address in addresses:
        left, right = socket.socketpair()
        right.close()
        guest = Guest(address, left)
        assert gate.admit(guest)
        made.append(guest)
    return made


def test_one_address_has_its_share_only():
    gate = Gate(most=10, each=3)
    first = guests(gate, ["a", "a", "a"])
    others = guests(gate, ["b", "c"])
    more = guests(gate, ["a"])
    assert first[0] not in gate.guests, "the one of the same address that waited longest"
    assert {*first[1:], *others, *more} == gate.guests
    for guest in (first[1], first[2], more[0]):
        gate.serve(guest)
    refused = Guest("a", socket.socket())
    assert not gate.admit(refused), "all of this address are being served"
    refused.connection.close()
    gate.wait(first[2], 30)
    guests(gate, ["a"])
    assert first[2] not in gate.guests
    assert gate.count == {"a": 3, "b": 1, "c": 1}
    for guest in list(gate.guests):
        gate.leave(guest)
        gate.leave(guest)
        guest.cut()
    assert not gate.guests
    assert not gate.waiting
    assert not gate.count
    assert not gate.of_address


def test_when_all_is_full_the_longest_wait_ends():
    gate = Gate(most=4, each=3)
    made = guests(gate, ["a", "b", "c", "d", "e"])
    assert made[0] not in gate.guests
    assert len(gate.guests) == 4
    made[1].since -= 1000
    gate.sweep()
    assert made[1] not in gate.guests


def test_half_sent_bodies_have_a_share_of_the_memory(monkeypatch):
    monkeypatch.setattr(gates, "HALF_BYTES", 1000)
    gate = Gate(most=10, each=10)
    a, b, c = guests(gate, ["a", "b", "c"])
    gate.read(b, 600)
    gate.read(c, 600)
    assert gate.guests == {a, c}
    assert gate.half == 600
    gate.serve(c)
    assert gate.half == 0
