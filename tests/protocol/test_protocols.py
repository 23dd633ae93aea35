"""The three protocols in one process: what opens, what stays closed, who vanishes, what is counted."""

import json
import re
from base64 import b64decode
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.errors import NotAnonymous, PolicyError, ProtocolError
from shoal.protocol import sealing
from shoal.protocol.messages import Message, Rejected, public_bytes, text_of
from shoal.protocol.result import recount
from shoal.protocol.star import messages as star_messages
from shoal.protocol.star.aggregate import aggregate
from shoal.protocol.star.ladder import chain, ladder
from shoal.protocol.suppression.partition import CATALOG as PARTITIONS
from shoal.protocol.suppression.partition import partition
from tests.protocol.rehearsal import Room, make_session, randomness_key, rehearse, run

ZIP = [["07028", "0702*", "*"], ["07029", "0702*", "*"], ["07030", "0703*", "*"]]
COLUMNS = [
    {"name": "age", "role": "quasi-identifier", "values": ["30", "40", "50"]},
    {"name": "zip", "role": "quasi-identifier", "hierarchy": ZIP},
    {"name": "ill", "role": "sensitive"},
]
ages, zips = st.sampled_from(["30", "40", "50"]), st.sampled_from(["07028", "07029", "07030"])
tables = st.lists(st.tuples(ages, zips), min_size=6, max_size=12)
few = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def session_of(protocol, k=3, **more):
    return make_session(protocol, k, COLUMNS, randomness_key=randomness_key(), **more)


def rows_of(cells):
    return [{"age": a, "zip": z, "ill": f"ill {n}"} for n, (a, z) in enumerate(cells)]


@few
@given(tables)
def test_extraction_opens_exactly_the_k_anonymous_part(cells):
    result, room = rehearse(session_of("extraction"), rows_of(cells))
    count = Counter(cells)
    assert sorted(result.rows) == sorted((a, z, f"ill {n}") for n, (a, z) in enumerate(cells) if count[a, z] >= 3)
    assert result.named == {}
    submitted = Counter(m.sender for m in room.messages if m.kind == "submit")
    assert set(submitted.values()) == {1}, "one message a customer"


@few
@given(tables)
def test_star_and_extraction_open_the_same_rows(cells):
    star, _ = rehearse(session_of("star", rounds=1), rows_of(cells))
    extraction, _ = rehearse(session_of("extraction"), rows_of(cells))
    assert star.rows == extraction.rows


@few
@given(tables)
def test_nested_star_releases_all_but_fewer_than_k(cells):
    result, _ = rehearse(session_of("star"), rows_of(cells))
    assert result.n_withheld < 3
    recount(result.rows, 2, 3)
    labels = {"age": {c: {c, "*"} for c in ("30", "40", "50")}, "zip": {r[0]: set(r) for r in ZIP}}
    for age, zip_, ill in result.rows:
        original = cells[int(ill.split()[1])]
        assert age in labels["age"][original[0]]
        assert zip_ in labels["zip"][original[1]]
    exact = Counter(cells)
    for n, c in enumerate(cells):
        if exact[c] >= 3:
            assert (*c, f"ill {n}") in result.rows, "what is common enough is not generalized"


@few
@given(tables)
def test_suppression_gives_a_k_anonymous_table_of_all_rows(cells):
    result, room = rehearse(session_of("suppression", partition="nearest"), rows_of(cells))
    assert len(result.rows) == len(cells)
    for age, zip_, ill in result.rows:
        original = cells[int(ill.split()[1])]
        assert (age, zip_) == tuple(o if r != "*" else "*" for o, r in zip(original, (age, zip_), strict=True))
    d = room.miner.state.distances
    truth = [[sum(x != y for x, y in zip(a, b, strict=True)) for b in cells] for a in cells]
    assert d.tolist() == truth
    starred = {i: row[:2] for row in result.rows for i in [int(row[2].split()[1]) + 1]}
    for group in set(room.miner.state.group_of.values()):
        members = [i for i, g in room.miner.state.group_of.items() if g == group]
        for j in range(2):
            constant = len({cells[i - 1][j] for i in members}) == 1
            assert all((starred[i][j] != "*") == constant for i in members)


@pytest.mark.parametrize(
    "more",
    [
        {"mixers": 3, "decryptors": 5},
        {"rerandomise": True},
        {"decryptors": 4, "tolerate": 1},
        {"group": "safe-prime-2048"},
    ],
)
def test_suppression_with_other_settings(more):
    cells = [("30", "07028")] * 4 + [("40", "07029")] * 3 + [("30", "07030")]
    if "group" in more:
        cells = cells[:5]
    elif "mixers" in more:
        cells += cells[:4]
    result, _ = rehearse(session_of("suppression", **more), rows_of(cells))
    assert len(result.rows) == len(cells)
    recount(result.rows, 2, 3)


@pytest.mark.parametrize(
    ("t", "mixers", "again", "expected"), [(3, 2, False, 7), (3, 2, True, 11), (4, 2, False, 8), (5, 3, False, 17)]
)
def test_suppression_cost_per_item(t, mixers, again, expected):
    """A mixer 2, each of her checkers 2 for doing it again, each decryptor and the closing one 1; with literal
    re-randomisation two more for each who does a step."""
    room = Room(session_of("suppression", decryptors=t, mixers=mixers, rerandomise=again))
    customers = [room.customer(r) for r in rows_of([("30", "07028")] * 6 + [("40", "07029")] * 6)]
    run(room, customers, until="mix")
    before = sum(c.group.powers for c in customers)
    while room.miner.state.open_jobs:
        for customer in customers:
            customer.work()
    # two cells, two exponentiations for each proof
    rows = sum(len(c.helper.rows) for c in customers if c.helper) * 2 * 2
    letters = sum(len(m.body["letters"]) for m in room.messages if m.kind == "mix")
    letters += sum(m.kind == "share" for m in room.messages)
    items = 2 * 12 * 11 // 2
    spent = sum(c.group.powers for c in customers) - before - rows - letters * 6  # a letter: 3 to write, 3 to read
    assert spent == expected * items


def test_extraction_cost_per_row():
    cells = [("30", "07028")] * 9 + [("40", "07029")] * 4
    session = session_of("extraction", k=4)
    room = Room(session)
    run(room, [room.customer(r) for r in rows_of(cells)])
    group = room.miner.board.group
    before = group.powers
    result = room.miner.release()
    assert len(result.rows) == 13
    assert group.powers - before <= 4 * 13


def test_tolerate_raises_the_threshold():
    cells = [("30", "07028")] * 4 + [("40", "07028")] * 5
    result, _ = rehearse(session_of("extraction", tolerate=1), rows_of(cells))
    assert {row[0] for row in result.rows} == {"40"}


# Failures


def test_customers_who_vanish_before_submitting_are_left_out():
    session = session_of("extraction", seconds={"check": 10, "submit": 10})
    room = Room(session)
    customers = [room.customer(r) for r in rows_of([("30", "07028")] * 5)]
    for customer in customers:
        customer.join()
    room.say("close", {"phase": "join"})
    dealers = room.view("status")["dealers"]
    run(room, [c for c in customers if c.index in dealers])
    assert room.view("status")["phase"] == "closed"
    assert len(room.miner.release().rows) == 3


@pytest.mark.parametrize("phase", ["mix", "test"])
def test_helpers_who_vanish_are_replaced(phase):
    room = Room(session_of("suppression", seconds={"lease": 10, "submit": 300}))
    customers = [room.customer(r) for r in rows_of([("30", "07028")] * 4 + [("40", "07029")] * 4)]
    run(room, customers, until=phase)
    gone = []
    for customer in customers * 3:  # two of them take a task and are never seen again
        if customer.ask("task")["task"] != "none" and len(gone) < 2 and customer not in gone:
            gone.append(customer)
    assert gone
    left = [c for c in customers if c not in gone]
    run(room, left)
    assert room.view("status")["phase"] == "closed"
    result = room.miner.release()
    if phase == "mix":
        d = room.miner.state.distances
        assert d[0, 1] == 0
        assert d[0, 7] == 2
    assert all(row[:2] in {("30", "07028"), ("40", "07029")} for row in result.rows)


def test_a_decryptor_who_is_late_makes_the_job_begin_anew():
    """With fresh coins and without her; the shares of the attempt before are for another set and are not used."""
    room = Room(session_of("suppression", seconds={"lease": 10, "submit": 300}))
    customers = [room.customer(r) for r in rows_of([("30", "07028")] * 5 + [("40", "07029")] * 4)]
    run(room, customers, until="mix")
    rules = room.miner.state.rules
    while not any(m.kind == "share" for m in room.messages):
        for c in customers:
            c.work()
            if any(m.kind == "share" for m in room.messages):
                break
    job = next(j for j in rules.jobs.values() if j.shares)
    absent = next(d for d in job.roles.decryptors if d not in job.shares)
    run(room, [c for c in customers if c.index != absent], until="test")
    assert job.attempt >= 1
    assert absent not in job.roles.decryptors
    assert room.miner.state.distances[0].tolist() == [0] * 5 + [2] * 4


def test_star_round_goes_on_without_those_who_vanish():
    room = Room(session_of("star", seconds={"round": 10, "submit": 10}))
    customers = [room.customer(r) for r in rows_of([("30", "07028")] * 2 + [("30", "07029")] * 2 + [("40", "07030")])]
    run(room, customers, until="submit")
    for c in customers:
        c.work()
    run(room, customers[:4])
    result = room.miner.release()
    assert Counter(r[:2] for r in result.rows) == {("30", "0702*"): 4}


def test_too_few_helpers_fail_suppression():
    room = Room(session_of("suppression"))
    customers = [room.customer(r) for r in rows_of([("30", "07028")] * 3)]
    run(room, customers)
    assert room.view("status")["phase"] == "failed"
    assert "5" in room.view("status")["reason"]
    with pytest.raises(PolicyError, match="at least 5"):
        session_of("suppression", customers=3)


def test_too_few_customers_fail_the_session():
    room = Room(session_of("extraction"))
    customer = room.customer(rows_of([("30", "07028")])[0])
    customer.join()
    room.say("close", {"phase": "join"})
    with pytest.raises(ProtocolError, match="1 customers joined, at least 3"):
        customer.work()


# Replays, alterations, malformed messages


def room_in_submit(protocol="extraction"):
    room = Room(session_of(protocol))
    customers = [room.customer(r) for r in rows_of([("30", "07028")] * 5)]
    run(room, customers, until="submit")
    return room, customers


def refusal(call, *arguments):
    with pytest.raises(Rejected) as refused:
        call(*arguments)
    return refused.value.status, refused.value.code


def test_replays_get_the_same_answer_and_count_once():
    room, customers = room_in_submit()
    customers[0].work()
    message = room.messages[-1]
    assert message.kind == "submit"
    assert room.post(message) == {}
    assert room.view("status")["submitted"] == 1
    other = Message(
        message.session, message.sender, "submit", "0", {**message.body, "quasi_identifier": ["40", "07028"]}
    )
    assert refusal(room.post, other.signed(customers[0].sign_key)) == (409, "conflict")
    again = Message(message.session, message.sender, "submit", "1", message.body, message.after)
    assert refusal(room.post, again.signed(customers[0].sign_key)) == (409, "twice")


def test_altered_and_foreign_messages_are_refused():
    room, customers = room_in_submit()
    customers[0].work()
    message = room.messages[-1]
    assert refusal(room.post, replace(message, body={**message.body, "quasi_identifier": ["40", "07028"]})) == (
        403,
        "signature",
    )
    assert refusal(room.post, replace(message, sender=2)) == (403, "signature")
    assert refusal(room.post, replace(message, sender=77)) == (403, "stranger")
    assert refusal(room.post, replace(message, session="00" * 32).signed(customers[0].sign_key)) == (409, "session")
    assert refusal(room.post, replace(message, kind="fly", slot="9").signed(customers[0].sign_key)) == (400, "kind")
    assert refusal(room.post, replace(message, signature="?")) == (400, "malformed")


@pytest.mark.parametrize("share", [bytes(32), b"\xff" * 32, b"", b"\1" * 31])
def test_malformed_points_are_refused(share):
    room, customers = room_in_submit()
    customers[1].work()
    customers[0].follow()
    body = {**room.messages[-1].body, "share": text_of(share)}
    with pytest.raises(ProtocolError):
        customers[0].send("submit", body)
    assert room.view("status")["submitted"] == 1


def test_values_outside_the_schema():
    room, customers = room_in_submit()
    customers[1].work()
    customers[0].follow()
    body = {**room.messages[-1].body, "quasi_identifier": ["31", "07028"]}
    assert refusal(customers[0].send, "submit", body) == (422, "schema")
    with pytest.raises(PolicyError, match="Column 'age'") as refused:
        room.customer({"age": "marker 31", "zip": "07028", "ill": "x"})
    assert "marker" not in str(refused.value)
    with pytest.raises(PolicyError, match="no value"):
        room.customer({"age": "30", "zip": "07028"})
    with pytest.raises(PolicyError, match="no column"):
        room.customer({"age": "30", "zip": "07028", "ill": "x", "more": "y"})
    with pytest.raises(PolicyError, match="longer"):
        room.customer({"age": "30", "zip": "07028", "ill": "x" * 65})


anything = st.recursive(
    st.none() | st.integers() | st.text(max_size=8) | st.booleans(),
    lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(max_size=5), x, max_size=3),
    max_leaves=8,
)


@given(anything)
def test_any_json_is_refused(data):
    with pytest.raises(Rejected):
        Message.decode(json.dumps(data).encode())


bodies = st.dictionaries(
    st.sampled_from(
        [
            "share",
            "proof",
            "sealed",
            "quasi_identifier",
            "cells",
            "tag",
            "order",
            "bodies",
            "hints",
            "letters",
            "letter",
            "dealer",
            "counts",
        ]
    ),
    st.none()
    | st.integers()
    | st.text(max_size=50)
    | st.lists(st.text(max_size=5) | st.integers(), max_size=3)
    | st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
    max_size=6,
)


@pytest.mark.parametrize("protocol", ["extraction", "suppression", "star"])
def test_any_body_is_refused_and_changes_nothing(protocol):
    room, customers = room_in_submit(protocol)
    if protocol != "star":
        customers[0].follow()
    before = room.miner.status()

    @given(
        st.sampled_from(
            [
                "submit",
                "row",
                "tick",
                "head",
                "groups",
                "close",
                "mix",
                "share",
                "counts",
                "final",
                "commit",
                "deal",
                "complain",
                "confirm",
                "join",
            ]
        ),
        bodies,
    )
    @settings(max_examples=60, deadline=None)
    def attempt(kind, body):
        with pytest.raises(ProtocolError):
            customers[0].send(kind, body, "0")

    attempt()
    assert room.miner.status() == before


def test_any_body_is_refused_while_mixing():
    room, customers = room_in_submit("suppression")
    for customer in customers:
        customer.work()
    assert room.view("status")["phase"] == "mix"
    before, job = room.miner.status(), next(iter(room.miner.state.rules.jobs.values()))
    sender = customers[job.awaited[0] - 1]
    sender.follow()
    places = [
        job.name,
        job.place,
        f"{job.place}/0",
        f"{job.place}/0/{'ab' * 32}",
        f"{job.place}/1",
        "chunk-9-9/0",
        f"{job.name}/x/y",
    ]

    @given(
        st.sampled_from(["mix", "order", "share", "counts", "refuse", "final", "row"]), st.sampled_from(places), bodies
    )
    @settings(max_examples=100, deadline=None)
    def attempt(kind, place, body):
        with pytest.raises(ProtocolError):
            sender.send(kind, body, place)

    attempt()
    assert room.miner.status() == before


def test_an_expired_session_takes_nothing():
    room = Room(replace(session_of("extraction"), expires=datetime.fromtimestamp(2000, UTC)))
    with pytest.raises(PolicyError, match="expired"):
        room.customer(rows_of([("30", "07028")])[0])
    key = Ed25519PrivateKey.generate()
    room.now = 3000.0
    body = {"sign_key": text_of(public_bytes(key)), "seal_key": text_of(room.group.generate(3)), "roles": []}
    message = Message(room.session.digest, 0, "join", public_bytes(key).hex(), body).signed(key)
    assert refusal(room.post, message) == (410, "expired")


# STAR


def star_group(n, k, liars=()):
    """A session, a group of n customers with one secret, and their shares."""
    session, secret = session_of("star", k=k), 12345
    tag = star_messages.make_tag(session, session.make_group(), 0, bytes(32), secret).name
    shares = {}
    for i in range(1, n + 1):
        share = star_messages.make_share(session, 0, i, tag, secret, sealing.pad(b"cells %d" % i, 64))
        shares[i] = share._replace(share=share.share + 1) if i in liars else share
    return aggregate(session, 0, {tag: list(shares)}, shares)


def test_star_below_threshold_opens_nothing():
    assert star_group(4, 5).groups == []
    assert len(star_group(5, 5).groups[0]) == 5


@pytest.mark.parametrize("liars", [(1,), (3,), (1, 6), (1, 6, 11)])
def test_star_names_wrong_shares(liars):
    found = star_group(12, 5, liars)
    assert sorted(found.groups[0]) == [i for i in range(1, 13) if i not in liars]
    assert found.named == dict.fromkeys(liars, "sent a wrong share")


@pytest.mark.parametrize(("n", "k", "liars"), [(128, 128, ()), (1000, 1000, ()), (1003, 1000, (7,))])
def test_star_with_a_large_k(n, k, liars):
    """From k = 128 on a customer's submission failed. One liar is found among k + 1 without trying all choices."""
    found = star_group(n, k, liars)
    assert len(found.groups[0]) == n - len(liars)
    assert list(found.named) == list(liars)


def test_star_from_beginning_to_end_with_a_large_k():
    """0.1.0 failed at the first submission of a session with k = 128; here each customer checks 127 others before she
    sends her share.
    """
    result, _ = rehearse(session_of("star", k=128, rounds=1), rows_of([("30", "07028")] * 128 + [("40", "07029")]))
    assert len(result.rows) == 128
    assert result.n_withheld == 1


def test_star_uses_the_key_that_the_session_names():
    room = Room(session_of("star"), oprf_key=8)
    customers = [room.customer(r) for r in rows_of([("30", "07028")] * 3)]
    run(room, customers, until="submit")
    with pytest.raises(ProtocolError, match="key that the session file names"):
        customers[0].work()


def test_star_hides_rare_quasi_identifiers():
    room = Room(session_of("star", rounds=1))
    run(room, [room.customer(r) for r in rows_of([("30", "07028")] * 3 + [("40", "07030")])])
    sent = b" ".join(m.encode() for m in room.messages)
    inside = b" ".join(
        b64decode(part) for part in re.findall(rb"(?:[A-Za-z0-9+/]{4})+={0,2}", sent) if len(part) % 4 == 0
    )
    for cell in (b"07030", b"ill 0", b"ill 3"):
        assert cell not in sent, "a cell in the clear"
        assert cell not in inside, "a cell that is only encoded, not sealed"


def test_ladder_climbs_from_exact_to_stars():
    session = session_of("star")
    rungs = ladder(session)
    assert rungs[0] == (0, 0)
    assert rungs[-1] == (1, 2)
    assert len(rungs) == 6
    assert len(ladder(session_of("star", rounds=4))) == 4
    assert ladder(session_of("star", rounds=1)) == [(0, 0)]
    path = chain(session.quasi_identifiers)
    assert path[0] == (0, 0)
    assert path[-1] == (1, 2)
    assert all(sum(b) - sum(a) == 1 for a, b in pairwise(path))


# Partitions


@pytest.mark.parametrize("name", list(PARTITIONS))
@pytest.mark.parametrize(("n", "k"), [(3, 3), (7, 3), (40, 5), (11, 4)])
def test_partitions_from_distances(name, n, k):
    rows = np.random.default_rng(n).integers(0, 3, size=(n, 4))
    distances = (rows[:, None] != rows[None]).sum(axis=2).astype(np.int64)
    groups = partition(name, distances, k)
    assert sorted(i for g in groups for i in g) == list(range(n))
    assert min(map(len, groups)) >= k


def test_better_partitions_are_better():
    rng = np.random.default_rng(5)
    stars = Counter()
    for _ in range(5):
        rows = rng.integers(0, 3, size=(60, 5))
        distances = (rows[:, None] != rows[None]).sum(axis=2).astype(np.int64)
        for name in PARTITIONS:
            stars[name] += sum(
                len(g) * int((rows[g] != rows[g][0]).any(axis=0).sum()) for g in partition(name, distances, 4)
            )
    assert stars["local"] < stars["nearest"]
    assert stars["local"] < stars["meyerson-williams"]


def test_recount_notices_small_groups():
    recount([], 1, 3)
    recount([("a", "x")] * 3, 1, 3)
    with pytest.raises(NotAnonymous):
        recount([("a", "x")] * 3 + [("b", "x")] * 2, 1, 3)
