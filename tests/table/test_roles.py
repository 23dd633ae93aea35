"""What a column may be to people."""

from __future__ import annotations

from shoal.table import ROLES


def test_there_are_four_roles():
    assert ROLES == ("identifier", "quasi-identifier", "sensitive", "insensitive")
