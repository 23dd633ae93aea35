"""What a user writes for a criterion: requirements, shorthands, keys of a policy."""

from __future__ import annotations

import tomllib

import pytest

from shoal.errors import PolicyError
from shoal.privacy import asking


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("t-closeness=0.3", "t-closeness", {"t": 0.3}),
        ("t-closeness=t=0.3", "t-closeness", {"t": 0.3}),
        ("recursive-l-diversity=2,3", "recursive-l-diversity", {"c": 2.0, "l": 3}),
        ("recursive-l-diversity=l=3,c=2", "recursive-l-diversity", {"c": 2.0, "l": 3}),
        (" t-closeness = 0.5 ", "t-closeness", {"t": 0.5}),
    ],
)
def test_a_requirement_is_read_by_place_or_by_name(text, name, parameters):
    assert asking.read_requirement(text) == (name, parameters)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("t-closeness", "NAME=PARAMETERS"),
        ("t-closeness=far", "t: distance from the whole table"),
        ("t-closeness=2", "between 0 and 1"),
        ("t-closeness=nan", "between 0 and 1"),
        ("recursive-l-diversity=2", "C,L"),
        ("distinct-l-diversity=2.5", "whole number"),
        ("k-anonymity=5", "its own setting"),
        ("recursive-l-diversity=0,2", "c must be"),
        ("closeness=1", "t-closeness"),
    ],
)
def test_a_mistake_says_what_to_write(text, said):
    with pytest.raises(PolicyError, match=said):
        asking.read_requirement(text)


@pytest.mark.parametrize("value", [3, 3.0, "3", {"distinct": 3}, "distinct:3"])
def test_a_shorthand_means_the_first_of_its_criteria(value):
    assert asking.read_shorthand("l_diversity", value) == ("distinct-l-diversity", {"l": 3})


def test_a_shorthand_names_its_kinds_where_it_is_misread():
    with pytest.raises(PolicyError, match=r"entropy:l, or recursive:c,l"):
        asking.read_shorthand("l_diversity", "median:3")


@pytest.mark.parametrize("criterion", asking.criteria(), ids=lambda c: c.name)
def test_what_is_written_into_a_policy_is_read_back(criterion):
    value = {p.name: max(p.least, 0.0) + (1.0 if p.is_whole else 0.5) for p in criterion.parameters}
    asked = asking.demand_of(criterion.name, value)
    from shoal.policy.toml import toml_key, toml_value

    text = "\n".join(f"{toml_key(key)} = {toml_value(x)}" for key, x in asking.as_toml([asked]).items())
    from shoal.policy.columns import demands_of

    assert demands_of(tomllib.loads(text)) == (asked,)


def test_a_new_demand_takes_the_place_of_one_with_the_same_shorthand():
    old = [("entropy-l-diversity", {"l": 2.0}), ("t-closeness", {"t": 0.2})]
    new = [("distinct-l-diversity", {"l": 3})]
    assert asking.replaced(old, new) == (("t-closeness", {"t": 0.2}), *new)
