"""The record: everything that is known of a run, exactly. It is made once, from the verdict, and frozen. It stays with the owner.

The manifest beside it goes where the release goes; :mod:`shoal.release.manifest` makes it of this record and says what it leaves out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

import shoal
from shoal.algorithms.base import Algorithm
from shoal.columns.whose import Whose
from shoal.encode import Encoding
from shoal.judge.verdict import Verdict
from shoal.policy.policy import Policy
from shoal.problem import Bound, Solution
from shoal.release.disclosure import is_open
from shoal.release.frozen import FrozenDict, freeze
from shoal.table import Table

FORMAT = "shoal-record-1"
NOTICE = "Not for publication: the owner's edition. It tells more than the release."


@dataclass(frozen=True, eq=False)
class Story:
    """How a release came about: what the record says beside the verdict."""

    encoding: Encoding
    policy: Policy
    algorithm: Algorithm
    solution: Solution
    bound: Bound | None
    why_no_bound: str = ""
    seconds: Mapping[str, float] = field(default_factory=dict)
    several_rows: tuple[Whose, ...] = ()
    """Columns that may say whose a row is and repeat, where k counts rows."""
    names_inside: tuple[tuple[str, str], ...] = ()
    """Released columns whose texts hold values of a column of names or numbers of people."""


def ratio_of(loss: float, lower_bound: float) -> float | None:
    """loss / bound; 1 when both are 0; None when nothing but 0 is proved."""
    if lower_bound > 0:
        return max(loss / lower_bound, 1.0)
    return 1.0 if loss <= 1e-12 else None


def lower_bound_of(story: Story, loss: float) -> tuple[float | None, str]:
    """The bound, never above the loss; or None and why there is none."""
    bound = story.bound
    if bound is None:
        return None, story.why_no_bound
    if bound.value > loss * (1 + 1e-9) + 1e-9:
        return None, f"the bound '{bound.name}' contradicts the loss and was thrown away; please report this"
    return max(min(bound.value, loss), 0.0), bound.name


def make_record(story: Story, verdict: Verdict, telling_order: Sequence[str], input_sha256: str | None) -> FrozenDict:
    """Everything that is known of a release. Losses are the verdict's: recounted from the released texts.

    ``telling_order`` are columns of :func:`hidden_columns` whose cells the order of the rows tells; ``input_sha256`` is of the file that was read.
    """
    problem, solution, policy = story.encoding.problem, story.solution, story.policy
    loss = float(verdict.loss or 0.0)
    lower, bound = lower_bound_of(story, loss)
    made: dict[str, Any] = {
        "notice": NOTICE,
        "format": FORMAT,
        "shoal": shoal.__version__,
        "date": date.today().isoformat(),
        "k": problem.k,
        "n_rows": problem.n_rows,
        "n_released": verdict.n_rows,
        "n_withheld": solution.n_withheld,
        "n_groups": verdict.n_groups,
        "smallest_group": verdict.smallest_group,
        "quasi_identifiers": list(verdict.quasi_identifiers),
        "sensitive": policy.named("sensitive"),
        "identifiers_dropped": policy.named("identifier"),
        "person": policy.person,
        "people": people_in_numbers(verdict),
        "unprotected": list(story.encoding.unprotected),
        "several_rows": [{"column": w.column, "n_values": w.n_values, "n_rows": w.n_rows} for w in story.several_rows],
        "names_inside": [{"column": column, "of": of} for column, of in story.names_inside],
        "hierarchies": {c.name: e.description for c, e in zip(problem.columns, story.encoding.encoded, strict=True)},
        "algorithm": story.algorithm.name,
        "guarantee": solution.guarantee,
        "guarantee_note": solution.note or story.algorithm.guarantee_text,
        "measure": problem.measure.name,
        "loss": loss,
        "loss_per_cell": loss / verdict.n_cells,
        "lower_bound": lower,
        "ratio": None if lower is None else ratio_of(loss, lower),
        "bound": bound,
        "bound_note": "" if story.bound is None or lower is None else story.bound.note,
        "measures": verdict.measures,
        "criteria": criteria(story, verdict),
        "missing": dict(story.encoding.n_missing),
        "max_withheld": problem.most_withheld,
        "deletion": problem.deletion,
        "notes": list(story.encoding.notes),
        "telling_order": list(telling_order),
        "seconds": dict(story.seconds),
        "seed": problem.seed,
        "is_repeatable": solution.is_repeatable,
        "input_sha256": input_sha256,
        "policy_sha256": policy.sha256(),
    }
    frozen: FrozenDict = freeze(made)
    return frozen


def people_in_numbers(verdict: Verdict) -> dict[str, Any] | None:
    """Who is behind the released rows, where k counts people."""
    if verdict.people is None or verdict.people.crowd is None:
        return None
    crowd = verdict.people.crowd
    told = ("n_people", "n_unknown", "fewest", "largest_share", "n_scattered", "n_alone", "fewest_alike", "narrowed")
    return {key: getattr(crowd, key) for key in told}


def hidden_columns(story: Story) -> list[str]:
    """The columns whose values the release hides: generalized somewhere, or dropped. The order of the rows may tell them nevertheless."""
    problem, solution = story.encoding.problem, story.solution
    hidden = np.asarray(is_open(solution).any(axis=0)).tolist()
    names = [column.name for column, is_hidden in zip(problem.columns, hidden, strict=True) if is_hidden]
    return [*names, *story.policy.named("identifier")]


def criteria(story: Story, verdict: Verdict) -> list[dict[str, Any]]:
    """What was asked of every group, and what the weakest reaches."""
    return [
        {"name": "k-anonymity", "required": story.policy.k, "reached": verdict.smallest_group},
        *(
            {"name": kept.asked.criterion, "column": kept.asked.column, "required": dict(kept.asked.parameters), "reached": kept.reached}
            for kept in verdict.criteria
        ),
    ]


def input_sha256(table: Table) -> str | None:
    """Of the file that was read; None where it was not a file, and its text as CSV is hashed when somebody asks."""
    given = table.given
    if not isinstance(given, Path) or not given.is_file():
        return None
    with given.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def inside_words(found: Mapping[str, Any]) -> str:
    """What is said of a released column whose texts name people."""
    return f"'{found['column']}' contains values of '{found['of']}', and where its cells are exact they name people. Drop it with --identifier '{found['column']}'."


def unprotected_words(names: Sequence[str]) -> str:
    """What is said of columns that nobody gave a role: by the summary, by the library's warning and by the views of a release."""
    return f"{', '.join(names)}: released as they are. Name any that outsiders may know with --qi (quasi_identifiers=[…] in Python)."
