"""The share of lines that the tests ran, room by room. It is printed, and recorded in tests/house/coverage.json; ends with 1 if a room is too low.

Run by `make coverage` after the tests. `make test` prints the record, and tests/house/test_coverage.py holds it.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path, PurePosixPath

import coverage

LEAST = 85.0
SOURCE = "src/shoal/"
RECORD = Path(__file__).parents[1] / "tests" / "house" / "coverage.json"


def room_of(name: str) -> str:
    """The folder of src/shoal that a file is in; files that stand in none are one room, 'shoal'."""
    path = PurePosixPath(name.split(SOURCE, 1)[1])
    return path.parts[0] if len(path.parts) > 1 else "shoal"


def measured() -> dict[str, dict[str, int]]:
    """Lines of each room, and how many of them ran."""
    data, rooms = coverage.Coverage(), defaultdict(lambda: {"lines": 0, "ran": 0})
    data.load()
    place = Path("build/coverage.json")
    place.parent.mkdir(exist_ok=True)
    data.json_report(outfile=str(place))
    for name, about in json.loads(place.read_text())["files"].items():
        rooms[room_of(name)]["lines"] += about["summary"]["num_statements"]
        rooms[room_of(name)]["ran"] += about["summary"]["covered_lines"]
    return dict(sorted(rooms.items()))


def said(rooms: dict[str, dict[str, int]]) -> str:
    """A line for each room and one for all."""
    everything = {"lines": sum(r["lines"] for r in rooms.values()), "ran": sum(r["ran"] for r in rooms.values())}
    shares = {name: 100 * r["ran"] / max(r["lines"], 1) for name, r in {**rooms, "all": everything}.items()}
    return "\n".join(f"{name:<12} {share:5.1f} %{' (too low)' if share < LEAST else ''}" for name, share in shares.items())


if __name__ == "__main__":
    found = measured()
    RECORD.write_text(json.dumps(found, indent=1) + "\n")
    print(said(found))
    sys.exit("too low" in said(found))
