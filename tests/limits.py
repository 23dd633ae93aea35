"""Limits of the system on this process, as long as a test needs them."""

from __future__ import annotations

import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def small_files(most: int) -> Iterator[None]:
    """No file of this process may grow beyond so many bytes. No bytecode is written meanwhile: Python would keep what was cut off, and load it the next time."""
    written, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
        sys.dont_write_bytecode = written
