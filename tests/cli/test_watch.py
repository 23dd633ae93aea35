"""Progress is shown on a terminal and nowhere else."""

import io
import json

import pytest

from shoal.cli.watch import Terminal, clock, minutes, watching
from shoal.problem import Watch
from shoal.stages import Pace


class Board:
    """What a person would see last."""

    def __init__(self):
        self.said = {}

    def add_task(self, description, **fields):
        self.said = {"description": description, **fields}
        return 0

    def update(self, task, **fields):
        self.said.update(fields)


@pytest.mark.parametrize("quiet", [True, False])
def test_a_pipe_gets_no_progress(quiet, capsys):
    with watching(quiet) as watch:
        watch.tell("searching", 0.5, loss=3.0)
    assert type(watch) is Watch
    assert capsys.readouterr().err == ""


def test_a_terminal_gets_progress(monkeypatch):
    class Screen(io.StringIO):
        def isatty(self):
            return True

    screen = Screen()
    monkeypatch.setattr("sys.stderr", screen)
    with watching(False) as watch:
        watch.tell("searching", 0.5)
    assert isinstance(watch, Terminal)
    with watching(True) as watch:
        assert type(watch) is Watch


def test_loss_and_bound_become_how_close_it_is_proved():
    board = Board()
    terminal = Terminal(board, Pace())
    terminal.tell("search", 0.25, loss=110.0)
    assert (board.said["description"], board.said["completed"], board.said["near"]) == ("Looking for a better release", 0.25, "loss 110.0")
    terminal.tell("prices", None, bound=100.0)
    assert board.said["near"] == "at most 1.100 × the least"
    assert board.said["total"] is None, "a stage of unknown length has no share"


def test_a_program_gets_lines_of_json(monkeypatch, capsys):
    now = 0.0
    monkeypatch.setattr("shoal.stages.time.monotonic", lambda: now)
    with watching(quiet=True, as_json=True) as watch:
        now = 1.0
        watch.tell("reading", 0.1)  # a stage begins
        watch.count(500, 4000)
        now = 1.1
        watch.tell("reading", 0.2)  # too soon
        watch.count(1000, 8000)
        now = 3.0
        watch.tell("reading", 0.5)
    first, second = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert first == {"stage": "reading", "done": 0.1, "seconds": 1.0}
    assert second == {"stage": "reading", "done": 0.5, "rows": 1000, "bytes": 8000, "seconds": 3.0, "seconds_left": 2.0}


def test_figures_of_the_search_stay_with_the_next_stage(capsys):
    with watching(quiet=True, as_json=True) as watch:
        watch.tell("search", 0.9, loss=3.0, bound=2.0)
        watch.tell("writing")
    assert json.loads(capsys.readouterr().err.splitlines()[-1])["loss"] == 3.0


def test_the_clock_goes_on_when_a_stage_is_complete(monkeypatch):
    """The clock stood still from the first stage that was complete."""
    now = 0.0
    monkeypatch.setattr("shoal.stages.time.monotonic", lambda: now)
    pace = Pace()
    terminal = Terminal(Board(), pace)
    terminal.tell("reading", 1.0)
    now = 65.0
    terminal.tell("search", 0.0)
    assert clock(pace) == "1:05"
    now = 75.0
    terminal.tell("search", 0.25)
    assert clock(pace) == "1:15, 0:30 left"


@pytest.mark.parametrize(("seconds", "told"), [(0.4, "0:00"), (59.9, "0:59"), (600, "10:00"), (3_725, "1:02:05")])
def test_seconds_are_told_as_on_a_clock(seconds, told):
    assert minutes(seconds) == told
