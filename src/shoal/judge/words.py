"""A verdict in words, for the command and for a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import TYPE_CHECKING

from shoal.text.rounding import times_the_least

if TYPE_CHECKING:
    from shoal.judge.verdict import Audit, Verdict

WARNINGS = ("TELLS", "NOT LOOKED AT", "NOT COMPARED", "PEOPLE NOT COUNTED", "NOT PROTECTED", "NAMED")
SORT = "Sort the rows by what they show, or leave them in the original's order."
MOST_NAMED = 6
"""Of more columns so many are named, and the others counted."""


def is_warning(said: str) -> bool:
    return said.startswith(WARNINGS)


def words_of(verdict: Verdict) -> list[str]:
    """What a recount found, sentence by sentence."""
    said = [*doubts_of(verdict), headline_of(verdict)]
    said.append(f"{verdict.n_rows:,} rows in {verdict.n_groups:,} groups, the smallest of {verdict.smallest_group:,}.")
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
    told = [column for column in verdict.columns if (not plain or column.is_remarkable) and column.name not in verdict.added]
    said += [f"  {column.words()}" for column in told]
    said += [f"NAMED, AND TELLS: {hint.words()}." for hint in verdict.hints if hint.column in verdict.named]
    if verdict.others:
        said.append(
            f"NOT PROTECTED: {', '.join(verdict.others)}. They are not quasi-identifiers here; make sure that outsiders do not know them."
        )
    if verdict.audit is not None:
        said.append(_audit(verdict.audit))
    return said


def headline(k: int, names: Sequence[str], as_they_were: Sequence[str], counted: str = "") -> str:
    """Of which columns a release is k-anonymous, and which others it has: the first line wherever one speaks of a release."""
    rest = f" Released as they are: {listed(as_they_were)}." if as_they_were else ""
    return f"{k}-anonymous in {listed(names)}{counted}.{rest}"


def listed(names: Sequence[str]) -> str:
    """Columns by their names; of many the first, and how many more."""
    if len(names) <= MOST_NAMED + 1:
        return ", ".join(names)
    return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more"


def headline_of(verdict: Verdict) -> str:
    """The same of a verdict; also what was not looked at."""
    kept = [column.name for column in verdict.columns if column.kind == "kept"]
    named = [column.name for column in verdict.columns if column.kind == "added" and column.name in verdict.named]
    in_people = verdict.people is not None and not verdict.people.why_not
    said = headline(
        verdict.k, verdict.quasi_identifiers, kept if verdict.has_checked_cells else (), ", counted in people" if in_people else ""
    )
    said += f" Not in the original, and named: {listed(named)}." if named else ""
    if not verdict.has_checked_cells:
        return f"Groups alone: {said} Not looked at: the cells and all other columns."
    return said + (f" Not in the original: {listed(verdict.added)}." if verdict.added else "")


def doubts_of(verdict: Verdict) -> list[str]:
    """Which columns keep a release from being called verified: what they tell, and how to name them."""
    told = {hint.column for hint in verdict.telling}
    said = [
        f"TELLS: {hint.words()}.{_absent(hint.column in verdict.added)} {_name_it([hint.column]) if hint.column else SORT}"
        for hint in verdict.telling
    ]
    silent = [name for name in verdict.added if name not in told]
    if silent:
        is_one = len(silent) == 1
        which = f"column{'' if is_one else 's'} {', '.join(map(repr, silent))}"
        they = "it gives" if is_one else "they give"
        looked = (
            f"It was not found that {they} hidden values back"
            if verdict.how
            else f"Rows could not be matched, so nobody knows whether {they} hidden values back"
        )
        said.append(
            f"NOT LOOKED AT: {which} {'is' if is_one else 'are'} not in the original, so there is nothing to compare {'it' if is_one else 'them'} with. {looked}. {_name_it(silent)}"
        )
    return said


def _absent(is_added: bool) -> str:
    return " It is not in the original." if is_added else ""


def _name_it(names: Sequence[str]) -> str:
    flags = " ".join(f"--keep {quote(name)}" for name in names)
    them = "it" if len(names) == 1 else "them"
    return f"Drop or protect {them}; if {them if them == 'it' else 'they'} {'is' if them == 'it' else 'are'} there on purpose, say {flags} (keep={list(names)} in Python)."


def _withheld(verdict: Verdict) -> str:
    several = verdict.n_withheld != 1
    lacking = f"{verdict.n_withheld:,} {'rows' if several else 'row'} of the original {'are' if several else 'is'} not in the release, of {verdict.n_rows + verdict.n_withheld:,} in all"
    if verdict.withheld_are_certain:
        return f"{lacking}."
    return (
        f"{lacking}, and it is AMBIGUOUS which: other rows fit the release in {'their' if several else 'its'} stead. Cells were compared with one choice of rows that fits; "
        "another choice may have other losses."
    )


BY_HIERARCHIES = "by these hierarchies"


def no_release(max_withheld: int, deletion: bool, by: str = BY_HIERARCHIES) -> str:
    """Of which releases a bound speaks, up to the verb: said in this way wherever a bound is said.

    >>> no_release(0, False)
    'no release of these rows by these hierarchies'
    >>> no_release(15, False)
    'no release that withholds at most 15 of these rows, whichever, by these hierarchies'
    >>> no_release(995, True)
    'no release of these rows by these hierarchies, whichever it deletes, with every cell of a deleted row counted as hidden,'
    """
    if deletion:
        return f"no release of these rows {by}, whichever it deletes, with every cell of a deleted row counted as hidden,"
    if max_withheld:
        return f"no release that withholds at most {max_withheld:,} of these rows, whichever, {by}"
    return f"no release of these rows {by}"


def _audit(found: Audit) -> str:
    holds = f"The proof holds: {no_release(found.max_withheld, found.deletion)} loses less than {found.lower_bound:,.2f} ({found.measure})."
    if found.loss is None:
        return f"{holds} The loss of this one needs rows that can be matched."
    near = "" if found.ratio is None else f": {times_the_least(found.ratio)}"
    return f"{holds} This one loses {found.loss:,.2f}{near}."
