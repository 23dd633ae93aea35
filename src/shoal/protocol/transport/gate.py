"""Idle and slow clients do not block others: how many may be connected, how long they may keep the server waiting, and
who is cut off when it is full.

A connection *waits* from its beginning until its request is there in full, and again after the answer. Whoever waits
too long is cut off. When the server, or one address's share of it, is full, the connection that has waited longest
makes room for the new one: an honest request is complete within a moment, so idle connections and half-sent requests
can only push out each other. Whoever asks and does not read the answers keeps the server waiting too: she is *stuck*
while nothing of what was written for her goes out.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import time
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from shoal.disk.system import raise_open_files

MOST = 2000
"""Connections in all; fewer where the system allows fewer open files."""
EACH = 256
"""Connections of one address."""
HANDSHAKE_SECONDS = 10.0
HEADER_SECONDS = 15.0
"""From the beginning to the end of the request's header."""
BODY_SECONDS = 60.0
"""To the end of its body."""
IDLE_SECONDS = 30.0
"""Between an answer and the next request."""
UNREAD_SECONDS = 30.0
"""While nothing of an answer is read."""
HALF_BYTES = 100_000_000
"""Bytes of all bodies that have not arrived in full; beyond this limit, whoever has waited longest with one is cut
off.
"""
SPARE_FILES = 128
"""Open files that are left for the log and for what the server itself connects to."""


class Guest:
    """One connection."""

    def __init__(self, address: str, connection: socket.socket) -> None:
        self.address, self.connection = address, connection
        self.since = time.monotonic()
        self.limit = HEADER_SECONDS
        self.half = 0
        """Bytes of a body that is not there in full."""
        self.unread = 0
        """Bytes that were written for her and not yet sent at the last check; and since when their number has not
        fallen.
        """
        self.stuck = 0.0
        self.transport: asyncio.Transport | None = None
        self.arriving: asyncio.Task[None] | None = None

    def watch(self, now: float) -> None:
        """Does she read what is written for her?"""
        unread = self.transport.get_write_buffer_size() if self.transport is not None else 0
        if not unread or unread < self.unread:
            self.stuck = 0.0
        elif not self.stuck:
            self.stuck = now
        self.unread = unread

    def cut(self) -> None:
        """End the connection at once, whatever it is doing."""
        if self.arriving is not None:
            self.arriving.cancel()
        if self.transport is not None:
            self.transport.abort()
        else:
            self.connection.close()


class Gate:
    """All connections of a server.

    ``waiting`` is in the order in which they began to wait, in all and for each address.
    """

    def __init__(self, most: int = MOST, each: int = EACH) -> None:
        self.most, self.each = most, each
        self.half = 0
        self.guests: set[Guest] = set()
        self.count: dict[str, int] = {}
        self.waiting: dict[Guest, None] = {}
        self.of_address: dict[str, dict[Guest, None]] = {}

    def admit(self, guest: Guest) -> bool:
        """Let a connection in, at the cost of the one that has waited longest if need be; False if all others are being
        served.
        """
        mine = self.of_address.get(guest.address, {})
        if self.count.get(guest.address, 0) >= self.each and not self.make_room(mine or self.stuck(guest.address)):
            return False
        if len(self.guests) >= self.most and not self.make_room(self.waiting or self.stuck()):
            return False
        self.guests.add(guest)
        self.count[guest.address] = self.count.get(guest.address, 0) + 1
        self.wait(guest, HEADER_SECONDS)
        return True

    def make_room(self, waiting: dict[Guest, None]) -> bool:
        longest = next(iter(waiting), None)
        if longest is None:
            return False
        self.leave(longest)
        longest.cut()
        return True

    def stuck(self, address: str | None = None) -> dict[Guest, None]:
        """Who does not read her answers, in all or of an address, the longest first."""
        found = [g for g in self.guests if g.stuck and address in (None, g.address)]
        return dict.fromkeys(sorted(found, key=lambda g: g.stuck))

    def wait(self, guest: Guest, limit: float) -> None:
        """A connection keeps the server waiting from now on."""
        if guest not in self.guests:
            return
        self.serve(guest)
        guest.since, guest.limit = time.monotonic(), limit
        self.waiting[guest] = None
        self.of_address.setdefault(guest.address, {})[guest] = None

    def read(self, guest: Guest, size: int) -> None:
        """More of a body came, and not all of it.

        The time to send it is counted from the beginning of the request, not from the last byte.
        """
        guest.limit = BODY_SECONDS
        guest.half += size
        self.half += size
        while self.half > HALF_BYTES and self.make_room({g: None for g in self.waiting if g.half}):
            pass

    def serve(self, guest: Guest) -> None:
        """Its request is there: it waits for the server, and not the other way round."""
        self.half -= guest.half
        guest.half = 0
        self.waiting.pop(guest, None)
        ours = self.of_address.get(guest.address, {})
        ours.pop(guest, None)
        if not ours:
            self.of_address.pop(guest.address, None)

    def leave(self, guest: Guest) -> None:
        if guest not in self.guests:
            return
        self.serve(guest)
        self.guests.discard(guest)
        self.count[guest.address] -= 1
        if not self.count[guest.address]:
            del self.count[guest.address]

    def sweep(self) -> None:
        """Cut off whoever has kept the server waiting too long."""
        now = time.monotonic()
        for guest in self.guests:
            guest.watch(now)
        late = [g for g in self.waiting if now - g.since > g.limit]
        for guest in {*late, *(g for g in self.guests if g.stuck and now - g.stuck > UNREAD_SECONDS)}:
            self.leave(guest)
            guest.cut()


class Guarded(H11Protocol):
    """HTTP that tells the gate when a request is there in full, and when its answer is out."""

    gate: Gate
    guest: Guest

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.guest.transport = transport
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.gate.leave(self.guest)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            return
        if cycle.more_body:
            self.gate.read(self.guest, len(data))
        else:
            self.gate.serve(self.guest)

    def on_response_complete(self) -> None:
        self.gate.wait(self.guest, IDLE_SECONDS)
        super().on_response_complete()


class Door:
    """Accepts connections one by one and hands each to the gate before anything is read from it."""

    def __init__(
        self, listener: socket.socket, gate: Gate, context: ssl.SSLContext | None, make: Callable[[], Guarded]
    ) -> None:
        self.listener, self.gate, self.context, self.make = listener, gate, context, make
        listener.setblocking(False)
        self.tasks = [asyncio.ensure_future(self.accept()), asyncio.ensure_future(self.watch())]

    async def accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, address = await loop.sock_accept(self.listener)
            except OSError:  # no file left, or the peer is gone already
                self.gate.make_room(self.gate.waiting)
                await asyncio.sleep(0.01)
                continue
            guest = Guest(str(address[0]), connection)
            if self.gate.admit(guest):
                guest.arriving = loop.create_task(self.arrive(guest))
            else:
                connection.close()

    async def arrive(self, guest: Guest) -> None:
        """The TLS handshake; after it HTTP takes over."""
        protocol = self.make()
        protocol.gate, protocol.guest = self.gate, guest
        limit = HANDSHAKE_SECONDS if self.context else None
        try:
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(
                lambda: protocol, guest.connection, ssl=self.context, ssl_handshake_timeout=limit
            )
        except (OSError, asyncio.CancelledError):  # ssl.SSLError is an OSError
            self.gate.leave(guest)
            guest.connection.close()
        finally:
            guest.arriving = None

    async def watch(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            self.gate.sweep()

    def close(self) -> None:
        for task in self.tasks:
            task.cancel()

    async def wait_closed(self) -> None:
        for task in self.tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await task


def open_files() -> int:
    """How many files this process may have open; as many as the system lets it."""
    return raise_open_files(MOST + 2 * SPARE_FILES)


def open_door(server: uvicorn.Server, listener: socket.socket, app_state: dict[str, Any]) -> Door:
    """The door of a server; its gate has as much room as the system has files."""
    config = server.config

    def make() -> Guarded:
        return Guarded(config, server.server_state, app_state, asyncio.get_running_loop())

    return Door(listener, Gate(min(MOST, max(16, open_files() - SPARE_FILES))), config.ssl, make)
