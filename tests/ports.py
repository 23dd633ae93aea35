"""Ports for servers of the tests."""

from __future__ import annotations

import contextlib
import itertools
import os
import socket

PORTS = (20_000 + (os.getpid() * 97 + n) % 12_000 for n in itertools.count())
"""Below those that the system gives to outgoing connections, so that none of these takes one before its server does; each process begins elsewhere."""


def free_port() -> int:
    """Another one at each call."""
    for port in PORTS:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError
