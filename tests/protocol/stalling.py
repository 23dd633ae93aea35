"""An outsider who holds connections: idle ones, half-made handshakes, half-sent headers and bodies.

She has no token.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from urllib.parse import urlsplit

from shoal.protocol.session import Party


class Stalling:
    """Opens what it is told and keeps it open as long as the server lets it."""

    def __init__(self, party: Party, source: str = "127.0.0.1") -> None:
        parts = urlsplit(party.url)
        self.target, self.source = (parts.hostname, parts.port), source
        self.context = ssl.create_default_context(cadata=party.certificate)
        self.held: list[socket.socket] = []

    def connect(self) -> socket.socket:
        made = socket.create_connection(self.target, timeout=10, source_address=(self.source, 0))
        self.held.append(made)
        return made

    def idle(self, n: int) -> None:
        """Connections without a single byte."""
        for _ in range(n):
            with contextlib.suppress(OSError):
                self.connect()

    def encrypted(self, n: int, data: bytes) -> None:
        """Connections that send some bytes over TLS, and then nothing."""
        for _ in range(n):
            with contextlib.suppress(OSError):
                made = self.context.wrap_socket(self.connect(), server_hostname="127.0.0.1")
                self.held.append(made)
                made.sendall(data)

    def half_bodies(self, n: int, size: int = 1000) -> None:
        self.encrypted(n, b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 2000000\r\n\r\n" + bytes(size))

    def half_headers(self, n: int) -> None:
        self.encrypted(n, b"POST /v1/messages HTTP/1.1\r\nhost: x\r\n")

    def unread(self, n: int, rounds: int = 30) -> None:
        """Connections that ask, one request after the other, and never read an answer."""
        made = []
        for _ in range(n):
            with contextlib.suppress(OSError):
                plain = socket.socket()
                self.held.append(plain)
                plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                plain.settimeout(10)
                plain.bind((self.source, 0))
                plain.connect(self.target)
                made.append(self.context.wrap_socket(plain, server_hostname="127.0.0.1"))
        self.held += made
        for _ in range(rounds):
            for one in made:
                with contextlib.suppress(OSError):
                    one.sendall(b"GET /v1/session HTTP/1.1\r\nhost: x\r\n\r\n")
            time.sleep(0.2)

    def alive(self) -> int:
        """How many of them the server still holds."""
        count = 0
        for held in self.held:
            with contextlib.suppress(OSError, ValueError):
                held.settimeout(0)
                try:
                    count += held.recv(1) != b""
                except (BlockingIOError, ssl.SSLWantReadError):
                    count += 1
        return count

    def close(self) -> None:
        for held in self.held:
            with contextlib.suppress(OSError):
                held.close()


def longest_wait(ask: object, seconds: float) -> tuple[float, int]:
    """The longest time that an honest request took, of those made one after another for so long; and how many there
    were.
    """
    worst, n, end = 0.0, 0, time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.monotonic()
        ask()  # type: ignore[operator]
        worst, n = max(worst, time.monotonic() - start), n + 1
    return worst, n
