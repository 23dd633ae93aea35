"""How a browser gets in: by a private file, and by fresh links for whoever sits at the terminal.

Another user of the machine gets nothing.
"""

from __future__ import annotations

import http.cookiejar
import json
import os
import pty
import re
import select
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shoal.studio import door
from tests.browsers import Seen
from tests.studio.conftest import Served, as_in_a_terminal

MARK = "ZebraMarker77"
TABLE = "age,job\n" + "".join(f"{20 + i % 5},{MARK}\n" for i in range(40))
NOBODY = 65534
BROWSER = """#!{python}
import os, pathlib, sys, time
asked = pathlib.Path({asked!r})
asked.write_text(sys.argv[1])
os.closerange(0, 3)
while asked.exists():
    time.sleep(0.1)
"""

THIEF = r"""
import glob, http.client, json, os, re, sys
port, folders = int(sys.argv[1]), sys.argv[2:]
read, names = {}, []
def take(path):
    try:
        with open(path, "rb") as file:
            read[path] = file.read(1_000_000).decode("latin-1")
    except OSError:
        pass
for process in glob.glob("/proc/[0-9]*"):
    for name in ("cmdline", "environ", "maps"):
        take(process + "/" + name)
    try:
        names += [os.readlink(path) for path in glob.glob(process + "/fd/*")]
    except OSError:
        pass
for name in ("tcp", "unix"):
    take("/proc/net/" + name)
for folder in folders:
    for where, inside, files in os.walk(folder):
        names += [os.path.join(where, name) for name in inside + files]
        for name in files:
            take(os.path.join(where, name))
seen = names + [text for path, text in read.items() if path.endswith("cmdline") and "shoal" in text]
guesses = {""} | set(re.findall(r"[\w-]{8,}", " ".join(seen)))
answers = []
for guess in sorted(guesses)[:200]:
    inside = (f"/{guess}/{rest}" for rest in ("", f"?token={guess}", "open", "table"))
    for path in ("/" + guess, f"/?token={guess}", *inside):
        asked = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        asked.request("GET", path, headers={"Cookie": f"shoal-{port}={guess}"})
        answer = asked.getresponse()
        answers.append([answer.status, answer.read().decode()])
        asked.close()
print(json.dumps({"user": os.getuid(), "read": read, "names": names, "answers": answers}))
"""


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that everybody may enter, like the one for temporary files."""
    made = Path(tempfile.mkdtemp(prefix="everybody-", dir="/tmp"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def opened(shared: Path) -> Iterator[tuple[Served, str]]:
    """A studio with a table, and what its browser was given as an argument."""
    table, asked, browser = shared / "people.csv", shared / "asked", shared / "browser"
    for name in ("tmp", "run"):
        (shared / name).mkdir()
    (shared / "tmp").chmod(0o1777)
    (shared / "run").chmod(0o700)
    table.write_text(TABLE)
    table.chmod(0o600)
    browser.write_text(BROWSER.format(python=sys.executable, asked=str(asked)))
    browser.chmod(0o755)
    given = {**os.environ, "BROWSER": f"{browser} %s", "TMPDIR": str(shared / "tmp"),
             "XDG_RUNTIME_DIR": str(shared / "run"),
             "XDG_STATE_HOME": str(shared / "state"), "PYTHONUNBUFFERED": "1"}  # fmt: skip
    process = subprocess.Popen([sys.executable, "-m", "shoal", "studio", str(table)], cwd=shared, env=given, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=as_in_a_terminal)  # fmt: skip
    served = Served(process, _link(process), shared)
    try:
        yield served, _when_there(asked)
    finally:
        served.stop()
        assert list((shared / "run").iterdir()) == [], "the file is removed with the studio"


def _link(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found is not None
    return found.group()


def _when_there(asked: Path) -> str:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if asked.exists() and asked.read_text():
            return asked.read_text()
        time.sleep(0.05)
    raise AssertionError("no browser was started")


def test_the_browser_gets_the_path_of_a_private_file(opened: tuple[Served, str]):
    served, given = opened
    assert served.token not in given
    assert str(served.port) not in given.rpartition("/")[2]
    file = Path(given.removeprefix("file://"))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert served.address in file.read_text()
    assert '<meta name="referrer" content="no-referrer">' in file.read_text()
    command = (
        Path(f"/proc/{served.process.pid}/cmdline").read_text()
        + Path(f"/proc/{served.process.pid}/environ").read_text()
    )
    assert served.token not in command


def as_nobody(program: str, *arguments: str) -> dict[str, Any]:
    """What a program of another user prints; the test is skipped where nobody can become one."""
    python = os.path.realpath(sys.executable)
    if not hasattr(os, "getuid") or os.getuid() != 0:
        pytest.skip("only root can become another user")
    how: dict[str, Any] = {
        "user": NOBODY,
        "group": NOBODY,
        "extra_groups": [],
        "capture_output": True,
        "text": True,
        "cwd": "/",
        "env": {},
    }
    try:
        subprocess.run([python, "-I", "-c", ""], check=True, **how)
    except (OSError, subprocess.SubprocessError):
        pytest.skip("another user cannot run this Python")
    done = subprocess.run([python, "-I", "-c", program, *arguments], timeout=300, **how)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_another_user_who_reads_processes_folders_and_ports_gets_nothing(opened: tuple[Served, str], shared: Path):
    """The link stood in the browser's arguments: another user took it from there and read raw cells."""
    served, given = opened
    found = as_nobody(THIEF, str(served.port), str(shared))
    text = json.dumps(found)
    assert found["user"] == NOBODY
    assert given in text, "the browser's arguments are there to be read"
    assert served.token not in text
    assert served.base.rpartition("/")[2] not in text
    assert MARK not in text
    assert len(found["answers"]) > 50
    assert {status for status, _ in found["answers"]} == {401}
    owner = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    owner.open(served.address, timeout=60).close()
    assert b"people.csv" in _settled(owner, served.base + "/"), "the link still let its owner in"
    with pytest.raises(urllib.error.HTTPError, match="410"):
        urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())).open(
            served.address, timeout=60
        )


def _settled(owner: urllib.request.OpenerDirector, address: str) -> bytes:
    """The page, when the table is loaded."""
    while True:
        with owner.open(address, timeout=60) as answer:
            page: bytes = answer.read()
        if b"data-wait" not in page:
            return page
        time.sleep(0.1)


@pytest.mark.browser
def test_a_real_browser_gets_in_by_the_private_file_once(opened: tuple[Served, str], seen: Seen):
    served, given = opened
    seen.page.goto(given)
    seen.page.wait_for_url(f"{served.base}/**")
    seen.page.get_by_text("people.csv").first.wait_for()
    seen.page.reload()
    seen.page.get_by_text("people.csv").first.wait_for()
    assert seen.complaints == []
    context = seen.page.context.browser.new_context()  # type: ignore[union-attr]
    other = context.new_page()
    other.goto(given)
    other.get_by_role("heading", name="This link was used").wait_for()
    assert MARK not in other.content()
    context.close()


def test_enter_in_the_terminal_gives_a_fresh_link(tmp_path: Path):
    """Whoever opens a second browser, or whose first did not start, needs another link; only the terminal shows it."""
    ours, theirs = pty.openpty()
    (tmp_path / "tmp").mkdir()
    given = {**os.environ, "TMPDIR": str(tmp_path / "tmp"), "XDG_STATE_HOME": str(tmp_path / "state")}
    process = subprocess.Popen([sys.executable, "-m", "shoal", "studio", "--no-browser"], cwd=tmp_path, env=given,
                               stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
                               preexec_fn=as_in_a_terminal)  # fmt: skip
    try:
        said = _said(ours, "Ctrl-C")
        assert "Press Enter for a fresh one" in said
        os.write(ours, b"\n")
        said += _said(ours, "\n", "fresh link")
        first, second = re.findall(r"http://\S+", said)
        assert first != second
        assert _status(first) == 410, "it was replaced"
        assert _status(second) == 200
        assert _status(second) == 410
    finally:
        process.terminate()
        process.wait(120)
        os.close(ours)
        os.close(theirs)


def _said(terminal: int, *until: str) -> str:
    """What the terminal shows until all of this was said."""
    said, end = "", time.monotonic() + 60
    while not all(text in said for text in until):
        assert time.monotonic() < end, said
        if select.select([terminal], [], [], 0.2)[0]:
            said += os.read(terminal, 4096).decode()
    return said


def _status(link: str) -> int:
    try:
        with urllib.request.urlopen(link, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as wrong:
        return wrong.code


def test_in_the_background_the_terminal_is_not_read(monkeypatch: pytest.MonkeyPatch):
    """There a read fails, and would stop the studio; once it is in front again, Enter is heard."""
    answers: Iterator[bytes | OSError] = iter([OSError(5, "not ours"), b"\n", b""])

    def read(terminal: int, most: int) -> bytes:
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    heard: list[bool] = []
    monkeypatch.setattr(door, "PAUSE", 0)
    monkeypatch.setattr("os.read", read)
    monkeypatch.setattr("os.isatty", lambda terminal: True)
    door._listen(0, lambda: heard.append(True))
    assert heard == [True]


def test_where_the_browser_cannot_read_our_files_the_link_is_only_printed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    tmp_path.chmod(0o700)
    monkeypatch.setattr("webbrowser.open", lambda address: pytest.fail("a browser was started"))
    monkeypatch.setattr("shoal.studio.door.shows_own_files", lambda: False)
    assert door.lead_browser("http://127.0.0.1:1/x/?token=y") is None
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_others_may_enter_is_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "run").mkdir(mode=0o755)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    asked: list[str] = []
    monkeypatch.setattr("webbrowser.open", asked.append)
    made = door.lead_browser("http://127.0.0.1:1/x/?token=y")
    assert made is not None
    assert made.parent == tmp_path / "state" / "shoal"
    assert stat.S_IMODE(made.stat().st_mode) == 0o700
