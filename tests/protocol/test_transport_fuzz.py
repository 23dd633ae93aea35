"""Mutated requests at the three servers' doors: always a status, never 500, nothing changes, and the next honest
request is answered.
"""

import asyncio
import json
import random
import socket
import ssl
from urllib.parse import urlsplit

import httpx
import pytest

from shoal.protocol.messages import Message, public_bytes, text_of
from shoal.protocol.star.evaluator import Evaluator
from shoal.protocol.transport import miner_server, randomness_server, registrar_server
from shoal.protocol.transport.engine import Engine
from tests.protocol.registry import MINER_KEY, countersigner, in_memory, token_key
from tests.protocol.rehearsal import Room
from tests.protocol.star_fuzz import mutated
from tests.protocol.test_protocols import rows_of, session_of
from tests.protocol.transport.test_gate import SMALL, ask, miner  # noqa: F401

REFUSALS = {400, 403, 404, 405, 409, 410, 413, 422}


def bent(rng, request):
    """A request's body with something changed: in the JSON, in its bytes, or altogether."""
    kind = rng.random()
    if kind < 0.7:
        return json.dumps(mutated(rng, request)).encode()
    data = bytearray(json.dumps(request).encode())
    for _ in range(rng.randrange(1, 6)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data[: rng.randrange(len(data))]) if kind > 0.9 else bytes(data)


async def bombard(app, path, requests, rng, n):
    """Send mutations of right requests; the statuses that came back."""
    seen = set()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="https://server") as http:
        for _ in range(n):
            answer = await http.post(path, content=bent(rng, rng.choice(requests)))
            seen.add(answer.status_code)
            assert "text" in answer.json() or answer.status_code == 200
    return seen


def join_of(room, customer):
    """The signed message with which a customer joins."""
    sent = []
    customer.link = type("Tap", (), {"post": lambda self, m: sent.append(m) or room.post(m)})()
    customer.join()
    return vars(sent[0])


def test_the_miners_door(tmp_path):
    session, rng = session_of("star"), random.Random(1)
    room = Room(session)
    customers = [room.customer(row) for row in rows_of([("30", "07028")] * 3)]
    joins = [join_of(room, c) for c in customers]
    engine = Engine(session, MINER_KEY, tmp_path / "log.sqlite")
    asked = vars(Message(session.digest, 1, "ask", "round-0", {}).signed(customers[0].sign_key))
    for path, requests in (("/v1/messages", joins), ("/v1/ask", [asked])):
        seen = asyncio.run(bombard(miner_server.application(engine), path, requests, rng, 400))
        assert seen <= REFUSALS | {200}, "a mutation outside of what is signed may leave a right join"
    taken = engine.view("status")["customers"]
    assert taken <= 3
    for join in joins:
        engine.post(Message(**join)).result(timeout=30)
    assert engine.view("status")["customers"] == 3, "the honest customers enter all the same"
    engine.close()


def test_the_registrars_door():
    session, rng = session_of("star"), random.Random(2)
    ledger, heads = in_memory(), countersigner(session)
    codes = ["first", "second"]
    ledger.add([registrar_server.code_name(c, use) for c in codes for use in registrar_server.USES])
    keys = {use: token_key(use) for use in registrar_server.USES}
    app = registrar_server.application(ledger, keys, heads)
    token = {"code": "first", "use": "join", "blinded": text_of(bytes([1]) * 256)}
    head = vars(Message(session.digest, 0, "head", "round-0", {"seq": 1, "digest": "ab" * 32}).signed(MINER_KEY))
    for path, request in (("/v1/token", token), ("/v1/head", head)):
        seen = asyncio.run(bombard(app, path, [request], rng, 400))
        assert seen <= REFUSALS | {200}
    assert ledger.count()[0] == 4, "no invitation was invented"
    assert ledger.count()[1] <= 2, "at most this one was spent, for its two uses"


def test_the_randomness_servers_door():
    session, rng = session_of("star"), random.Random(3)
    room = Room(session)
    evaluator = Evaluator(session, 7, in_memory())
    customer = room.customer(rows_of([("30", "07028")])[0])
    public, element = public_bytes(customer.sign_key), room.group.generate(9)
    request = {
        "session": session.digest,
        "key": text_of(public),
        "token": customer.secrets.randomness_token,
        "slot": 0,
        "blinded": text_of(element),
        "signature": text_of(customer.sign_key.sign(session.bind("evaluate", 0, public, element))),
    }
    seen = asyncio.run(bombard(randomness_server.application(evaluator), "/v1/evaluate", [request], rng, 400))
    assert seen <= REFUSALS | {200}
    assert evaluator.open == 0
    assert evaluator.answers.count()[0] <= 1, "nothing but her own request was answered"
    assert evaluator.evaluate(request)["evaluated"]


HTTP = b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\n{}\n"


@pytest.mark.parametrize("encrypted", [True, False])
def test_bytes_that_are_no_request(miner, encrypted):  # noqa: F811
    """Random bytes and broken HTTP, inside and outside of TLS: each connection ends, and the server goes on."""
    session, rng = miner(SMALL), random.Random(4)
    parts = urlsplit(session.miner.url)
    context = ssl.create_default_context(cadata=session.miner.certificate)
    for n in range(60):
        data = bytearray(HTTP)
        for _ in range(rng.randrange(1, 20)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        if n % 3 == 0:
            data = bytearray(rng.randbytes(200))
        plain = socket.create_connection((parts.hostname, parts.port), timeout=10)
        with context.wrap_socket(plain, server_hostname="127.0.0.1") if encrypted else plain as wire:
            wire.sendall(data)
    assert ask(session)["phase"] == "join"
