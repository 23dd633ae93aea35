"""Errors reach a person as one message and the right status."""

from __future__ import annotations

from tests.cli.conftest import MARKER

ASKED = ("-k", "3", "--qi", "age", "--qi", "zip")


def test_a_release_that_is_not_anonymous_ends_with_1(shoal, people):
    answer = shoal("verify", people, people, "-k", 5, "--qi", "age", "--qi", "zip")
    assert answer.status == 1
    assert "Not 5-anonymous" in answer.err


def test_an_unexpected_error_shows_no_cell(shoal, people, tmp_path, monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(MARKER)

    monkeypatch.setattr("shoal.api.encode", fail)
    answer = shoal("anonymize", people, "-o", tmp_path / "o.csv", *ASKED)
    assert answer.status == 2
    assert MARKER not in answer.err
    assert "--debug" in answer.err
