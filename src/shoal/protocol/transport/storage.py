"""Durable state in SQLite: write-ahead log, ``synchronous=FULL``, and one commit for all messages that wait (group
commit).

What is stored is the log of messages; everything else is computed from it again after a start. A message is answered
only after its commit.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from shoal.errors import ProtocolError
from shoal.protocol.chain import Entry, first_hash, next_hash
from shoal.protocol.messages import Message
from shoal.protocol.session import Session


def connect(path: Path, read_only: bool = False) -> sqlite3.Connection:
    """A connection that commits to the disk and not only to the operating system."""
    try:
        if read_only:
            return sqlite3.connect(f"file:{path}?mode=ro", uri=True, check_same_thread=False)
        if str(path) != ":memory:":
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # SQLite gives its other files the same mode
        connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
    except (sqlite3.Error, OSError) as error:
        raise ProtocolError(f"The session's store '{path}' cannot be opened: {error}.") from error
    return connection


class Log:
    """The messages of a session, in the order in which they were taken, chained by hashes."""

    def __init__(self, path: Path, session: Session, read_only: bool = False) -> None:
        self.session = session
        self.connection = connect(path, read_only)
        if not read_only:
            self.connection.execute(
                "CREATE TABLE IF NOT EXISTS log (seq INTEGER PRIMARY KEY, at REAL NOT NULL, message BLOB NOT NULL, "
                "hash TEXT NOT NULL)"
            )
        row = self.connection.execute("SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1").fetchone()
        self.seq: int = row[0] if row else 0
        self.hash: str = row[1] if row else first_hash(session)

    def append(self, messages: Sequence[tuple[float, Message]]) -> list[tuple[Entry, str]]:
        """Store messages in one durable transaction; the entries made of them, each with the hash before it."""
        made: list[tuple[Entry, str]] = []
        seq, hash_ = self.seq, self.hash
        for at, message in messages:
            seq, before = seq + 1, hash_
            hash_ = next_hash(before, seq, at, message.header)
            made.append((Entry(seq, at, message, hash_), before))
        rows = [(entry.seq, entry.at, entry.message.encode(), entry.hash) for entry, _ in made]
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            self.connection.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", rows)
            self.connection.execute("COMMIT")
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.seq, self.hash = seq, hash_
        return made

    def entries(self) -> Iterator[Entry]:
        for seq, at, data, hash_ in self.connection.execute("SELECT seq, at, message, hash FROM log ORDER BY seq"):
            yield Entry(seq, at, Message.decode(data), hash_)


class Ledger:
    """Answers that may be given once for each name: the same request gets the same answer, another one under the name
    is refused.
    """

    def __init__(self, path: Path) -> None:
        self.connection = connect(path)
        self.lock = threading.Lock()
        self.connection.execute("CREATE TABLE IF NOT EXISTS ledger (name TEXT PRIMARY KEY, request BLOB, answer BLOB)")

    def add(self, names: Sequence[str]) -> None:
        """Names that may ask."""
        with self.lock:
            self.connection.execute("BEGIN IMMEDIATE")
            self.connection.executemany("INSERT OR IGNORE INTO ledger (name) VALUES (?)", [(n,) for n in names])
            self.connection.execute("COMMIT")

    def find(self, name: str) -> tuple[bytes | None, bytes | None] | None:
        """What was asked and answered under a name; None if there is no such name."""
        with self.lock:
            row = self.connection.execute("SELECT request, answer FROM ledger WHERE name = ?", (name,)).fetchone()
        return None if row is None else (row[0], row[1])

    def keep(self, name: str, request: bytes, answer: bytes) -> bytes:
        """Store an answer before it is given. If another answer was stored first, that one counts."""
        with self.lock:
            self.connection.execute("BEGIN IMMEDIATE")
            self.connection.execute(
                "INSERT INTO ledger VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET request = ?2, answer = ?3 WHERE "
                "request IS NULL",
                (name, request, answer),
            )
            self.connection.execute("COMMIT")
            row = self.connection.execute("SELECT request, answer FROM ledger WHERE name = ?", (name,)).fetchone()
        return row[1] if row[0] == request else b""

    def count(self) -> tuple[int, int]:
        """How many names there are, and how many have asked."""
        with self.lock:
            row = self.connection.execute("SELECT COUNT(*), COUNT(request) FROM ledger").fetchone()
        return int(row[0]), int(row[1])
