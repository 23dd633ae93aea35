"""Several rows of one person: k counts people; what holds, what does not, and what an attacker with several rows may do."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from dataclasses import asdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import shoal
from shoal import algorithms, registry
from shoal.errors import Refused
from shoal.judge.matching import MatchedColumn, Sides
from shoal.judge.people import at_least_and_most, crowd_of, slots_in_any_order, slots_in_order
from shoal.policy.columns import ColumnPolicy
from shoal.release.risk import risks
from shoal.report import words
from shoal.report.words import several_rows
from tests.judge.visits import QI, anonymize, people_of_groups, visits


@pytest.mark.parametrize("algorithm", registry.names(algorithms.CATALOG))
def test_every_algorithm_counts_people_or_refuses(algorithm):
    table = visits(120, 40)
    try:
        release = anonymize(table, algorithm=algorithm)
    except Refused:
        assert algorithm != "auto"
        return
    assert min(people_of_groups(table, release)) >= 4


def test_a_row_of_nobody_counts_for_nobody():
    """It may be a row of somebody who is counted already."""
    table = pl.DataFrame({"patient": ["a", "b", None, " "], "age": ["30"] * 4})
    with pytest.raises(shoal.Infeasible, match="2 different people"):
        shoal.anonymize(table, k=3, quasi_identifiers=["age"], person="patient")
    release = shoal.anonymize(table, k=2, quasi_identifiers=["age"], person="patient")
    assert release.record["people"]["n_unknown"] == 2


def test_marks_of_missing_values_are_no_person():
    table = pl.DataFrame({"patient": ["NA", "b", "NA", "c"], "age": ["30"] * 4})
    with pytest.raises(shoal.Infeasible):
        shoal.anonymize(table, k=3, quasi_identifiers=["age"], person="patient", missing_values=["NA"])


def test_long_numbers_are_told_apart_and_blanks_are_not():
    table = pl.DataFrame({"patient": [f"2026000000000000000{i}" for i in range(3)] + ["7", " 7 "], "age": ["30"] * 5})
    release = shoal.anonymize(table, k=4, quasi_identifiers=["age"], person="patient")
    assert release.record["people"]["n_people"] == 4
    with pytest.raises(shoal.Infeasible):
        shoal.anonymize(table, k=5, quasi_identifiers=["age"], person="patient")


@pytest.mark.parametrize("role", ["quasi_identifiers", "sensitive", "keep"])
def test_the_person_is_an_identifier_and_nothing_else(role):
    roles = {"quasi_identifiers": ["age"], role: ["age", "patient"] if role == "quasi_identifiers" else ["patient"]}
    with pytest.raises(shoal.PolicyError, match="which person a row is about"):
        shoal.anonymize(visits(20), k=2, person="patient", **roles)


def test_a_policy_file_says_it_too(tmp_path):
    policy = shoal.Policy(k=3, person="patient", columns={"age": ColumnPolicy(role="quasi-identifier")})
    (path := tmp_path / "policy.toml").write_text(policy.toml())
    assert shoal.Policy.read(path).person == "patient"
    assert shoal.Policy.read(path).named("identifier") == ["patient"]
    path.write_text("k = 3\nperson = 7\n")
    with pytest.raises(shoal.PolicyError, match=r"line 2.*name of a column"):
        shoal.Policy.read(path)
    with pytest.raises(shoal.PolicyError, match="no column 'nobody'"):
        shoal.anonymize(visits(20), k=2, quasi_identifiers=["age"], identifiers=["patient"], person="nobody")


def test_the_bound_for_rows_is_one_for_people():
    """Tables that are k-anonymous in people are some of those that are in rows: so a bound for the larger set holds for the smaller one too."""
    for seed in range(6):
        table = visits(11, 7, seed)
        best = anonymize(table, k=2, algorithm="exact", sensitive=[])
        bounded = anonymize(table, k=2, algorithm="mondrian", sensitive=[])
        assert bounded.lower_bound is None or bounded.lower_bound <= best.loss + 1e-9


def test_the_proof_is_still_checked(tmp_path):
    table = visits(150, 40)
    release = anonymize(table, sensitive=[])
    release.proof(tmp_path / "proof.json")
    found = shoal.verify(table, release.frame, k=4, quasi_identifiers=QI, person="patient", proof=tmp_path / "proof.json")
    assert found.audit is not None
    assert found.audit.lower_bound <= found.audit.loss + 1e-9


tables = st.integers(1, 6).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 2), min_size=n, max_size=n),  # value of each original row
        st.lists(st.integers(-1, 2), min_size=n, max_size=n),  # person of each original row
        st.lists(st.integers(0, 2), min_size=1, max_size=n),  # label of each released row
    )
)


@settings(max_examples=300, deadline=None)
@given(tables, st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=3, max_size=3), st.booleans())
def test_bounds_on_people_hold_for_every_way_to_match(made, covers, in_order):
    """All assignments are tried one by one: no group has fewer people than 'at least', or more than 'at most'."""
    value, person, label = (np.array(x, dtype=np.int64) for x in made)
    cover = np.array(covers, dtype=bool)
    sides = Sides([MatchedColumn(value, label, cover)], np.zeros(len(value), np.int64), np.zeros(len(label), np.int64))
    group = np.unique(label, return_inverse=True)[1].astype(np.int64)
    choose = itertools.combinations if in_order else itertools.permutations
    ways = [rows for rows in choose(range(len(value)), len(label)) if all(cover[a, value[r]] for a, r in zip(label, rows, strict=True))]
    if not ways:
        return
    slots = slots_in_order(sides, np.array(ways).min(axis=0), np.array(ways).max(axis=0)) if in_order else slots_in_any_order(sides)
    least, most = at_least_and_most(slots, group, person)
    for rows in ways:
        for g in range(int(group.max()) + 1):
            people = len({person[r] for r, at in zip(rows, group, strict=True) if at == g and person[r] >= 0})
            assert least[g] <= people <= most[g]


# ---- what is not guaranteed: an attacker who knows several rows ----


def test_an_attacker_who_knows_all_rows_of_somebody_is_counted():
    """Her groups, put together, leave fewer values than any of them alone: the record says of how many people that is so."""
    table = pl.DataFrame(
        {
            "patient": ["ann", "bob", "ann", "cat"],
            "age": ["30", "30", "70", "70"],
            "blood": ["A", "B", "A", "0"],
        }
    )
    release = shoal.anonymize(table, k=2, quasi_identifiers=["age"], sensitive=["blood"], person="patient")
    assert release.frame["age"].to_list() == ["30", "30", "70", "70"]
    people = release.record["people"]
    assert people["n_scattered"] == 1
    assert people["narrowed"] == {"blood": 1}, "ann's groups have {A, B} and {A, 0}: whoever knows both her rows knows A"
    assert (people["n_alone"], people["fewest_alike"]) == (3, 1)
    assert any("in all of their groups" in s for s in several_rows(release.record))


def test_the_record_is_right_about_sets_of_groups():
    rng = np.random.default_rng(3)
    group, person = rng.integers(0, 6, 60), rng.integers(-1, 25, 60)
    crowd = crowd_of("who", group, person)
    sets = {p: frozenset(group[person == p].tolist()) for p in set(person.tolist()) - {-1}}
    alike = Counter(sets.values())
    assert crowd.n_alone == sum(alike[s] == 1 for s in sets.values())
    assert crowd.fewest_alike == min(alike.values())
    assert crowd.n_scattered == sum(len(s) > 1 for s in sets.values())
    assert crowd.n_people == len(sets)
    assert crowd.sizes == tuple(sorted(len({p for p in sets if g in sets[p]}) for g in range(6)))


# ---- what is published ----


def test_what_is_published_tells_nothing_of_the_people(tmp_path):
    """How many people there are, how their rows lie, and losses are in the owner's files only."""
    table = visits(800, 200)
    release = anonymize(table)
    told = dict(release.manifest)
    assert told["person"] == "patient"
    assert "people" not in told
    [criterion] = [c for c in told["criteria"] if c["name"] == "k-people"]
    assert criterion["reached"] == 4, "what was asked; what the weakest group reaches is not in the release"
    assert told["loss"] is None
    assert told["lower_bound"] is None
    release.report(tmp_path / "report.json")
    page = json.loads((tmp_path / "report.json").read_text())
    assert page["risk"]["after"]["highest"] is None
    assert "n_people" not in (tmp_path / "report.json").read_text()
    release.report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    assert "different people" in text
    assert str(release.record["people"]["n_scattered"]) + " have rows in several groups" not in text
    release.owner_report(tmp_path / "owner.html")
    assert "have rows in several groups" in (tmp_path / "owner.html").read_text()


def test_a_person_who_has_most_rows_of_a_group_is_said():
    """Rows of k people do not mean a chance of 1/k: a person with nine of ten rows is picked nine times of ten. The risk counts that."""
    table = pl.DataFrame({"patient": ["a"] * 9 + ["b"], "age": ["30"] * 10})
    release = shoal.anonymize(table, k=2, quasi_identifiers=["age"], person="patient")
    assert release.record["people"]["largest_share"] == pytest.approx(0.9)
    assert risks(release)[1].highest == pytest.approx(0.9)


# ---- assess, explore, cluster ----


def test_assess_counts_people():
    table = pl.DataFrame({"patient": ["a", "a", "b", "c", None], "age": ["30", "30", "30", "40", "50"]})
    rows = shoal.assess(table, quasi_identifiers=["age"])
    people = shoal.assess(table, quasi_identifiers=["age"], person="patient")
    assert (rows.n_unique, rows.rows_below[3]) == (2, 2)
    assert people.counts == "people"
    assert people.sizes == {2: 1, 1: 2}
    assert people.rows_below[3] == 4
    assert people.prosecutor.highest == 1.0
    assert people.people["n_people"] == 3
    with pytest.raises(shoal.PolicyError):
        shoal.assess(table, quasi_identifiers=["age"], person="nobody")


def test_somebody_with_several_rows_is_counted_once():
    """'Unique people' were more than there are people: each was counted in each of her groups."""
    table = pl.DataFrame({"patient": ["a"] * 4 + ["b"] * 3 + ["c"], "age": ["30", "40", "50", "60", "30", "35", "45", "60"]})
    found = shoal.assess(table, quasi_identifiers=["age"], person="patient")
    assert (found.n_unique, found.n_counted, found.rows_below[10]) == (2, 3, 3)
    assert [s.n_unique for s in found.subsets] == [2]
    release = shoal.anonymize(table, k=2, quasi_identifiers=["age"], person="patient", effort=0.1)
    before, after = risks(release)
    assert (before.n_unique, before.n_below_k, before.n_counted) == (2, 2, 3)
    assert (after.n_unique, after.n_below_k) == (0, 0)
    said = {what: b for what, b, _ in words.risk(asdict(before), asdict(after))}
    assert (said["people"], said["people with a row in a group of their own"]) == ("3", "2")


def test_explore_counts_people():
    [point] = shoal.explore(visits(60, 30), ks=[4], quasi_identifiers=QI, person="patient", effort=0.05)
    assert point["risk_after"]["counts"] == "people"
    assert point["risk_after"]["n_below_k"] == 0


def test_a_clustering_does_not_pretend_to_count_people():
    policy = shoal.Policy(person="patient", columns={"age": ColumnPolicy(role="quasi-identifier")})
    with pytest.raises(shoal.Refused, match="counts rows"):
        shoal.cluster(visits(20), method="gather", r=2, policy=policy)
