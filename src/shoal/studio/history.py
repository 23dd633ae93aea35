"""What was changed on rulers and trees, step by step, as plain data: so that undo and redo go on after a crash.

A ruler's states are small and stand here as they are. A tree's are not: here stands the hierarchy that it began with,
and every change since.
"""

from __future__ import annotations

import math
from typing import Any

from shoal.errors import DataError, ShoalError
from shoal.hierarchies import as_toml, spec_from_toml
from shoal.studio.decided import Decided
from shoal.studio.ruler import MOST_LINES, MOST_STEPS, Ruler

Lines = dict[float, int]
History = dict[str, dict[str, Any]]


def history_of(decided: Decided) -> History:
    """For each column that was changed on its page: how to come back to where it is, with all that can be undone and
    done again.
    """
    rulers = {
        name: {"lines": _pairs(ruler.lines), "past": [*map(_pairs, ruler.past)], "future": [*map(_pairs, ruler.future)]}
        for name, ruler in decided.rulers().items()
        if ruler.past or ruler.future
    }
    trees = {
        name: {"began": None if began is None else as_toml(began), "log": sketch.log, "done": sketch.n_done}
        for name, (began, sketch) in decided.sketches().items()
        if sketch.log
    }
    return {**rulers, **trees}


def take_up(decided: Decided, history: Any) -> None:
    """Go on with what was kept.

    What does not lead to the hierarchy that was kept with it is left out: then there is nothing to undo.
    """
    for name, kept in history.items() if isinstance(history, dict) else ():
        try:
            if name not in decided.specs:
                continue
            if "log" in kept:
                _take_up_tree(decided, name, kept)
            else:
                _take_up_ruler(decided, name, kept)
        except (ShoalError, ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError):
            continue


def _take_up_tree(decided: Decided, name: str, kept: dict[str, Any]) -> None:
    began = kept["began"]
    if isinstance(began, dict) and "file" in began:
        raise DataError("A hierarchy that was kept is never read from a file.")
    spec = None if began is None else spec_from_toml(began)
    sketch = decided.sketch_over(name, spec)
    for step in kept["log"]:
        sketch.change({key: value for key, value in step.items() if key in ("change", "nodes", "label", "target")})
    for _ in range(len(sketch.log) - int(kept["done"])):
        sketch.undo()
    if sketch.rows() == _rows(decided, name):
        decided.go_on_with_tree(name, spec, sketch)


def _take_up_ruler(decided: Decided, name: str, kept: dict[str, Any]) -> None:
    ruler = decided.ruler(name)
    if ruler is None:
        return
    before = ruler.lines, ruler.past, ruler.future
    past, future = ([_lines(one, ruler) for one in kept[which][-MOST_STEPS:]] for which in ("past", "future"))
    ruler.lines, ruler.past, ruler.future = _lines(kept["lines"], ruler), past, future
    if ruler.rows() != _rows(decided, name):
        ruler.lines, ruler.past, ruler.future = before


def _rows(decided: Decided, name: str) -> list[list[str]]:
    return [list(row) for row in getattr(decided.specs[name], "rows", ())]


def _pairs(lines: Lines) -> list[tuple[float, int]]:
    return list(lines.items())


def _lines(pairs: Any, ruler: Ruler) -> Lines:
    made = {float(at): int(height) for at, height in pairs}
    if not 0 < len(made) <= MOST_LINES or not all(
        math.isfinite(at) and ruler.low < at <= ruler.high and h >= 1 for at, h in made.items()
    ):
        raise DataError("These lines were not drawn here.")
    return dict(sorted(made.items()))
