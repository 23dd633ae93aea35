"""Times of a day."""

from __future__ import annotations

import pytest

from shoal.errors import HierarchyError
from shoal.hierarchies import times
from shoal.hierarchies.encode import encode
from shoal.hierarchies.rows import rows_of


def test_times_of_a_day_become_hours_and_others_are_refused() -> None:
    made = encode("t", ["07:05", "07:45", "19:30"], False, times())
    rows = {row[0]: row[1:] for row in rows_of(made.tree)}
    assert rows["07:05"][0] == "[07:00, 08:00)"
    with pytest.raises(HierarchyError, match="cannot be read as times"):
        encode("t", ["07:05", "25:45"], False, times())
