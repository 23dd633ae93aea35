"""What the miner shows a customer of a round that is over, and how she checks it before she sends anything more.

*Below*: the countersigned count of her tag is smaller than the threshold; she climbs.
*Reached*: the count is large enough, and the entries of threshold − 1 others are shown; she sends her share, once, and
never climbs again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass

from shoal.errors import ProtocolError
from shoal.protocol import tokens
from shoal.protocol.countersign import Head, read_head
from shoal.protocol.group import Group
from shoal.protocol.messages import Body, Message, bytes_of, field, text_of
from shoal.protocol.session import Session
from shoal.protocol.star.messages import MOST_CUSTOMERS, read_tag
from shoal.protocol.star.rounds import Round, digest_of, place_of, root_of


@dataclass(frozen=True)
class Verdict:
    """What a customer knows of a round after checking: its head, and whether her tag was there and often enough."""

    head: Head
    present: bool
    reached: bool


def show(
    session: Session, done: Round, index: int, joins: Mapping[int, Message], posted: Mapping[int, Message]
) -> Body:
    """The miner's part: head, leaf and path of a customer's tag, and the others' entries if there are enough."""
    assert done.head is not None
    shown: Body = {
        "head": done.head.body(),
        "size": len(done.groups),
        "root": done.levels[-1][0].hex(),
        "chain": done.chain.hex(),
    }
    if index not in done.tags:
        return shown
    tag = done.tags[index]
    members = done.groups[tag]
    place, beside = done.path(tag)
    shown |= {"count": len(members), "place": place, "beside": [h.hex() for h in beside]}
    if len(members) >= session.threshold:
        at = bisect_left(members, index)
        others = (members[at + 1 :] + members[:at])[: session.threshold - 1]
        shown["witnesses"] = [[text_of(joins[i].encode()), text_of(posted[i].encode())] for i in others]
    return shown


def check(session: Session, group: Group, rung: int, tag: bytes | None, sign_key: bytes, shown: Body) -> Verdict:
    """The customer's part. ``tag`` is what she posted in the round, or None."""
    head = read_head(place_of(rung), field(shown, "head", dict))
    head.check(session)
    size, root = field(shown, "size", int), hash_of(field(shown, "root", str))
    if head.digest != digest_of(session, rung, size, root, hash_of(field(shown, "chain", str))):
        raise ProtocolError(f"The miner shows another round {rung} than the registrar countersigned.")
    if tag is None or "count" not in shown:
        return Verdict(head, present=False, reached=False)
    count, place = field(shown, "count", int), field(shown, "place", int)
    if not 1 <= count <= MOST_CUSTOMERS or size > MOST_CUSTOMERS:
        raise ProtocolError("The miner counts more customers than there can be.")
    if root_of(tag, count, place, size, [hash_of(h) for h in field(shown, "beside", list)]) != root:
        raise ProtocolError(
            f"The miner's count of this customer's tag is not the one of the countersigned round {rung}."
        )
    if count < session.threshold:
        return Verdict(head, present=True, reached=False)
    check_witnesses(session, group, rung, tag, sign_key, shown)
    return Verdict(head, present=True, reached=True)


def check_witnesses(session: Session, group: Group, rung: int, tag: bytes, sign_key: bytes, shown: Body) -> None:
    """So many others, each with a token of her own, must have posted the same tag and proved that they know what is
    behind it.
    """
    assert session.registrar is not None
    keys = {sign_key}
    for pair in field(shown, "witnesses", list):
        if not isinstance(pair, list) or len(pair) != 2:
            raise ProtocolError("The miner shows something that is not an entry of a customer.")
        joined, posted = (Message.decode(bytes_of(text)) for text in pair)
        key = bytes_of(field(joined.body, "sign_key", str))
        if joined.session != session.digest or posted.session != session.digest or joined.kind != "join":
            raise ProtocolError("The miner shows an entry of another session.")
        joined.check_signature(key)
        token = bytes_of(field(joined.body, "token", str))
        tokens.check(session.registrar.key, tokens.purpose(session.context, "join", key), token)
        posted.check_signature(key)
        if posted.kind != "tag" or posted.slot != str(rung):
            raise ProtocolError("The miner shows a message of another round.")
        if read_tag(session, group, rung, key, posted.body).name != tag:
            raise ProtocolError("The miner shows a customer with other labels as one of this customer's group.")
        keys.add(key)
    if len(keys) < session.threshold:
        raise ProtocolError(
            f"The miner shows {len(keys)} customers of this group, {session.threshold} are needed: nothing is sent."
        )


def hash_of(text: object) -> bytes:
    try:
        data = bytes.fromhex(str(text))
    except ValueError as error:
        raise ProtocolError("The miner shows something that is not a hash.") from error
    if len(data) != 32:
        raise ProtocolError("The miner shows something that is not a hash.")
    return data
