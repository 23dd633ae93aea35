"""The studio's secrets: links that open a session once, and the sessions that they opened.

A browser keeps one jar of cookies for all ports of a machine. So a session is bound to its port by the cookie's name,
to its place by the cookie's path, which nobody can guess and which no page on another port is asked for, and to its
host, which is kept here beside it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from dataclasses import dataclass, field

IDLE = 12 * 3600.0
"""A session from which nothing is heard for so many seconds ends; an open page that waits for a run is heard."""
MOST_ENDED = 1000
"""So many ended links are remembered, the last ones, to say to whoever comes with one that it was used."""


@dataclass
class Visit:
    """A browser that is let in."""

    host: str
    heard: float


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass
class Locks:
    """The studio's address, its link that is still open, and the sessions that earlier links opened."""

    port: int
    home: str = field(default_factory=lambda: f"/{secrets.token_urlsafe(16)}")
    """Under this path are all pages."""
    _open: str = ""
    _ended: list[str] = field(default_factory=list)
    _sessions: dict[str, Visit] = field(default_factory=dict)
    _turn: threading.Lock = field(default_factory=threading.Lock)

    @property
    def cookie(self) -> str:
        """Cookies are shared between ports, so the name says which one."""
        return f"shoal-{self.port}"

    @property
    def hosts(self) -> tuple[str, ...]:
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    def fresh_link(self) -> str:
        """An address that opens one session once. The link before it, if nobody used it, ends."""
        token = secrets.token_urlsafe(32)
        with self._turn:
            self._end()
            self._open = _digest(token)
        return f"http://{self.hosts[0]}{self.home}/?token={token}"

    def enter(self, token: str, host: str) -> str | None:
        """The pass of a new session, for the token of the open link, which ends with that; None for any other."""
        with self._turn:
            if not self._open or not hmac.compare_digest(_digest(token), self._open):
                return None
            self._end()
            given = secrets.token_urlsafe(32)
            self._sessions[_digest(given)] = Visit(host, time.monotonic())
            return given

    def has_ended(self, token: str) -> bool:
        """Whether a token is of a link that was used, or that a fresh one replaced."""
        return _digest(token) in self._ended

    def is_inside(self, given: str, host: str) -> bool:
        """Whether this pass is of a session at this host that has not ended."""
        session = self._sessions.get(_digest(given)) if given else None
        if session is None or session.host != host:
            return False
        now = time.monotonic()
        if now - session.heard > IDLE:
            del self._sessions[_digest(given)]
            return False
        session.heard = now
        return True

    def _end(self) -> None:
        if self._open:
            self._ended = [*self._ended, self._open][-MOST_ENDED:]
            self._open = ""
