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
    for vector in given["vectors"]:
        blinded = oprf.blind(group, bytes.fromhex(vector["input"]), mode, group.scalar(bytes.fromhex(vector["blind"])))
        evaluated = oprf.evaluate(group, key, [blinded.element])[0]
        assert blinded.element.hex() == vector["blinded"]
        assert evaluated.hex() == vector["evaluated"]
        assert oprf.finalize(group, blinded, evaluated).hex() == vector["output"]
        if mode == oprf.VOPRF:
            public = group.generate(key)
            assert public.hex() == given["public"]
            nonce = group.scalar(bytes.fromhex(vector["nonce"]))
            proof = oprf.prove(group, key, [blinded.element], [evaluated], nonce)
            assert proof.hex() == vector["proof"]
            oprf.check(group, public, [blinded.element], [evaluated], proof)


@pytest.mark.parametrize("given", load("rfc9497.json")["batches"], ids=lambda b: f"{len(b['inputs'])} inputs")
def test_oprf_in_a_batch(given):
    group, head = make_group(), load("rfc9497.json")
    key = oprf.derive_key(group, bytes.fromhex(head["seed"]), bytes.fromhex(head["info"]), given["mode"])
    secrets = [group.scalar(bytes.fromhex(b)) for b in given["blinds"]]
    blinded = [oprf.blind(group, bytes.fromhex(i), given["mode"], s).element for i, s in zip(given["inputs"], secrets, strict=True)]
    evaluated = oprf.evaluate(group, key, blinded)
    assert [b.hex() for b in blinded] == given["blinded"]
    assert [e.hex() for e in evaluated] == given["evaluated"]
    proof = oprf.prove(group, key, blinded, evaluated, group.scalar(bytes.fromhex(given["nonce"])))
    assert proof.hex() == given["proof"]
    oprf.check(group, group.generate(key), blinded, evaluated, proof)
    with pytest.raises(ProtocolError):
        oprf.check(group, group.generate(key), blinded, evaluated[::-1], proof)


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
