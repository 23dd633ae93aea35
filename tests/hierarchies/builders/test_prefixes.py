"""Prefixes of codes."""

from __future__ import annotations

import pytest

from shoal.errors import HierarchyError
from shoal.hierarchies import prefixes
from shoal.hierarchies.builders.prefixes import suggest_lengths
from shoal.hierarchies.encode import encode


def test_the_length_stays() -> None:
    tree = encode("zip", ["81241", "81243", "81311", "90001"], False, prefixes(4, 3, 1)).tree
    assert tree.labels == ("81241", "81243", "81311", "90001", "8124*", "8****", "*")
    assert tree.level.tolist() == [0, 0, 0, 0, 1, 3, 4]


def test_codes_of_different_lengths_meet_only_at_the_root() -> None:
    tree = encode("icd", ["C5", "C50", "C501", "C502"], False, prefixes(3, 1)).tree
    assert tree.labels[4:] == ("C50*", "*")


def test_lengths_may_be_given_in_any_order() -> None:
    assert prefixes(1, 4, 3) == prefixes(4, 3, 1)


@pytest.mark.parametrize("lengths", [(0,), (-1,), (2, 2), (1.5,), ("3",), (True,)])
def test_lengths_that_make_no_sense_are_refused(lengths: tuple[object, ...]) -> None:
    with pytest.raises(HierarchyError):
        prefixes(*lengths)


def test_lengths_are_suggested_from_the_codes() -> None:
    assert suggest_lengths(["81241", "81243", "81311", "90001"]) == (4, 2)
    assert suggest_lengths([f"{i:05d}" for i in range(0, 99999, 7)]) == (4, 3, 2, 1)
    assert len(suggest_lengths([f"{i:012d}" for i in range(1000)])) <= 5
    assert suggest_lengths(["a", "b"]) == (1,)


def test_codes_that_end_in_a_star_are_refused() -> None:
    with pytest.raises(HierarchyError, match=r"1 of 2 values is codes|1 of 2 values .* end in \*"):
        encode("zip", ["812**", "81243"], False, prefixes(3))
