"""Entries of a catalog are found by name, and a wrong name is answered with the names there are."""

import pytest

from shoal import registry
from shoal.errors import PolicyError

CATALOG = {"pi": "math:pi", "nowhere": "shoal.no_such_module:X"}


def test_an_entry_is_loaded_when_it_is_asked_for():
    assert registry.find(CATALOG, "pi") == pytest.approx(3.14159, abs=1e-5)
    registry.check(CATALOG, "nowhere")  # looking loads nothing
    with pytest.raises(ImportError):
        registry.find(CATALOG, "nowhere")


def test_a_mistyped_name_is_answered_with_a_hint_and_all_names():
    with pytest.raises(PolicyError, match=r"There is no constant called 'pie'\. Did you mean 'pi'\? There are: pi, nowhere\."):
        registry.find(CATALOG, "pie", "constant")


def test_names_come_in_the_order_of_the_catalog():
    assert registry.names(CATALOG) == ["pi", "nowhere"]
