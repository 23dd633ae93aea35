"""A release reaches files and pages through two doors, by name."""

import pytest

from shoal.release import doors


@pytest.mark.parametrize("name", doors.DOORS)
def test_behind_every_door_there_is_a_function(name):
    assert callable(doors.load(name))


def test_only_io_and_report_are_behind_them():
    assert {address.split(":")[0] for address in doors.DOORS.values()} == {"shoal.io", "shoal.report"}


def test_there_is_no_other_door():
    with pytest.raises(KeyError):
        doors.load("write")
