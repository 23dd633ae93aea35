"""What builders made, as texts for the judge."""

import pytest

import shoal
from shoal.hierarchies.encode import encode
from shoal.release.texts import from_encoded


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
