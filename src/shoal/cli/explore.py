"""``shoal explore``: loss, bound and risk against k."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from shoal import measures
from shoal.cli import options, settings


@click.command(short_help="Draw loss, bound and risk against k.")
@click.argument("input", metavar="INPUT")
@click.option("-k", "ks", default="2,3,5,10,20", show_default=True, metavar="K,K,…", help="The group sizes to try.")
@click.option(
    "--measure", "measures", default=None, metavar="NAME,…", help=f"The measures to try (default: the policy's, else {measures.DEFAULT})."
)
@options.policy
@options.query
@settings.asked(*settings.ROLES, "keep", "missing_values", "person", "hierarchies", "withhold", "time_limit", "seed")
@options.reading
@click.option("--report", metavar="FILE.html", help="Write the curves as a page. For the owner: not for publication.")
@click.option("--resume", metavar="FILE.json", help="Keep figures here after each run, and go on from them. For the owner.")
@options.force
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--quiet", is_flag=True, help="No progress.")
def explore(input: str, ks: str, measures: str | None, policy: str | None, report: str | None, resume: str | None,
            as_json: bool, quiet: bool, force: bool, reading: options.TextForm, **asked: Any) -> None:  # fmt: skip
    """Run INPUT with several k, and measures, and show what each costs. No release is written."""
    import json

    from shoal.cli.outputs import check_outputs
    from shoal.cli.watch import watching
    from shoal.policy.given import make_policy
    from shoal.report import explore as room

    try:
        sizes = [int(part) for part in ks.split(",")]
    except ValueError:
        raise click.BadParameter("-k takes whole numbers with commas, such as 2,3,5,10") from None
    if report is not None:
        check_outputs(input, report, force=force)
    given = check_outputs(input, report, resume, force=True, policy=policy, reads=[asked["hierarchies"]])
    said = make_policy(given, **asked)
    names = measures.split(",") if measures else [said.measure]
    with watching(quiet) as watch:
        points = room.explore(reading.open(input), said, sizes, names, Path(resume) if resume else None, watch)
    if report is not None:
        from shoal.disk.atomic import write_bytes

        write_bytes(report, room.html(points, Path(input).name).encode(), private=True, force=force)
    click.echo(json.dumps(points, indent=2) if as_json else room.text(points))
