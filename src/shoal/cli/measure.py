"""``shoal measure``: what a release by any tool has lost."""

from __future__ import annotations

import json

import click

from shoal.cli import options, settings


@click.command(short_help="Say what a release by any tool has lost.")
@click.argument("original", metavar="ORIGINAL")
@click.argument("release", metavar="RELEASE")
@options.query
@options.policy
@settings.asked("quasi_identifiers", "hierarchies", "missing_values")
@options.reading_both
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def measure(original: str, release: str, quasi_identifiers: tuple[str, ...], hierarchies: str | None, policy: str | None, missing_values: tuple[str, ...],
            as_json: bool, reading: options.TextForm, release_reading: options.TextForm) -> None:  # fmt: skip
    """Read each cell of RELEASE as the values it may stand for, and price it by every measure."""
    from shoal.api import measure as compute

    found = compute(
        reading.open(original),
        release_reading.open(release),
        quasi_identifiers=quasi_identifiers,
        hierarchies=hierarchies,
        policy=policy,
        missing_values=missing_values,
    )
    if as_json:
        click.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=False))
        return
    click.echo(f"{found.n_released:,} of {found.n_rows:,} rows in {found.n_groups:,} groups, the smallest of {found.smallest_group:,}\n")
    click.echo(f"{'measure':<22}{'total':>18}{'per cell':>14}")
    for name, value in found.measures.items():
        click.echo(f"{name:<22}{_number(value['total'], 2):>18}{_number(value['per_cell'], 6):>14}")
    if not found.is_matched:
        click.echo("\nThe release has fewer rows, so rows could not be matched; a measure by which each pays for its own value needs that.")


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"
