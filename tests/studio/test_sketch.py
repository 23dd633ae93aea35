"""A hierarchy arranged by hand: always a hierarchy, over the same values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.errors import HierarchyError
from shoal.hierarchies.rows import tree_from_rows
from shoal.studio.sketch import ROOT, Sketch

ROWS = [
    ["nurse", "health", "*"],
    ["medic", "health", "*"],
    ["cook", "kitchen", "*"],
    ["waiter", "kitchen", "*"],
    ["clerk", "clerk", "*"],
]


def sketch() -> Sketch:
    return Sketch.of_tree(tree_from_rows(ROWS))


def node(s: Sketch, label: str) -> int:
    return next(number for number, there in s.nodes.items() if there.label == label)


def sets(s: Sketch) -> dict[str, frozenset[str]]:
    return {s.nodes[n].label: frozenset(s.leaves_below(n)) for n in s.groups()}


def test_a_tree_comes_back_as_it_was():
    assert sorted(sketch().rows()) == sorted(ROWS)
    assert sets(sketch()) == {"*": {r[0] for r in ROWS}, "health": {"nurse", "medic"}, "kitchen": {"cook", "waiter"}}


def test_a_node_is_renamed():
    s = sketch()
    s.rename(node(s, "health"), "care ")
    assert sets(s)["care"] == {"nurse", "medic"}
    assert ["nurse", "care", "*"] in s.rows()


def test_splitting_a_group_undoes_grouping():
    s = sketch()
    made = s.group([node(s, "health"), node(s, "clerk")], "indoors")
    assert sets(s)["indoors"] == {"nurse", "medic", "clerk"}
    assert ["clerk", "clerk", "indoors", "*"] in s.rows()
    assert ["cook", "kitchen", "kitchen", "*"] in s.rows()
    s.dissolve(made)
    assert sets(s) == sets(sketch())


def test_move_takes_a_value_to_another_group_and_drops_an_empty_one():
    s = sketch()
    s.move([node(s, "cook"), node(s, "waiter")], node(s, "health"))
    assert sets(s) == {"*": {r[0] for r in ROWS}, "health": {"nurse", "medic", "cook", "waiter"}}


def test_undo_goes_all_the_way_back():
    s = sketch()
    s.rename(node(s, "health"), "care")
    s.group([node(s, "care"), node(s, "clerk")], "indoors")
    s.move([node(s, "cook")], node(s, "indoors"))
    for _ in range(3):
        s.undo()
    assert sorted(s.rows()) == sorted(ROWS)
    assert not s.can_undo


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.rename(node(s, "nurse"), "x"),
        lambda s: s.rename(ROOT, "x"),
        lambda s: s.rename(node(s, "health"), "kitchen"),
        lambda s: s.rename(node(s, "health"), " "),
        lambda s: s.rename(node(s, "health"), "**"),
        lambda s: s.group([node(s, "nurse"), node(s, "cook")], "x"),
        lambda s: s.group([node(s, "nurse"), node(s, "medic")], "x"),
        lambda s: s.group([], "x"),
        lambda s: s.group([ROOT], "x"),
        lambda s: s.dissolve(ROOT),
        lambda s: s.dissolve(node(s, "cook")),
        lambda s: s.move([node(s, "health")], node(s, "health")),
        lambda s: s.move([node(s, "nurse")], node(s, "cook")),
        lambda s: s.move([999], ROOT),
        lambda s: s.undo(),
    ],
)
def test_what_cannot_be_done_changes_nothing(change):
    s = sketch()
    with pytest.raises(HierarchyError):
        change(s)
    assert sorted(s.rows()) == sorted(ROWS)
    assert not s.can_undo


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["rename", "group", "dissolve", "move", "undo"]), st.integers(0, 12), st.integers(0, 12)
        ),
        max_size=12,
    )
)
def test_whatever_is_done_it_stays_a_hierarchy_over_the_same_values(changes):
    s = sketch()
    for i, (what, a, b) in enumerate(changes):
        act = {
            "rename": lambda a=a, i=i: s.rename(a, f"r{i}"),
            "group": lambda a=a, b=b, i=i: s.group([a, b], f"g{i}"),
            "dissolve": lambda a=a: s.dissolve(a),
            "move": lambda a=a, b=b: s.move([a], b),
            "undo": s.undo,
        }[what]
        try:
            act()
        except HierarchyError:
            continue
        tree = tree_from_rows(s.rows())
        assert set(tree.labels[: tree.n_leaves]) == {row[0] for row in ROWS}
        mine = {below for label, below in sets(s).items() if len(below) > 1}
        theirs = {
            frozenset(tree.labels[int(v)] for v in tree.leaves_below(n)) for n in range(tree.n_leaves, tree.n_nodes)
        }
        assert mine <= theirs | {frozenset({row[0]}) for row in ROWS}


def test_merging_puts_the_members_of_groups_together():
    s = sketch()
    s.merge([node(s, "kitchen"), node(s, "health")])
    assert sets(s) == {"*": {r[0] for r in ROWS}, "kitchen": {"cook", "waiter", "nurse", "medic"}}
    s.undo()
    assert sets(s) == sets(sketch())
    for chosen in (
        [node(s, "kitchen")],
        [node(s, "kitchen"), node(s, "clerk")],
        [node(s, "nurse"), node(s, "kitchen")],
    ):
        with pytest.raises(HierarchyError):
            s.merge(chosen)


def test_the_order_is_changed_and_stays_in_the_rows():
    s = sketch()
    first = [row[0] for row in s.rows()]
    s.shift(node(s, "kitchen"), -1)
    assert [row[0] for row in s.rows()] != first
    assert sorted(row[0] for row in s.rows()) == sorted(first)
    s.shift(node(s, "kitchen"), -99)
    with pytest.raises(HierarchyError, match="at the end"):
        s.shift(node(s, "kitchen"), -1)


def test_what_was_undone_is_done_again_until_something_else_is_done():
    s = sketch()
    s.rename(node(s, "health"), "care")
    s.move([node(s, "cook")], node(s, "care"))
    after = sets(s)
    s.undo()
    s.undo()
    assert s.can_redo
    s.redo()
    s.redo()
    assert sets(s) == after
    assert not s.can_redo
    s.undo()
    s.rename(node(s, "care"), "other")
    with pytest.raises(HierarchyError, match="nothing to redo"):
        s.redo()
