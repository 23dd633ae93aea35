"""The papers' hard tables from the command."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import shoal as library
from shoal.cli.instance import _makers

CLIQUE = '{"edges": [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]], "r": 4}'


def test_every_maker_of_a_table_is_listed(shoal):
    said = shoal("instance").out
    assert all(f"{name}: " in said for name in _makers())
    assert {"r-cliques", "triangles", "exact-cover", "perfect-matching", "restricted-from-graph"} <= set(_makers())
    assert "edges, r, copies (1)" in said


def test_a_table_is_written_and_what_is_printed_decides_the_question(shoal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = shoal("instance", "r-cliques", CLIQUE, "-o", "hard.csv")
    assert answer.status == 0
    assert "no more than 24 (stars)" in answer.out
    hard = library.instances.r_cliques([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], r=4)
    assert Path("hard.csv").read_text().splitlines()[1:] == [",".join(row) for row in hard.rows]
    command = shlex.split(answer.out.splitlines()[-1].removeprefix("Try: shoal "))
    assert "the best possible" in (told := shoal(*command)).out or "least possible" in told.out
    assert library.anonymize("hard.csv", k=6, quasi_identifiers=["c0", "c1", "c2", "c3"], suppression_only=True, measure="stars").loss == 24


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("no-such", "{}", "-o", "x.csv"), "There is no instance 'no-such'. There are: "),
        (("r-cliques",), "It takes edges, r, copies (1)"),
        (("r-cliques", "{}", "-o", "x.csv"), "missing a required argument: 'edges'"),
        (("r-cliques", "not json", "-o", "x.csv"), "The arguments are not what is asked for"),
        (("r-cliques", "[1]", "-o", "x.csv"), "The arguments are not what is asked for"),
        (("r-cliques", '{"edges": 7, "r": "x"}', "-o", "x.csv"), "not of the kind that is asked for"),
        (("r-cliques", '{"edges": [[0, 0]], "r": 3}', "-o", "x.csv"), "must join 2 different vertices"),
    ],
)
def test_bad_arguments_are_told_and_nothing_is_written(shoal, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    answer = shoal("instance", *arguments)
    assert answer.status == 2
    assert says in answer.err
    assert not Path("x.csv").exists()


def test_a_file_is_replaced_only_with_force(shoal, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("hard.csv").write_text("mine")
    assert shoal("instance", "r-cliques", CLIQUE, "-o", "hard.csv").status == 2
    assert Path("hard.csv").read_text() == "mine"
    assert shoal("instance", "r-cliques", CLIQUE, "-o", "hard.csv", "--force").status == 0
