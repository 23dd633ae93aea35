"""The policy: read from TOML, overridden by what is given beside it, written back, and precise about mistakes."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.errors import PolicyError
from shoal.policy.given import make_policy
from shoal.policy.policy import Policy

FULL = """
k = 7
measure = "tree"
withhold = 0.01
seed = 3

[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
weight = 2

[columns."home town"]
role = "quasi-identifier"
hierarchy = { prefixes = [4, 3, 1] }

[columns.ill]
role = "sensitive"
l_diversity = 3
t_closeness = 0.4

[columns.name]
role = "identifier"
"""


def write(tmp_path, text):
    path = tmp_path / "shoal.toml"
    path.write_text(text)
    return path


def test_a_full_policy_is_read_key_by_key(tmp_path):
    policy = Policy.read(write(tmp_path, FULL))
    assert (policy.k, policy.measure, policy.withhold, policy.seed) == (7, "tree", 0.01, 3)
    assert policy.named("quasi-identifier") == ["age", "home town"]
    assert policy.columns["age"].weight == 2
    assert policy.columns["ill"].demands == (("distinct-l-diversity", {"l": 3}), ("t-closeness", {"t": 0.4}))


def test_a_policy_written_out_is_the_same_policy(tmp_path):
    policy = Policy.read(write(tmp_path, FULL))
    again = Policy.read(write(tmp_path, policy.toml()))
    assert again == policy
    assert again.sha256() == policy.sha256()


def test_what_python_was_given_can_be_written_out(tmp_path):
    policy = make_policy(
        None,
        k=3,
        quasi_identifiers=["a", "b", "c", "d", "e"],
        sensitive=["s"],
        hierarchies={
            "a": shoal.intervals(5, 10),
            "b": shoal.levels([["x", "g", "*"], ["y", "g", "*"]]),
            "c": shoal.laminar([{"p", "q"}]),
            "d": shoal.dates("month", "year"),
            "e": shoal.any_subset(),
        },
        l_diversity={"recursive": {"c": 2.0, "l": 2}},
        weights={"a": 0.5},
    )
    again = Policy.read(write(tmp_path, policy.toml()))
    assert {n: c.hierarchy for n, c in again.columns.items()} == {n: c.hierarchy for n, c in policy.columns.items()}
    assert again.columns["s"].demands == policy.columns["s"].demands
    assert again.columns["a"].weight == 0.5


def test_what_is_given_beside_it_wins(tmp_path):
    policy = make_policy(write(tmp_path, FULL), k=2, sensitive=["age"], l_diversity=2)
    assert policy.k == 2
    assert policy.columns["age"].role == "sensitive"
    assert policy.columns["age"].demands == (("distinct-l-diversity", {"l": 2}),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("k = 1\n", "line 1, key 'k': k must be a whole number of at least 2"),
        ('\nk = "five"\n', "line 2, key 'k': this should be a whole number, not str"),
        ("k = 3\nmeasur = 'tree'\n", "line 2, key 'measur'"),
        ("measure = 'treee'\n", "Did you mean 'tree'"),
        ("[columns.age]\nrole = 'secret'\n", "line 2, key 'columns.age.role'"),
        ("[columns.age]\nweight = -1\n", "the weight must be a positive number"),
        ("[columns.age]\nrole = 'quasi-identifier'\nhierarchy = { intervals = [10, 25] }\n", "line 3, key 'columns.age.hierarchy'"),
        ("[columns.age]\nrole = 'quasi-identifier'\nl_diversity = 3\n", "of sensitive columns"),
        ("[columns.ill]\nrole = 'sensitive'\nl_diversity = 'many'\n", "line 3"),
        ("[columns.ill]\nrole = 'sensitive'\nl_diversity = 0\n", "at least 1"),
        ("columns.age = 3\n", "key 'columns.age'"),
        ("k = 3\nk = 4\n", "not TOML"),
    ],
)
def test_mistakes_are_named_with_file_line_and_key(tmp_path, text, words):
    path = write(tmp_path, text)
    with pytest.raises(shoal.PolicyError) as caught:
        Policy.read(path)
    assert words in str(caught.value)
    assert "shoal.toml" in str(caught.value)


def test_a_hierarchy_for_a_column_without_the_role_is_refused():
    with pytest.raises(shoal.PolicyError, match="not a quasi-identifier"):
        make_policy(None, quasi_identifiers=["a"], hierarchies={"b": shoal.suppression()})


@given(st.text(min_size=1), st.integers(2, 99))
def test_any_column_name_survives_writing(tmp_path_factory, name, k):
    policy = make_policy(None, k=k, quasi_identifiers=[name])
    path = tmp_path_factory.mktemp("p") / "shoal.toml"
    path.write_text(policy.toml(), encoding="utf-8")
    assert Policy.read(path).named("quasi-identifier") == [name]


class TestOldNames:
    """What was called ``suppress`` before 0.2 is ``withhold``: it leaves rows out, and suppresses none."""

    def test_a_file_may_say_either(self, tmp_path):
        for key in ("suppress", "withhold"):
            (tmp_path / "p.toml").write_text(f"k = 3\n{key} = 0.25\n")
            assert Policy.read(tmp_path / "p.toml").withhold == 0.25

    def test_what_is_written_says_the_new_one(self):
        assert "withhold = 0.25" in Policy(withhold=0.25).toml()
        assert "suppress" not in Policy(withhold=0.25).toml()

    def test_both_at_once_are_an_error_with_its_line(self, tmp_path):
        (tmp_path / "p.toml").write_text("k = 3\nwithhold = 0.1\nsuppress = 0.25\n")
        with pytest.raises(PolicyError, match=r"line 3.*old name of 'withhold'"):
            Policy.read(tmp_path / "p.toml")
        with pytest.raises(PolicyError, match="give one of them"):
            shoal.anonymize({"a": ["1", "2"]}, k=2, quasi_identifiers=["a"], withhold=0.1, suppress=0.2)

    def test_from_python_it_warns(self):
        frame = pl.DataFrame({"a": ["1", "1", "1", "2"]})
        with pytest.warns(DeprecationWarning, match="now called 'withhold'"):
            old = shoal.anonymize(frame, k=3, quasi_identifiers=["a"], suppress=0.25)
        assert old.manifest["n_withheld"] == 1
        assert old.table.equals(shoal.anonymize(frame, k=3, quasi_identifiers=["a"], withhold=0.25).table)
