"""Hierarchies as the verifier knows them: texts, level by level."""

from shoal.judge.texts import Texts, from_rows

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
