"""Every published vector in vectors/ is reproduced."""

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from shoal.errors import ProtocolError
from shoal.protocol import tokens
from shoal.protocol.group import make_group
from shoal.protocol.group.hashing import expand
from shoal.protocol.group.ristretto import Ristretto
from shoal.protocol.star import oprf

VECTORS = Path(__file__).parents[2] / "vectors"


def load(name):
    return json.loads((VECTORS / name).read_text())


@pytest.mark.parametrize("given", load("rfc9380.json")["sets"], ids=lambda s: s["source"])
def test_expand_message(given):
    for vector in given["vectors"]:
        assert expand(vector["message"].encode(), given["tag"].encode(), vector["length"]).hex() == vector["output"]


@pytest.mark.parametrize("bundled", [False, True])
def test_ristretto_encodings(bundled):
    group, given = Ristretto(bundled), load("rfc9496.json")
    for scalar, encoding in enumerate(given["multiples_of_generator"]):
        assert group.generate(scalar).hex() == encoding
    for encoding in given["bad_encodings"]:
        with pytest.raises(ProtocolError):
            group.element(bytes.fromhex(encoding))


@pytest.mark.parametrize("given", load("rfc9497.json")["modes"], ids=lambda m: f"mode {m['mode']}")
def test_oprf(given):
    group, head, mode = make_group(), load("rfc9497.json"), given["mode"]
    key = oprf.derive_key(group, bytes.fromhex(head["seed"]), bytes.fromhex(head["info"]), mode)
    assert group.scalar_data(key).hex() == given["key"]
    info = bytes.fromhex(given["info"]) if mode == oprf.POPRF else None
    for vector in given["vectors"]:
        blinded = oprf.blind(group, bytes.fromhex(vector["input"]), mode, group.scalar(bytes.fromhex(vector["blind"])))
        assert blinded.element.hex() == vector["blinded"]
        public, proof = group.generate(key), b""
        if mode == oprf.POPRF:
            (evaluated,), proof = oprf.evaluate_for(
                group, key, info, [blinded.element], group.scalar(bytes.fromhex(vector["nonce"]))
            )
            oprf.check_for(group, public, info, [blinded.element], [evaluated], proof)
        else:
            evaluated = oprf.evaluate(group, key, [blinded.element])[0]
        if mode == oprf.VOPRF:
            proof = oprf.prove(group, key, [blinded.element], [evaluated], group.scalar(bytes.fromhex(vector["nonce"])))
            oprf.check(group, public, [blinded.element], [evaluated], proof)
        assert evaluated.hex() == vector["evaluated"]
        assert oprf.finalize(group, blinded, evaluated, info).hex() == vector["output"]
        if mode != oprf.OPRF:
            assert public.hex() == given["public"]
            assert proof.hex() == vector["proof"]


@pytest.mark.parametrize("given", load("rfc9497.json")["batches"], ids=lambda b: f"mode {b['mode']}")
def test_oprf_in_a_batch(given):
    group, head, mode = make_group(), load("rfc9497.json"), given["mode"]
    key = oprf.derive_key(group, bytes.fromhex(head["seed"]), bytes.fromhex(head["info"]), mode)
    secrets = [group.scalar(bytes.fromhex(b)) for b in given["blinds"]]
    blinded = [
        oprf.blind(group, bytes.fromhex(i), mode, s).element for i, s in zip(given["inputs"], secrets, strict=True)
    ]
    nonce, public = group.scalar(bytes.fromhex(given["nonce"])), group.generate(key)
    if mode == oprf.POPRF:
        info = bytes.fromhex(given["info"])
        evaluated, proof = oprf.evaluate_for(group, key, info, blinded, nonce)
    else:
        evaluated = oprf.evaluate(group, key, blinded)
        proof = oprf.prove(group, key, blinded, evaluated, nonce)

    def check(evaluated, info):
        if mode == oprf.POPRF:
            oprf.check_for(group, public, info, blinded, evaluated, proof)
        else:
            oprf.check(group, public, blinded, evaluated, proof)

    assert [b.hex() for b in blinded] == given["blinded"]
    assert [e.hex() for e in evaluated] == given["evaluated"]
    assert proof.hex() == given["proof"]
    check(evaluated, bytes.fromhex(given.get("info", "")))
    with pytest.raises(ProtocolError):
        check(evaluated[::-1], bytes.fromhex(given.get("info", "")))
    if mode == oprf.POPRF:
        with pytest.raises(ProtocolError, match="key that the session file names"):
            check(evaluated, b"another rung")


def rsa_key(given):
    p, q, e = int(given["p"], 16), int(given["q"], 16), given["e"]
    d = pow(e, -1, (p - 1) * (q - 1))
    numbers = rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), rsa.RSAPublicNumbers(e, p * q))
    return numbers.private_key()


def test_blind_signature():
    given = load("rfc9474.json")
    key = rsa_key(given)
    public = key.public_key()
    message, salt = bytes.fromhex(given["message"]), bytes.fromhex(given["salt"])
    assert tokens.encode_pss(message, public.key_size - 1, salt).hex() == given["encoded"]
    blinded = tokens.blind(public, message, salt, int(given["inverse"], 16))
    assert blinded.data.hex() == given["blinded"]
    answer = tokens.blind_sign(key, blinded.data)
    assert answer.hex() == given["blind_signature"]
    assert tokens.finalize(public, blinded, answer).hex() == given["signature"]


def test_every_file_of_vectors_is_used():
    text = Path(__file__).read_text()
    assert [p.name for p in VECTORS.glob("*.json") if p.name not in text] == []
