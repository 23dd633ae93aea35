"""The two *doors*: the only calls that go against the order of the packages. They let a release write and show itself.

``shoal.io`` and ``shoal.report`` stand above this room and import it. What a :class:`~shoal.release.release.Release` needs of them is found
here by name, when it is called for. ``tests/house`` holds the list to what there is, and allows no other.
"""

from __future__ import annotations

from typing import Any

from shoal import registry

DOORS = {
    "csv_sha256": "shoal.io:csv_sha256",
    "release_sha256": "shoal.io:release_sha256",
    "to_kind": "shoal.io:to_kind",
    "write_release": "shoal.io:write_release",
    "compare": "shoal.report:compare",
    "fragment": "shoal.report:fragment",
    "write_owner_report": "shoal.report:write_owner_report",
    "write_report": "shoal.report:write_report",
}


def load(name: str) -> Any:
    """The function behind a door."""
    return registry.load(DOORS[name])
