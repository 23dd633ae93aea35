"""Trees as text."""

from __future__ import annotations

import numpy as np

from shoal.hierarchies import intervals
from shoal.hierarchies.draw import draw
from shoal.hierarchies.encode import encode
from shoal.hierarchies.rows import tree_from_rows

TREE = tree_from_rows(
    [["nurse", "health", "*"], ["clerk", "office", "*"], ["doctor", "health", "*"], ["typist", "office", "*"]],
    missing=True,
)


def test_values_alone_are_counted_without_a_table() -> None:
    assert "\n".join(draw(TREE)) == (
        """\
*  5 values
├─ health  2 values
│  ├─ nurse
│  └─ doctor
├─ office  2 values
│  ├─ clerk
│  └─ typist
└─ (missing)"""
    )


def test_rows_are_counted_if_they_are_given() -> None:
    lines = list(draw(TREE, np.array([3, 1, 2, 0, 4])))
    assert lines[0] == "*  5 values  10 rows"
    assert lines[1] == "├─ health  2 values  5 rows"
    assert lines[5] == "│  ├─ clerk  1 row"
    assert lines[-1] == "└─ (missing)  4 rows"


def test_depth_and_breadth_are_limited() -> None:
    assert len(list(draw(TREE, depth=1))) == 4
    tree = tree_from_rows([[str(i), "*"] for i in range(100)])
    lines = list(draw(tree, most=5))
    assert len(lines) == 6
    assert lines[-1] == "└─ … and 96 more"


def test_nodes_are_drawn_in_the_order_of_their_values() -> None:
    tree = encode("age", [str(i) for i in range(10, 91)], False, intervals(10)).tree
    assert list(draw(tree, depth=1, most=20))[-1] == "└─ 90"
