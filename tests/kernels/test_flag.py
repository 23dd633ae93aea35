"""A flag that ends a kernel."""

from __future__ import annotations

from shoal.kernels.flag import Flag, pointer_of
from shoal.kernels.native import NULL


def test_it_begins_lowered_and_stays_raised() -> None:
    flag = Flag()
    assert not flag.is_set
    assert pointer_of(flag)[0] == 0
    flag.set()
    flag.set()
    assert flag.is_set
    assert pointer_of(flag)[0] == 1


def test_no_flag_is_no_pointer() -> None:
    assert pointer_of(None) == NULL
