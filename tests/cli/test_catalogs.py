"""``shoal algorithms``, ``measures`` and ``criteria`` list all there is, with what a user needs to choose."""

import pytest

from shoal import algorithms, measures, privacy, registry
from shoal.protocol import grouping
from shoal.protocol.suppression import partition


@pytest.mark.parametrize(
    ("command", "catalog"),
    [("algorithms", algorithms.CATALOG), ("measures", {**measures.CATALOG, **measures.REPORTED}), ("criteria", privacy.CATALOG)],
)
def test_every_entry_is_listed_with_its_reference(shoal, command, catalog):
    answer = shoal(command)
    assert answer.status == 0
    lines = answer.out.splitlines()
    flat = " ".join(answer.out.split())
    for name in catalog:
        entry = registry.find(catalog, name)
        assert any(line.startswith((f"{name}:", f"{name} (")) for line in lines), name
        assert " ".join(entry.reference.split()) in flat


def test_a_guarantee_stands_beside_each_algorithm(shoal):
    answer = shoal("algorithms")
    assert answer.out.count("guarantee") >= len(algorithms.CATALOG)


@pytest.mark.parametrize(
    ("typed", "catalog"),
    [
        ("shoal miner init --protocol", grouping.CATALOG),
        ("shoal miner init --protocol suppression --partition", partition.CATALOG),
    ],
)
def test_the_protocols_groups_are_listed_too(shoal, typed, catalog):
    """They were in no list: whoever chose a partition saw neither its factor nor where it comes from."""
    answer = shoal("algorithms")
    flat = " ".join(answer.out.split())
    for name in catalog:
        entry = registry.find(catalog, name)
        assert f"{name} ({typed}): {entry.title} guarantee {entry.guarantee_text} reference {entry.reference}" in flat


def test_what_is_never_minimised_says_so(shoal):
    assert "discernibility (reported only)" in shoal("measures").out


def test_how_to_write_a_requirement_is_shown(shoal):
    assert "recursive-l-diversity=C,L" in shoal("criteria").out.replace(" ", "")
