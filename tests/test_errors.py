"""Every error is a ShoalError with the exit status that the command promises."""

import inspect
import re

import pytest

from shoal import errors
from shoal.cli.main import EXIT_STATUS
from shoal.errors import some

TREE = re.findall(r"[├└]── (\w+)\s.*?exit (\d+)", errors.__doc__)


def test_the_drawn_tree_is_the_tree():
    there = {name for name, made in inspect.getmembers(errors, inspect.isclass) if issubclass(made, errors.ShoalError)}
    assert {name for name, _ in TREE} == there - {"ShoalError"}


@pytest.mark.parametrize(("name", "status"), TREE)
def test_each_ends_the_command_with_its_status(name, status):
    assert getattr(errors, name).exit_status == int(status)
    assert int(status) in EXIT_STATUS


def test_a_few_numbers_of_many_are_named():
    assert some([7]) == "7"
    assert some(range(1, 6)) == "1, 2, 3, 4, 5"
    assert some([7, 19, 240, 300, 301, 302]) == "7, 19, 240, 300, 301 and 1 more"
