"""Suppression: who knows the coins of a mixing, who takes part in the decryption, and a miner who shows helpers of one
job different boards.
"""

import itertools
from contextlib import suppress

import pytest

from shoal.errors import ProtocolError
from shoal.protocol import letters
from shoal.protocol.elgamal import Ciphertext
from shoal.protocol.messages import Message, Rejected, text_of
from shoal.protocol.suppression import customer as product
from shoal.protocol.suppression import decryptor, mixing
from shoal.protocol.suppression.rows import cell_element, encrypt_row
from tests.protocol.board_fuzz import clone
from tests.protocol.games import weak
from tests.protocol.games.cast import COLUMNS, ROWS, VALUES, chunk, helper_of, mix, registered, suppression
from tests.protocol.rehearsal import Room, make_session, run

LONGER = [
    list(r) for r in ("1111", "1112", "1211", "2311", "1133", "3211", "1321", "2222", "1313", "3131", "1231", "2121")
]


# A decryptor who folds guesses into her share


def guess_in_a_share(room, customers):
    """One decryptor and the miner: if she has the coins, she makes an item come out as 1 exactly if two cells are what
    she guesses, and all other items of its pair as something else. The closing customer, who is honest, then counts her
    guesses for her. Returns the pairs that were hit."""
    group, job = room.group, chunk(room)
    for index in (job.roles.mixers[0], job.roles.checkers[0][0]):
        customers[index - 1].work()
    cheat = customers[job.roles.decryptors[0] - 1]
    helper, task = helper_of(cheat), cheat.ask("task")
    items = product.read_items(helper, job, job.mixed[0], task["last"])
    parts = decryptor.decrypt(group, helper.keys, [c.hint for c in items], job.roles.among)
    quotient = group.divide(*(cell_element(room.session, group, 3, v) for v in ("1", "2")))
    coins = product.coins_of(room.session, group, job, 0, read_coins(helper, job))
    powers, at = coins.powers("powers", len(items)), itertools.count()
    for pair in mixing.pair_order(coins, len(items), 4):
        for column in coins.permutation(f"columns/{pair}", 4):
            n = next(at)
            factor = group.power(quotient, powers[pair * 4 + column]) if column == 3 else group.generate(n + 1)
            parts[n] = group.multiply(parts[n], factor)
    place = f"{job.place}/{job.after}"
    sealed = letters.write(room.session, group, cheat.index, helper.seal_key(job.roles.closer), place, b"".join(parts))
    cheat.send("share", {"letter": sealed}, place)
    for index in (*job.roles.decryptors[1:], job.roles.closer):
        customers[index - 1].work()
    found = room.miner.state.distances
    return {pair for pair in itertools.combinations(range(len(ROWS)), 2) if found[pair] == 3}


def read_coins(helper, job):
    """The mixer's coins, if they are in a letter to this customer; else a guess of them."""
    letter = job.mixed[0].body["letters"].get(str(helper.index))
    if letter is None:
        return b"a guess of coins" * 2
    place, to = job.mix_place(0), helper.seal_key(helper.index)
    return letters.read(helper.session, helper.group, job.mixed[0].sender, helper.seal_secret, to, place, letter)


def test_a_decryptor_folds_guesses_into_her_share(monkeypatch):
    """Who takes part in the decryption must not know the coins: else one decryptor tests a guess for every pair and
    column, and nobody is named.
    """
    assert guess_in_a_share(*suppression()) == set()
    with monkeypatch.context() as old:
        weak.decryptors_with_coins(old)
        right = {
            (i, k) for i, k in itertools.combinations(range(len(ROWS)), 2) if (ROWS[i][3], ROWS[k][3]) == ("1", "2")
        }
        assert guess_in_a_share(*suppression()) == right


@pytest.mark.parametrize(("mixers", "decryptors"), [(2, 3), (3, 3), (3, 5)])
def test_who_knows_coins_has_no_hand_in_the_decryption(mixers, decryptors):
    """In every attempt of every job: mixers, checkers of each step, decryptors and the closing one are different
    people; and each step has as many who did it as the session has mixers, so that of one fewer colluders one is
    honest."""
    n = mixers - 1
    session = registered(make_session("suppression", 3, COLUMNS, mixers=mixers, decryptors=decryptors))
    room = Room(session)
    customers = [room.customer(dict(zip("abcd", r, strict=True)) | {"ill": "x"}) for r in LONGER]
    run(room, customers, until="mix")
    job = chunk(room)
    for _ in range(12):
        roles = job.roles
        everybody = [*roles.mixers, *itertools.chain(*roles.checkers), *roles.decryptors, roles.closer]
        assert len(set(everybody)) == len(everybody) == session.helpers
        assert len(roles.among) == decryptors
        assert [len(some) + 1 for some in roles.checkers] == [mixers] * n
        job.again(roles.mixers[0])


# Two boards within a phase


def two_starts(room, customers):
    """The miner and the first of two mixers. She signs two results of her step: one right, for her checkers; one with a
    cell over a guess in each item, for the second mixer and those who check him. He shows the first to the ones, the
    second to the others, and puts what the second mixer made on both boards. Returns the honest closing customer's
    count for the guess, if it comes to that."""
    group, job, rows = room.group, chunk(room), room.miner.state.rows
    first, second = (customers[i - 1] for i in job.roles.mixers)
    guess = [
        Ciphertext(group.divide(rows[1][j].body, cell_element(room.session, group, j, "1")), rows[1][j].hint)
        for j in range(4)
    ]
    right = room.miner
    wrong = room.miner = clone(right)
    mix(first, (guess * job.count(4))[: job.count(4)])
    for index in (second.index, *job.roles.checkers[1]):
        customers[index - 1].work()
    copied = [
        m
        for m in room.messages
        if m.sender in (second.index, *job.roles.checkers[1]) and m.kind in ("order", "mix", "check")
    ]
    room.miner, first.replica, first.helper = right, None, None
    mix(first)
    with suppress(Rejected):
        room.post(copied[0])
        room.miner.state.orders[job.mix_place(1)] = copied[0].body["order"]
        room.post(copied[1])
        for index in job.roles.checkers[0]:
            customers[index - 1].work()
        for message in copied[2:]:
            room.post(message)
        for index in (*job.roles.decryptors, job.roles.closer):
            customers[index - 1].work()
        return next(m.body["counts"][0] for m in room.messages if m.kind == "counts")
    assert wrong.board.phase == "mix"
    return None


def test_one_mixer_with_two_results(monkeypatch):
    """With three mixers: every step says what it starts from, so what was mixed on one board has no place on
    another.
    """
    more = {"rows": LONGER, "mixers": 3}
    assert two_starts(*suppression(**more)) is None
    with monkeypatch.context() as old:
        weak.unchained_steps(old)
        assert two_starts(*suppression(**more)) == 0, "all four cells of customer 1 are what was guessed"


def two_casts(room, customers):
    """The miner calls one helper late on one board and another on a second one, so that a checker of a step on the
    first is the closing customer on the second. Has what was mixed on the first a place on the second?"""
    job = chunk(room)
    first, second = room.miner, clone(room.miner)
    roles, mixer = job.roles, customers[job.roles.mixers[0] - 1]
    forge(second, job, room, roles.closer)
    forge(first, job, room, roles.decryptors[-1])
    here, there = (miner.state.rules.jobs[job.name] for miner in (first, second))
    assert here.roles.checkers[0][0] == there.roles.closer, (
        "she knows the coins on the one, and what comes out on the other"
    )
    slot = f"{here.mix_place(0)}/{'cd' * 32}"
    made = Message(room.session.digest, mixer.index, "mix", slot, {}, first.board.after).signed(mixer.sign_key)
    first.state.rules.step(made, room.now)
    with suppress(Rejected):
        second.state.rules.step(made, room.now)
    return len(there.mixed) == 1


def forge(miner, job, room, late):
    """A board on which a helper is late.

    Whoever has no part in a job does not look at the signatures of it, so the miner makes up what must come before.
    """
    job = miner.state.rules.jobs[job.name]
    place, made_up = f"{job.mix_place(0)}/{'ab' * 32}", text_of(bytes(64))
    session, rules = room.session, miner.state.rules
    after = miner.board.after
    entries = [(job.roles.mixers[0], "mix", place), (job.roles.checkers[0][0], "check", place)]
    done = [d for d in job.roles.decryptors if d != late]
    entries += [(d, "share", f"{job.place}/{'ab' * 32}") for d in done]
    for sender, kind, slot in entries:
        rules.step(Message(session.digest, sender, kind, slot, {}, after, made_up), room.now)
    rules.step(Message(session.digest, 0, "tick", "1", {"late": [[job.name, late]]}).signed(room.key), room.now)


def test_a_message_names_all_who_are_in_the_attempt(monkeypatch):
    """Roles follow from who was late, and of that the miner can tell each a different story until the phase is sealed:
    so it is in every place.
    """
    assert not two_casts(*suppression())
    with monkeypatch.context() as old:
        weak.places_without_people(old)
        assert two_casts(*suppression())


def test_unsigned_steps_are_decrypted_for_nobody():
    """What a replica takes without looking at signatures, since few need them, is looked at by who decrypts and by who
    closes.
    """
    room, customers = suppression()
    job = chunk(room)
    mixer = customers[job.roles.mixers[0] - 1]
    mix(mixer)
    made_up = Message(
        room.session.digest,
        job.roles.checkers[0][0],
        "check",
        job.mixed[0].slot,
        {},
        room.miner.board.after,
        text_of(bytes(64)),
    )
    for index in (job.roles.decryptors[0], job.roles.closer):
        helper = helper_of(customers[index - 1])
        helper.rules.step(made_up, room.now)
        task = {"task": "job", "job": job.name, "last": job.mixed[0].body, "shares": {}}
        with pytest.raises(ProtocolError, match="signature"):
            product.need_checked(helper, helper.rules.jobs[job.name])
        with pytest.raises(ProtocolError):
            product.perform(helper, task)


# Rows


def copy_a_row(room, customers):
    """The miner and one customer who sends a victim's encrypted row, byte for byte, as her own: would helpers take
    it?
    """
    copied = room.miner.state.row_bodies[1]
    helper = helper_of(customers[3])
    helper.rules.rows[2] = helper.rules.rows[1]
    job = chunk(room)
    with suppress(ProtocolError):
        given = {str(i): room.miner.state.row_bodies[i] for i in job.members} | {"2": copied}
        rows = product.read_rows(helper, helper.rules.jobs[job.name], {"rows": given})
        return rows[1] == rows[2]
    return False


def test_a_copied_row(monkeypatch):
    """A row's proofs are bound to who sent it, and are looked at for each sender, though the bytes were proved by
    another before.
    """
    assert not copy_a_row(*suppression())
    with monkeypatch.context() as old:
        weak.rows_by_their_bytes(old)
        assert copy_a_row(*suppression())


def agree_on_coins():
    """Two customers, without the miner, send rows whose quotient has the identity in it.

    Does the session end as it should?
    """
    room = Room(registered(make_session("suppression", 3, COLUMNS)))
    rows = [dict(zip("abcd", r, strict=True)) | {"ill": f"ill {n}"} for n, r in enumerate(ROWS)]
    customers = [room.customer(row) for row in rows]
    run(room, customers, until="submit")
    session, group = room.session, room.group
    secret = group.random_scalar()
    for cheat in customers[:2]:
        cheat.collect(cheat.follow())
        with pytest.MonkeyPatch.context() as same:
            same.setattr(group, "random_scalar", lambda: secret)
            body = encrypt_row(session, group, cheat.index, cheat.keys.public(), VALUES[:1] * 4)
        cheat.send("row", body)
        cheat.submitted.add("row")
    run(room, customers)
    return room


def test_two_who_agree_on_their_coins_stop_nobody(monkeypatch):
    """The identity is an element like others; a mixer who works on such rows is not refused."""
    room = agree_on_coins()
    assert room.miner.board.phase == "closed"
    assert {f"ill {n}" for n in range(2, 8)} <= {row[-1] for row in room.miner.release().rows}
    assert not room.miner.board.named
    with monkeypatch.context() as old:
        weak.no_identity(old)
        with pytest.raises(ProtocolError):
            agree_on_coins()
