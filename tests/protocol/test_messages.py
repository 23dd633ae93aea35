"""Messages: one encoding, signatures that hold for one place, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from shoal.protocol.messages import (
    SLOT_LENGTH,
    Message,
    Rejected,
    bytes_of,
    canonical,
    field,
    numbers,
    public_bytes,
    text_of,
)

KEY = Ed25519PrivateKey.generate()
MESSAGE = Message("ab" * 32, 3, "row", "7", {"cells": [1, 2]}, "cd").signed(KEY)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    st.lists,
    max_leaves=6,
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), VALUES))
def test_a_message_comes_back_as_it_was(body: dict[str, object]) -> None:
    sent = Message("ab" * 32, 3, "row", "7", body).signed(KEY)
    back = Message.decode(sent.encode())
    assert back == sent
    back.check_signature(public_bytes(KEY))


def test_the_same_value_has_one_encoding() -> None:
    assert canonical({"b": 1, "a": "é"}) == canonical({"a": "é", "b": 1}) == '{"a":"é","b":1}'.encode()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", {1, 2}, b"x"])
def test_what_has_no_encoding_is_refused(value: object) -> None:
    with pytest.raises(Rejected, match="no encoding"):
        canonical({"x": value})


def test_too_deep_a_body_is_refused() -> None:
    deep: object = 0
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(Rejected):
        canonical(deep)
    with pytest.raises(Rejected):
        Message.decode(b'{"body":' + b"[" * 100_000)


@pytest.mark.parametrize(
    "other",
    [
        {"session": "ef" * 32},
        {"sender": 4},
        {"kind": "share"},
        {"slot": "8"},
        {"after": ""},
        {"body": {"cells": [1, 3]}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_signature_holds_for_one_session_sender_kind_place_and_body(other: dict[str, object]) -> None:
    MESSAGE.check_signature(public_bytes(KEY))
    with pytest.raises(Rejected) as told:
        replace(MESSAGE, **other).check_signature(public_bytes(KEY))  # type: ignore[arg-type]
    assert (told.value.status, told.value.code) == (403, "signature")


def test_a_signature_of_somebody_else_does_not_hold() -> None:
    with pytest.raises(Rejected):
        MESSAGE.check_signature(public_bytes(Ed25519PrivateKey.generate()))


def test_a_header_alone_can_be_checked_and_does_not_hold_the_body() -> None:
    MESSAGE.header.check_signature(public_bytes(KEY))
    assert "cells" not in str(vars(MESSAGE.header))
    assert MESSAGE.header.name == MESSAGE.name == "3/row/7"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        MESSAGE.encode().replace(b'"sender":3', b'"sender":true'),
        MESSAGE.encode().replace(b'"sender":3', b'"sender":3.0'),
        MESSAGE.encode().replace(b'"slot":"7"', b'"slot":"' + b"7" * (SLOT_LENGTH + 1) + b'"'),
        MESSAGE.encode().replace(b'{"cells":[1,2]}', b"[]"),
        MESSAGE.encode().replace(b'"slot"', b'"more":1,"slot"'),
    ],
)
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(Rejected) as told:
        Message.decode(data)
    assert told.value.status == 400


def test_fields_must_have_their_type() -> None:
    assert field({"n": 5}, "n", int) == 5
    for body in ({}, {"n": True}, {"n": "5"}):
        with pytest.raises(Rejected, match="'n'"):
            field(body, "n", int)
    assert numbers({"n": [1, 2]}, "n") == [1, 2]
    with pytest.raises(Rejected, match="whole numbers"):
        numbers({"n": [1, True]}, "n")


def test_bytes_are_base64_and_nothing_else() -> None:
    assert bytes_of(text_of(b"\0\xff")) == b"\0\xff"
    for text in ("a", "ab==c", "a b=", 7):
        with pytest.raises(Rejected, match="base64"):
            bytes_of(text)
