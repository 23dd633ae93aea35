"""The minimality attack (Wong, Fu, Wang and Pei, VLDB 2007).

He has:   the release, everything published with it, this program and its policy; and from elsewhere everybody's quasi-identifiers.
He wants: a person's sensitive value, with more certainty than the person's group gives.
He does:  he deals the released sensitive values out to the people in every way, runs the program on each, and keeps those that give the release.
He gets:  with k-anonymity alone, nothing of the sensitive values by this: they do not decide what is generalized. What groups show
          tells much of quasi-identifiers, to somebody who has less than he: ``test_closures.py``.
          With l-diversity he may get all: where two people alike were put with others only because they share a value, he learns that they do.
          ``docs/disclosure.md`` says so. What is published beside the release does not help him.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import polars as pl

import shoal
from tests.attacks.published import files, same_table

ZIPS = ["81541", "81541", "80331", "80331", "80331"]
ILL = ["hiv", "hiv", "flu", "cold", "gout"]


def _table(ill: tuple[str, ...]) -> pl.DataFrame:
    return pl.DataFrame({"zip": ZIPS, "ill": ill})


def _ways() -> Iterator[tuple[str, ...]]:
    """Every way of dealing the sensitive values out."""
    yield from sorted(set(permutations(ILL)))


def _attack(release: shoal.Release, asked: dict) -> tuple[Counter[str], int, int]:
    """What the first person may have, in the ways that give the release; how many of these there are, and how many fit all that is published."""
    seen = files(release)
    held: Counter[str] = Counter()
    both = 0
    for way in _ways():
        tried = shoal.anonymize(_table(way), **asked)
        if same_table(tried, release):
            held[way[0]] += 1
            both += files(tried) == seen
    return held, held.total(), both


def _asked(**more):
    return {
        "k": 2,
        "quasi_identifiers": ["zip"],
        "sensitive": ["ill"],
        "hierarchies": {"zip": shoal.suppression()},
        "keep_order": False,
        **more,
    }


def test_with_k_anonymity_alone_sensitive_values_do_not_decide():
    """The program does not look at sensitive values: every way that the groups allow gives the release."""
    release = shoal.anonymize(_table(tuple(ILL)), **_asked())
    held, alone, both = _attack(release, _asked())
    groups = {zip_: Counter(release.frame.filter(pl.col("zip") == zip_)["ill"]) for zip_ in set(release.frame["zip"])}
    shown = groups["81541"]
    assert held.keys() == shown.keys()
    assert {value: n / alone for value, n in held.items()} == {value: n / shown.total() for value, n in shown.items()}
    assert both == alone


def test_l_diversity_may_give_him_all_and_the_published_files_nothing_more():
    """Two people of one zip have one value, so they are put with a third; whoever knows the program knows why."""
    asked = _asked(l_diversity=2)
    release = shoal.anonymize(_table(tuple(ILL)), **asked)
    mixed = release.frame.filter(pl.col("zip") == "*")["ill"].to_list()
    assert Counter(mixed)["hiv"] / len(mixed) < 1, "what the release promises is kept: the group has two values"
    held, alone, both = _attack(release, asked)
    assert set(held) == {"hiv"}, "and yet he knows: this is what docs/disclosure.md warns of"
    assert both == alone, "nothing that is published tells more than the release"


def test_asking_for_more_than_is_needed_hides_the_reason():
    """With all in one group, for whatever reason, every way is left."""
    asked = _asked(l_diversity=4)
    release = shoal.anonymize(_table(tuple(ILL)), **asked)
    held, alone, both = _attack(release, asked)
    assert alone == both == len(list(_ways()))
    assert held["hiv"] / alone == 2 / 5
