"""The board: a miner who invents dealers, shows two boards, or puts a message where it was not meant; customers who
grind the draw.
"""

import random
from contextlib import suppress
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shoal.errors import PolicyError, ProtocolError
from shoal.protocol import keygen, proofs, sealing
from shoal.protocol.board import Board, Member, draw_dealers, join_context, own_head
from shoal.protocol.chain import Broken, first_hash, next_hash, read_shown, show
from shoal.protocol.countersign import countersigned, request
from shoal.protocol.extraction.messages import TAG, row_binding, subject_of
from shoal.protocol.messages import Message, Rejected, bytes_of, public_bytes, text_of
from shoal.protocol.replica import Replica
from shoal.protocol.shares import evaluate, random_polynomial
from tests.protocol.games import weak
from tests.protocol.games.cast import registered
from tests.protocol.registry import countersigner
from tests.protocol.rehearsal import MINER_KEY, Room, make_session, run
from tests.protocol.sessions import COLUMNS


def extraction(n=6, until="submit", registrar=False, **more):
    session = make_session("extraction", 3, COLUMNS, **more)
    room = Room(registered(session) if registrar else session)
    customers = [room.customer({"age": str(i), "ill": f"ill {i}"}) for i in range(n)]
    run(room, customers, until=until)
    return room, customers


def rechain(session, entries):
    """A chain made of other entries, as only the miner can."""
    hash_, out = first_hash(session), []
    for seq, (at, message) in enumerate(entries, start=1):
        hash_ = next_hash(hash_, seq, at, message.header)
        out.append(show(seq, at, message).data())
    return out


class Inventor:
    """A deviating miner alone: he puts commitments and points of his own under the dealers' names on the board that he
    shows.
    """

    def __init__(self, room):
        self.room, self.polynomials = room, {}
        self.group, self.session = room.group, room.session
        self.registrar = countersigner(room.session) if room.session.registrar else None

    def dealing(self, dealer, seal_keys):
        """What a dealer would send, with polynomials that the miner knows."""
        kept = []
        plain = keygen.random_polynomial
        keygen.random_polynomial = lambda group, threshold: kept.append(random_polynomial(group, threshold)) or kept[-1]
        try:
            commit, chunks = keygen.deal(self.session, self.group, dealer, seal_keys)
        finally:
            keygen.random_polynomial = plain
        self.polynomials[dealer] = kept[0]
        return commit, chunks[0]

    def show_to(self, customer):
        """Let a customer's questions go through his hands."""
        board, key = self.room.miner.board, self.room.key
        made = {d: self.dealing(d, [m.seal_key for m in board.roster]) for d in board.dealers}
        entries = []
        for n, message in enumerate(self.room.messages):
            at = self.room.miner.shown[n].at
            if message.kind == "commit":
                message = replace(message, body=made[message.sender][0]).signed(key)
            elif message.kind == "deal":
                message = replace(message, body=made[message.sender][1]).signed(key)
            elif message.kind == "head" and message.slot != "join":
                forged = rechain(self.session, entries)
                head = self.seal(message.slot, len(entries), self.hash_of(entries))
                assert len(forged) == len(entries)
                message = replace(message, body=head.body()).signed(key)
            if message.sender and message.kind != "join":
                message = replace(message, after=self.after)
            if message.kind == "head":
                self.after = message.body["digest"]
            entries.append((at, message))
        shown = rechain(self.session, entries)
        plain = customer.ask

        def ask(what):
            if what.startswith("board/"):
                return {"entries": shown[int(what[6:]) :], "more": False}
            if what == "points":
                return {"chunks": {str(d): made[d][1] for d in board.qualified}}
            return plain(what)

        customer.ask = ask

    def seal(self, *wanted):
        """The seal of the forged board: his own, or the registrar's, who was never asked for another."""
        if self.session.registrar is None:
            return own_head(self.session, *wanted, self.room.key)
        return countersigned(self.session, *wanted, self.registrar.sign(request(self.session, *wanted, self.room.key)))

    def hash_of(self, entries):
        hash_ = first_hash(self.session)
        for seq, (at, message) in enumerate(entries, start=1):
            hash_ = next_hash(hash_, seq, at, message.header)
        return hash_

    def open(self, index, quasi_identifier, body):
        """A lone row, with the polynomials that he dealt himself."""
        subject = subject_of(self.session, "quasi-identifier", quasi_identifier)
        base, order = self.group.hash_to_group(subject, TAG), self.group.order
        secret = sum(evaluate(p, 2 * index - 1, order) for p in self.polynomials.values()) % order
        binding = row_binding(self.session, subject, index)
        return sealing.open_sealed(
            sealing.derive(self.group.power(base, secret), binding), bytes_of(body["sealed"]), binding
        )


def invent_dealers(registrar):
    """The victim submits what she derives from the board that the inventor shows; he tries to open her lone row."""
    room, customers = extraction(registrar=registrar)
    victim = room.customer({"age": "0", "ill": "secret"})
    victim.secrets, victim.sign_key = customers[0].secrets, customers[0].sign_key
    miner = Inventor(room)
    miner.show_to(victim)
    sent = []
    victim.send = lambda kind, body, slot="0": sent.append(body) or {}
    with suppress(Broken):
        victim.act(victim.follow())
        with suppress(ProtocolError):
            return miner.open(victim.index, ("0",), sent[-1])
    return b""


@pytest.mark.parametrize("registrar", [False, True])
def test_invented_dealers(monkeypatch, registrar):
    """Every entry is signed by whom it names, so a miner cannot put his own polynomials on the board."""
    monkeypatch.setattr("shoal.protocol.agent.Customer.follow", patient_follow)
    assert invent_dealers(registrar) == b""
    with monkeypatch.context() as old:
        weak.unsigned_entries(old)
        assert b"secret" in invent_dealers(registrar), (
            "a registrar seals what it is shown: it is the signatures that stop him"
        )


def patient_follow(self, fetch=True):
    """As in the product, without comparing to what she saw before: the victim of this game looks for the first time."""
    self.replica = Replica(self.session)
    self.replica.take(self.ask("board/0")["entries"])
    return self.replica.board


def test_invented_customers():
    """Without a token nobody gets on the roster that a customer derives, whatever the miner shows."""
    room = Room(registered(make_session("extraction", 3, COLUMNS)))
    run(room, [room.customer({"age": "1", "ill": f"ill {n}"}) for n in range(3)], until="deal")
    shown = [s.data() for s in room.miner.shown]
    Replica(room.session).take(shown)
    open_room = Room(replace(room.session, registrar=None))
    for token in ("", text_of(bytes(288))):
        friend = open_room.customer({"age": "1", "ill": "none"})
        friend.secrets.token = token
        open_room.messages.clear()
        friend.join()
        entry = show(1, room.now, open_room.messages[0]).data()
        with pytest.raises(Broken, match="token"):
            Replica(room.session).take([entry])


@pytest.mark.parametrize("protocol", ["extraction", "suppression"])
def test_a_whole_session_with_a_registrar(protocol):
    """All phases sealed by the registrar, the same heads in every customer's view."""
    room = Room(registered(make_session(protocol, 3, COLUMNS)))
    customers = [room.customer({"age": "1", "ill": f"ill {n}"}) for n in range(5)]
    run(room, customers)
    assert len(room.miner.release().rows) == 5
    heads = {tuple(s.digest for s in c.follow().seals) for c in customers}
    assert len(heads) == 1
    places = ["join", "deal", "check", "submit"] + (["mix", "test"] if protocol == "suppression" else [])
    assert [s.place for s in room.miner.board.seals] == places


def test_roles_follow_from_the_board_and_not_from_what_the_miner_says():
    """Whatever his status says, a customer deals, confirms and helps by her own derivation."""
    room, customers = extraction(until="deal")
    told = room.miner.status()
    room.view = lambda name: {**told, "dealers": [9], "qualified": [9], "phase": "check"}
    dealer = customers[room.miner.board.dealers[0] - 1]
    dealer.work()
    assert room.messages[-1].kind == "deal"
    other = next(c for c in customers if c.index not in room.miner.board.dealers)
    before = len(room.messages)
    other.work()
    assert len(room.messages) == before


def test_an_entry_that_breaks_a_rule_ends_the_session_for_her():
    """A board with a gap, with an entry altered, dropped or put elsewhere, is not taken, and nothing is sent after
    it.
    """
    room, _ = extraction(until="check")
    entries = [s.data() for s in room.miner.shown]
    for forged in (
        entries[1:],
        entries[:3] + entries[4:],
        [*entries[:3], {**entries[3], "slot": entries[4]["slot"]}, *entries[4:]],
        [*entries[:3], {**entries[3], "at": 5.0}, *entries[4:]],
        [*entries, {**entries[-1], "seq": len(entries) + 1}],
    ):
        with pytest.raises(ProtocolError):
            Replica(room.session).take(forged)
    sound = Replica(room.session)
    sound.take(entries)
    assert sound.board.hash == room.miner.board.hash
    assert sound.board.qualified == room.miner.board.qualified


# Two boards


def two_boards(session, countersign):
    """A miner who closes one roster with everybody and another without customer 1, and wants both sealed."""
    sealed = []
    for left_out in (0, 1):
        room = Room(session)
        room.seal = lambda: None
        for n in range(left_out, 5):
            room.customer({"age": "30", "ill": f"ill {n}"}).join()
        room.say("close", {"phase": "join"})
        with suppress(Rejected):
            sealed.append(countersign(session, *room.miner.wanted_head()))
    return sealed


def test_two_boards():
    """Equivocation: the registrar signs one head per phase.

    Without a registrar the miner seals both, and only comparing digests shows it.
    """
    session = make_session("extraction", 3, COLUMNS)
    with_registrar = registered(session)
    registrar = countersigner(with_registrar)
    assert len(two_boards(with_registrar, lambda s, *wanted: registrar.sign(request(s, *wanted, MINER_KEY)))) == 1
    both = two_boards(session, lambda s, *wanted: own_head(s, *wanted, MINER_KEY))
    assert len({head.digest for head in both}) == 2
    outsider = Ed25519PrivateKey.generate()
    with pytest.raises(Rejected):
        countersigner(with_registrar).sign(request(with_registrar, "join", 1, "ab" * 32, outsider))


def test_a_message_for_one_board_is_none_for_another():
    """Each message names the sealed head it builds on: what was signed on one board cannot be put on another."""
    room, customers = extraction()
    customers[0].follow()
    taken = Message(room.session.digest, 1, "submit", "0", {}, "ab" * 32).signed(customers[0].sign_key)
    with pytest.raises(Rejected) as refused:
        room.post(taken)
    assert refused.value.code == "after"
    message = Message(room.session.digest, 1, "confirm", "0", {}, "ab" * 32).signed(customers[0].sign_key)
    entry = show(room.miner.board.seq + 1, room.now, message).data()
    with pytest.raises(Broken, match="builds on another head"):
        customers[0].replica.take([entry])
    assert read_shown(room.session, entry).header.sender == 1


def test_a_board_that_changed_since_she_looked_is_noticed():
    """What was sealed is kept with her secrets: after a restart of her program another board is refused."""
    _, customers = extraction()
    customers[0].follow()
    kept = customers[0].secrets.pending["seals"]
    assert list(kept) == ["join", "deal", "check"]
    customers[0].secrets.pending["seals"] = {**kept, "join": "00" * 32}
    customers[0].replica = None
    with pytest.raises(Broken, match="two boards"):
        customers[0].follow()


def test_what_the_miner_signed_to_have_taken_must_be_shown():
    """A receipt names the chain up to her message: a board without it, or with another there, is refused."""
    room, customers = extraction()
    one = customers[0]
    one.follow()
    sent = next(n for n, m in enumerate(room.messages, start=1) if m.sender == 1)
    for seq, hash_ in ((sent, "ab" * 32), (len(room.messages) + 5, room.miner.board.hash)):
        one.secrets.pending["receipts"] = {"1/confirm/x": {"seq": seq, "hash": hash_}}
        with pytest.raises(Broken, match="signed another board"):
            one.follow()
    one.secrets.pending["receipts"] = {"1/confirm/x": {"seq": sent, "hash": one.replica.hashes[sent]}}
    one.follow()


def grinding(n=24, colluders=3, tries=2000):
    """The last to join draws keys until the committee would be her and her friends: what she can compute is the roster
    with her key.
    """
    session, rng = make_session("extraction", 3, COLUMNS), random.Random(7)
    board = Board(session, session.make_group())
    for i in range(1, n):
        board.roster.append(Member(i, rng.randbytes(32), rng.randbytes(32), ("deal", "help")))
    friends = set(range(1, colluders)) | {n}
    guess = own_head(session, "join", n, "ab" * 32, Ed25519PrivateKey.from_private_bytes(b"g" * 32))
    board.seals.append(guess)  # she does not have the registrar's key; a guess of hers stands for it
    for _ in range(tries):
        last = Member(n, rng.randbytes(32), b"s" * 32, ("deal", "help"))
        board.roster.append(last)
        draw_dealers(board)
        if set(board.dealers) == friends:
            break
        board.roster.pop()
    else:
        board.roster.append(last)
    board.seals[:] = [
        own_head(session, "join", n, "cd" * 32, Ed25519PrivateKey.from_private_bytes(b"r" * 32))
    ]  # now the registrar signs the closed roster
    draw_dealers(board)
    return set(board.dealers) == friends


def test_the_last_to_join_cannot_choose_the_committee(monkeypatch):
    """Three of 24 are the committee by chance only (1 in 2,024), whatever key the last of them takes."""
    assert not grinding(tries=100)
    with monkeypatch.context() as old:
        weak.roster_draw(old)
        assert grinding(tries=20_000)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"tolerate": 5, "committee": 2}, "at least 2 x tolerate"),
        ({"tolerate": 2}, "at least 2 x tolerate"),
        ({"mixers": 3, "customers": 8}, "at least 9 customers"),
        ({"tolerate": 2, "committee": 5}, "raise 'mixers'"),
    ],
)
def test_parameters_that_contradict_each_other_are_refused(more, words):
    """With the reason."""
    with pytest.raises(PolicyError, match=words):
        make_session("suppression", 3, COLUMNS, **more)


def test_a_join_without_proof_of_its_sealing_key_is_refused():
    """Somebody else's key, or one made of others' keys, is not taken."""
    room, customers = extraction(until="deal")
    room = Room(room.session)
    key, stolen = Ed25519PrivateKey.generate(), customers[0].group.generate(customers[0].secrets.seal_secret)
    known = room.group.random_scalar()
    elsewhere = proofs.prove_knowledge(
        room.group, known, room.group.generate(known), join_context(room.session, public_bytes(key))
    )
    body = {
        "sign_key": text_of(public_bytes(key)),
        "seal_key": text_of(stolen),
        "roles": [],
        "proof": text_of(elsewhere),
    }
    with pytest.raises(ProtocolError, match="proof"):
        room.post(Message(room.session.digest, 0, "join", public_bytes(key).hex(), body).signed(key))


def oracle():
    """A dealer who takes another's sealing key for her own: the complaint would show her what the other dealer
    sealed.
    """
    room, customers = extraction(until="deal")
    cheat, honest = (customers[d - 1] for d in room.miner.board.dealers[:2])
    for c in customers:
        if c.index in room.miner.board.dealers and c is not cheat:
            c.work()
    victim = next(c for c in customers if c.index not in room.miner.board.dealers)
    roster = cheat.follow().roster
    commit, chunks = keygen.deal(room.session, room.group, cheat.index, [m.seal_key for m in roster])
    theirs = next(m.body for m in room.messages if m.kind == "commit" and m.sender == honest.index)
    commit |= {"ephemeral": theirs["ephemeral"], "proof": theirs["proof"]}
    try:
        cheat.send("commit", commit)
    except ProtocolError:
        return None
    cheat.send("deal", chunks[0], f"1-{len(roster)}")
    victim.work()
    complaint = next(m for m in room.messages if m.kind == "complain" and m.sender == victim.index)
    sealed = keygen.point_of(room.miner.chunks[honest.index, 1], 1, victim.index)
    shared = bytes_of(complaint.body["shared"])
    return keygen.open_points(room.session, room.group, honest.index, victim.index, shared, sealed)


def test_complaints_are_no_oracle(monkeypatch):
    """The exponent of a dealer's sealing key is proved, so a complaint shows her nothing that she did not know."""
    assert oracle() is None
    with monkeypatch.context() as old:
        weak.unproved_ephemerals(old)
        points = oracle()
        assert len(points["seed"]) == 2, "another dealer's points, read from the complaint"
