"""Progress is shown on a terminal and nowhere else."""

import io

import pytest

from shoal.cli.watch import Terminal, watching
from shoal.problem import Watch


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
    terminal = Terminal(board)
    terminal.tell("searching", 0.25, loss=110.0)
    assert (board.said["description"], board.said["completed"], board.said["near"]) == ("searching", 0.25, "loss 110.0")
    terminal.tell("prices", None, bound=100.0)
    assert board.said["near"] == "proved within 10.0 %"
    assert board.said["total"] is None, "a stage of unknown length has no share"
