"""Collections of sets of which no two cross (definition 3.2 of paper 002)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.errors import HierarchyError
from shoal.hierarchies import laminar
from shoal.hierarchies.encode import encode
from tests.naive.hierarchies import check_tree, is_laminar, nodes_of_tree

sets = st.lists(st.frozensets(st.sampled_from("abcdefg"), min_size=1), max_size=6)


@given(sets)
def test_it_is_refused_exactly_if_two_sets_cross(given_sets: list[frozenset[str]]) -> None:
    if is_laminar(given_sets):
        laminar(given_sets)
    else:
        with pytest.raises(HierarchyError, match=r"The sets of \d+ and of \d+ values cross") as caught:
            laminar(given_sets)
        sizes = [int(word) for word in str(caught.value).split(" values cross")[0].split() if word.isdigit()]
        assert any(
            [len(one), len(two)] == sizes and not is_laminar([one, two]) for one in given_sets for two in given_sets
        )
        assert "{" not in str(caught.value)  # no message shows values


@given(sets.filter(is_laminar), st.booleans())
def test_singletons_and_the_whole_domain_are_added(given_sets: list[frozenset[str]], has_missing: bool) -> None:
    values = sorted("abcz")
    tree = encode("c", values, has_missing, laminar(given_sets)).tree
    check_tree(tree)
    domain = frozenset(values).union(*given_sets) | ({None} if has_missing else set())
    expected = {frozenset([v]) for v in domain} | set(given_sets) | {domain}
    assert set(nodes_of_tree(tree)) == expected


@given(sets.filter(is_laminar))
def test_a_set_stands_one_above_the_highest_set_inside_it(given_sets: list[frozenset[str]]) -> None:
    nodes = nodes_of_tree(encode("c", ["a", "z"], False, laminar(given_sets)).tree)
    for members, (level, label) in nodes.items():
        inside = [other_level for other, (other_level, _) in nodes.items() if other < members]
        assert level == 1 + max(inside, default=-1)
        if len(members) > 1 and "z" not in members:
            assert label == "{" + ", ".join(sorted(members)) + "}"


def test_sets_are_called_what_they_were_named() -> None:
    tree = encode("job", ["clerk", "doctor", "nurse"], False, laminar({"health": ["nurse", "doctor"]})).tree
    assert tree.labels == ("clerk", "doctor", "nurse", "health", "*")


def test_two_sets_of_one_name_are_refused() -> None:
    spec = laminar({"x": ["a", "b"]})
    assert spec.description == "2 values as one group"
    with pytest.raises(HierarchyError, match="written like a group"):
        encode("c", ["a", "b", "c", "x"], False, spec)


def test_an_empty_set_is_refused() -> None:
    with pytest.raises(HierarchyError, match="empty set"):
        laminar([set()])


def test_a_string_is_no_set() -> None:
    with pytest.raises(HierarchyError, match="takes sets of values"):
        laminar(["ab"])
