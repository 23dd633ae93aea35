"""``shoal verify``: recount a release by any tool."""

from __future__ import annotations

from typing import Any

import click

from shoal.cli import options


@click.command(short_help="Recount a release by any tool.")
@click.argument("original", metavar="ORIGINAL")
@click.argument("release", metavar="RELEASE")
@click.option("-k", type=int, required=True, help="What it promises.")
@options.qi
@options.hierarchies
@options.diversity
@options.closeness
@click.option("--sensitive", multiple=True, metavar="COL", help="A sensitive column, for --l-diversity and --t-closeness.")
@click.option("--measure", metavar="NAME", default=None, help="With --proof: the measure that the proof is about.")
@click.option("--proof", metavar="FILE", help="Check also the witness of the bound, and the loss against it.")
@click.option("--quiet", is_flag=True, help="Say it by the exit status alone.")
def verify(original: str, release: str, k: int, qi: tuple[str, ...], l_diversity: str | None, proof: str | None, measure: str | None,
           quiet: bool, **more: Any) -> None:  # fmt: skip
    """Recount RELEASE against ORIGINAL: exit status 0 if it keeps its promise, 1 if it does not."""
    from shoal import api
    from shoal.errors import PolicyError

    if k < 2:
        raise PolicyError(f"k must be at least 2, not {k}: in a group of one nobody hides.")
    verdict = api.verify(original, release, k=k, quasi_identifiers=qi, l_diversity=options.parse_diversity(l_diversity), **more)
    said = [f"{k}-anonymous: {verdict.n_rows:,} rows in {verdict.n_groups:,} groups, the smallest of {verdict.smallest_group:,}."]
    said += [f"{demand}: the weakest group reaches {value:.4g}." for demand, value in verdict.reached.items()]
    if verdict.has_checked_cells:
        said.append("Every released cell covers its original one.")
    else:
        said.append("The release has fewer rows than the original, so cells were not compared row by row.")
    if proof is not None:
        from shoal.release.audit import audit

        said.append(audit(original, release, k=k, quasi_identifiers=qi, hierarchies=more["hierarchies"], proof=proof, measure=measure))
    if not quiet:
        click.echo("\n".join(said))
