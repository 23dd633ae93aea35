"""Files that belong together: all of them are written, or none, also if the run is interrupted at any moment."""

from __future__ import annotations

import os
import secrets
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from shoal.disk.atomic import copy_file, forget, take_back
from shoal.disk.system import ENDINGS


class Interrupts:
    """Ctrl-C, the request to end and a closed terminal, while files are written: the first one is raised, and while they are held, they wait."""

    def __init__(self) -> None:
        self.is_held = False
        self.came: int | None = None
        self.before: dict[int, Any] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():  # only there can it be said what a signal does
            for number in ENDINGS:
                if callable(before := signal.getsignal(number)):
                    self.before[number] = before
                    signal.signal(number, self.take)
        return self

    def take(self, number: int, frame: FrameType | None) -> None:
        if self.is_held:
            self.came = number
            return
        self.is_held = True  # another one must not break off what is taken back
        self.before[number](number, frame)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        for number, before in self.before.items():
            signal.signal(number, before)
        if self.came is not None and kind is None:
            signal.raise_signal(self.came)


def write_together(*files: tuple[str | None, Callable[[str], object]]) -> None:
    """Write files one after the other; if one fails, everything is as it was: new files go, and those that were replaced come back."""
    places: list[str] = []
    kept: dict[str, str] = {}
    with Interrupts() as interrupts:
        try:
            for path, write in files:
                if path is None:
                    continue
                if path != "-":
                    _prepare(os.path.realpath(path), places, kept)
                write(path)
            interrupts.is_held = True
        except BaseException:
            interrupts.is_held = True
            _take_back(places, kept)
            raise
        for copy in kept.values():
            Path(copy).unlink(missing_ok=True)


def _prepare(place: str, places: list[str], kept: dict[str, str]) -> None:
    """Note what is to be taken back, before there is anything; a file that will be replaced gets a second name."""
    forget(place)
    places.append(place)
    if os.path.isfile(place):
        kept[place] = os.path.join(os.path.dirname(place), f".{os.path.basename(place)[:100]}.{secrets.token_hex(6)}.old")
        _keep(place, kept[place])


def _keep(place: str, copy: str) -> None:
    """A second name (hard link) for a file that is about to be replaced; a copy where a file cannot have two names."""
    try:
        os.link(place, copy)
    except OSError:
        copy_file(place, copy)


def _take_back(places: list[str], kept: dict[str, str]) -> None:
    """Everything as it was before: whatever is not there was not reached."""
    for place in places:
        take_back(place)
    for place, copy in kept.items():
        if os.path.exists(copy):
            os.replace(copy, place)
            Path(copy).unlink(missing_ok=True)  # two names of one file: nothing was moved
