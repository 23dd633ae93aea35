"""What differs between operating systems is asked in one place, and has an answer where a system has no such thing."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from shoal.disk import system

SRC = Path(system.__file__).parents[1]
ONLY_HERE = re.compile(
    r"os\.(fchmod|getuid|geteuid|sched_getaffinity|kill|fork|setsid|killpg)\b|import (resource|fcntl|pwd|grp|termios)\b|SIGHUP"
)


def test_no_other_file_calls_what_only_some_systems_have() -> None:
    found = [path.relative_to(SRC).as_posix() for path in SRC.rglob("*.py") if ONLY_HERE.search(path.read_text())]
    assert found == ["disk/system.py"]


def test_an_open_file_gets_its_permissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "f").open("wb") as file:
        system.set_mode(file.fileno(), 0o600)
        assert (tmp_path / "f").stat().st_mode & 0o777 == 0o600
        monkeypatch.delattr(os, "fchmod")
        system.set_mode(file.fileno(), 0o644)
    assert (tmp_path / "f").stat().st_mode & 0o777 == 0o600


def test_a_process_that_runs_has_not_ended_and_one_that_ended_has(monkeypatch: pytest.MonkeyPatch) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    assert system.has_ended(ended.pid)
    assert not system.has_ended(os.getpid())
    assert not system.has_ended(10**30), "no such number"
    monkeypatch.setattr(sys, "platform", "win32")
    assert not system.has_ended(ended.pid), "nothing is wiped where it cannot be asked"


def test_ones_own_files_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert system.is_own(tmp_path.stat())
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    assert not system.is_own(tmp_path.stat())


def test_there_is_a_core_on_every_system(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= system.allowed_cores() <= (os.cpu_count() or 1)
    monkeypatch.delattr(os, "sched_getaffinity")
    assert system.allowed_cores() == os.cpu_count()


def test_open_files_are_raised_as_far_as_the_system_lets() -> None:
    code = "from shoal.disk.system import raise_open_files as r; print(r(100), r(10**9))"
    few, most = map(int, subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout.split())
    assert few == 100
    assert most >= few


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_is_told_to_end(number: signal.Signals) -> None:
    async def serve() -> bool:
        ended = asyncio.Event()
        system.on_end(asyncio.get_running_loop(), ended.set)
        os.kill(os.getpid(), number)
        await asyncio.wait_for(ended.wait(), 60)
        return True

    before = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)}
    try:
        assert asyncio.run(serve())
    finally:
        for n, handler in before.items():
            signal.signal(n, handler)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere only processes have a priority")
def test_a_thread_gives_way_and_so_do_those_that_it_starts() -> None:
    found: list[int] = []

    def priority() -> None:
        found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    def work() -> None:
        system.give_way()
        priority()
        inner = threading.Thread(target=priority)
        inner.start()
        inner.join()

    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    one = threading.Thread(target=work)
    one.start()
    one.join()
    assert found == [max(10, before)] * 2
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before
