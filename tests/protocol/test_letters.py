"""Sealed letters: read by their receiver alone, bound to their place, and shown to others with a proof."""

from __future__ import annotations

import pytest

from shoal.errors import ProtocolError
from shoal.protocol import letters
from shoal.protocol.group import make_group
from tests.protocol.rehearsal import make_session
from tests.protocol.sessions import COLUMNS

SESSION = make_session("extraction", 3, COLUMNS)
GROUP = make_group()
SECRET = GROUP.random_scalar()
TO = GROUP.generate(SECRET)
LETTER = letters.write(SESSION, GROUP, 5, TO, "share/2", b"forty-two")


def test_the_receiver_reads_it() -> None:
    assert letters.read(SESSION, GROUP, 5, SECRET, TO, "share/2", LETTER) == b"forty-two"


def test_it_holds_nothing_in_clear() -> None:
    assert b"forty" not in str(LETTER).encode()
    assert letters.write(SESSION, GROUP, 5, TO, "share/2", b"forty-two") != LETTER


@pytest.mark.parametrize("changed", ["sender", "place", "session", "secret", "box", "missing"])
def test_it_cannot_be_sent_on_moved_or_altered(changed: str) -> None:
    session = make_session("extraction", 3, COLUMNS, number="cd" * 16) if changed == "session" else SESSION
    secret = GROUP.random_scalar() if changed == "secret" else SECRET
    letter = (
        {**LETTER, "box": LETTER["box"][:-8] + "AAAAAAA="}
        if changed == "box"
        else None
        if changed == "missing"
        else LETTER
    )
    with pytest.raises(ProtocolError):
        letters.read(
            session,
            GROUP,
            6 if changed == "sender" else 5,
            secret,
            TO,
            "share/3" if changed == "place" else "share/2",
            letter,
        )


def test_a_letter_can_be_shown_to_others_and_not_falsely() -> None:
    shown = letters.show(SESSION, GROUP, 5, SECRET, TO, "share/2", LETTER)
    assert letters.read_shown(SESSION, GROUP, 5, TO, "share/2", LETTER, shown) == b"forty-two"
    with pytest.raises(ProtocolError):
        letters.read_shown(
            SESSION, GROUP, 5, TO, "share/2", LETTER, letters.show(SESSION, GROUP, 5, SECRET + 1, TO, "share/2", LETTER)
        )


def test_a_letter_that_nobody_can_read_holds_nothing_for_others_either() -> None:
    empty = {**LETTER, "box": LETTER["box"][:-8] + "AAAAAAA="}
    shown = letters.show(SESSION, GROUP, 5, SECRET, TO, "share/2", empty)
    assert letters.read_shown(SESSION, GROUP, 5, TO, "share/2", empty, shown) is None
    for wrong in (None, {**LETTER, "proof": LETTER["box"]}):
        assert letters.show(SESSION, GROUP, 5, SECRET, TO, "share/2", wrong) == {"shared": "", "proof": ""}
        assert letters.read_shown(SESSION, GROUP, 5, TO, "share/2", wrong, {"shared": "", "proof": ""}) is None
