"""An outsider's connections lock nobody out.

The figure of 2,000 and 200 is played in the benchmark; here a share, with a smaller gate.
"""

import re
import socket
import time

import pytest

from shoal.protocol.transport import gate as gates
from shoal.protocol.transport.client import MinerLink
from shoal.protocol.transport.gate import Gate, Guest
from tests.ports import free_port
from tests.protocol.processes import SHOAL, Cast, shoal, wait_for
from tests.protocol.stalling import Stalling
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
PATIENT = re.sub(r"= (1\.5|3\.0)$", "= gate.UNREAD_SECONDS = 900", SMALL, flags=re.MULTILINE)
"""Nobody leaves because of the time: who comes in has pushed somebody out."""
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
def miner(tmp_path, request):
    """A miner's directory, and a way to serve it with a program of the test's own."""
    (tmp_path / "schema.toml").write_text(getattr(request, "param", SCHEMA))
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


def ask(session, patience=100.0):
    """An honest customer's first request, on a connection of her own."""
    link = MinerLink(session, patience=patience)
    try:
        return link.view("status")
    finally:
        link.connection.close()


def test_idle_connections_and_half_sent_requests_lock_nobody_out(miner):
    """They push each other out; who asks in full is answered, from the same address too."""
    session = miner(PATIENT)
    outsider = Stalling(session.miner)
    try:
        for hold in (outsider.idle, outsider.half_headers, outsider.half_bodies):
            hold(60)
            assert ask(session)["phase"] == "join"
            assert 1 <= outsider.alive() <= 24
    finally:
        outsider.close()


def test_nobody_is_kept_longer_than_the_limits(miner):
    session = miner(SMALL)
    outsider = Stalling(session.miner)
    try:
        for hold in (outsider.idle, outsider.half_headers, outsider.half_bodies):
            hold(10)
        wait_for(lambda: outsider.alive() == 0)
        assert ask(session)["phase"] == "join"
    finally:
        outsider.close()


def test_without_a_gate_they_do(miner):
    """Won: against the rule of 0.1.0 the same outsider locks everybody out."""
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
    link = MinerLink(session, patience=100)
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


DEAF = SMALL.replace("from shoal.cli.main", "gate.Guest.watch = lambda self, now: None\nfrom shoal.cli.main")
"""Nobody looks whether answers are read."""
LARGE = (
    SCHEMA
    + '\n[[columns]]\nname = "place"\nrole = "quasi-identifier"\nvalues = ['
    + ", ".join(f'"{n:07d}"' for n in range(20_000))
    + "]\n"
)
"""A session file that does not go out at once if nobody reads it."""


@pytest.mark.parametrize("miner", [LARGE], indirect=True)
@pytest.mark.parametrize(("program", "locked_out"), [(PATIENT, False), (DEAF, True)])
def test_answers_that_nobody_reads_lock_nobody_out(miner, program, locked_out):
    """Who asks in full and reads nothing keeps the server waiting as well; she makes room like others."""
    session = miner(program)
    outsider = Stalling(session.miner)
    try:
        outsider.unread(30)
        time.sleep(3)
        if locked_out:
            with pytest.raises(Exception, match="cannot be reached"):
                ask(session, patience=3)
        else:
            assert ask(session)["phase"] == "join"
    finally:
        outsider.close()


class Pipe:
    """A transport with so many bytes that have not gone out."""

    def __init__(self, size):
        self.size = size

    def get_write_buffer_size(self):
        return self.size

    def abort(self):
        self.size = 0


def test_who_reads_slowly_is_not_stuck():
    gate = Gate(most=3, each=2)
    slow, deaf, other = guests(gate, ["a", "a", "b"])
    for guest in (slow, deaf):
        guest.transport = Pipe(1000)
        gate.serve(guest)
    gate.serve(other)
    gate.sweep()
    slow.transport.size = 900
    gate.sweep()
    assert list(gate.stuck()) == list(gate.stuck("a")) == [deaf]
    assert not gate.stuck("b")
    (new,) = guests(gate, ["a"])
    assert gate.guests == {slow, other, new}
    slow.stuck = time.monotonic() - gates.UNREAD_SECONDS - 1
    slow.transport.size = 900
    gate.sweep()
    assert slow not in gate.guests
