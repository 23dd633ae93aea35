"""Real servers in processes of their own, on loopback, and customers in threads."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from shoal.cli.main import run
from shoal.protocol.session import Session, read_session
from shoal.protocol.transport.client import MinerLink, take_part
from tests.ports import free_port

SHOAL = [sys.executable, "-c", "import sys; from shoal.cli.main import run; sys.exit(run())"]
FAST = ("deal=60", "check=60", "submit=280", "lease=5", "round=120", "join=280")


def shoal(*arguments: object, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run the command in this process: one of its own would spend its time on loading libraries."""
    said, errors = io.StringIO(), io.StringIO()
    mask = os.umask(0o022)
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(errors):
            status = run([str(argument) for argument in arguments])
    finally:
        os.umask(mask)  # a command may close it for all that its process makes
    assert not check or status == 0, errors.getvalue()
    return subprocess.CompletedProcess(arguments, status, said.getvalue(), errors.getvalue())


def served(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command that serves, in a process of its own, and wait until it ends by itself."""
    return subprocess.run([*SHOAL, *map(str, arguments)], capture_output=True, text=True, timeout=250, check=False)


@dataclass
class Cast:
    """The servers of a session and the way to end them."""

    directory: Path
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    commands: dict[str, list[str]] = field(default_factory=dict)

    def start(self, name: str, *arguments: object) -> None:
        self.commands[name] = [*SHOAL, *map(str, arguments)]
        self.restart(name)

    def restart(self, name: str) -> None:
        errors = open(self.directory / f"{name}.err", "ab")  # noqa: SIM115 - the process keeps it
        self.processes[name] = subprocess.Popen(self.commands[name], stdout=subprocess.DEVNULL, stderr=errors)

    def kill(self, name: str, number: int = signal.SIGKILL) -> None:
        os.kill(self.processes[name].pid, number)
        self.processes[name].wait(timeout=120)

    def stop(self) -> None:
        for process in self.processes.values():
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            process.wait(timeout=120)

    @property
    def session(self) -> Session:
        return read_session(self.directory / "miner" / "session.toml")

    def link(self) -> MinerLink:
        return MinerLink(self.session, patience=100)

    def status(self) -> dict[str, Any]:
        return self.link().view("status")

    def codes(self) -> list[str]:
        return (self.directory / "codes").read_text().split()

    def release(self, *more: object) -> list[list[str]]:
        """The table of a closed session; tried again, as the message says, until its end is sealed."""
        out = self.directory / "table.csv"

        def is_released() -> bool:
            done = shoal("miner", "release", self.directory / "miner", "-o", out, *more, check=False)
            assert done.returncode == 0 or "not sealed yet. Try again." in done.stderr, done.stderr
            return done.returncode == 0

        wait_for(is_released)
        return [line.split(",") for line in out.read_text().splitlines()]


@contextlib.contextmanager
def servers(
    directory: Path, protocol: str, k: int, schema: str, n_codes: int = 0, options: Sequence[object] = ()
) -> Iterator[Cast]:
    """Registrar (if there are codes), randomness server (in STAR mode) and miner, set up by the command line and
    serving.
    """
    cast = Cast(directory)
    (directory / "schema.toml").write_text(schema)
    arguments: list[object] = ["--protocol", protocol, "-k", k, "--schema", directory / "schema.toml"]
    for limit in FAST:
        arguments += ["--seconds", limit]
    arguments += options  # which may set other limits
    if not n_codes and protocol != "star":
        arguments.append("--open")
    try:
        if n_codes:
            shoal(
                "registrar",
                "init",
                directory / "registrar",
                "--url",
                f"https://127.0.0.1:{free_port()}",
                "--bits",
                2048,
            )
            shoal("registrar", "invite", directory / "registrar", "--count", n_codes, "-o", directory / "codes")
            arguments += ["--registrar", directory / "registrar" / "registrar.toml"]
        if protocol == "star":
            shoal("randomness", "init", directory / "randomness", "--url", f"https://127.0.0.1:{free_port()}")
            arguments += ["--randomness", directory / "randomness" / "randomness.toml"]
        shoal("miner", "init", directory / "miner", "--url", f"https://127.0.0.1:{free_port()}", *arguments)
        if n_codes:
            cast.start(
                "registrar",
                "registrar",
                "serve",
                directory / "registrar",
                "--session",
                directory / "miner" / "session.toml",
            )
        if protocol == "star":
            cast.start(
                "randomness",
                "randomness",
                "serve",
                directory / "randomness",
                "--session",
                directory / "miner" / "session.toml",
            )
        cast.start("miner", "miner", "serve", directory / "miner")
        cast.status()
        yield cast
    finally:
        cast.stop()


def crowd(cast: Cast, rows: Sequence[Mapping[str, str]], **more: Any) -> list[threading.Thread]:
    """One thread for each customer, from joining to the end; ``errors`` of the cast collects what went wrong."""
    session = cast.session
    codes = cast.codes() if session.registrar else [""] * len(rows)
    cast.errors = []  # type: ignore[attr-defined]

    def live(n: int) -> None:
        try:
            take_part(session, rows[n], codes[n], poll=0.2, patience=120, **more)
        except Exception as error:
            cast.errors.append((n, repr(error)))  # type: ignore[attr-defined]

    threads = [threading.Thread(target=live, args=(n,), daemon=True) for n in range(len(rows))]
    for thread in threads:
        thread.start()
    return threads


def wait_for(what: Any, seconds: float = 200.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.1)


def raw(session: Session) -> httpx.Client:
    """A client that speaks HTTP to the miner as an attacker would."""
    return MinerLink(session).connection.client


def as_json(value: object) -> bytes:
    return json.dumps(value).encode()
