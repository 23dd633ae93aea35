"""``shoal verify``: recount a release by any tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from shoal.cli import options

if TYPE_CHECKING:
    from shoal.release.verify import Audit


@click.command(short_help="Recount a release by any tool.")
@click.argument("original", metavar="ORIGINAL")
@click.argument("release", metavar="RELEASE")
@click.option("-k", type=int, help="What it promises (default: the policy's).")
@options.policy
@options.qi
@options.hierarchies
@options.criteria
@click.option("--sensitive", multiple=True, metavar="COL", help="A sensitive column, of which criteria are asked.")
@click.option("--proof", metavar="FILE", help="Check also the witness of the bound, and the loss against it. Give the flags of the run.")
@click.option("--measure", metavar="NAME", help="For --proof: the measure that the release was made with (default entropy).")
@click.option("--missing", type=click.Choice(["value", "suppress", "error"]), help="For --proof: what a missing cell was.")
@click.option("--quiet", is_flag=True, help="Say it by the exit status alone.")
def verify(original: str, release: str, k: int | None, qi: tuple[str, ...], sensitive: tuple[str, ...], quiet: bool,
           **more: Any) -> None:  # fmt: skip
    """Recount RELEASE against ORIGINAL: exit status 0 if it keeps its promise, 1 if it does not."""
    from shoal import api

    verdict = api.verify(original, release, k=k, quasi_identifiers=qi or None, sensitive=sensitive or None, **more)
    said = [f"Anonymous: {verdict.n_rows:,} rows in {verdict.n_groups:,} groups, the smallest of {verdict.smallest_group:,}."]
    said += [f"{demand}: the weakest group reaches {value:.4g}." for demand, value in verdict.reached.items()]
    if verdict.has_checked_cells:
        said.append(f"Every released cell of {', '.join(verdict.quasi_identifiers)} covers its original one.")
    else:
        said.append("Cells were not compared: the release has fewer rows, and they cannot be matched to the original in their order.")
    if verdict.others:
        said.append(
            f"NOT CHECKED: {', '.join(verdict.others)}. They are no quasi-identifiers here; make sure that outsiders do not know them."
        )
    if verdict.audit is not None:
        said.append(_audit(verdict.audit))
    if not quiet:
        click.echo("\n".join(said))


def _audit(found: Audit) -> str:
    holds = f"The proof holds: no release of these rows by these hierarchies loses less than {found.lower_bound:,.2f} ({found.measure})."
    if found.loss is None:
        return f"{holds} The loss of this one needs rows that can be matched."
    near = "" if found.ratio is None else f": within {100 * (found.ratio - 1):.2f} % of the best possible"
    return f"{holds} This one loses {found.loss:,.2f}{near}."
