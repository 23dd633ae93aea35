"""What matters of a run, for one screen: the first page of the owner's report, and what only the studio knows of the
run.
"""

from __future__ import annotations

from dataclasses import dataclass

from shoal.privacy.asking import criteria
from shoal.report import draw
from shoal.report.document import first_page
from shoal.report.plain import first_line
from shoal.studio.runs import FILES, OWNERS, Run


@dataclass(frozen=True)
class Summary:
    """The parts of the screen."""

    headline: str
    """Of which columns something is promised."""
    notes: tuple[str, ...]
    """What is to be said of this run before anything else."""
    look: str
    """What to look at first, by the report."""
    first: str
    """The rest of the report's first page: the promise and the price."""
    below_k: tuple[float, float]
    """The share of rows in groups of fewer than k, before and after."""
    highest: tuple[float | None, float | None]
    """The highest chance of picking somebody's row, before and after."""
    remedy: str
    """The promise to ask for where some groups share one sensitive value; empty where none does."""
    published: tuple[str, ...]
    owners: tuple[str, ...]


def summary(run: Run) -> Summary:
    """The screen of a run that is done."""
    notes = []
    if run.was_stopped:
        notes.append(
            "You stopped this run: it is the best found until then, and verified. Its policy repeats what was asked, "
            "not the moment at which you stopped."
        )
    if run.is_as_before is False:
        notes.append("This is not the release that the project had: the search took another way.")
    if run.is_as_before:
        notes.append("This is the very release that the project had: every cell is the same.")
    before, after = run.first["risk"]["before"], run.first["risk"]["after"]
    shares = tuple(part["n_below_k"] / max(part["n_people"] or part["n_rows"], 1) for part in (before, after))
    published = tuple(name for name in FILES if name not in OWNERS)
    is_given_away = any(s["rows_in_groups_of_one_value"] for s in run.first["sensitive"])
    remedy = criteria()[0].name if is_given_away else ""
    look, *rest = first_page(run.first).first
    first = f'<div class="first">{draw.chapters(rest)}</div>'
    return Summary(
        first_line(run.first),
        tuple(notes),
        draw.chapters([look]),
        first,
        (shares[0], shares[1]),
        (before["highest"], after["highest"]),
        remedy,
        published,
        OWNERS,
    )
