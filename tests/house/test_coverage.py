"""No room below 85 % of its lines, by the record that `make coverage` writes; and the record is not too old to say so."""

from __future__ import annotations

import json
import runpy
from collections import Counter
from pathlib import Path

from coverage.python import PythonParser

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "coverage_by_room.py"), run_name="coverage_by_room")
RECORD = json.loads((ROOT / "tests" / "house" / "coverage.json").read_text())


def lines_now() -> Counter[str]:
    """How many lines each room has today, counted as the record counts them."""
    found: Counter[str] = Counter()
    for path in (ROOT / "src" / "shoal").rglob("*.py"):
        parser = PythonParser(text=path.read_text())
        parser.parse_source()
        found[SCRIPT["room_of"](path.as_posix())] += len(parser.statements - parser.excluded)
    return found


def test_no_room_is_below_the_limit() -> None:
    assert RECORD
    low = {room: told for room, told in RECORD.items() if 100 * told["ran"] < SCRIPT["LEAST"] * told["lines"]}
    assert not low, "write tests, then run `make coverage`"


def test_the_record_is_not_too_old() -> None:
    """A room that grew by a quarter since, or is new, has lines of which nobody knows whether a test runs them."""
    grown = {room for room, lines in lines_now().items() if lines > 1.25 * RECORD.get(room, {"lines": 0})["lines"] + 50}
    assert not grown, "run `make coverage`"


def test_the_record_is_said_as_a_person_reads_it() -> None:
    said = SCRIPT["said"]({"io": {"lines": 200, "ran": 190}, "cli": {"lines": 100, "ran": 80}})
    assert said.splitlines() == ["io            95.0 %", "cli           80.0 % (too low)", "all           90.0 %"]
