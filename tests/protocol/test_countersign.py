"""The registrar signs one digest for each place: a miner who shows two boards is refused."""

from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.errors import PolicyError, ProtocolError
from shoal.protocol import countersign
from shoal.protocol.countersign import Countersigner, Head, countersigned
from shoal.protocol.messages import Message, Rejected, public_bytes
from shoal.protocol.session import Party
from shoal.protocol.transport.storage import Ledger
from tests.protocol.rehearsal import make_session
from tests.protocol.test_protocols import COLUMNS

MINER, REGISTRAR = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
A, B = "aa" * 32, "bb" * 32


@pytest.fixture
def countersigner(tmp_path):
    session = make_session("extraction", 3, COLUMNS)
    party = Party("https://127.0.0.1:1", public_bytes(MINER).hex(), "system")
    registrar = Party("https://127.0.0.1:2", "", "system", head_key=public_bytes(REGISTRAR).hex())
    return Countersigner(
        replace(session, miner=party, registrar=registrar), REGISTRAR, Ledger(tmp_path / "heads.sqlite")
    )


def ask(countersigner, place="round-0", seq=7, digest=A, key=MINER):
    return countersigner.sign(countersign.request(countersigner.session, place, seq, digest, key))


def test_one_digest_a_place(countersigner):
    first = ask(countersigner)
    assert ask(countersigner) == first, "the same again gets the same answer"
    countersigned(countersigner.session, "round-0", 7, A, first)
    for other in ({"digest": B}, {"seq": 8}):
        with pytest.raises(Rejected, match="two boards"):
            ask(countersigner, **other)
    assert ask(countersigner, place="round-1", digest=B) != first


def test_the_signature_holds_for_its_place_only(countersigner):
    session, answer = countersigner.session, ask(countersigner)
    for place, seq, digest in (("round-1", 7, A), ("round-0", 8, A), ("round-0", 7, B)):
        with pytest.raises(ProtocolError, match="did not sign"):
            countersigned(session, place, seq, digest, answer)
    with pytest.raises(ProtocolError, match="did not sign"):
        countersigned(replace(session, raw=b"another"), "round-0", 7, A, answer)
    with pytest.raises(PolicyError):
        Head("round-0", 7, A, answer["signature"]).check(replace(session, registrar=None))


def test_only_the_sessions_miner_is_answered(countersigner):
    """An outsider who could take a place first would stop the session."""
    with pytest.raises(Rejected) as refused:
        ask(countersigner, key=Ed25519PrivateKey.generate())
    assert refused.value.code == "signature"
    with pytest.raises(PolicyError, match="another registrar"):
        Countersigner(countersigner.session, MINER, countersigner.heads)
    ask(countersigner)


bodies = st.dictionaries(
    st.sampled_from(["seq", "digest", "more"]),
    st.none() | st.integers() | st.text(max_size=70) | st.just(A) | st.lists(st.integers(), max_size=2),
)


def test_signed_nonsense_is_refused_and_changes_nothing(countersigner):
    session = countersigner.session

    @given(st.sampled_from(["head", "join", ""]), st.sampled_from([0, 1, -1]), st.text(max_size=64), bodies)
    @settings(max_examples=200, deadline=None)
    def attempt(kind, sender, slot, body):
        right = kind == "head" and not sender and len(slot) <= countersign.PLACE_LENGTH and body.get("digest") == A
        try:
            countersigner.sign(Message(session.digest, sender, kind, slot, body).signed(MINER))
        except Rejected:
            return
        assert right
        assert type(body["seq"]) is int

    attempt()
    assert ask(countersigner, place="a place of its own")


def test_a_head_from_outside():
    for body in ({}, {"seq": "1", "digest": A, "signature": A * 2}, {"seq": 1, "digest": "a", "signature": A * 2}):
        with pytest.raises(Rejected):
            countersign.read_head("round-0", body)
    assert countersign.read_head("round-0", {"seq": 1, "digest": A, "signature": A * 2}).body()["seq"] == 1
