"""The chain of hashes: everything before an entry decides its hash, and bodies are shown to those who may see them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shoal.protocol.chain import PUBLIC, first_hash, next_hash, read_shown, show, signed_head
from shoal.protocol.messages import Message, Rejected
from tests.protocol.rehearsal import make_session
from tests.protocol.sessions import COLUMNS

SESSION = make_session("extraction", 3, COLUMNS)
JOIN = Message(SESSION.digest, 0, "join", "", {"key": "abc"}, signature="s")
ROW = Message(SESSION.digest, 2, "row", "", {"cells": ["SECRET"]}, signature="s")


def test_every_part_of_an_entry_decides_the_hash() -> None:
    header = JOIN.header
    hashes = {
        next_hash(first_hash(SESSION), 1, 5.0, header),
        next_hash("00" * 32, 1, 5.0, header),
        next_hash(first_hash(SESSION), 2, 5.0, header),
    }
    hashes |= {next_hash(first_hash(SESSION), 1, 6.0, header)}
    changes = ({"sender": 1}, {"kind": "x"}, {"slot": "x"}, {"after": "x"}, {"digest": "x"}, {"signature": "x"})
    hashes |= {next_hash(first_hash(SESSION), 1, 5.0, replace(header, **change)) for change in changes}  # type: ignore[arg-type]
    assert len(hashes) == 10


def test_two_sessions_begin_with_other_hashes() -> None:
    other = make_session("extraction", 3, COLUMNS, number="cd" * 16)
    assert first_hash(SESSION) != first_hash(other)
    assert signed_head(SESSION, 1, "ab") != signed_head(other, 1, "ab") != signed_head(other, 1, "ab", "table")


def test_a_body_is_shown_only_if_everybody_may_see_it() -> None:
    assert show(1, 0.0, JOIN).body == {"key": "abc"}
    assert show(1, 0.0, ROW).body is None
    assert "SECRET" not in str(show(1, 0.0, ROW).data())
    assert "row" not in PUBLIC


def test_what_is_shown_is_read_back() -> None:
    for message in (JOIN, ROW):
        shown = show(3, 5.0, message)
        assert read_shown(SESSION, shown.data()) == shown


@pytest.mark.parametrize(
    "change",
    [
        {"body": {"key": "other"}},
        {"body": None},
        {"at": float("nan")},
        {"at": -1.0},
        {"at": 1e300},
        {"at": "5"},
        {"sender": "0"},
        {"kind": "row"},
        {"seq": None},
    ],
    ids=str,
)
def test_an_entry_that_does_not_fit_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(Rejected):
        read_shown(SESSION, {**show(3, 5.0, JOIN).data(), **change})
