"""Errors reach a person as one message and the right status."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.cli.conftest import MARKER

ASKED = ("-k", "3", "--qi", "age", "--qi", "zip")


def test_a_release_that_is_not_anonymous_ends_with_1(shoal, people):
    answer = shoal("verify", people, people, "-k", 5, "--qi", "age", "--qi", "zip")
    assert answer.status == 1
    assert "Not 5-anonymous" in answer.err


def test_an_unexpected_error_shows_no_cell(shoal, people, tmp_path, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(MARKER)

    monkeypatch.setattr("shoal.engines.driver.encode_folded", fail)
    answer = shoal("anonymize", people, "-o", tmp_path / "o.csv", *ASKED)
    assert answer.status == 2
    assert MARKER not in answer.err
    assert "--debug" in answer.err


@pytest.fixture
def interruptible():
    """Tests that run in the background are started with Ctrl-C ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_that_a_library_made_an_error_of_is_still_an_interrupt(shoal, people, tmp_path, monkeypatch, interruptible):
    """Ctrl-C while a library was loading was told as something that shoal did not expect."""

    def load(*_: object, **__: object) -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise ImportError("initialization failed") from None

    monkeypatch.setattr("shoal.io.read", load)
    answer = shoal("assess", people)
    assert answer.status == 130
    assert "Interrupted. Nothing was written." in answer.err


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system knows no closed terminal")
@pytest.mark.parametrize("ignored", [False, True])
def test_a_closed_terminal_ends_the_run_as_ctrl_c_does_unless_it_is_told_to_go_on(ignored):
    """A window that is closed left hidden files behind; ``nohup`` must go on."""
    code = (
        "import signal\n"
        f"signal.signal(signal.SIGHUP, signal.{'SIG_IGN' if ignored else 'SIG_DFL'})\n"
        "from shoal.cli.main import cli, run\n"
        "cli.main = lambda **_: signal.raise_signal(signal.SIGHUP)\n"
        "raise SystemExit(run(['measures']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == (0 if ignored else 130)
    assert ignored or "Interrupted. Nothing was written." in done.stderr
