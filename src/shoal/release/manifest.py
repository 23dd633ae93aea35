"""The manifest: what a release is, in numbers, for people and scripts. It is made once and frozen, and may go where the release goes.

It is made of the owner's record by leaving out and rounding; what is left is a function of the release and the policy, or hidden among
enough other cells. ``docs/disclosure.md`` says for each key what it is computed from and why it tells no more than the release.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal import measures, registry
from shoal.algorithms.base import Algorithm
from shoal.hierarchies.encoded import Encoded
from shoal.policy.policy import Policy
from shoal.privacy import CATALOG
from shoal.privacy.base import Criterion
from shoal.problem import Problem, Solution
from shoal.release.disclosure import OF_PEOPLE, TOO_FEW, Freedom, has_namesakes, round_down, round_up
from shoal.release.frozen import FrozenDict, freeze
from shoal.release.orders import orders
from shoal.release.record import Story

FORMAT = "shoal-manifest-2"
TOLD = (
    "format", "shoal", "k", "n_rows", "n_released", "n_withheld", "n_groups", "smallest_group", "quasi_identifiers", "sensitive",
    "identifiers_dropped", "person", "unprotected", "hierarchies", "orders", "algorithm", "guarantee", "guarantee_note", "measure", "loss", "loss_per_cell",
    "lower_bound", "ratio", "bound", "measures", "criteria", "max_withheld", "deletion", "policy_sha256", "release_sha256",
)  # fmt: skip
"""Every key of a manifest, in its order."""
HEADLINE = 2
"""The figures that matter most, loss and bound; what follows from them tells nothing more."""
GIVEN = "given value by value"
DEFAULT = "the default for its kind of values"
LISTED = {"levels", "file", "laminar"}
"""Hierarchies that the owner gave value by value: they do not depend on the table."""


def make_manifest(record: Mapping[str, Any], story: Story, hidden: Freedom) -> FrozenDict:
    """What of a record may be published, without the hash of the file, which is known only after writing."""
    policy, encoding, problem = story.policy, story.encoding, story.encoding.problem
    is_hidden, are_all_hidden = hidden.hides(HEADLINE), hidden.hides(HEADLINE + len(measures.CATALOG))
    why_not = TOO_FEW if policy.person is None else OF_PEOPLE
    is_listed = all(made.spec.name in LISTED for made in encoding.encoded)
    is_plain = not has_namesakes(problem) and policy.target is None  # weights that follow a target are the table's
    has_weights = any(column.weight != 1 for column in problem.columns)
    cells = max(record["n_rows" if problem.deletion else "n_released"] * problem.n_columns, 1)
    loss = round_up(record["loss"]) if is_hidden or is_told(record["measure"], is_listed, is_plain) else None
    found = {
        **record,
        "format": FORMAT,
        "hierarchies": {c.name: described(policy, c.name, made) for c, made in zip(problem.columns, encoding.encoded, strict=True)},
        "orders": orders(policy, encoding, story.solution),
        **_guarantee(problem, story.algorithm, story.solution),
        "loss": loss,
        "loss_per_cell": None if loss is None else round_up(loss / cells),
        **_bound(record, loss, is_hidden, why_not),
        "measures": {
            name: value
            if name in measures.REPORTED
            else _measured(value["total"], cells, are_all_hidden or is_told(name, is_listed, is_plain))
            for name, value in record["measures"].items()
        },
        "criteria": [_criterion(c, record["n_withheld"]) for c in record["criteria"]],
        "policy_sha256": hashlib.sha256(printable(policy).encode()).hexdigest(),
    }
    if loss is not None and not has_weights:  # the same number once more
        found["measures"][record["measure"]] = {"total": loss, "per_cell": found["loss_per_cell"]}
    made: FrozenDict = freeze({key: found[key] for key in TOLD if key in found})
    return made


def is_told(measure: str, is_listed: bool, is_plain: bool) -> bool:
    """Whether a measure's total can be computed from the release and its hierarchies alone; ``is_plain``: each label names one set."""
    reads = registry.find(measures.CATALOG, measure).reads
    return is_plain and bool(reads == "label" or (reads == "hierarchy" and is_listed))


def _measured(total: float, cells: int, may_be_told: bool) -> dict[str, float | None]:
    """A total, rounded up, and what follows from it for a cell."""
    if not may_be_told:
        return {"total": None, "per_cell": None}
    rounded = round_up(total)
    return {"total": rounded, "per_cell": round_up(rounded / cells)}


def _bound(record: Mapping[str, Any], loss: float | None, is_hidden: bool, why_not: str) -> dict[str, Any]:
    """The bound, rounded down, and the ratio that follows; 1 is told where it was proved, since both are the same number then."""
    lower = record["lower_bound"]
    if lower is None or not is_hidden or loss is None:
        return {"lower_bound": None, "ratio": None, "bound": record["bound"] if lower is None else why_not}
    rounded = round_down(lower)
    ratio = 1.0 if record["ratio"] is not None and record["ratio"] <= 1 + 1e-9 else round_up(loss / rounded) if rounded > 0 else None
    return {"lower_bound": rounded, "ratio": ratio, "bound": record["bound"]}


def _guarantee(problem: Problem, algorithm: Algorithm, solution: Solution) -> dict[str, Any]:
    """What the algorithm promises for every table. A promise that holds for this table alone would tell something about it, and is left out."""
    promised = algorithm.guarantee(problem)
    is_promise = solution.guarantee is not None and solution.guarantee == promised
    return {
        "guarantee": solution.guarantee if is_promise else None,
        "guarantee_note": (solution.note if is_promise else "") or algorithm.guarantee_text,
    }


def _criterion(found: Mapping[str, Any], n_withheld: int) -> dict[str, Any]:
    """What the weakest group reaches; where the release does not tell it (people, or a distance from rows that were withheld), only what was asked."""
    criterion: Criterion = registry.find(CATALOG, found["name"], "criterion")
    of_people, of_withheld = criterion.about_rows and "column" in found, n_withheld > 0 and criterion.compares_with_whole
    return {**found, "reached": found["required"][criterion.parameters[0].name]} if of_people or of_withheld else dict(found)


def described(policy: Policy, name: str, made: Encoded) -> str:
    """A hierarchy in the words of the policy: what was made of the table's values is not told."""
    spec = policy.columns[name].hierarchy
    if spec is None:
        return made.description if made.spec.name == "file" else DEFAULT
    return GIVEN if spec.name in ("levels", "laminar") else str(spec.description)


def kept_back(policy: Policy) -> list[str]:
    """The columns whose hierarchy lists values of the table: that list is not published."""
    return [name for name, column in policy.columns.items() if _lists_values(column.hierarchy_text)]


def printable(policy: Policy, seed: int = 0, time_limit: float | None = None) -> str:
    """The text of a policy for publication: without its seed and time limit, and with files by their names alone. In the place of a list of values it names a file, which
    whoever has the list saves beside it: a run without it stops, and does not make another release."""
    columns = {name: replace(c, hierarchy_text=_shown(c.hierarchy_text, name)) for name, c in policy.columns.items()}
    return policy.changed(columns=columns, seed=seed, time_limit=time_limit).toml(whole_paths=False)


def printed(policy: Policy, for_owner: bool = False) -> str:
    """The text of a policy for a page. The owner's has seed and time limit; lists of values are in neither."""
    if for_owner:
        return printable(policy, policy.seed, policy.time_limit)
    return "".join(line for line in printable(policy).splitlines(keepends=True) if not line.startswith("seed = "))


def _lists_values(text: Any) -> bool:
    return isinstance(text, Mapping) and ("levels" in text or "laminar" in text)


def list_file(name: str) -> str:
    """The file that a printed policy names in the place of a column's list of values."""
    return re.sub(r"[^\w.-]", "_", name) + ".csv"


def _shown(text: Any, name: str) -> Any:
    if _lists_values(text):
        return {"file": list_file(name)}
    if isinstance(text, Mapping) and isinstance(text.get("file"), str):
        return {**text, "file": Path(text["file"]).name}
    return Path(text).name if isinstance(text, str) else text
