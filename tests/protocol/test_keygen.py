"""Keys without a dealer: the sum works, a cheating dealer is named, whoever makes a false complaint is named, and
dealers who vanish are left out.
"""

import pytest

from shoal.errors import ProtocolError
from shoal.protocol import keygen
from shoal.protocol.messages import Message, Rejected, bytes_of, text_of
from shoal.protocol.shares import evaluate, lagrange
from tests.protocol.rehearsal import Room, make_session, run
from tests.protocol.sessions import COLUMNS


def joined(n=6, **more):
    room = Room(make_session("suppression", 3, COLUMNS, **more))
    customers = [room.customer({"age": "30", "ill": "flu"}) for _ in range(n)]
    for customer in customers:
        customer.join()
    room.say("close", {"phase": "join"})
    return room, customers


def test_points_of_the_sum():
    room, customers = joined()
    run(room, customers, until="submit")
    group, q = room.group, room.group.order
    for customer in customers:
        customer.collect(customer.follow())
    keys = [c.keys for c in customers]
    seed = {x: v for k in keys for x, v in k.points["seed"].items()}
    assert sorted(seed) == list(range(1, 13)), "customer i holds 2i − 1 and 2i, nobody holds 0"
    secrets = {
        tuple(points): sum(w * seed[x] for w, x in zip(lagrange(points, 0, q), points, strict=True)) % q
        for points in ([1, 2, 3], [4, 9, 12], [1, 6, 11])
    }
    assert len(set(secrets.values())) == 1
    assert group.generate(next(iter(secrets.values()))) == keys[0].public("seed")
    assert all(keygen.fits(group, k.commitments, k.points) for k in keys)


def test_traffic_is_linear_in_the_committee():
    room, customers = joined(10)
    run(room, customers, until="check")
    sealed = sum(len(m.body["sealed"]) for m in room.messages if m.kind == "deal")
    assert sealed == 10 * room.session.committee
    assert len({m.sender for m in room.messages if m.kind == "commit"}) == room.session.committee


def corrupt(room, customers, victim):
    """The first dealer gives one customer points that do not fit; the others are honest."""
    cheat = room.view("status")["dealers"][0]
    dealer = customers[cheat - 1]
    keys = [m.seal_key for m in dealer.follow().roster]
    commit, chunks = keygen.deal(room.session, room.group, cheat, keys)
    _, others = keygen.deal(room.session, room.group, cheat, keys)
    chunks[0]["sealed"][victim - 1] = others[0]["sealed"][victim - 1]
    dealer.send("commit", commit)
    dealer.send("deal", chunks[0], f"1-{len(keys)}")
    dealer.submitted.add("deal")
    return cheat


def test_a_cheating_dealer_is_named_and_left_out():
    room, customers = joined()
    cheat = corrupt(room, customers, victim=5)
    run(room, customers, until="submit")
    status = room.view("status")
    assert status["named"] == {str(cheat): "dealt points that do not fit her commitments"}
    assert cheat not in status["qualified"]
    assert len(status["qualified"]) == 2
    assert {tuple(c.follow().qualified) for c in customers} == {tuple(status["qualified"])}, (
        "in every honest view alike"
    )
    run(room, customers)
    assert len(room.miner.release().rows) == 6


def test_a_false_complaint_names_the_complainer():
    room, customers = joined()
    run(room, customers, until="check")
    status = room.view("status")
    dealer = status["qualified"][0]
    liar = next(c for c in customers if c.index in status["qualified"] and c.index != dealer)
    board = liar.follow()
    chunk = liar.collect(board)[1][dealer]
    ephemeral = board.commitments[dealer].ephemeral
    body = keygen.complain(room.session, room.group, liar.index, dealer, liar.secrets.seal_secret, ephemeral, chunk)
    for forged in (
        {**body, "shared": text_of(room.group.generator)},
        {**body, "chunk": {"sealed": [text_of(b"x")] * 6}},
    ):
        with pytest.raises(ProtocolError):
            liar.send("complain", forged, str(dealer))
    with pytest.raises(Rejected, match="named by its dealer"):
        liar.send("complain", body, "again")
    assert liar.send("complain", body, str(dealer)) == {"guilty": liar.index}
    assert room.view("status")["qualified"] == status["qualified"], (
        "neither the dealer nor the liar's own dealing is touched"
    )


def dealing(room, customers):
    """The first dealer's messages, and herself."""
    dealer = customers[room.view("status")["dealers"][0] - 1]
    commit, _ = keygen.deal(room.session, room.group, dealer.index, [m.seal_key for m in dealer.follow().roster])
    return dealer, commit


def test_a_dealer_without_proof_of_possession_is_refused():
    room, customers = joined()
    cheat, commit = dealing(room, customers)
    commit["purposes"]["key"]["coefficients"][0] = text_of(room.group.power(room.group.generator, 5))
    with pytest.raises(ProtocolError, match="proof"):
        cheat.send("commit", commit)
    short = {**commit, "purposes": {**commit["purposes"], "seed": {"coefficients": [], "proof": ""}}}
    with pytest.raises(Rejected):
        cheat.send("commit", short, "1")


def test_a_vanished_dealer_is_left_out_and_not_replaced():
    """Else who can delay messages chooses the committee. A quorum of the committee is enough, fewer are not."""
    room, customers = joined(seconds={"deal": 10})
    gone = room.view("status")["dealers"]
    run(room, [c for c in customers if c.index != gone[0]], until="submit")
    status = room.view("status")
    assert status["named"][str(gone[0])] == "did not deal in time"
    assert status["qualified"] == gone[1:]
    room, customers = joined(seconds={"deal": 10})
    gone = room.view("status")["dealers"][:2]
    run(room, [c for c in customers if c.index not in gone], until="submit")
    assert room.view("status")["reason"] == "fewer than 2 of 3 dealers dealt"


def test_too_few_dealers_fail_the_session():
    room = Room(make_session("extraction", 3, COLUMNS))
    customers = [room.customer({"age": "30", "ill": "flu"}, roles=()) for _ in range(4)]
    for customer in customers:
        customer.join()
    room.say("close", {"phase": "join"})
    with pytest.raises(ProtocolError, match="deal keys"):
        customers[0].work()


def test_shares_of_one_session_are_useless_in_another():
    session, other = (make_session("extraction", 3, COLUMNS, number=n * 32) for n in "ab")
    group = session.make_group()
    secret = group.random_scalar()
    commit, chunks = keygen.deal(session, group, 1, [group.generate(secret)])
    commitment = keygen.read_commitment(session, group, 1, commit)
    shared, sealed = group.power(commitment.ephemeral, secret), bytes_of(chunks[0]["sealed"][0])
    assert set(keygen.open_points(session, group, 1, 1, shared, sealed)["seed"]) == {1, 2}
    with pytest.raises(ProtocolError):
        keygen.open_points(other, group, 1, 1, shared, sealed)
    with pytest.raises(ProtocolError):
        keygen.read_commitment(other, group, 1, commit)


def test_strangers_and_wrong_roles():
    room, customers = joined()
    with pytest.raises(Rejected) as refused:
        room.post(Message(room.session.digest, 99, "confirm", "0", {}).signed(customers[0].sign_key))
    assert refused.value.status == 403
    with pytest.raises(Rejected) as refused:
        room.post(Message(room.session.digest, 0, "close", "1", {"phase": "join"}).signed(customers[0].sign_key))
    assert refused.value.code == "signature"
    outsider = next(c for c in customers if c.index not in room.view("status")["dealers"])
    outsider.follow()
    with pytest.raises(Rejected) as refused:
        outsider.send("commit", {})
    assert refused.value.code == "role"


def test_evaluate_matches_commitments():
    group = Room(make_session("extraction", 3, COLUMNS)).group
    polynomial = [5, 7, 11]
    public = [group.generate(c) for c in polynomial]
    assert keygen.public_point(group, public, 9) == group.generate(evaluate(polynomial, 9, group.order))
