"""A hierarchy that is being arranged by hand: nodes that are renamed, grouped, dissolved and moved, and undone.

Nodes keep their numbers through every change, so that a page can remember what it has open. Leaves are the column's
values and keep their names. Every change is also written down, so that all of them can be made again in another
process.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from shoal.errors import HierarchyError
from shoal.hierarchies.tree import Tree

ROOT = 0
MOST_VALUES = 20_000
"""A column of more values is not arranged by hand."""
MOST_STEPS = 100
"""Changes that can be undone."""


class Node(NamedTuple):
    """A value or a group of them.

    It never changes: another one takes its place, so that earlier states share what is as it was.
    """

    label: str
    parent: int
    children: tuple[int, ...] = ()
    is_leaf: bool = False


class Sketch:
    """A tree over a column's values, with its earlier states."""

    def __init__(self, root: str = "*") -> None:
        self.nodes: dict[int, Node] = {ROOT: Node(root, ROOT)}
        self.log: list[dict[str, Any]] = []
        """Every change, as :meth:`change` takes it; those that were undone stand at its end."""
        self.n_done = 0
        """How many changes of the log hold."""
        self._next = 1
        self._past: list[tuple[dict[int, Node], int]] = []
        self._future: list[tuple[dict[int, Node], int]] = []

    @classmethod
    def of_tree(cls, tree: Tree) -> Sketch:
        """The tree of a hierarchy; a leaf for missing cells is left out, since it is put back wherever it is needed."""
        made = cls(tree.labels[tree.root] or "*")
        parents, below = tree.parent.tolist(), {ROOT: list[int]()}
        number, at = {tree.root: ROOT}, [tree.root]
        for node in range(tree.root - 1, -1, -1):
            if tree.labels[node] is None:
                continue
            number[node] = here = len(at)
            at.append(node)
            below[number[parents[node]]].append(here)
            if node >= tree.n_leaves:
                below[here] = []
        for here, node in enumerate(at[1:], 1):
            children = tuple(reversed(below.get(here, ())))
            made.nodes[here] = Node(tree.labels[node] or "", number[parents[node]], children, node < tree.n_leaves)
        made._put_below(ROOT, below[ROOT][::-1])
        made._next = len(at)
        return made

    def change(self, asked: dict[str, Any]) -> None:
        """One change, as a page asks for it."""
        what, chosen = str(asked.get("change")), [int(node) for node in asked.get("nodes", [])]
        changes: dict[str, Callable[[], object]] = {
            "rename": lambda: self.rename(chosen[0], str(asked["label"])),
            "group": lambda: self.group(chosen, str(asked["label"])),
            "dissolve": lambda: self.dissolve(chosen[0]),
            "move": lambda: self.move(chosen, int(asked["target"])),
            "merge": lambda: self.merge(chosen),
            "up": lambda: self.shift(chosen[0], -1),
            "down": lambda: self.shift(chosen[0], 1),
            "undo": self.undo,
            "redo": self.redo,
        }
        if what not in changes or (not chosen and what not in ("undo", "redo")):
            raise HierarchyError("Choose values or groups of the tree first.")
        changes[what]()

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    def undo(self) -> None:
        """Go back one change."""
        if not self._past:
            raise HierarchyError("There is nothing to undo.")
        self._future.append((self.nodes, self._next))
        self.nodes, self._next = self._past.pop()
        self.n_done -= 1

    def redo(self) -> None:
        """Do again what was undone last."""
        if not self._future:
            raise HierarchyError("There is nothing to redo.")
        self._past.append((self.nodes, self._next))
        self.nodes, self._next = self._future.pop()
        self.n_done += 1

    def forget_undone(self) -> None:
        """What was undone because it could not be kept is not offered again."""
        self._future = []
        del self.log[self.n_done :]

    def rename(self, node: int, label: str) -> None:
        """Give a group another name."""
        there = self._group(node)
        if node == ROOT:
            raise HierarchyError("The top is always *: a cell that is suppressed.")
        self._check_label(label, except_for=node)
        self._remember("rename", [node], label=label)
        self.nodes[node] = there._replace(label=label.strip())

    def group(self, chosen: Sequence[int], label: str) -> int:
        """Put nodes that are directly below the same node into a new group below it."""
        together = self._siblings(chosen)
        above = self.nodes[together[0]].parent
        if len(together) == len(self.nodes[above].children):
            raise HierarchyError(
                "These are all that is below their group: the new group would be the same set. Choose fewer."
            )
        self._check_label(label)
        self._remember("group", together, label=label)
        made = self._next
        self._next += 1
        self.nodes[made] = Node(label.strip(), above)
        self._put_below(above, [*self.nodes[above].children, made])
        self._hang(together, made)
        return made

    def dissolve(self, node: int) -> None:
        """Split a group: its members move up to where the group was."""
        there = self._group(node)
        if node == ROOT:
            raise HierarchyError("The top cannot be split.")
        self._remember("dissolve", [node])
        self._hang(there.children, there.parent)
        self._drop(node)

    def merge(self, chosen: Sequence[int]) -> None:
        """Put the members of several groups below the same node into the first of them."""
        groups = self._siblings(chosen)
        if len(groups) < 2 or any(self.nodes[node].is_leaf for node in groups):
            raise HierarchyError(
                "Choose two groups or more that are directly below the same one. To put values together, make a group "
                "of them."
            )
        if len(groups) == len(self.nodes[self.nodes[groups[0]].parent].children):
            raise HierarchyError(
                "These are all that is below their group: merged, they would be the same set. Choose fewer, or split "
                "the group above."
            )
        self._remember("merge", groups)
        first, *rest = groups
        for group in rest:
            self._hang(self.nodes[group].children, first)
            self._drop(group)

    def shift(self, node: int, by: int) -> None:
        """Move a node up or down among those beside it."""
        self._known([node])
        beside = self.nodes[self.nodes[node].parent].children
        at = beside.index(node)
        to = min(max(at + by, 0), len(beside) - 1)
        if to == at:
            raise HierarchyError("It is at the end already.")
        self._remember("up" if by < 0 else "down", [node])
        moved = [*beside[:at], *beside[at + 1 :]]
        moved.insert(to, node)
        self._put_below(self.nodes[node].parent, moved)

    def move(self, chosen: Sequence[int], target: int) -> None:
        """Move nodes into another group; a group that is left empty is removed."""
        self._group(target)
        nodes = self._known(chosen)
        at = target
        while at != ROOT and at not in nodes:
            at = self.nodes[at].parent
        if at in nodes:
            raise HierarchyError("A group cannot go into itself.")
        self._remember("move", nodes, target=target)
        left = dict.fromkeys(self.nodes[node].parent for node in nodes)
        self._hang(nodes, target)
        for old in left:
            while old not in (ROOT, target) and old in self.nodes and not self.nodes[old].children:
                up = self.nodes[old].parent
                self._drop(old)
                old = up

    def rows(self) -> list[list[str]]:
        """In ARX's form: a value first, then its groups level by level; a label is repeated where there is nothing
        between.
        """
        level = self._levels()
        level[ROOT] = max(level[ROOT], 1)
        above = {ROOT: [self.nodes[ROOT].label]}  # what a row has from the level of each group on
        for group in self.groups()[1:]:
            label, parent = self.nodes[group][:2]
            above[group] = [label] * (level[parent] - level[group]) + above[parent]
        return [[leaf.label] * level[leaf.parent] + above[leaf.parent] for leaf in self._leaves()]

    def _leaves(self) -> Iterator[Node]:
        """The values, in the order in which they stand."""
        todo = [iter(self.nodes[ROOT].children)]
        while todo:
            for child in todo[-1]:
                node = self.nodes[child]
                if not node.is_leaf:
                    todo.append(iter(node.children))
                    break
                yield node
            else:
                todo.pop()

    def groups(self) -> list[int]:
        """Every node that may hold others, from the top down."""
        found = [ROOT]
        for node in found:
            found += [child for child in self.nodes[node].children if not self.nodes[child].is_leaf]
        return found

    def leaves_below(self, node: int) -> list[str]:
        """The values that a node stands for."""
        if self.nodes[node].is_leaf:
            return [self.nodes[node].label]
        found, todo = [], [node]
        while todo:
            for child in self.nodes[todo.pop()].children:
                there = self.nodes[child]
                if there.is_leaf:
                    found.append(there.label)
                else:
                    todo.append(child)
        return found

    def _levels(self) -> dict[int, int]:
        """How many steps each group is above the farthest of its values."""
        level: dict[int, int] = {}
        for group in reversed(self.groups()):
            below = self.nodes[group].children
            level[group] = 1 + max((level[child] for child in below if child in level), default=0) if below else 0
        return level

    def _remember(self, what: str, nodes: Sequence[int], **more: Any) -> None:
        """The state before a change, and the change."""
        self._past = [*self._past[1 - MOST_STEPS :], (dict(self.nodes), self._next)]
        self._future = []
        self.log = [*self.log[: self.n_done], {"change": what, "nodes": list(nodes), **more}]
        self.n_done += 1

    def _put_below(self, node: int, children: Sequence[int]) -> None:
        self.nodes[node] = self.nodes[node]._replace(children=tuple(children))

    def _hang(self, nodes: Collection[int], parent: int) -> None:
        """Put nodes below another one, at the end."""
        moved = set(nodes)
        for old in {self.nodes[node].parent for node in nodes}:
            self._put_below(old, [child for child in self.nodes[old].children if child not in moved])
        for node in nodes:
            self.nodes[node] = self.nodes[node]._replace(parent=parent)
        self._put_below(parent, [*self.nodes[parent].children, *nodes])

    def _drop(self, node: int) -> None:
        above = self.nodes[node].parent
        self._put_below(above, [child for child in self.nodes[above].children if child != node])
        del self.nodes[node]

    def _known(self, chosen: Sequence[int]) -> list[int]:
        nodes = list(dict.fromkeys(chosen))
        if not nodes or ROOT in nodes or any(node not in self.nodes for node in nodes):
            raise HierarchyError("Choose values or groups of the tree, and not its top.")
        return nodes

    def _group(self, node: int) -> Node:
        there = self.nodes.get(node)
        if there is None or there.is_leaf:
            raise HierarchyError("Choose a group: a value of the table keeps its name and its place below one.")
        return there

    def _siblings(self, chosen: Sequence[int]) -> list[int]:
        nodes = self._known(chosen)
        if len({self.nodes[node].parent for node in nodes}) > 1:
            raise HierarchyError(
                "Only what is directly below the same group can be put into a new one. Move it there first."
            )
        return nodes

    def _check_label(self, label: str, except_for: int | None = None) -> None:
        text = label.strip()
        if not text or not text.strip("*"):
            raise HierarchyError("A group needs a name, other than *.")
        if any(node.label == text for number, node in self.nodes.items() if number != except_for):
            raise HierarchyError(f"There is already a value or group called '{text}'. Choose another name.")
