"""Any subset of the values."""

from __future__ import annotations

import pytest

from shoal.errors import HierarchyError
from shoal.hierarchies import any_subset
from shoal.hierarchies.encode import encode


def test_a_value_in_braces_would_be_read_as_a_set() -> None:
    with pytest.raises(HierarchyError, match="written in braces"):
        encode("x", ["a", "{a, b}"], False, any_subset())
