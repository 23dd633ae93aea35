"""A session: one TOML file that all parties see and hash.

The digest of its bytes names the session. It goes, with the number, k and the schema, into every hash and every
signature: what is made for one session is useless in another.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from shoal.errors import PolicyError
from shoal.protocol.group import CATALOG as GROUPS
from shoal.protocol.group import Group, make_group
from shoal.protocol.group.hashing import join
from shoal.protocol.schema import SchemaColumn, make_column
from shoal.protocol.suppression.partition import CATALOG as PARTITIONS

FORMAT = "shoal-session-1"
PROTOCOLS = ("extraction", "suppression", "star")
SYSTEM = "system"
"""Written as a certificate: any that the operating system's authorities vouch for."""


@dataclass(frozen=True)
class Party:
    """A server of the session: where it is, its public key, and the certificate that its TLS must show."""

    url: str
    key: str
    certificate: str
    randomness_key: str = ""
    """Of the registrar: the key that signs tokens for the randomness server."""
    head_key: str = ""
    """Of the registrar: the key that countersigns where the session stands."""


@dataclass(frozen=True)
class Session:
    """What the session file says."""

    raw: bytes
    number: str
    protocol: str
    k: int
    tolerate: int
    """How many customers may collude with the miner without weakening k."""
    open: bool
    """There is no registrar, and all parties accept that: anybody may enter, and the miner seals the board himself."""
    customers: int
    """How many are expected; 0 if nobody knows. Joining ends at that number."""
    expires: datetime
    group_name: str
    committee: int
    """How many customers deal keys."""
    decryptors: int
    """t of the paper: how many shares decrypt."""
    mixers: int
    rerandomise: bool
    """Mixers re-randomise literally, as the paper has it; raising to a secret power hides as much."""
    partition: str
    rounds: int
    """How many generalizations the nested STAR rounds try; 1 is exact quasi-identifiers only."""
    row_bytes: int
    """Every sealed row is padded to this length."""
    seconds: Mapping[str, int]
    columns: tuple[SchemaColumn, ...]
    miner: Party
    registrar: Party | None
    randomness: Party | None

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.raw).hexdigest()

    @cached_property
    def context(self) -> bytes:
        """What goes into every hash of this session."""
        schema = join([c.name + "\0" + c.role for c in self.columns])
        return join([bytes.fromhex(self.digest), self.number, self.k, self.tolerate, hashlib.sha256(schema).digest()])

    @property
    def threshold(self) -> int:
        """How many shares open a group: each colluder holds two."""
        return self.k + 2 * self.tolerate

    @property
    def quorum(self) -> int:
        """So many of the drawn dealers must have dealt: more than half of them, and more than may collude."""
        return max(self.committee // 2 + 1, self.tolerate + 1)

    @property
    def helpers(self) -> int:
        """Suppression: so many customers must offer to help, so that mixers, checkers and decryptors of a job are
        different people.
        """
        return self.mixers - 1 + (self.mixers - 1) ** 2 + self.decryptors

    @property
    def quasi_identifiers(self) -> tuple[SchemaColumn, ...]:
        return tuple(c for c in self.columns if c.role == "quasi-identifier")

    @property
    def sensitive(self) -> tuple[SchemaColumn, ...]:
        return tuple(c for c in self.columns if c.role == "sensitive")

    def bind(self, *parts: bytes | str | int) -> bytes:
        """Parts bound to this session."""
        return join([self.context, *parts])

    def make_group(self) -> Group:
        return make_group(self.group_name)

    def check_row(self, row: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The quasi-identifier and the sensitive values of a row, in the schema's order; a value outside the schema is
        refused.
        """
        unknown = sorted(set(row) - {c.name for c in self.columns})
        if unknown:
            raise PolicyError(
                f"The session has no column '{unknown[0]}'. It has: {', '.join(c.name for c in self.columns)}."
            )
        for column in self.columns:
            if column.name not in row:
                raise PolicyError(f"Column '{column.name}': the row has no value for it.")
            column.check(str(row[column.name]))
        return tuple(str(row[c.name]) for c in self.quasi_identifiers), tuple(str(row[c.name]) for c in self.sensitive)

    def check_time(self, now: datetime | None = None) -> None:
        if (now or datetime.now(UTC)) >= self.expires:
            raise PolicyError(f"The session expired at {self.expires:%Y-%m-%d %H:%M} UTC. Ask the miner for a new one.")


DEFAULT_SECONDS = {"join": 3600, "deal": 60, "check": 60, "submit": 3600, "lease": 20, "round": 60}
KEYS = (
    "format", "number", "protocol", "k", "tolerate", "open", "customers", "expires", "group", "committee", "decryptors",
    "mixers", "rerandomise",
    "partition", "rounds", "row_bytes", "seconds", "columns", "miner", "registrar", "randomness",
)  # fmt: skip
"""All that a session file may set."""


def read_session(path: str | Path) -> Session:
    """Read and check a session file."""
    try:
        raw = Path(path).read_bytes()
    except OSError as error:
        raise PolicyError(f"The session file '{path}' cannot be read: {error.strerror}.") from error
    return parse_session(raw)


def parse_session(raw: bytes) -> Session:
    """A session from the bytes of its file."""
    try:
        data = tomllib.loads(raw.decode())
    except (ValueError, RecursionError) as error:
        raise PolicyError(f"The session file is not TOML: {error}.") from error
    protocol, group = _protocol_and_group(data)
    seconds = _value(data, "seconds", dict, {})
    _refuse_unknown(data, KEYS, "setting")
    _refuse_unknown(seconds, DEFAULT_SECONDS, "phase with a limit in seconds")
    columns = tuple(make_column(c) for c in _value(data, "columns", list))
    session = Session(
        raw=raw,
        number=_value(data, "number", str),
        protocol=protocol,
        k=_number(data, "k", 3, 10_000),
        tolerate=_number(data, "tolerate", 0, 1000, 0),
        open=_value(data, "open", bool, False),
        customers=_number(data, "customers", 0, 10_000_000, 0),
        expires=_time(data),
        group_name=group,
        committee=_number(data, "committee", 2, 100, 3),
        decryptors=_number(data, "decryptors", 2, 100, 3),
        mixers=_number(data, "mixers", 2, 10, 2),
        rerandomise=_value(data, "rerandomise", bool, False),
        partition=_value(data, "partition", str, "local"),
        rounds=_number(data, "rounds", 1, 1000, 32),
        row_bytes=_number(data, "row_bytes", 32, 65536, 512),
        seconds={name: _number(seconds, name, 1, 10**7, default) for name, default in DEFAULT_SECONDS.items()},
        columns=columns,
        miner=_party(data, "miner"),
        registrar=_party(data, "registrar") if "registrar" in data else None,
        randomness=_party(data, "randomness") if "randomness" in data else None,
    )
    _check(session)
    return session


def _protocol_and_group(data: dict[str, Any]) -> tuple[str, str]:
    if data.get("format") != FORMAT:
        raise PolicyError(f"This is not a session file: its 'format' should be '{FORMAT}'.")
    protocol = _value(data, "protocol", str)
    if protocol not in PROTOCOLS:
        raise PolicyError(f"Session: there is no protocol '{protocol}'. There are: {', '.join(PROTOCOLS)}.")
    group = _value(data, "group", str, "ristretto255")
    if group not in GROUPS:
        raise PolicyError(f"Session: there is no group '{group}'. There are: {', '.join(GROUPS)}.")
    if protocol == "star" and group != "ristretto255":
        raise PolicyError("Session: the STAR mode is defined over ristretto255 only.")
    return protocol, group


def _check(session: Session) -> None:
    names = [c.name for c in session.columns]
    if len(set(names)) != len(names):
        raise PolicyError("Session: two columns have the same name.")
    if not session.quasi_identifiers or not session.sensitive:
        raise PolicyError("Session: it needs at least one quasi-identifier and one sensitive column.")
    if len(session.number) != 32 or not all(c in "0123456789abcdef" for c in session.number):
        raise PolicyError("Session: 'number' must be 32 hexadecimal digits, drawn afresh for each session.")
    if session.protocol == "suppression" and 0 < session.customers < session.helpers:
        raise PolicyError(
            f"Session: suppression with {session.mixers} mixers and {session.decryptors} decryptors needs at least "
            f"{session.helpers} customers."
        )
    if session.protocol != "star" and session.open != (session.registrar is None):
        raise PolicyError(
            "Session: without a [registrar] anybody enters as often as she likes and the miner can invent customers: "
            "it withstands nobody who deviates."
            " Name a registrar, or say 'open = true' (--open) where everybody is trusted to follow the protocol."
            if session.registrar is None
            else "Session: it has a [registrar], so it is not 'open'."
        )
    if session.protocol != "star" and session.committee < 2 * session.tolerate + 1:
        raise PolicyError(
            f"Session: 'tolerate' is {session.tolerate} and 'committee' is {session.committee}. More than half of the "
            "dealers must deal, and one of them"
            f" must not collude: 'committee' must be at least 2 x tolerate + 1 = {2 * session.tolerate + 1}."
        )
    if session.protocol == "suppression":
        _check_suppression(session)
    if session.partition not in PARTITIONS:
        raise PolicyError(f"Session: there is no partition '{session.partition}'. There are: {', '.join(PARTITIONS)}.")
    if session.protocol == "star" and session.randomness is None:
        raise PolicyError("Session: the STAR mode needs a [randomness] server.")
    registrar = session.registrar
    if session.protocol == "star" and (registrar is None or not registrar.randomness_key or not registrar.head_key):
        raise PolicyError(
            "Session: the STAR mode needs a [registrar] with a key for heads: without tokens anybody tests guesses at "
            "the randomness server."
        )


def _check_suppression(session: Session) -> None:
    if session.tolerate >= min(session.mixers, session.decryptors):
        raise PolicyError(
            f"Session: 'tolerate' is {session.tolerate}, but {session.mixers} mixers or {session.decryptors} "
            "decryptors together read everything:"
            f" raise 'mixers' and 'decryptors' above it."
        )


def _value(data: Mapping[str, Any], name: str, kind: type, default: Any = None) -> Any:
    value = data.get(name, default)
    if type(value) is not kind:
        raise PolicyError(f"Session: '{name}' is missing or not of type {kind.__name__}.")
    return value


def _refuse_unknown(data: Mapping[str, Any], known: Collection[str], what: str) -> None:
    """A key that is misspelt would be left at its default, and the session would promise something else than was
    meant.
    """
    unknown = sorted(set(data) - set(known))
    if unknown:
        raise PolicyError(f"Session: there is no {what} called '{unknown[0]}'. There are: {', '.join(sorted(known))}.")


def _number(data: Mapping[str, Any], name: str, low: int, high: int, default: int | None = None) -> int:
    value = _value(data, name, int, default)
    if not low <= value <= high:
        why = (
            " (each customer holds two points of the polynomial, so that two rows would hide nobody)"
            if name == "k" and value < low
            else ""
        )
        raise PolicyError(f"Session: '{name}' is {value}, it must lie between {low} and {high}{why}.")
    return int(value)


def _time(data: Mapping[str, Any]) -> datetime:
    value: datetime = _value(data, "expires", datetime)
    return value if value.tzinfo else value.replace(tzinfo=UTC)


def _party(data: Mapping[str, Any], name: str) -> Party:
    table = _value(data, name, dict)
    _refuse_unknown(table, ("url", "key", "certificate", "randomness_key", "head_key"), f"setting of [{name}]")
    url = _value(table, "url", str)
    if not url.startswith("https://"):
        raise PolicyError(f"Session: [{name}] url must begin with https://.")
    certificate = _value(table, "certificate", str)
    if certificate != SYSTEM and "BEGIN CERTIFICATE" not in certificate:
        raise PolicyError(
            f"Session: [{name}] certificate must be the server's own in PEM, or '{SYSTEM}' for any that this system "
            "trusts."
        )
    keys = {key: _value(table, key, str, "") for key in ("randomness_key", "head_key")}
    return Party(url.rstrip("/"), _value(table, "key", str), certificate, **keys)
