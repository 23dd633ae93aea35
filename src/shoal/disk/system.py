"""What differs between operating systems, in one place. The rest of the Python asks here; the C has ``kernels/c/base/threads.c``.

Linux    everything below; what the tests run on
macOS    the same calls are there, but it does not say which cores a process may use: all of them are taken; freed memory is given back by itself;
         no priority of a single thread: what the studio computes in the background competes with its pages
Windows  no modes of files: what is for the owner alone is protected by the user's folder, so keep such files there
         no user numbers, and no harmless way to ask whether a process runs: folders that a killed studio left are not wiped by the next
         no locks of files: what a killed run left is not swept by the next; how much memory is free is not asked, and taken to be 4 GiB
         no limit of open files to raise, no SIGHUP, and event loops that take no handlers of signals: Ctrl-C ends a server by itself

macOS and Windows are untried.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

UNKNOWN_MEMORY = 4 << 30
"""Where the system does not say how much there is."""


def set_mode(descriptor: int, mode: int) -> None:
    """Give an open file its permissions, on systems where files have permissions."""
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, mode)


def allowed_cores() -> int:
    """The cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def is_own(status: os.stat_result) -> bool:
    """Whether a file belongs to the user of this process."""
    return not hasattr(os, "getuid") or status.st_uid == os.getuid()


def has_ended(process: int) -> bool:
    """Whether there is no process of this number; False where that cannot be asked."""
    if sys.platform == "win32":  # signal 0 is Ctrl-C there
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def raise_open_files(wanted: int) -> int:
    """How many files this process may have open, after asking for so many."""
    try:
        import resource
    except ImportError:
        return wanted
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(hard, wanted), hard))
    return int(resource.getrlimit(resource.RLIMIT_NOFILE)[0])


ENDINGS: tuple[int, ...] = (signal.SIGINT, signal.SIGTERM, *((signal.SIGHUP,) if hasattr(signal, "SIGHUP") else ()))
"""Ctrl-C, the request to end, and the terminal that is closed."""


RENAMES_OPEN_FILES = sys.platform != "win32"
"""Elsewhere a file must be closed before it gets its name; there are no locks there either."""


def lock(descriptor: int, *, wait: bool = False) -> bool:
    """Take an open file for this process as long as it lives; False if another has it and is not waited for, or where files have no locks."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True


def free_memory() -> int:
    """Bytes of memory that a run may count on: what the machine has left, or what its container may use."""
    found = [UNKNOWN_MEMORY]
    with contextlib.suppress(OSError, ValueError, IndexError, StopIteration), open("/proc/meminfo") as file:
        found = [int(next(line for line in file if line.startswith("MemAvailable:")).split()[1]) * 1024]
    for name in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with contextlib.suppress(OSError, ValueError), open(name) as file:
            found.append(int(file.read()))
    return min(found)


def give_back_memory() -> None:
    """Give memory that was freed back to the system, where the C library keeps it for later: what a step took is not to add to what the next takes.

    Large pieces are given back as soon as they are freed from now on. By itself the library raises the size of what it keeps, and what is kept scatters.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(
            -3, 16 << 20
        )  # M_MMAP_THRESHOLD; smaller pieces with pages of their own cost more time than they save memory
        ctypes.CDLL(None).malloc_trim(0)


def give_way(by: int = 10) -> None:
    """Let this thread, and those that it starts, compute when others do not want to; where the system knows of threads by themselves."""
    if sys.platform.startswith("linux"):
        with contextlib.suppress(OSError):
            here = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, here, max(by, os.getpriority(os.PRIO_PROCESS, here)))


def on_endings(call: Callable[[], None]) -> None:
    """Call this at Ctrl-C, when the process is asked to end, and when its terminal is closed. What is ignored stays so."""
    for number in ENDINGS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda number, frame: call())


def on_end(loop: Any, call: Callable[[], None]) -> None:
    """Call this at Ctrl-C and when the process is asked to end, between two steps of an event loop."""
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, call)
        except NotImplementedError:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(call))


def exchange(one: str, other: str) -> bool:
    """Let two files or folders of one disk have each other's names, in one step; False where the system or the disk cannot."""
    if not sys.platform.startswith("linux"):
        return False
    here, in_one_step = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):  # a C library of before 2018
        return False
    return bool(rename(here, os.fsencode(one), here, os.fsencode(other), in_one_step) == 0)


def state_folder() -> Path:
    """The user's folder for what our programs keep from one run to the next."""
    given = os.environ.get("XDG_STATE_HOME")
    return (Path(given) if given else Path.home() / ".local" / "state") / "shoal"


def private_folder() -> Path:
    """Where small files for this user alone belong: the folder that the system made for this session, or the one for state."""
    given = Path(os.environ.get("XDG_RUNTIME_DIR") or "-")
    with contextlib.suppress(OSError):
        found = given.stat()
        if given.is_absolute() and is_own(found) and not found.st_mode & 0o077:
            return given
    return state_folder()


def ignore_reading_from_background() -> None:
    """A read from the terminal by a process in its background fails from now on, and does not stop the process."""
    if hasattr(signal, "SIGTTIN"):
        signal.signal(signal.SIGTTIN, signal.SIG_IGN)


def shows_own_files() -> bool:
    """Whether a browser that is started here can be expected to read files of this user. That of Windows, which Linux inside of it starts, does not know their paths."""
    return "microsoft" not in platform.uname().release.lower()
