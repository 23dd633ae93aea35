"""Suppression: the decryptors as an oracle, the shares in the miner's hands, the groups of the last phase, helpers that
others stop.
"""

from contextlib import suppress

import pytest

from shoal.errors import ProtocolError
from shoal.protocol.elgamal import Ciphertext
from shoal.protocol.messages import Message, Rejected, bytes_of, text_of
from shoal.protocol.shares import lagrange
from shoal.protocol.suppression import packing
from shoal.protocol.suppression.customer import perform
from shoal.protocol.suppression.rows import cell_element
from tests.protocol.games import weak
from tests.protocol.games.cast import (
    ROWS,
    SEED,
    check_and_share,
    chunk,
    clear_parts,
    decrypt,
    finish,
    helper_of,
    mix,
    suppression,
    truth,
    undo,
    undo_all,
)
from tests.protocol.rehearsal import run

OTHER = b"the second mixer" * 2


def everybody_but_the_closer(room, customers):
    """The mixer mixes, the checkers sign, the decryptors answer; the job waits for who closes it. Returns the mixer."""
    job = chunk(room)
    mixer = customers[job.roles.mixers[0] - 1]
    mix(mixer)
    check_and_share(customers, job)
    return job, mixer


def read_with_shares(room, job, mixer, shares):
    """The mixer's attack: shares as they are in the messages, her own share of the key, her own coins."""
    group, count = room.group, job.count(4)
    items = packing.unpack_items(group, job.mixed[-1].body, count)
    parts = {d: clear_parts(group, body, count) for d, body in shares.items()}
    if None in parts.values():
        return set()
    plain = decrypt(group, items, parts, job.roles.among, [mixer.keys], room.session.decryptors)
    return undo(room, job, SEED, plain) if plain else set()


def ask_as_the_closer(room, customers):
    """One customer alone: she asks for the closing customer's task, signed by herself or not at all, and reads the
    shares in it.
    """
    job, mixer = everybody_but_the_closer(room, customers)
    asked = Message(room.session.digest, job.roles.closer, "ask", "task", {})
    for question in (asked, asked.signed(mixer.sign_key)):
        with suppress(Rejected):
            task = room.ask(question)
            return read_with_shares(room, job, mixer, {int(d): body for d, body in task["shares"].items()})
    return set()


def test_one_customer_asks_for_anothers_task(monkeypatch):
    """One customer alone reads everybody's cells.

    She needs questions that are not signed and shares that are not sealed.
    """
    assert ask_as_the_closer(*suppression()) == set()
    with monkeypatch.context() as old:
        weak.unsigned_questions(old)
        assert ask_as_the_closer(*suppression()) == set(), "the shares are sealed to the closing customer"
        weak.clear_letters(old)
        assert ask_as_the_closer(*suppression()) == truth()


def test_questions_are_answered_to_who_signed_them_only():
    """Neither an outsider nor another customer is answered, and asking stalls nobody."""
    room, customers = suppression()
    one, other = customers[0], customers[1]
    question = Message(room.session.digest, one.index, "ask", "task", {})
    for forged in (
        question,
        question.signed(other.sign_key),
        Message("00" * 32, one.index, "ask", "task", {}).signed(one.sign_key),
    ):
        with pytest.raises(Rejected):
            room.ask(forged)
    with pytest.raises(Rejected):
        room.ask(Message(room.session.digest, 0, "ask", "task", {}).signed(room.key))
    assert room.miner.state.desk.seen.keys() <= {c.index for c in customers}


def read_the_log(room, customers):
    """The miner, who follows the protocol, and the first mixer: his log, her coins and her share of the key."""
    job, mixer = everybody_but_the_closer(room, customers)
    return read_with_shares(room, job, mixer, {d: m.body for d, m in job.shares.items()})


def test_miner_and_first_mixer(monkeypatch):
    """Shares that pass the miner in clear and the mixer's own make t."""
    assert read_the_log(*suppression()) == set()
    with monkeypatch.context() as old:
        weak.clear_letters(old)
        assert read_the_log(*suppression()) == truth()


def test_miner_and_one_checker_decryptor_or_closer():
    """The miner with a checker has her coins and her share of the key, with a decryptor her share, with the closing
    customer the elements without the coins: none reads a cell."""
    room, customers = suppression()
    job, _ = everybody_but_the_closer(room, customers)
    for index in (job.roles.checkers[0][0], *job.roles.decryptors):
        helper = helper_of(customers[index - 1])
        assert read_with_shares(room, job, helper, {d: m.body for d, m in job.shares.items()}) == set()
    assert undo(room, job, b"a guess of coins" * 2, elements_of(room, customers, job)) == set()


def elements_of(room, customers, job):
    """What the closing customer sees."""
    helper = helper_of(customers[job.roles.closer - 1])
    task = room.miner.protocol.ask(room.miner.state, helper.index, room.now)
    seen = []
    from shoal.protocol.suppression import customer as product
    from shoal.protocol.suppression.decryptor import decrypt as own
    from shoal.protocol.suppression.decryptor import plaintexts

    items = product.read_items(helper, job, job.mixed[-1], task["last"])
    parts = [own(room.group, helper.keys, [c.hint for c in items], job.roles.among)]
    parts += [product.read_share(helper, job, d, task["shares"][str(d)], len(items)) for d in job.roles.decryptors]
    seen.extend(plaintexts(room.group, [c.body for c in items], parts))
    return seen


def test_where_it_falls():
    """The number is exact: the miner with a mixer and the closing customer of her chunk (two mixers in a chain) reads
    its cells.
    """
    room, customers = suppression()
    job, _ = everybody_but_the_closer(room, customers)
    assert undo(room, job, SEED, elements_of(room, customers, job)) == truth()


def test_three_mixers_take_three_colluders():
    """With ``--mixers 3`` the miner with the first mixer and the closing customer, or with the second and her, reads
    nothing: he lacks the coins of the other. With both mixers and no closing customer he has no elements. With all
    three he reads the chunk."""
    rows = [*ROWS, *[list(r) for r in ("3333", "3123", "2132", "1232")]]
    room, customers = suppression(rows=rows, mixers=3, decryptors=4, tolerate=0)
    job = chunk(room)
    assert len(job.roles.mixers) == 2
    for index, seed in zip(job.roles.mixers, (SEED, OTHER), strict=True):
        mix(customers[index - 1], seed=seed)
    check_and_share(customers, job)
    elements = elements_of(room, customers, job)
    guess = b"a guess of coins" * 2
    assert undo_all(room, job, [SEED, guess], elements) == set()
    assert undo_all(room, job, [guess, OTHER], elements) == set()
    items = packing.unpack_items(room.group, job.mixed[-1].body, job.count(4))
    assert undo_all(room, job, [SEED, OTHER], [c.body for c in items]) == set()
    assert undo_all(room, job, [SEED, OTHER], elements) == truth(rows)


def guess_cells(room, customers):
    """A deviating miner and one mixer: instead of a quotient an item holds one cell over a guess, so that the counts
    say whether it is right.
    """
    group, job = room.group, chunk(room)
    mixer = customers[job.roles.mixers[0] - 1]
    rows = room.miner.state.rows
    guess = [
        Ciphertext(group.divide(rows[1][j].body, cell_element(room.session, group, j, "1")), rows[1][j].hint)
        for j in range(4)
    ]
    first = mix(mixer, guess + [rows[1][j % 4] for j in range(job.count(4) - 4)])
    before = (job.attempt, job.name)
    finish(room, customers, job)
    counts = next((m for m in room.messages if m.kind == "counts"), None)
    if counts is None or job.attempt != before[0] or counts.slot != job.place:
        return None, mixer
    assert len(first) == job.count(4)
    return counts.body["counts"][0], mixer


def test_a_mixer_who_mixes_something_else(monkeypatch):
    """No honest decryptor answers for what is not the mixed quotients of the signed rows; the mixer is named and the
    job starts again.
    """
    room, customers = suppression()
    found, mixer = guess_cells(room, customers)
    assert found is None
    assert room.miner.board.named == {mixer.index: "mixed what she was not given"}
    run(room, customers)
    assert len(room.miner.release().rows) == len(ROWS), "the session goes on without her in this job"
    with monkeypatch.context() as old:
        weak.unchecked_mixing(old)
        found, _ = guess_cells(*suppression())
        assert found == 0, "all four cells of customer 1 are what was guessed"


def decrypt_raw_cells(room, customers):
    """The same two, reading the decryptors' shares for raw cells in the log."""
    group, job, rows = room.group, chunk(room), room.miner.state.rows
    mixer = customers[job.roles.mixers[0] - 1]
    raw = [c for i in sorted(rows) for c in rows[i]]
    items = mix(mixer, (raw * 4)[: job.count(4)])
    check_and_share(customers, job)
    parts = {d: clear_parts(group, m.body, len(items)) for d, m in job.shares.items()}
    if len(parts) < room.session.decryptors - 1 or None in parts.values():
        return 0
    plain = decrypt(group, items, parts, job.roles.among, [mixer.keys], room.session.decryptors)
    cells = [cell_element(room.session, group, j, v) for r in ROWS for j, v in enumerate(r)]
    return sum(a == b for a, b in zip(plain, cells, strict=False))


def test_raw_cells_as_a_chunk(monkeypatch):
    """Raw cells signed as a chunk are decrypted for nobody."""
    assert decrypt_raw_cells(*suppression()) == 0
    with monkeypatch.context() as old:
        weak.unchecked_mixing(old)
        assert decrypt_raw_cells(*suppression()) == 0, "the shares are sealed"
        weak.clear_letters(old)
        assert decrypt_raw_cells(*suppression()) == 4 * len(ROWS)


# P4

PAIRS = [list(r) for r in ("1111", "1111", "1111", "2222", "2233", "2322")]


def swap_outputs(room, customers):
    """A deviating miner hands a member of a group that is not constant the ciphertexts and shares of one that is; he
    looks for cells that should be starred."""
    group = room.group
    good, bad = good_and_bad(room)
    for job in (good, bad):
        for index in (*job.roles.mixers, *job.roles.checkers[0], *job.roles.decryptors):
            answer = perform(helper_of(customers[index - 1]), task_of(room, job, index))
            for kind, slot, body in answer:
                customers[index - 1].send(kind, body, slot)
            for c in customers:
                c.follow()
    victim = helper_of(customers[bad.receiver - 1])
    swapped = dict(zip(bad.roles.decryptors, good.roles.decryptors, strict=True))
    shares = {str(d): reweighted(group, good, bad, d, other) for d, other in swapped.items()}
    task = {"task": "job", "job": bad.name, "last": good.mixed[-1].body, "shares": shares}
    try:
        (kind, _, body) = perform(victim, task)[0]
    except ProtocolError:
        return None
    return kind, body, victim


def good_and_bad(room):
    """The job of a member of the constant group, and that of one of the other who does not help in it."""
    return fitting_pairs(room)[0]


def fitting_pairs(room):
    jobs = room.miner.state.rules.jobs
    pairs = [(jobs[f"member-{i}"], jobs[f"member-{j}"]) for i in (1, 2, 3) for j in (4, 5, 6)]
    return [(a, b) for a, b in pairs if b.receiver not in (*a.roles.mixers, *a.roles.checkers[0], *a.roles.decryptors)]


def two_groups():
    """A session whose draw lets the game be played: some member of the second group helps in no job of some member of
    the first.
    """
    for _ in range(50):
        room, customers = suppression(until="test", rows=PAIRS, partition="nearest")
        if fitting_pairs(room):
            return room, customers
    raise AssertionError("no draw lets the game be played")


def task_of(room, job, index):
    from shoal.protocol.suppression.work import describe

    return describe(job, room.miner.state.row_bodies, index)


def reweighted(group, good, bad, d, other):
    """A share of the one job as one of the other; where it is sealed there is nothing to do but to hand it on."""
    body = good.shares[other].body
    parts = clear_parts(group, body, 4)
    if parts is None:
        return body
    old = lagrange(good.roles.among, 0, group.order)[good.roles.among.index(other)]
    new = lagrange([bad.roles.closer, *good.roles.decryptors], 0, group.order)[
        1 + list(good.roles.decryptors).index(other)
    ]
    data = b"".join(group.power(p, new * group.inverse(old) % group.order) for p in parts)
    return {"letter": {"box": text_of(bytes(12) + data + bytes(16))}}


def test_another_groups_output(monkeypatch):
    """Members, rows, jobs and outputs hang together on the board; what is another group's is refused."""
    room, customers = two_groups()
    assert {tuple(g) for g in room.miner.state.rules.groups} == {(1, 2, 3), (4, 5, 6)}
    assert swap_outputs(room, customers) is None
    with monkeypatch.context() as old:
        weak.clear_letters(old)
        room, customers = two_groups()
        old_sets(old, room)
        weak.unbound_tasks(old)
        swapped = swap_outputs(room, customers)
        assert swapped is not None
        kind, _, victim = swapped
        assert kind == "final"
        assert starred(room, victim, swapped[1]) == "".join(victim.cells), (
            "cells that are not constant in her group come out unstarred"
        )


def old_sets(monkeypatch, room):
    """In 0.1.0 a member weighted whatever shares she was given."""
    from shoal.protocol.suppression import decryptor

    good, bad = good_and_bad(room)
    whole = [bad.receiver, *good.roles.decryptors]
    plain = decryptor.decrypt

    def decrypt_with(group, keys, hints, among):
        return plain(
            group, keys, hints, whole if sorted(among) == bad.roles.among and keys.index == bad.receiver else among
        )

    monkeypatch.setattr(decryptor, "decrypt", decrypt_with)


def starred(room, victim, body):
    """What the victim sealed, opened with her own key."""
    from shoal.protocol import sealing
    from shoal.protocol.extraction.messages import TAG, decode_cells, row_binding

    subject = victim.rules.subject(victim.index)
    base = room.group.hash_to_group(subject, TAG)
    binding = row_binding(room.session, subject, victim.index)
    key = sealing.derive(room.group.power(base, victim.keys.points["seed"][2 * victim.index - 1]), binding)
    return "".join(decode_cells(sealing.open_sealed(key, bytes_of(body["sealed"]), binding), 5)[:4])


def send_garbage(room, customers):
    """One decryptor seals something that is not a share."""
    job = chunk(room)
    mix(customers[job.roles.mixers[0] - 1])
    customers[job.roles.checkers[0][0] - 1].work()
    cheat = customers[job.roles.decryptors[0] - 1]
    from shoal.protocol import letters

    helper = helper_of(cheat)
    place = f"{job.place}/{job.after}"
    junk = b"\xff" * (job.count(4) * room.group.element_bytes)
    letter = letters.write(room.session, room.group, cheat.index, helper.seal_key(job.roles.closer), place, junk)
    cheat.send("share", {"letter": letter}, place)
    finish(room, customers, job)
    return cheat


def test_garbage_in_a_sealed_share(monkeypatch):
    """It ends nobody's program, the sender is named with a proof, and the session ends as it should."""
    room, customers = suppression()
    cheat = send_garbage(room, customers)
    assert room.miner.board.named == {cheat.index: "sealed something that is not a share"}
    run(room, customers)
    assert len(room.miner.release().rows) == len(ROWS)
    with monkeypatch.context() as old:
        weak.helpers_that_die(old)
        with pytest.raises(ValueError):
            send_garbage(*suppression())


def test_who_refuses_what_is_right_is_named():
    """A false refusal names the one who refuses, and reveals nothing but a letter that was hers to read."""
    room, customers = suppression()
    job, _ = everybody_but_the_closer(room, customers)
    closer, sender = customers[job.roles.closer - 1], job.roles.decryptors[0]
    helper = helper_of(closer)
    from shoal.protocol import letters

    place, letter = f"{job.place}/{job.after}", job.shares[sender].body["letter"]
    shown = letters.show(
        room.session, room.group, sender, helper.seal_secret, helper.seal_key(closer.index), place, letter
    )
    closer.send("refuse", shown, f"{job.place}/{sender}")
    assert room.miner.board.named == {closer.index: "refused what was right"}
    run(room, customers)
    assert len(room.miner.release().rows) == len(ROWS)


def test_letters_cannot_be_sent_on():
    """A letter's key is proved for its sender, receiver and place: copied by another it opens nowhere, and showing it
    is not an oracle.
    """
    from shoal.protocol import letters

    room, _ = suppression()
    group, session = room.group, room.session
    secret = group.random_scalar()
    to = group.generate(secret)
    letter = letters.write(session, group, 1, to, "here", b"coins")
    assert letters.read(session, group, 1, secret, to, "here", letter) == b"coins"
    for sender, place in ((2, "here"), (1, "there")):
        with pytest.raises(ProtocolError):
            letters.read(session, group, sender, secret, to, place, letter)
        assert letters.show(session, group, sender, secret, to, place, letter) == {"shared": "", "proof": ""}
