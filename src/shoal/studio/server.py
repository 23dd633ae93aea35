"""From the command to the first page: a socket on loopback, a link that lets one browser in, a private folder, and
everything wiped at the end.
"""

from __future__ import annotations

import contextlib
import gc
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2  # noqa: F401  (missing, it is said before an address is)
import uvicorn

from shoal.disk.system import on_endings
from shoal.errors import DataError
from shoal.studio import door, uploads
from shoal.studio.locks import Locks

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from shoal.studio.desk import Desk

CALM = (100_000, 20, 100)
"""When Python looks for cycles: seldom. With the values of a large table in memory one look takes as long as a click
may.
"""
TURN = 0.0005
"""Seconds for which a thread keeps the interpreter from others: a page that is asked for while something is computed
needs it a dozen times.
"""
PATIENCE = 2.0
"""How many seconds the work that is still going on gets to end by itself."""


def serve(
    say: Callable[[str], None],
    *,
    port: int = 0,
    open_browser: bool = True,
    file: str | None = None,
    folder: str | None = None,
) -> None:
    """Serve the studio until it is closed, by its page or by Ctrl-C."""
    root = Path(folder or ".").resolve()
    if not root.is_dir():
        raise DataError(f"'{folder}' is not a folder.")
    if file is not None and not Path(file).is_file():
        raise DataError(f"There is no file '{file}'. Check the spelling and the folder.")
    bound = _bind(port)
    locks = Locks(bound.getsockname()[1])
    private, leading = uploads.make_folder(), None
    gc.set_threshold(*CALM)
    sys.setswitchinterval(TURN)
    desk: Desk | None = None
    try:
        link = locks.fresh_link()
        say(f"shoal studio: {link}")  # a browser that comes now waits in the queue while the pages are made ready
        say("This link lets one browser in, once." + (" Press Enter for a fresh one." if door.is_at_terminal() else ""))
        say("It serves this machine alone. Close it with Ctrl-C or on its page; what it holds is then wiped.")
        if open_browser:
            leading = door.lead_browser(link)
        if door.is_at_terminal():
            door.on_enter(lambda: say(f"A fresh link, for one browser, once: {locks.fresh_link()}"))
        with contextlib.suppress(KeyboardInterrupt):
            asked = _interrupts()
            desk, server = _ready(private, root, file, locks)
            if not asked:
                server.run(sockets=[bound])
        if desk is not None:
            desk.stop()
    finally:
        bound.close()
        uploads.wipe(private)
        if leading is not None:
            uploads.wipe(leading)
    say("Closed. What was loaded and made here is wiped.")
    if desk is not None:
        _end(desk, say)


def _interrupts() -> list[bool]:
    """From now on a request to end is an interrupt, and noted in this list: a library that is being loaded may swallow
    the interrupt.
    """
    asked: list[bool] = []

    def interrupt() -> None:
        asked.append(True)
        raise KeyboardInterrupt

    on_endings(interrupt)
    return asked


def _ready(private: Path, root: Path, file: str | None, locks: Locks) -> tuple[Desk, uvicorn.Server]:
    """The desk and the server of its pages.

    What they need takes most of the time from the command to the first page: it is imported here, while a browser
    starts.
    """
    from shoal.studio.app import make_app
    from shoal.studio.desk import Desk

    desk = Desk(folder=private, root=root)
    if file is not None:
        desk.load(Path(file).resolve(), Path(file).name)
    return desk, _server(lambda close: make_app(desk, locks, close))


def _end(desk: Desk, say: Callable[[str], None]) -> None:
    from shoal.studio import autosave

    if autosave.is_kept():
        say("What you decided about the table waits for the next start.")
    if desk.is_busy(PATIENCE):
        _leave()


def _leave() -> None:
    """End the process at once: a thread is still inside a C kernel, and a normal shutdown of Python would crash it."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _bind(port: int) -> socket.socket:
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind(("127.0.0.1", port))
        bound.listen(128)  # a browser that connects before the server is ready waits in the queue
    except (OSError, OverflowError):
        bound.close()
        raise DataError(f"Port {port} is taken or not allowed. Choose another with --port, or leave it out.") from None
    return bound


def _server(make: Callable[[Callable[[], None]], ASGIApp]) -> uvicorn.Server:
    """The web server, silent: its log would hold the token, and a traceback may hold cells."""
    closing: list[uvicorn.Server] = []

    def close() -> None:
        closing[0].should_exit = True

    config = uvicorn.Config(make(close), log_config=None, log_level="critical", access_log=False, lifespan="off",
                            timeout_graceful_shutdown=2, server_header=False)  # fmt: skip
    server = uvicorn.Server(config)
    closing.append(server)

    on_endings(close)
    return server
