"""How a browser comes to the studio, and nobody else does: a private file that leads to the link, and fresh links for
whoever sits at the terminal.

Arguments of a process can be read by every user of a machine, so a browser that is started gets the path of a file
which only its owner can read, in a folder that only she can enter. The file is removed with the studio; its link is
worth nothing once it was used.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from html import escape
from pathlib import Path

from shoal.disk.atomic import write_bytes
from shoal.disk.system import ignore_reading_from_background, private_folder, shows_own_files
from shoal.errors import WriteError
from shoal.studio import uploads

LEADING = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>shoal studio</title>
<meta http-equiv="refresh" content="0;url={0}">
<p><a href="{0}" rel="noreferrer">Open the studio</a></p></html>
"""
PAUSE = 1.0
"""How many seconds pass before it is asked again whether the terminal is ours."""


def lead_browser(link: str) -> Path | None:
    """Start a browser on a private file that leads to the link; the folder of the file, to be wiped at the end.

    None where no such file can be had.
    """
    if not shows_own_files():
        return None
    home = private_folder()
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = uploads.make_folder(home)
        file = folder / "open.html"
        write_bytes(file, LEADING.format(escape(link)).encode(), private=True)
    except (OSError, WriteError):
        return None
    threading.Thread(target=_start, args=(file.as_uri(),), daemon=True).start()
    return folder


def _start(address: str) -> None:
    with suppress(OSError, webbrowser.Error):  # the link stands in the terminal
        webbrowser.open(address)


def is_at_terminal() -> bool:
    """Whether somebody can press a key and see what we say to that, and nobody else can."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def on_enter(call: Callable[[], None]) -> None:
    """Call this whenever somebody presses Enter in the terminal."""
    ignore_reading_from_background()
    threading.Thread(target=_listen, args=(sys.stdin.fileno(), call), daemon=True).start()


def _listen(terminal: int, call: Callable[[], None]) -> None:
    while True:
        try:
            if not os.read(terminal, 1024):
                return
        except OSError:  # in the background the terminal is not ours; it may be again
            if not os.isatty(terminal):
                return
            time.sleep(PAUSE)
        else:
            call()
