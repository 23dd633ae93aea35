"""The session file: read, checked, and named by its bytes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shoal.errors import PolicyError
from shoal.protocol.session import parse_session, read_session
from tests.protocol.rehearsal import make_session, randomness_key
from tests.protocol.sessions import COLUMNS


def text(protocol: str = "extraction", **more: object) -> str:
    return make_session(
        protocol, 3, COLUMNS, randomness_key=randomness_key() if protocol == "star" else "", **more
    ).raw.decode()


def test_a_session_is_named_by_its_bytes() -> None:
    one, other = parse_session(text().encode()), parse_session((text() + "\n# a remark\n").encode())
    assert one.digest != other.digest
    assert one.context != other.context
    assert one.bind("x") != other.bind("x")


def test_what_is_bound_cannot_be_read_in_two_ways() -> None:
    session = parse_session(text().encode())
    assert session.bind("ab", "c") != session.bind("a", "bc")
    assert session.bind("1") != session.bind(1)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("shoal-session-1", "shoal-session-0", "not a session file"),
        ("k = 3", "k = 2", "two rows would hide nobody"),
        ("k = 3", 'k = "3"', "'k' is missing or not of type int"),
        ('protocol = "extraction"', 'protocol = "magic"', "no protocol 'magic'"),
        ("k = 3", 'k = 3\ngroup = "curve9000"', "no group 'curve9000'"),
        ("k = 3", "k = 3\ntolerat = 2", "no setting called 'tolerat'"),
        ("k = 3", "k = 3\nseconds = 5", "'seconds'"),
        ("[miner]", "[seconds]\nleas = 5\n[miner]", "no phase with a limit in seconds called 'leas'"),
        ("[miner]", "[miner]\ncertificat = 'x'", r"no setting of \[miner\] called 'certificat'"),
        ("https://127.0.0.1:1", "http://127.0.0.1:1", "must begin with https"),
        ('certificate = "system"', 'certificate = ""', "certificate must be"),
        ("'ill'", "'age'", "two columns have the same name"),
        ("'sensitive'", "'quasi-identifier'", "at least one quasi-identifier and one sensitive"),
        ("ab" * 16, "xy" * 16, "32 hexadecimal digits"),
        ("expires = 2100-01-01T00:00:00Z", 'expires = "soon"', "'expires' is missing or not of type datetime"),
        ("k = 3", "k = 3 3", "not TOML"),
    ],
)
def test_what_is_wrong_in_the_file_is_said(before: str, after: str, says: str) -> None:
    """A misspelt setting was left at its default: a session with 'tolerat = 2' tolerated nobody."""
    changed = text().replace(before, after)
    assert changed != text()
    with pytest.raises(PolicyError, match=says):
        parse_session(changed.encode())


def test_star_has_one_group() -> None:
    with pytest.raises(PolicyError, match="ristretto255 only"):
        parse_session(text("star").replace("k = 3", 'k = 3\ngroup = "safe-prime-2048"').encode())


def test_a_file_that_is_not_there_is_said(tmp_path) -> None:
    with pytest.raises(PolicyError, match="cannot be read"):
        read_session(tmp_path / "none.toml")


def test_a_row_is_taken_apart_in_the_order_of_the_schema() -> None:
    session = parse_session(text().encode())
    assert session.check_row({"ill": "flu", "age": "30"}) == (("30",), ("flu",))
    with pytest.raises(PolicyError, match="no column 'name'"):
        session.check_row({"ill": "flu", "age": "30", "name": "x"})
    with pytest.raises(PolicyError, match="Column 'age': the row has no value"):
        session.check_row({"ill": "flu"})


def test_an_expired_session_is_refused() -> None:
    session = parse_session(text().encode())
    session.check_time(datetime(2099, 12, 31, tzinfo=UTC))
    with pytest.raises(PolicyError, match="expired at 2100-01-01"):
        session.check_time(datetime(2100, 1, 1, tzinfo=UTC))


def test_colluders_raise_the_number_of_shares_that_open_a_group() -> None:
    session = make_session("extraction", 5, COLUMNS, tolerate=2, committee=5)
    assert (session.threshold, session.quorum) == (9, 3)
