"""Suppression: a value, or a star."""

from __future__ import annotations

import pytest

from shoal.errors import PolicyError
from shoal.hierarchies import suppression
from shoal.hierarchies.builders.suppression import Suppression
from shoal.hierarchies.encode import encode


def test_there_is_nothing_between_a_value_and_the_star() -> None:
    made = encode("x", ["a", "b", "c"], True, suppression())
    assert made.tree.labels == ("a", "b", "c", None, "*")
    assert made.tree.parent.tolist() == [4, 4, 4, 4, 4]
    assert made.code_of.tolist() == [0, 1, 2]
    assert made.missing_code == 3


def test_it_is_written_and_read_as_a_policy_writes_it() -> None:
    assert Suppression.from_toml(suppression().to_toml()["suppression"]) == suppression()
    for value, options in ((False, {}), (1, {}), (True, {"at": 3})):
        with pytest.raises(PolicyError, match="suppression = true"):
            Suppression.from_toml(value, **options)
