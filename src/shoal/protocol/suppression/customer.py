"""What a customer does in suppression: encrypts her row, helps with chunks and groups, and releases her row in the end.

She checks every task before she does it: rows are signed by their owners, chunks by their mixers, a group has enough members and nobody is in two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shoal.protocol.elgamal import Ciphertext
from shoal.protocol.extraction.customer import make_share
from shoal.protocol.extraction.messages import subject_of
from shoal.protocol.group import Group
from shoal.protocol.keygen import Keys
from shoal.protocol.messages import Body, Message, Rejected, bytes_of, numbers
from shoal.protocol.messages import field as take
from shoal.protocol.session import Session
from shoal.protocol.suppression import decryptor, mixer, stamps
from shoal.protocol.suppression.rows import read_row


@dataclass
class Helper:
    """A customer at work: her keys, the roster, and what she has checked and seen so far."""

    session: Session
    group: Group
    keys: Keys
    sign_key: Ed25519PrivateKey
    roster: Sequence[bytes]
    """Signing keys, customer 1 first."""
    cells: Sequence[str]
    sensitive: Sequence[str]
    rows: dict[str, list[Ciphertext]] = field(default_factory=dict)
    group_of: dict[int, frozenset[int]] = field(default_factory=dict)

    @property
    def columns(self) -> int:
        return len(self.session.quasi_identifiers)

    def key_of(self, index: int) -> bytes:
        if not 1 <= index <= len(self.roster):
            raise Rejected(403, "stranger", "A task names somebody who is not on the roster.")
        return self.roster[index - 1]


def perform(helper: Helper, task: Body) -> tuple[str, Body]:
    """Do a task: the kind and body of the message that answers it."""
    kinds = {"mix": do_mix, "share": do_share, "count": do_count, "final": do_final}
    kind = take(task, "task", str)
    if kind not in kinds:
        raise Rejected(400, "task", "The miner asks for a task that there is not.")
    return kinds[kind](helper, task)


def members_of(helper: Helper, task: Body) -> list[int]:
    """The rows of a job. A group must be large enough, and nobody may be in two."""
    left, right = numbers(task, "left"), numbers(task, "right")
    members = sorted({*left, *right})
    if is_group(task):
        check_group(helper, members)
    return members


def is_group(task: Body) -> bool:
    return str(take(task, "job", str)).startswith("group")


def check_group(helper: Helper, members: Sequence[int]) -> None:
    whole = frozenset(members)
    if len(whole) < helper.session.threshold or any(helper.group_of.get(i, whole) != whole for i in whole):
        raise Rejected(403, "group", "A group is too small, or shares a member with another: the task is refused.")
    helper.group_of.update(dict.fromkeys(whole, whole))


def read_rows(helper: Helper, task: Body, members: Sequence[int], before: bytes) -> dict[int, list[Ciphertext]]:
    """The rows of a job, signed by their owners and proved; checked once each."""
    messages = [Message(**m) for m in take(task, "rows", list)]
    if [m.sender for m in messages] != list(members) or any(m.session != helper.session.digest or m.kind != "row" for m in messages):
        raise Rejected(403, "rows", "The rows of a task are not those of its members.")
    if stamps.rows_digest(helper.session, take(task, "job", str), [m.digest() for m in messages]) != before:
        raise Rejected(403, "rows", "The rows of a task do not fit its digest.")
    out = {}
    for message in messages:
        digest = message.digest()
        if digest not in helper.rows:
            message.check_signature(helper.key_of(message.sender))
            helper.rows[digest] = read_row(helper.session, helper.group, message)
        out[message.sender] = helper.rows[digest]
    return out


def do_mix(helper: Helper, task: Body) -> tuple[str, Body]:
    """A mixer's step: from the members' rows at first, from the last mixer's stamped output later."""
    group, members = helper.group, members_of(helper, task)
    job, stage, before = take(task, "job", str), take(task, "stage", int), bytes_of(take(task, "before", str))
    order: list[int] = []
    if stage == 0:
        rows = read_rows(helper, task, members, before)
        if is_group(task):
            items = mixer.blend(group, rows, members, helper.columns)
        else:
            pairs = mixer.pairs_of(numbers(task, "left"), numbers(task, "right"))
            items, order = mixer.mix(group, mixer.quotients(group, rows, pairs), helper.columns, again(helper))
    else:
        given = read_output(helper, task, stage)
        if is_group(task):
            items = mixer.raise_all(group, given)
        else:
            items, order = mixer.mix(group, given, helper.columns, again(helper))
    body = mixer.mix_body(helper.session, helper.sign_key, helper.keys.index, job, stage, before, items, order)
    return "mix", {"job": job, **body}


def again(helper: Helper) -> bytes | None:
    """The public key where the session asks for literal re-randomisation."""
    return helper.keys.public() if helper.session.rerandomise else None


def read_output(helper: Helper, task: Body, n_stages: int) -> list[Ciphertext]:
    """Ciphertexts that so many mixers have stamped."""
    left, right = numbers(task, "left"), numbers(task, "right")
    count = helper.columns if is_group(task) else helper.columns * len(mixer.pairs_of(left, right))
    bodies = stamps.unpack(helper.group, take(task, "bodies", str), count, is_group(task), at_once=True)
    hints = stamps.unpack(helper.group, take(task, "hints", str), count, at_once=True)
    chain = take(task, "stamps", list)
    made = stamps.check_chain(helper.session, chain, take(task, "job", str), n_stages, stamps.digest_of(bodies, hints), helper.key_of)
    if helper.keys.index in {s.mixer for s in made}:
        raise Rejected(403, "role", "A mixer of a job may take no other part in it.")
    return [Ciphertext(b, h) for b, h in zip(bodies, hints, strict=True)]


def finished_output(helper: Helper, task: Body) -> list[Ciphertext]:
    """What all mixers have stamped: the only thing a decryptor touches."""
    members_of(helper, task)
    return read_output(helper, task, helper.session.mixers if is_group(task) else helper.session.mixers - 1)


def do_share(helper: Helper, task: Body) -> tuple[str, Body]:
    """A decryptor's part: weighted for a chunk, raw for a group."""
    items, job = finished_output(helper, task), take(task, "job", str)
    hints = [c.hint for c in items]
    if is_group(task):
        share = helper.keys.points["key"][helper.keys.index]
        return "share", {"job": job, "among": [], "parts": stamps.pack([helper.group.power(h, share) for h in hints])}
    among = check_set(helper, task)
    return "share", {"job": job, "among": among, "parts": stamps.pack(decryptor.decrypt(helper.group, helper.keys, hints, among))}


def check_set(helper: Helper, task: Body) -> list[int]:
    among = numbers(task, "among")
    if len(among) != helper.session.decryptors or len(set(among)) != len(among) or helper.keys.index not in among:
        raise Rejected(403, "role", "A set of decryptors does not fit.")
    return among


def do_count(helper: Helper, task: Body) -> tuple[str, Body]:
    """The closing mixer's part: decrypt with the others' shares and her own, and tell how many quotients of each pair are not 1."""
    items, group, job = finished_output(helper, task), helper.group, take(task, "job", str)
    among = check_set(helper, task)
    parts = [decryptor.decrypt(group, helper.keys, [c.hint for c in items], among)]
    for data in take(task, "shares", list):
        parts.append(read_share(helper, Message(**data), job, among, len(items)))
    if len(parts) != len(among):
        raise Rejected(403, "role", "Shares of the decryption are missing.")
    plain = decryptor.plaintexts(group, [c.body for c in items], parts)
    return "counts", {"job": job, "counts": decryptor.count_differences(group, plain, helper.columns)}


def read_share(helper: Helper, message: Message, job: str, among: list[int], count: int) -> list[bytes]:
    """Another decryptor's signed share; if it was made for another set, it is raised to the ratio of the weights."""
    message.check_signature(helper.key_of(message.sender))
    right = (
        message.kind == "share" and message.session == helper.session.digest and message.body.get("job") == job and message.sender in among
    )
    if not right or message.sender == helper.keys.index:
        raise Rejected(403, "role", "A share of the decryption does not belong to this job.")
    parts = stamps.unpack(helper.group, take(message.body, "parts", str), count, at_once=True)
    used = numbers(message.body, "among")
    if sorted(used) == sorted(among):
        return parts
    old, new = (decryptor.weight(helper.group, message.sender, s) for s in (used, among))
    ratio = new * helper.group.inverse(old) % helper.group.order
    return [helper.group.power(p, ratio) for p in parts]


def do_final(helper: Helper, task: Body) -> tuple[str, Body]:
    """Find out which columns are constant in the own group, star the others, and seal the row for release."""
    members = numbers(task, "members")
    if helper.keys.index not in members:
        raise Rejected(403, "group", "The miner asks for a row in a group that it is not in.")
    check_group(helper, members)
    items = read_output_of_group(helper, task)
    size = len(items)
    parts = {int(i): stamps.unpack(helper.group, p, size) for i, p in take(task, "parts", dict).items()}
    if len(parts) != helper.session.decryptors - 1 or helper.keys.index in parts:
        raise Rejected(403, "role", "Shares of the decryption are missing.")
    constant = decryptor.own_verdict(helper.group, helper.keys, [c.body for c in items], [c.hint for c in items], parts)
    cells = [cell if keep else "*" for cell, keep in zip(helper.cells, constant, strict=True)]
    subject = subject_of(helper.session, "group", [take(task, "group", int)])
    share = make_share(helper.session, helper.group, helper.keys, subject, [*cells, *helper.sensitive])
    return "final", share.body()


def read_output_of_group(helper: Helper, task: Body) -> list[Ciphertext]:
    """The blended columns of the own group, stamped from the rows of just these members."""
    bodies = stamps.unpack(helper.group, take(task, "bodies", str), helper.columns, identity_too=True)
    hints = stamps.unpack(helper.group, take(task, "hints", str), helper.columns)
    chain, job = take(task, "stamps", list), take(task, "job", str)
    made = stamps.check_chain(helper.session, chain, job, helper.session.mixers, stamps.digest_of(bodies, hints), helper.key_of)
    if made[0].before != stamps.rows_digest(helper.session, job, take(task, "digests", list)):
        raise Rejected(403, "rows", "The blended columns of a group were not made from its members' rows.")
    return [Ciphertext(b, h) for b, h in zip(bodies, hints, strict=True)]
