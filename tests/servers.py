"""A real PostgreSQL for the tests, of this process alone: its own folder, socket and port. Where it is not installed, the tests that need it fail and say so."""

from __future__ import annotations

import atexit
import glob
import os
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from tests.ports import free_port

if TYPE_CHECKING:
    import psycopg

ABSENT = "PostgreSQL is not installed, and the tests of it cannot run: apt-get install postgresql, or sh scripts/servers.sh as root."
SETTINGS = """
listen_addresses = '127.0.0.1'
fsync = off
synchronous_commit = off
full_page_writes = off
log_statement = 'all'
max_connections = 20
shared_buffers = 64MB
"""
RULES = """
local all postgres trust
host all postgres 127.0.0.1/32 trust
host all all 127.0.0.1/32 scram-sha-256
"""


@dataclass(frozen=True)
class Server:
    """A server that runs."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes]

    def address(self, table: str = "", *, database: str = "postgres", user: str = "postgres", query: str = "") -> str:
        """The address of a table or of a query."""
        asked = f"table={quote(table, safe='')}" if table else f"query={quote(query, safe='')}"
        return f"postgresql://{quote(user, safe='')}@127.0.0.1:{self.port}/{quote(database, safe='')}?{asked}"

    def connect(self, **about: Any) -> psycopg.Connection[Any]:
        """A connection on which every statement is done at once."""
        import psycopg

        return psycopg.connect(host="127.0.0.1", port=self.port, **{"user": "postgres", "dbname": "postgres", "autocommit": True, **about})

    def do(self, *statements: str, **about: Any) -> list[tuple[Any, ...]]:
        """Run statements; what the last one gives."""
        with self.connect(**about) as connection:
            for statement in statements:
                cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")


def find_server() -> str | None:
    """The folder of PostgreSQL's programs."""
    found = sorted(
        glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]) if path.split("/")[4].isdigit() else 0
    )
    here = shutil.which("initdb") or (found[-1] if found else None)
    return None if here is None else os.path.dirname(os.path.realpath(here))


@pytest.fixture(scope="session")
def server() -> Server:
    """One server for all tests of a process."""
    return running()


@cache
def running() -> Server:
    """The server, started at the first call and stopped when the process ends."""
    programs = find_server()
    if programs is None:
        pytest.fail(ABSENT)
    folder = Path(tempfile.mkdtemp(prefix="shoal-postgres-"))
    who: dict[str, Any] = {}
    if os.getuid() == 0:  # the server refuses to run as root
        shutil.chown(folder, "postgres", "postgres")
        who = {"user": "postgres", "group": "postgres", "extra_groups": []}
    data = folder / "data"
    made = ["-D", data, "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"]
    started = subprocess.run([f"{programs}/initdb", *made], capture_output=True, cwd=folder, **who)
    assert started.returncode == 0, started.stderr.decode()
    port = free_port()
    with (data / "postgresql.conf").open("a") as file:
        file.write(SETTINGS + f"port = {port}\nunix_socket_directories = '{folder}'\n")
    (data / "pg_hba.conf").write_text(RULES)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([f"{programs}/postgres", "-D", data], stdout=log, stderr=log, cwd=folder, **who)
    atexit.register(_stop, folder, process)
    server = Server(folder, port, process)
    _wait(server)
    return server


def _stop(folder: Path, process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT)
    process.wait(30)
    shutil.rmtree(folder, ignore_errors=True)


def _wait(server: Server) -> None:
    import psycopg

    for _ in range(300):
        assert server.process.poll() is None, server.log()
        try:
            server.connect().close()
            return
        except psycopg.OperationalError:
            time.sleep(0.1)
    pytest.fail(f"PostgreSQL did not start:\n{server.log()}")
