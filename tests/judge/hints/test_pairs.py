"""Cells that show the hidden one of their own row."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.judge.hints.pairs import bytes_of, contained, copied, is_piece
from tests.judge.hints.drawn import drawn, ground_of

N = 300
AGE = np.random.default_rng(0).integers(20, 90, N)
ZIP = np.random.default_rng(1).integers(10_000, 99_999, N)


@pytest.mark.parametrize("cells", [2026 - AGE, AGE + 5, AGE ^ 0b1010101, 3 * AGE, np.round(5040 / AGE, 9)], ids=str)
def test_a_number_at_a_fixed_distance_is_a_copy(cells):
    assert copied(drawn(cells), ground_of(AGE)) == 1.0


def test_half_a_copy_is_found_and_a_number_of_its_own_is_not():
    rng = np.random.default_rng(2)
    half = np.where(rng.random(N) < 0.5, AGE, rng.integers(20, 90, N))
    assert 0.35 < copied(drawn(half), ground_of(AGE)) < 0.65
    assert copied(drawn(rng.integers(20, 90, N)), ground_of(AGE)) == 0
    assert copied(drawn(np.zeros(N)), ground_of(AGE)) == 0


@pytest.mark.parametrize(
    "write",
    [lambda z: f"x-{z}/q", lambda z: z[::-1] + "!", lambda z: "-".join(z), lambda z: f"<{z}>".encode().hex(), lambda z: f'["{z}"]'],
    ids=["join", "backwards", "spelled", "hexadecimal", "json"],
)
def test_a_text_that_holds_the_hidden_one_is_found(write):
    zips = [str(code) for code in ZIP]
    assert contained(drawn([write(code) for code in zips]), ground_of(zips)) == 1.0
    assert contained(drawn([write(code) for code in zips[1:] + zips[:1]]), ground_of(zips)) == 0


def test_a_piece_of_the_hidden_text_is_a_part():
    zips = [str(code) for code in ZIP]
    assert is_piece(drawn([code[1:4] for code in zips]), ground_of(zips))
    assert not is_piece(drawn([code[1:4] for code in zips[1:] + zips[:1]]), ground_of(zips))
    assert contained(drawn([code[1:4] for code in zips]), ground_of(zips)) == 0


def test_two_answers_that_often_agree_are_no_copies():
    rng = np.random.default_rng(3)
    one = rng.random(N) < 0.5
    other = np.where(rng.random(N) < 0.75, one, ~one)
    assert contained(drawn(np.where(other, "yes", "no")), ground_of(np.where(one, "yes", "no").tolist())) == 0


def test_what_a_code_may_stand_for():
    assert b"abc" in bytes_of("616263")
    assert b"abc" in bytes_of("YWJj")
    assert bytes_of("not a code!") == []
