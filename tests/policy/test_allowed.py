"""What a value may be: right values are kept in one form, and wrong ones are told in one sentence."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shoal import measures
from shoal.errors import PolicyError
from shoal.policy.allowed import Allowed, ColumnName, FolderPath, NameIn, NumberIn, OneOf, TextList, WholeNumber, YesOrNo, at_least
from shoal.policy.place import Place

SHARE = NumberIn("a fraction", "a fraction between 0 and 1", 0, 1)
POSITIVE = NumberIn(must="a positive number", least=0, is_above=True, is_finite=True)
RIGHT: list[tuple[Allowed, Any, Any]] = [
    (at_least(2), 2, 2), (at_least(2), np.int64(7), 7), (SHARE, 1, 1), (SHARE, np.float64(0.5), 0.5), (SHARE, Fraction(1, 4), 0.25), (POSITIVE, 0.1, 0.1),
    (YesOrNo(), False, False), (OneOf(meaning={"a": "", "b": ""}), "b", "b"), (NameIn(catalog=measures.CATALOG), "lm", "lm"), (ColumnName(), "age", "age"),
    (TextList(), ["NA"], ("NA",)), (TextList(), [], ()),
]  # fmt: skip
WRONG: list[tuple[Allowed, Any, str]] = [
    (at_least(2), 1, "x must be a whole number of at least 2, not 1: why."), (at_least(2), True, "not True: why."), (at_least(2), 2.0, "not 2.0: why."),
    (WholeNumber(), -1, "x must not be negative, and -1 is."), (WholeNumber(), "1", "x must be a whole number, not '1': why."),
    (SHARE, 1.1, "x must be a fraction between 0 and 1, not 1.1: why."), (SHARE, float("nan"), "not nan: why."), (SHARE, True, "not True: why."),
    (POSITIVE, 0, "x must be a positive number, not 0: why."), (POSITIVE, float("inf"), "not inf: why."),
    (YesOrNo(), 1, "x must be true or false, not 1: why."), (OneOf(meaning={"a": "", "b": ""}), "c", "x must be one of a, b, not 'c'."),
    (OneOf(meaning={"a": ""}), ["a"], "x must be one of a, not '['a']'."), (NameIn(catalog=measures.CATALOG), "l", "There is no x called 'l'."),
    (NameIn(catalog=measures.CATALOG), 3, "x must be a name, not 3."), (ColumnName(), 3, "x must be the name of one column."), (TextList(), "NA", "must be a list of texts"),
    (TextList(), [1], "must be a list of texts"), (TextList(), 3, "must be a list of texts"), (FolderPath(), 3, "x takes a folder with one file per column (--x DIR), not a int"),
]  # fmt: skip


@pytest.mark.parametrize(("allowed", "value", "kept"), RIGHT)
def test_a_right_value_is_kept_as_python_knows_it(allowed: Allowed, value: Any, kept: Any) -> None:
    assert allowed.wrong("x", value) is None
    assert allowed.kept(value) == kept
    assert type(allowed.kept(value)) is type(kept)


@pytest.mark.parametrize(("allowed", "value", "words"), WRONG)
def test_a_wrong_value_is_told_in_one_sentence(allowed: Allowed, value: Any, words: str) -> None:
    said = allowed.wrong("x", value, "why")
    assert said is not None
    assert words in said


def test_a_policy_file_says_numbers_texts_lists_and_folders(tmp_path: Path) -> None:
    place = Place(tmp_path / "p.toml", "x = 1")
    assert SHARE.read(place, ("x",), 1) == 1.0
    assert TextList().read(place, ("x",), ["a"]) == ("a",)
    assert FolderPath().read(place, ("x",), "h") == tmp_path / "h"
    for allowed, value, words in (
        (at_least(2), 1.5, "a whole number, not float"),
        (YesOrNo(), 1, "true or false, not int"),
        (SHARE, True, "a fraction, not bool"),
    ):
        with pytest.raises(PolicyError, match=f"line 1, key 'x': this should be {words}"):
            allowed.read(place, ("x",), value)
