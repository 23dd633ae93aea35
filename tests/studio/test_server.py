"""Starting and closing: what is printed, who can connect, and that nothing is left behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import httpx
import pytest

from shoal.cli.main import run
from shoal.studio import uploads
from tests.load import processor_seconds
from tests.studio.conftest import as_in_a_terminal, start, under_nohup

TABLE = "age,job\n" + "".join(f"{20 + i % 5},{'ab'[i % 2]}\n" for i in range(40))


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left_when_it_is_closed(tmp_path: Path, how: signal.Signals):
    (tmp_path / "people.csv").write_text(TABLE)
    served = start(tmp_path, tmp_path / "private", "people.csv")
    [private] = (tmp_path / "private").glob("shoal-studio-*")
    assert private.stat().st_mode & 0o777 == 0o700
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(served.base, timeout=60)
    (private / "upload.csv").write_text(TABLE)
    assert served.stop(how) == 0
    assert list((tmp_path / "private").iterdir()) == []


SWALLOWED = """
import os, signal, sys
from shoal.cli.main import run
from shoal.studio import server

def ready(*given, ready=server._ready):
    try:
        os.kill(os.getpid(), signal.{how})
        for _ in range(1000):
            pass
    except BaseException:  # as a library does that is being loaded
        pass
    return ready(*given)

def made(*given, ready=server._ready):
    made = ready(*given)
    os.kill(os.getpid(), signal.{how})
    return made

server._ready = {when}
sys.exit(run(["studio", "--no-browser"]))
"""


@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("when", ["ready", "made"])
def test_a_request_to_end_that_comes_while_it_starts_is_heard(tmp_path: Path, how: str, when: str):
    """Ctrl-C just after the address was printed was lost now and then: a library that was being loaded swallowed it."""
    program = SWALLOWED.format(how=how, when=when)
    given = {**os.environ, "TMPDIR": str(tmp_path / "private"), "XDG_STATE_HOME": str(tmp_path / "state")}
    (tmp_path / "private").mkdir()
    asked = [sys.executable, "-c", program]
    ended = subprocess.run(
        asked, cwd=tmp_path, env=given, capture_output=True, text=True, timeout=60, preexec_fn=as_in_a_terminal
    )
    assert "Closed. What was loaded and made here is wiped." in ended.stdout
    assert (ended.returncode, ended.stderr) == (0, "")
    assert list((tmp_path / "private").iterdir()) == []


def test_under_nohup_it_does_not_end_with_the_terminal(tmp_path: Path):
    served = start(tmp_path, tmp_path / "private", began=under_nohup)
    assert httpx.get(served.base, timeout=60).status_code == 401
    served.process.send_signal(signal.SIGHUP)
    assert httpx.get(served.base, timeout=60).status_code == 401
    assert served.stop() == 0


def test_it_listens_on_loopback_alone(tmp_path: Path):
    served = start(tmp_path, tmp_path / "private")
    port = served.port
    try:
        lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
        listening = [
            line.split()[1] for line in lines if line.split()[3] == "0A" and line.split()[1].endswith(f":{port:04X}")
        ]
        assert listening == [f"0100007F:{port:04X}"]
    finally:
        served.stop()


def test_what_a_killed_studio_left_is_wiped_by_the_next(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with subprocess.Popen(["true"]) as ended:
        dead = ended.pid
    left, mine, other = (
        tmp_path / f"shoal-studio-{dead}-abc",
        tmp_path / f"shoal-studio-{os.getpid()}-abc",
        tmp_path / "shoal-studio-notes",
    )
    for folder in (left, mine, other):
        folder.mkdir()
    (left / "people.csv").write_text(TABLE)
    made = uploads.make_folder()
    assert not left.exists()
    assert mine.exists()
    assert other.exists()
    assert made.stat().st_mode & 0o777 == 0o700


def test_nothing_is_logged(tmp_path: Path):
    """Not the token, not what was asked for, and not what nobody expected."""
    served = start(tmp_path, tmp_path / "private")
    with httpx.Client(
        base_url=served.base, headers={"origin": served.origin}, follow_redirects=True, trust_env=False, timeout=60
    ) as client:
        assert client.get(served.address).status_code == 200
        client.post("/load/upload", files={"file": ("people.csv", TABLE.encode())})
        client.get("/", params={"marker": "ZebraMarker77"})
        client.post("/hierarchies/1/tree", content=b"ZebraMarker77")
        assert client.get("/hierarchies/99").status_code == 404
    served.process.send_signal(signal.SIGINT)
    said, complained = served.process.communicate(timeout=120)
    assert complained == ""
    assert "Closed. What was loaded and made here is wiped." in said
    assert all(
        line.startswith(("This link lets one browser in", "It serves this machine alone", "Closed."))
        for line in said.splitlines()
    )


@pytest.mark.slow
def test_a_million_rows_do_not_freeze_it(tmp_path: Path):
    rows = "".join(f"{i % 90},{i * 7 % 977},{'abcde'[i % 5]},{i * 31 % 101}\n" for i in range(1_000_000))
    (tmp_path / "long.csv").write_text("age,zip,job,income\n" + rows)
    served = start(tmp_path, tmp_path / "private", "long.csv")
    waits = []

    def ask(address: str) -> dict[str, object]:
        begun = time.monotonic()
        told: dict[str, object] = client.get(address).json()
        waits.append(time.monotonic() - begun)
        return told

    with httpx.Client(
        base_url=served.base, headers={"origin": served.origin}, follow_redirects=True, trust_env=False, timeout=60
    ) as client:
        client.get(served.address)
        while ask("/status")["working"]:
            time.sleep(0.05)
        table = re.search(r"table=(\w+)", client.get("/").text)
        assert table is not None
        client.post(f"/columns?{table.group()}", data={f"role-{i}": "quasi-identifier" for i in range(4)})
        while ask("/status")["working"]:
            time.sleep(0.05)
        page = client.post(f"/runs?{table.group()}", data={"k": "5", "algorithm": "mondrian"}).url
        until = time.monotonic() + 20
        while ask(f"{page}/progress")["state"] == "working" and time.monotonic() < until:
            time.sleep(0.1)
    assert served.stop() == 0
    assert max(waits) < 2


def test_a_port_that_is_taken_and_a_file_that_is_not_there_are_refused(tmp_path: Path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert run(["studio", "--no-browser", "--port", str(taken.getsockname()[1])]) == 2
    assert "--port" in capsys.readouterr().err
    assert run(["studio", "--no-browser", "nowhere.csv"]) == 2
    assert "nowhere.csv" in capsys.readouterr().err
    assert run(["studio", "--no-browser", "--folder", "nowhere"]) == 2


def test_the_address_is_there_soon(tmp_path: Path):
    """The figure to reach is 2 s; measured in CPU seconds, which do not grow on a busy machine, with some more allowed
    for a slow one.
    """
    served = start(tmp_path, tmp_path / "private")
    try:
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        browser.open(served.address, timeout=60).close()
        with browser.open(served.base + "/", timeout=60) as answer:
            assert b"Load a table" in answer.read()
        assert processor_seconds(served.process.pid) < 5
    finally:
        served.stop()
