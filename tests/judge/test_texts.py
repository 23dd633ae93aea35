"""Hierarchies as the verifier knows them: texts, level by level."""

import pytest

import shoal
from shoal.hierarchies.encode import encode
from shoal.judge.texts import Texts, from_encoded, from_rows

ROWS = [["nurse", "health", "*"], ["cook", "food", "*"]]


def as_rows(texts: Texts) -> list[tuple[str | None, ...]]:
    """Back to rows: one a leaf, the leaf first."""
    return list(zip(*(level.to_list() for level in texts.levels), strict=True))


def test_rows_come_back_as_they_were_given():
    assert [list(row) for row in as_rows(from_rows(ROWS))] == ROWS
    assert from_rows(ROWS).height == 2


def test_a_top_is_put_above_several_labels():
    assert as_rows(from_rows([["a", "x"], ["b", "y"]])) == [("a", "x", "*"), ("b", "y", "*")]
    assert as_rows(from_rows([["a"], ["b"]])) == [("a", "*"), ("b", "*")]


def test_a_row_that_ends_early_has_no_label_of_its_own_above():
    assert as_rows(from_rows([["a", "x", "*"], ["b", "y"]]))[1][:3] == ("b", "y", None)


@pytest.mark.parametrize("spec", [shoal.intervals(10, 20), shoal.levels([["17", "young", "*"], ["25", "old", "*"], ["41", "old", "*"]])])
def test_what_a_builder_made_has_every_label_on_every_level(spec):
    made = encode("age", ["17", "25", "41"], False, spec)
    texts = from_encoded(made)
    assert texts.levels[0].to_list() == ["17", "25", "41"]
    assert set(texts.levels[-1].to_list()) == {"*"}
    assert texts.by_width == (spec.name == "intervals")


def test_a_free_column_has_its_values_and_no_levels():
    texts = from_encoded(encode("age", ["17", "25", "41"], False, shoal.any_interval()))
    assert texts.is_free
    assert len(texts.levels) == 1
