"""``shoal cluster``: publish centres of clusters of at least r rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from shoal.cli import options, settings
from shoal.text.rounding import times_the_least

if TYPE_CHECKING:
    from shoal.clustering.result import Clustering


@click.command(short_help="Publish centres of clusters of at least r rows.")
@click.argument("input", metavar="INPUT")
@click.option("-o", "--output", required=True, metavar="OUTPUT", help="Where to write: .csv, .csv.gz, .parquet, or - for standard output.")
@settings.asked("method", default="gather")
@settings.asked("r", "max_clusters", "outliers", "centers", "setup_cost")
@settings.asked("sharing", default=False)
@settings.asked("metric", "sensitive_as")
@settings.asked(*settings.ROLES, "missing_values", "hierarchies")
@settings.criteria
@options.reading
@click.option("--policy", metavar="FILE", help="A TOML policy; flags override it. A setting that a clustering does not keep is refused.")
@click.option("--long", "long_form", is_flag=True, help="One line per row instead of one per cluster.")
@click.option("--manifest", metavar="FILE", help="Write the figures that may be published, as JSON.")
@click.option("--record", metavar="FILE", help="Write exact figures, cost, bound and seconds. For the owner: not for publication.")
@click.option("--members", metavar="FILE", help="Write which row is in which cluster. It names people: for the owner only.")
@click.option("--proof", metavar="FILE", help="Write the witness of the bound. It speaks of rows: for the owner and an auditor only.")
@click.option(
    "--owner-report",
    metavar="FILE.html",
    help="Write a page with pictures before and after. For the owner: not for publication.",
)
@click.option("--report", metavar="FILE.html", hidden=True)
@options.force
@click.option(
    "--plot", nargs=2, metavar="COL COL", help="Two columns of numbers for the pictures (default: the first two, or a projection)."
)
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def cluster(input: str, output: str, quiet: bool, long_form: bool,
            manifest: str | None, record: str | None, members: str | None, proof: str | None, owner_report: str | None, report: str | None,
            plot: tuple[str, str] | None, force: bool, reading: options.TextForm, **asked: Any) -> None:  # fmt: skip
    """Read INPUT, cluster its rows, recount sizes and radii from the original, and write the clusters' centres."""
    from shoal.cli.outputs import check_outputs
    from shoal.clustering.run import cluster as run
    from shoal.errors import Refused
    from shoal.io import check_output

    if report is not None:
        raise Refused(
            "A clustering has no report that may be published: its page tells of the original. Write it for the owner, with --owner-report."
        )
    if long_form and asked["sensitive_as"] is not None:
        raise click.UsageError("With --long each line has its own row's sensitive values: leave --sensitive-as out.")
    if plot and owner_report is None:
        raise click.UsageError("--plot is about the pictures of --owner-report: give that too, or leave it out.")
    asked["sensitive_as"] = asked["sensitive_as"] or "list"
    reads = [asked[name] for name in ("hierarchies", "metric")]
    files = (output, manifest, record, members, proof, owner_report)
    asked["policy"] = check_outputs(input, *files, force=force, policy=asked["policy"], reads=reads)
    for path in (output, members):
        if path is not None:
            check_output(path, force=force)
    found = run(
        reading.open(input),
        **asked,
    )
    _write(found, input, output, long_form, manifest, record, members, proof, owner_report, plot, force)
    if not quiet:
        click.echo(_summary(found, output, (members, proof, owner_report, record)), err=output == "-")


def _write(found: Clustering, source: str, output: str, long_form: bool, manifest: str | None, record: str | None, members: str | None,
           proof: str | None, owner_report: str | None, plot: tuple[str, str] | None, force: bool) -> None:  # fmt: skip
    """All of it, or nothing: what was written before a failure is taken back."""
    from shoal.cli.outputs import write_json
    from shoal.disk.together import write_together

    write_together(
        (owner_report, lambda path: found.owner_report(path, plot, force=force)),
        (proof, lambda path: found.proof(path, force=force)),
        (members, lambda path: found.write_members(path, inputs=[source], force=force)),
        (output, lambda path: found.write(path, long=long_form, inputs=[source], force=force)),
        (manifest, lambda path: write_json(path, found.manifest, force=force)),
        (record, lambda path: write_json(path, found.record, private=True, force=force)),
    )


def _summary(found: Clustering, output: str, owners: tuple[str | None, ...]) -> str:
    told = found.record
    lines = [
        f"{told['n_rows']} rows in {told['n_clusters']} clusters of at least {told['smallest_cluster']} (asked: {told['r']}); "
        f"{told['n_outliers']} left out, {told['max_outliers']} allowed.",
        f"{told['problem']}: cost {told['cost']:.6g}; no clustering costs less than {told['lower_bound']:.6g}"
        + (f", so it is {times_the_least(told['ratio'])}." if told["ratio"] is not None else "."),
        f"Guarantee: {told['guarantee_text']}. Largest radius {told['largest_radius']:.6g}. Sizes and radii recounted from the original.",
    ]
    columns = told["metric"].get("columns", {})
    if columns:
        said = ", ".join(f"{name} ({_words(about)})" for name, about in columns.items())
        lines.append(f"Distance: {told['metric']['combine']} over {said}.")
    if told["sensitive"]:
        lines.append(found.published_values())
    if told["dropped"]:
        lines.append(f"Not published: {', '.join(told['dropped'])}.")
    lines += [*found.warnings(), *told["notes"]]
    kept = [path for path in owners if path]
    if kept:
        lines.append(f"KEEP {', '.join(kept)}: for the owner (a proof also for an auditor), not for publication.")
    if output != "-":
        lines.append(f"Written to {output}.")
    return "\n".join(lines)


def _words(about: dict[str, Any]) -> str:
    unit = f", 1 is {about['unit']:g}" if "unit" in about else ""
    weight = f", weight {about['weight']:g}" if about["weight"] != 1 else ""
    return f"{about['metric']}{unit}{weight}"
