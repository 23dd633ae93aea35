"""``shoal verify``: recount a release by any tool."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from shoal import measures
from shoal.cli import options, settings
from shoal.text.rounding import times_the_least

if TYPE_CHECKING:
    from shoal.judge.verdict import Verdict


OF_CLUSTERS = ("r", "max_clusters", "outliers", "centers", "setup_cost", "sharing", "metric")
OF_RELEASES = (
    "reordered", "withheld", "deletion", "suppressed", "spreadsheet_safe", "form", "measure", "missing", "person", "suppression_only", "target", "keep",
)  # fmt: skip


@click.command(short_help="Recount a release by any tool.")
@click.argument("original", metavar="ORIGINAL")
@click.argument("release", metavar="RELEASE")
@settings.asked("k", help="What it promises (default: the policy's).")
@options.query
@options.policy
@settings.asked("quasi_identifiers", "sensitive", "keep", "hierarchies", "suppression_only", "missing_values", "person")
@settings.criteria
@options.reading_both
@click.option("--reordered", "--shuffle", is_flag=True, help="Rows may be in any order.")
@click.option(
    "--withheld",
    type=click.IntRange(0),
    metavar="N",
    help="At most N rows of ORIGINAL may be missing from RELEASE (default: what the policy lets be withheld; any number without a policy).",
)
@settings.asked("deletion", help="Rows were deleted at the price of suppressing them whole (anonymize --deletion).")
@click.option("--suppressed", multiple=True, metavar="MARK", help="A text that stands for any value, such as NA; '' for an empty cell.")
@click.option(
    "--spreadsheet-safe", is_flag=True, help="RELEASE was written with this flag: a ' before a formula is not a part of its cell."
)
@options.form
@click.option("--proof", metavar="FILE", help="Check the proof of the bound too, and compare the loss with it. Give the flags of the run.")
@settings.asked("measure", help=f"For --proof: the measure that the release was made with (default {measures.DEFAULT}).")
@settings.asked("target", help="For --proof: the column whose prediction the release was made for.")
@settings.asked("missing", help="For --proof: what a missing cell was.")
@settings.asked("method", help="RELEASE is a table of clusters by 'shoal cluster'.")
@settings.asked("r", help="With --method: every cluster has at least R rows.")
@settings.asked("max_clusters", "outliers", "centers", "setup_cost", "metric", help="With --method: as it was made.")
@settings.asked("sharing", help="With --method: as it was made.", default=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--quiet", is_flag=True, help="Print nothing; the exit status is the answer.")
@click.pass_context
def verify(ctx: click.Context, /, original: str, release: str, k: int | None, quasi_identifiers: tuple[str, ...], sensitive: tuple[str, ...],
           keep: tuple[str, ...], as_json: bool, quiet: bool, method: str | None, r: int | None, max_clusters: int | None, outliers: str | None, centers: str | None,
           setup_cost: str | None, sharing: bool, metric: str | None, reading: options.TextForm, release_reading: options.TextForm, **more: Any) -> None:  # fmt: skip
    """Recount RELEASE against ORIGINAL: groups, demands, and every cell.

    A released cell must cover its original one; a column that is in both tables and no quasi-identifier must be equal; a sensitive or kept
    column must be there, and an identifier must not. A column that RELEASE alone has, or that tells what quasi-identifiers hide, must be named: --keep, --sensitive. Rows are compared by position, or in ORIGINAL's order where RELEASE has fewer.

    \b
    Exit status:
      0  it keeps its promise, and every column of RELEASE was looked at or named by you
      1  it does not: too small a group, a demand that is not met, a cell that is not true
      2  bad usage, policy, file or data
      4  nothing wrong was found, but cells could not be compared, people not be counted,
         or a column that nobody named is not in ORIGINAL, or tells what is hidden
      (3, no release is possible, and 130, interrupted, are those of other commands)
    """
    _check_flags(ctx, method, k, r)
    before, after = reading.open(original), release_reading.open(release)
    if method is not None:
        about = {"method": method, "r": r if r is not None else k, "max_clusters": max_clusters, "outliers": outliers, "centers": centers}
        about |= {"setup_cost": setup_cost, "sharing": sharing, "metric": metric}
        common = {key: value for key, value in more.items() if key not in OF_RELEASES}
        roles = {"quasi_identifiers": quasi_identifiers, "sensitive": sensitive}
        _clusters(before, after, as_json, quiet, **roles, **about, **common)
        return
    from shoal import api
    from shoal.errors import NotCompared
    from shoal.judge.words import words_of

    try:
        verdict = api.verify(before, after, k=k, quasi_identifiers=quasi_identifiers, sensitive=sensitive, keep=keep, **more)
    except NotCompared as unknown:
        verdict = unknown.verdict  # type: ignore[assignment]
    if not quiet:
        click.echo(json.dumps(_data(verdict), indent=2, ensure_ascii=False) if as_json else "\n".join(words_of(verdict)))
    if not verdict.is_whole:
        ctx.exit(NotCompared.exit_status)


def _check_flags(ctx: click.Context, method: str | None, k: int | None, r: int | None) -> None:
    """A flag that would be ignored is an error."""
    names = OF_CLUSTERS if method is None else OF_RELEASES
    said = [p.opts[0] for p in ctx.command.params if p.name in names and ctx.get_parameter_source(p.name) is ParameterSource.COMMANDLINE]
    if said and method is None:
        raise click.UsageError(f"{said[0]} is about a table of clusters: say by which --method it was made, or leave it out.")
    if said:
        raise click.UsageError(f"{said[0]} does not go with --method: it is about releases of 'shoal anonymize'. Leave it out.")
    if method is not None and None not in (k, r) and k != r:
        raise click.UsageError("With --method, -r and -k say the same: give one of them.")


def _clusters(original: Any, release: Any, as_json: bool, quiet: bool, **about: Any) -> None:
    """A table of clusters: sizes, radii, and the bound where there is a proof."""
    from shoal.clustering.audit import verify_clustering

    found = verify_clustering(original, release, **about)
    said = [
        f"{found.n_rows - found.n_outliers:,} of {found.n_rows:,} rows in {found.n_clusters:,} clusters, the smallest of {found.smallest_cluster:,}. "
        "The rows fit into clusters of these sizes and radii.",
    ]
    if found.kept:
        said.append(f"Every cluster keeps {'; '.join(found.kept)}, by the values that it shows.")
    if found.lower_bound is not None:
        near = "" if found.ratio is None else f": {times_the_least(found.ratio)}"
        said.append(
            f"The proof holds: no such clustering costs less than {found.lower_bound:,.6g}. This one costs {found.cost:,.6g}{near}."
        )
    if not quiet:
        click.echo(json.dumps({**vars(found), "ratio": found.ratio}, indent=2) if as_json else "\n".join(said))


def _data(verdict: Verdict) -> dict[str, Any]:
    return {
        "status": 0 if verdict.is_whole else 4,
        "k": verdict.k,
        "quasi_identifiers": list(verdict.quasi_identifiers),
        "compared": verdict.how,
        "why_not": verdict.why_not or None,
        "n_rows": verdict.n_rows,
        "n_groups": verdict.n_groups,
        "smallest_group": verdict.smallest_group,
        "reached": dict(verdict.reached),
        "withheld": {"rows": verdict.n_withheld, "are_certain": verdict.withheld_are_certain},
        "columns": [
            {
                "name": column.name,
                "kind": column.kind,
                "compared": None if column.kind == "added" else verdict.how,
                "cells": column.n_cells,
                "not_covering": column.n_wrong,
                "not_read": column.n_unread,
                "ambiguous_labels": column.n_ambiguous,
                "with_unknown_members": column.n_strangers,
                "read_as_names": column.reads_names,
                "words": column.words(),
            }
            for column in verdict.columns
        ],
        "not_in_release": list(verdict.lacking),
        "not_protected": list(verdict.others),
        "not_looked_at": list(verdict.added),
        "named": list(verdict.named),
        "tells": [{**vars(hint), "of": list(hint.of), "words": hint.words()} for hint in verdict.hints],
        "proof": None if verdict.audit is None else vars(verdict.audit),
    }
