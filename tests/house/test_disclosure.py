"""Every published number is accounted for: docs/disclosure.md lists each key of the manifest and of the report, and what it is computed from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import shoal
from shoal import measures
from shoal.report.public import public_model
from tests.report.conftest import JOBS, people

PAGE = Path(__file__).parents[2] / "docs" / "disclosure.md"
NAMED = {"hierarchies", "orders", "weights", "free", "required", "measures", "metric"}
"""Below these, a key is the name of a column, a measure or a parameter."""


def paths(value: Any, at: str = "", below: str = "") -> Iterator[str]:
    """Every key of nested data, with lists as [] and names of columns and measures as *."""
    if at:
        yield at
    if isinstance(value, dict):
        for key, inner in value.items():
            name = "*" if below in NAMED or key in measures.CATALOG else key
            yield from paths(inner, f"{at}.{name}" if at else name, key)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from paths(inner, f"{at}[]", "")


@pytest.fixture(scope="module")
def release() -> shoal.Release:
    return shoal.anonymize(
        people(),
        k=4,
        quasi_identifiers=["age", "height", "job"],
        sensitive=["ill"],
        identifiers=["zip"],
        hierarchies={"job": [[j, "any", "*"] for j in JOBS], "height": shoal.any_interval()},
        weights={"age": 2},
        l_diversity=2,
        algorithm="mondrian",
        withhold=0.02,
    )


def listed() -> set[str]:
    text = PAGE.read_text()
    found = set(re.findall(r"`([^`]+)`", text))
    for name in ("distinct-l-diversity", "entropy-l-diversity", "t-closeness"):
        found |= {f"sensitive[].{name}.worst", f"sensitive[].{name}.median"}
    return found


def test_every_key_of_the_manifest_is_accounted_for(release):
    """A figure that nobody has argued for is not published."""
    assert set(paths(release.manifest)) - {p for p in paths(release.manifest) if p.endswith("[]")} <= listed()


@pytest.mark.parametrize("method", ["gather", "cellular"])
def test_every_key_of_a_clusterings_manifest_is_accounted_for(method):
    """For clusterings too; and what only the owner gets is not among it."""
    made = shoal.cluster(people(), r=4, method=method, quasi_identifiers=["age", "job"], sensitive=["ill"])
    assert {p for p in paths(made.manifest) if not p.endswith("[]")} <= listed()
    assert not {"notice", "seconds", "seed", "cost_before_improvement", "n_distinct"} & set(made.manifest)


def test_every_key_of_the_report_is_accounted_for(release):
    """A figure that nobody has argued for is not published."""
    model = public_model(release)
    manifest = model.pop("manifest")
    assert manifest == release.manifest
    assert {p for p in paths(model) if not p.endswith("[]")} <= listed() | {"manifest"}


def test_the_owners_files_are_not_listed_as_publishable(release):
    told = listed()
    for key in set(release.record) - set(release.manifest):
        assert key not in told or key in ("notice",), key
