"""A verdict in words, for the command and for a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shoal.release.rounding import percent_up

if TYPE_CHECKING:
    from shoal.release.verify import Audit, Verdict

WARNINGS = ("NOT COMPARED", "PEOPLE NOT COUNTED", "NOT PROTECTED")


def is_warning(said: str) -> bool:
    return said.startswith(WARNINGS)


def words_of(verdict: Verdict) -> list[str]:
    """What a recount found, sentence by sentence."""
    said = [f"{'Anonymous' if verdict.has_checked_cells else 'Groups'}: {verdict.n_rows:,} rows in {verdict.n_groups:,} groups, "
            f"the smallest of {verdict.smallest_group:,}."]  # fmt: skip
    said += [f"{demand}: the weakest group reaches {value:.4g}." for demand, value in verdict.reached.items()]
    if verdict.has_checked_cells:
        said.append(
            f"Every released cell of {', '.join(verdict.quasi_identifiers)} covers its original one; rows were compared {verdict.how}."
        )
    else:
        uncounted = verdict.people is not None and verdict.people.why_not == verdict.why_not
        said.append(f"{'PEOPLE NOT COUNTED' if uncounted else 'NOT COMPARED'}: {verdict.why_not}")
    if verdict.n_withheld:
        said.append(_withheld(verdict))
    if verdict.lacking:
        said.append(f"Not in the release, and not named as dropped: {', '.join(verdict.lacking)}.")
    plain = verdict.has_checked_cells
    told = [column for column in verdict.columns if not plain or column.is_remarkable]
    said += [f"  {column.words()}" for column in told]
    kept = [column.name for column in verdict.columns if column.kind == "kept"]
    if kept and plain:
        said.append(f"Kept as they were: {', '.join(kept)}.")
    if verdict.others:
        said.append(
            f"NOT PROTECTED: {', '.join(verdict.others)}. They are not quasi-identifiers here; make sure that outsiders do not know them."
        )
    if verdict.audit is not None:
        said.append(_audit(verdict.audit))
    return said


def _withheld(verdict: Verdict) -> str:
    several = verdict.n_withheld != 1
    lacking = f"{verdict.n_withheld:,} {'rows' if several else 'row'} of the original {'are' if several else 'is'} not in the release"
    if verdict.withheld_are_certain:
        return f"{lacking}."
    return (
        f"{lacking}, and it is AMBIGUOUS which: other rows fit the release in {'their' if several else 'its'} stead. Cells were compared with one choice of rows that fits; "
        "another choice may have other losses, and a proof must hold for all of them."
    )


def _audit(found: Audit) -> str:
    holds = f"The proof holds: no release of these rows by these hierarchies loses less than {found.lower_bound:,.2f} ({found.measure})."
    if found.loss is None:
        return f"{holds} The loss of this one needs rows that can be matched."
    near = "" if found.ratio is None else f": within {percent_up(found.ratio - 1, 2)} of the best possible"
    return f"{holds} This one loses {found.loss:,.2f}{near}."
