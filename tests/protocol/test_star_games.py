"""Games about STAR: each adversary has exactly the powers that its docstring says, loses against the protocol, and wins
against the rule of 0.1.0.

The rule of 0.1.0 stands in this file only (``Weak…``): the product has no switch for it.
"""

from collections import defaultdict
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shoal.errors import PolicyError, ProtocolError
from shoal.protocol.countersign import countersigned, request
from shoal.protocol.messages import Message, Rejected, bytes_of, public_bytes, text_of
from shoal.protocol.session import parse_session
from shoal.protocol.star import customer as star_customer
from shoal.protocol.star import evaluator as star_evaluator
from shoal.protocol.star import evidence, oprf
from shoal.protocol.star.customer import Climber
from shoal.protocol.star.evaluator import Evaluator
from shoal.protocol.star.messages import FIELD, make_share, make_tag, prf_info, prf_input, secret_of
from shoal.protocol.star.rounds import Round
from tests.protocol.registry import in_memory, make_token
from tests.protocol.rehearsal import Room, run
from tests.protocol.test_protocols import refusal, rows_of, session_of

EVERY = [(a, z) for a in ("30", "40", "50") for z in ("07028", "07029", "07030")]


# The randomness server as an oracle


class Guesser:
    """Everybody's messages and requests to the randomness server as she likes; tokens of as many colluding customers as
    she is given.
    """

    def __init__(self, room, tokens):
        self.room, self.session, self.group = room, room.session, room.group
        self.keys = [Ed25519PrivateKey.generate() for _ in range(tokens)]

    def evaluate(self, key, slot, labels, rung, head=None, token=None):
        """Have labels evaluated in a slot, as if they were those of a rung.

        What comes back is the secret of whoever holds them, or None.
        """
        info = star_customer.prf_info(self.session, rung, self.room.evaluator.rungs[rung])
        blinded = oprf.blind(self.group, prf_input(self.session, labels), oprf.POPRF)
        public = public_bytes(key)
        body = {
            "session": self.session.digest,
            "key": text_of(public),
            "token": make_token(self.session, "randomness", public) if token is None else token,
            "slot": slot,
            "blinded": text_of(blinded.element),
            "signature": text_of(key.sign(self.session.bind("evaluate", slot, public, blinded.element))),
        }
        if head is not None:
            body["head"] = head.body()
        try:
            answer = self.room.evaluate(body)
        except Rejected:
            return None
        return secret_of(oprf.finalize(self.group, blinded, bytes_of(answer["evaluated"]), info))

    def exact_guesses(self):
        """Spend every evaluation that she can get on exact values, rung after rung, as the rounds go on."""
        heads = [None, *(done.head for done in self.room.miner.state.rounds)]
        guesses, found = iter(EVERY), {}
        for slot, head in enumerate(heads):
            for key in self.keys:
                guess = next(guesses, None)
                if guess is not None:
                    found[guess] = self.evaluate(key, slot, guess, 0, head)
        return found

    def read(self, found):
        """Whose exact labels she knows: those whose tag of the first round follows from a guess."""
        tags = self.room.miner.state.rounds[0].tags
        known = {}
        for guess, secret in found.items():
            if secret is not None:
                name = make_tag(self.session, self.group, 0, b"", secret).name
                known.update((index, guess) for index, tag in tags.items() if tag == name)
        return known


def lone_rows(monkeypatch=None):
    """Nine customers, all different; the session is over."""
    if monkeypatch is not None:
        for module in (star_evaluator, star_customer):
            monkeypatch.setattr(module, "prf_info", lambda session, rung, levels: session.bind("star-rung"))
    room = Room(session_of("star"))
    customers = [room.customer(r) for r in rows_of(EVERY)]
    return room, customers


class WeakEvaluator(Evaluator):
    """0.1.0: the slot is not part of the PRF's input, rungs are evaluated in any order, and without a registrar no
    token is asked for.
    """

    def check_sender(self, key, rung, element, body):
        return

    def admit(self, rung, name, element, body):
        return


@pytest.mark.parametrize("c", [1, 2])
def test_a_token_buys_one_exact_guess(c):
    """One token's evaluations could all be exact guesses.

    Now c tokens buy c of them, and only while the first round is open.
    """
    room, customers = lone_rows()
    guesser = Guesser(room, tokens=c)
    early = {guess: guesser.evaluate(key, 0, guess, 0) for key, guess in zip(guesser.keys, EVERY, strict=False)}
    again = [guesser.evaluate(key, 0, guess, 0) for key in guesser.keys for guess in EVERY[c:]]
    run(room, customers)
    later = guesser.exact_guesses()
    truth = {guess: room_secret(room, guess) for guess in EVERY}
    assert {g for g, secret in early.items() if secret == truth[g]} == set(EVERY[:c])
    assert again == [None] * len(again)
    assert [g for g, secret in later.items() if secret == truth[g]] == []
    assert len(guesser.read(early)) == c, "these she guessed right, and learns of the labels only: no row was ever sent"
    assert room.miner.state.shares.keys() == set(room.miner.state.called)
    assert 0 not in room.miner.state.called.values()


def room_secret(room, labels):
    """What the PRF gives for exact labels; only the test knows the key."""
    group, info = room.group, prf_info(room.session, 0, room.evaluator.rungs[0])
    blinded = oprf.blind(group, prf_input(room.session, labels), oprf.POPRF)
    (evaluated,), _ = oprf.evaluate_for(group, room.oprf_key, info, [blinded.element])
    return secret_of(oprf.finalize(group, blinded, evaluated, info))


def test_the_rule_of_0_1_0_gives_one_token_a_guess_a_round(monkeypatch):
    """Won: with the slot outside of the input, one token reads one customer more with every round."""
    room, customers = lone_rows(monkeypatch)
    weak = WeakEvaluator(room.session, 7, in_memory())
    room.evaluator = weak
    run(room, customers)
    guesser = Guesser(room, tokens=1)
    assert len(guesser.read(guesser.exact_guesses())) == len(room.miner.state.rounds) + 1 > 3


def test_without_a_token_nothing_is_evaluated():
    """Without a registrar the random function answered any fresh key.

    A session without one is refused, a request without token too.
    """
    room, customers = lone_rows()
    run(room, customers)
    outsider = Guesser(room, tokens=9)
    for token in ("", text_of(bytes(288)), make_token(room.session, "join", public_bytes(outsider.keys[0]))):
        assert [
            outsider.evaluate(key, 0, guess, 0, token=token) for key, guess in zip(outsider.keys, EVERY, strict=True)
        ] == [None] * 9
    raw = room.session.raw.decode()
    start, end = raw.index("[registrar]"), raw.index("[[columns]]")
    with pytest.raises(PolicyError, match=r"needs a \[registrar\]"):
        parse_session((raw[:start] + raw[end:]).encode())
    with pytest.raises(PolicyError, match=r"needs a \[registrar\]"):
        parse_session("\n".join(line for line in raw.split("\n") if not line.startswith("head_key")).encode())


def test_the_rule_of_0_1_0_answers_any_key():
    """Won: the weak rule gives an outsider every exact label."""
    room, customers = lone_rows()
    room.evaluator = WeakEvaluator(room.session, 7, in_memory())
    run(room, customers)
    outsider = Guesser(room, tokens=9)
    found = {
        guess: outsider.evaluate(key, 0, guess, 0, token="") for key, guess in zip(outsider.keys, EVERY, strict=True)
    }
    assert len(outsider.read(found)) == 9


def test_rungs_are_evaluated_in_order():
    """A guess cannot be kept until coarser rounds have told what to guess: a rung is shut when the next one opens."""
    room, customers = lone_rows()
    key = Ed25519PrivateKey.generate()
    guesser = Guesser(room, tokens=1)
    run(room, customers, until="reveal")
    heads = [done.head for done in room.miner.state.rounds]
    assert len(heads) >= 2
    assert guesser.evaluate(key, 0, EVERY[0], 0) is None, "the first round is over"
    assert guesser.evaluate(key, 1, ("30", "07028"), 1, heads[1]) is None, "the head of another round"
    forged = replace(heads[0], signature=heads[1].signature)
    assert guesser.evaluate(key, 1, ("30", "07028"), 1, forged) is None
    again = Evaluator(room.session, 7, room.evaluator.answers)
    assert again.open == room.evaluator.open, "after a restart too"


# A miner who denies that a group opened


class Deviating:
    """The miner with his own key, who answers as he likes; the registrar countersigns one head per place; no customer
    colludes.
    """

    def __init__(self, session):
        self.session, self.room = session, Room(session)
        self.tags, self.shares, self.heads = defaultdict(dict), defaultdict(dict), {}
        self.lie = {}
        """What he answers to a customer's question about a round."""

    def post(self, message):
        if message.kind == "tag":
            self.tags[int(message.slot)][message.sender] = message
        if message.kind == "share":
            self.shares[int(message.slot)][message.sender] = message
        return {}

    def view(self, name):
        raise AssertionError(name)

    def ask(self, message):
        return self.lie[message.slot, message.sender]

    def evaluate(self, body):
        return self.room.evaluate(body)

    def names(self, rung):
        return {i: bytes_of(m.body["point"]) + bytes_of(m.body["check"]) for i, m in self.tags[rung].items()}

    def countersign(self, rung, tags):
        """A round with the tags that he likes."""
        made = Round(rung, tags)
        wanted = (f"round-{rung}", len(tags), made.digest(self.session))
        head = countersigned(
            self.session, *wanted, self.room.registrar.sign(request(self.session, *wanted, self.room.key))
        )
        return replace(made, head=head)

    def show(self, done, index, joins):
        return evidence.show(self.session, done, index, joins, self.tags[done.rung])

    def opened(self):
        """Whom he can open on which rung: enough shares under one tag."""
        found = defaultdict(set)
        for rung, shares in self.shares.items():
            groups = defaultdict(set)
            for index in shares:
                groups[self.names(rung).get(index)].add(index)
            for members in groups.values():
                if len(members) >= self.session.threshold:
                    found[rung] |= members
        return found

    def wins(self):
        """Somebody's group has fewer than k members who are hidden in it: the others he knows from another rung."""
        found = self.opened()
        for rung, members in found.items():
            elsewhere = set().union(*(m for r, m in found.items() if r != rung), set())
            groups = defaultdict(set)
            for index in members - elsewhere:
                groups[self.names(rung)[index]].add(index)
            if any(len(hidden) < self.session.k for hidden in groups.values()):
                return True
        return False


class WeakClimber(Climber):
    """0.1.0: tag, share and row in every round, as long as the miner says that she is not opened."""

    def work(self, phase, current):
        self.post_tag(current, None)
        self.send("share", self.make_share(current).body(), str(current))
        return "submit"


def party(climber=Climber):
    """Three customers alike, and one who differs in the last digit of her zip code; k = 3."""
    miner = Deviating(session_of("star"))
    joins, customers = {}, []
    for index, row in enumerate(rows_of([("30", "07028")] * 3 + [("30", "07029")]), start=1):
        made = miner.room.customer(row)
        made.link, made.secrets.index = miner, index
        joins[index] = signed_join(made)
        made.climber = climber(
            made.session,
            made.group,
            made.sign_key,
            index,
            made.quasi_identifier,
            made.sensitive,
            miner,
            miner,
            made.secrets,
            made.send,
        )
        customers.append(made)
    return miner, customers, joins


def signed_join(customer):
    public = public_bytes(customer.sign_key)
    body = {
        "sign_key": text_of(public),
        "seal_key": text_of(customer.group.generate(3)),
        "roles": [],
        "token": customer.secrets.token,
    }
    return Message(customer.session.digest, 0, "join", public.hex(), body).signed(customer.sign_key)


COARSER = 1
"""On this rung the zip code has a digit less, and the four are alike."""


def test_a_miner_who_denies_wins_against_the_rule_of_0_1_0():
    """Won: opened customers send coarser, and complete the group of the one who stands alone."""
    miner, customers, _ = party(WeakClimber)
    miner.room.evaluator = WeakEvaluator(miner.session, 7, in_memory())
    for rung in (0, COARSER):
        for customer in customers:
            customer.climber.work("submit", rung)
    assert miner.opened() == {0: {1, 2, 3}, COARSER: {1, 2, 3, 4}}
    assert miner.wins()


def test_who_has_sent_her_share_never_climbs():
    """He shows them their group, gets the shares, and then denies: nothing more comes, whatever he says."""
    miner, customers, joins = party()
    for customer in customers:
        customer.climber.work("submit", 0)
    done = miner.countersign(0, miner.names(0))
    for customer in customers:
        miner.lie["round-0", customer.index] = miner.show(done, customer.index, joins)
        customer.climber.work("submit", 1)
    assert miner.opened() == {0: {1, 2, 3}}
    denied = Round(0, {i: tag for i, tag in miner.names(0).items() if i > 2}, head=done.head)
    for phase, current in (("submit", 1), ("submit", 0), ("countersign", 1), ("submit", 2), ("reveal", 3)):
        for customer in customers[:3]:
            miner.lie["round-0", customer.index] = miner.show(denied, customer.index, joins)
            assert customer.climber.work(phase, current) == "done"
            restarted = Climber(*(getattr(customer.climber, f) for f in Climber.__dataclass_fields__))
            assert restarted.work(phase, current) == "done", "her program died meanwhile"
    assert set(miner.tags[COARSER]) == {4}
    assert not miner.wins()


def test_a_miner_who_denies_from_the_beginning_gets_no_share():
    """He has a round countersigned that hides the group; they climb, and have sent nothing that opens."""
    miner, customers, joins = party()
    for customer in customers:
        customer.climber.work("submit", 0)
    hidden = {i: tag for i, tag in miner.names(0).items() if i in (1, 4)}
    done = miner.countersign(0, hidden)
    for customer in customers:
        miner.lie["round-0", customer.index] = miner.show(done, customer.index, joins)
    for customer in customers[1:3]:
        with pytest.raises(ProtocolError, match="left it out"):
            customer.climber.work("submit", 1)
    for customer in (customers[0], customers[3]):
        customer.climber.work("submit", 1)
    assert miner.shares == {}
    with pytest.raises(Rejected, match="two boards"):
        miner.countersign(0, miner.names(0))
    assert not miner.wins()


@pytest.mark.parametrize(("phase", "current"), [("submit", -1), ("submit", 6), ("reveal", 7), ("submit", 10**30)])
def test_a_round_that_there_is_not_is_refused(phase, current):
    miner, customers, _ = party()
    with pytest.raises(ProtocolError, match="does not have"):
        customers[0].climber.work(phase, current)
    assert miner.tags == {}


def lone_evidence():
    """The customer who stands alone after a round, and what the miner may honestly show her."""
    miner, customers, joins = party()
    for customer in customers:
        customer.climber.work("submit", 0)
    return miner, customers, joins


def test_invented_customers_are_no_evidence():
    """A lone customer sends her share only to entitled others who hold her labels; the miner and the randomness server
    together know what is behind her tag, and still cannot invent them."""
    miner, customers, joins = lone_evidence()
    victim = customers[3]
    secret, tag = int(victim.secrets.pending["secret/0"], 16), miner.names(0)[4]
    keys = [Ed25519PrivateKey.generate() for _ in range(2)]
    invented = {}
    for index, key in enumerate(keys, start=5):
        public = public_bytes(key)
        body = make_tag(miner.session, victim.group, 0, public, secret).body()
        invented[index] = Message(miner.session.digest, index, "tag", "0", body).signed(key)
        fake = {"sign_key": text_of(public), "seal_key": "", "roles": [], "token": joins[1].body["token"]}
        joins[index] = Message(miner.session.digest, 0, "join", public.hex(), fake).signed(key)
    miner.tags[0] |= invented
    done = miner.countersign(0, miner.names(0))
    assert len(done.groups[tag]) == 3, "the count is right"
    miner.lie["round-0", 4] = miner.show(done, 4, joins)
    with pytest.raises(Rejected) as refused:
        victim.climber.work("submit", 1)
    assert refused.value.code == "token"
    for witnesses in bent_witnesses(miner, customers, joins):
        miner.lie["round-0", 4] = miner.show(done, 4, joins) | {"witnesses": witnesses}
        with pytest.raises(ProtocolError):
            victim.climber.work("submit", 1)
    assert miner.shares == {}


def bent_witnesses(miner, customers, joins):
    """Real customers of another group, the victim herself, one customer twice, none; a message of another kind, copied
    tags.
    """
    text = lambda m: text_of(m.encode())  # noqa: E731
    real = [[text(joins[i]), text(miner.tags[0][i])] for i in (1, 2)]
    mine = [text(joins[4]), text(miner.tags[0][4])]
    yield real
    yield [mine, mine]
    yield [real[0], real[0]]
    yield []
    yield [[text(joins[1])], [text(joins[2])]]
    yield [[text(joins[1]), text(joins[1])], [text(joins[2]), text(joins[2])]]
    copied = []
    for customer in customers[:2]:  # two colluders copy the victim's tag, proof and all
        message = Message(miner.session.digest, customer.index, "tag", "0", miner.tags[0][4].body).signed(
            customer.sign_key
        )
        copied.append([text(joins[customer.index]), text(message)])
    yield copied
    yield ["nothing", 7]


def test_a_copied_tag_is_refused_by_an_honest_miner():
    """A colluder who does not know the labels cannot join a group to make its members send their shares."""
    room = Room(session_of("star"))
    customers = [room.customer(r) for r in rows_of(EVERY[:4])]
    run(room, customers, until="submit")
    customers[0].work()
    message = room.messages[-1]
    assert message.kind == "tag"
    with pytest.raises(ProtocolError, match="proof"):
        customers[1].send("tag", message.body)
    assert refusal(customers[1].send, "share", {"share": "", "sealed": ""}) == (409, "round")


@pytest.mark.parametrize("index", [0, -1, FIELD, 2 * FIELD, 10_000_001])
def test_an_index_that_gives_the_secret_away_is_refused(index):
    """At point 0 (modulo the field's order) a share is the secret itself: the miner hands out the index, so it is
    checked.
    """
    session = session_of("star")
    with pytest.raises(ProtocolError, match="index"):
        make_share(session, 0, index, bytes(64), 12345, bytes(64))


def test_colluders_need_to_fill_the_group():
    """The numbers of the threat model: a lone row falls to k − 1 colluders who guessed its labels, and to no fewer;
    with tolerate c to 2c more.
    """
    for tolerate, colluders, falls in ((0, 1, False), (0, 2, True), (1, 2, False), (1, 3, False), (1, 4, True)):
        room = Room(session_of("star", tolerate=tolerate, rounds=1))
        rows = rows_of([("30", "07028")] * (1 + colluders) + [("40", "07029")] * 5)
        run(room, [room.customer(r) for r in rows])
        assert (1 in room.miner.state.shares) is falls


def test_only_the_customer_herself_sees_her_evidence():
    """An outsider, and another customer, do not get what the miner shows of a round."""
    room = Room(session_of("star"))
    customers = [room.customer(r) for r in rows_of(EVERY[:4])]
    run(room, customers, until="reveal")
    stranger = Ed25519PrivateKey.generate()
    for kind in ("ask", "join", "tag"):
        with pytest.raises(Rejected):
            room.ask(Message(room.session.digest, 1, kind, "round-0", {}).signed(stranger))
    with pytest.raises(Rejected):
        room.ask(Message(room.session.digest, 1, "ask", "round-0", {}).signed(customers[1].sign_key))
    assert "count" in room.ask(Message(room.session.digest, 2, "ask", "round-0", {}).signed(customers[1].sign_key))
