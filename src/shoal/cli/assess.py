"""``shoal assess``: what a table gives away as it is."""

from __future__ import annotations

import json
from shlex import quote
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from shoal.cli import options, settings

if TYPE_CHECKING:
    from shoal.report.risk import Assessment
    from shoal.table import Table


WIDTH = 108


def _population(ctx: click.Context, param: click.Parameter, asked: str | None) -> None:
    """Say why the option is gone: whoever relied on its figures must know that they were too low."""
    if asked is not None:
        raise click.UsageError(
            "--population was taken out. It multiplied the chance of being found in the table by the share of the population that "
            "is in the table. That is too low: "
            "a person who is alone in the table may be alone in the population too. Leave it out: what is counted holds for "
            "whoever knows that the person is in the table."
        )


@click.command(short_help="Say what a table gives away as it is.")
@click.argument("input", metavar="INPUT")
@options.query
@options.policy
@settings.asked("quasi_identifiers", "sensitive", "missing_values", "person")
@options.reading
@click.option(
    "--subsets", type=click.IntRange(1, 6), default=3, show_default=True, help="Look at all combinations of up to so many columns."
)
@click.option("--population", hidden=True, expose_value=False, callback=_population)
@click.option("--report", metavar="FILE.html", help="Write a page about the table as it is. For the owner: not for publication.")
@options.force
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def assess(input: str, quasi_identifiers: tuple[str, ...], sensitive: tuple[str, ...], person: str | None, subsets: int, report: str | None,
           as_json: bool, force: bool, reading: options.TextForm, policy: str | None, missing_values: tuple[str, ...]) -> None:  # fmt: skip
    """Count who stands out in INPUT. Without --qi and --policy, suggest which columns to name."""
    from shoal import io
    from shoal.cli.outputs import check_outputs
    from shoal.report.assessing import assess as compute

    asked = check_outputs(input, report, force=force, policy=policy)
    table = io.read(reading.open(input))
    if not quasi_identifiers and asked is None:
        _suggest(table.with_missing(missing_values, table.columns), input, reading, as_json)
        return
    found = compute(
        table,
        quasi_identifiers=quasi_identifiers,
        sensitive=sensitive,
        largest_subset=subsets,
        person=person,
        missing_values=missing_values,
        policy=asked,
    )
    if report is not None:
        from shoal.report.assessment import write_assessment

        write_assessment(found, table.source, report, force=force)
    click.echo(json.dumps(found.to_dict(), indent=2, ensure_ascii=False) if as_json else text(found))


def _suggest(table: Table, source: str, reading: options.TextForm, as_json: bool) -> None:
    """What the columns look like, and what to type next."""
    from shoal.cli.program import program
    from shoal.columns.whose import rows_counted
    from shoal.starter import suggest

    found = suggest(table)
    if as_json:
        click.echo(json.dumps({"suggestions": found.to_dicts()}, indent=2, ensure_ascii=False))
        return
    for who in found.several_rows:
        click.echo(f"SEVERAL ROWS OF ONE PERSON? {rows_counted(who, table.n_rows)}\n")
    click.echo("No quasi-identifiers were named. By names and values, these columns look like:\n")
    click.echo("\n".join(found.lines()))
    open_questions = found.named("ask")
    if open_questions:
        click.echo(f"\n{len(open_questions)} of {len(found)} columns are unclear: 'ask' is not a role. Decide what each of them is.")
    known = found.named("quasi-identifier")
    flags = " ".join(f"--qi {quote(name)}" for name in known) or "--qi COLUMN"
    click.echo(
        f"\nNothing was counted yet. With these quasi-identifiers it would be\n\n  {program()} assess {quote(source)}{reading.flags} {flags}"
    )


def first(found: Assessment) -> str:
    """How much there is."""
    combinations = f"{found.n_groups:,} different combinations of {', '.join(found.quasi_identifiers)}"
    if found.people is None:
        return f"{found.n_rows:,} rows, {combinations}"
    return f"{found.people['n_rows']:,} rows of {found.people['n_people']:,} people by '{found.people['person']}', {combinations}. A person counts where one of her combinations does."


def text(found: Assessment) -> str:
    """The assessment for a terminal."""
    n, what = found.n_counted, found.counts
    lines = [*(f"{warning}\n" for warning in found.several_rows_words()), f"{first(found)}", ""]
    lines.append(f"  {f'unique {what}':<25}{found.n_unique:>8,}{found.n_unique / n:>9.1%}")
    for limit, rows in found.rows_below.items():
        lines.append(f"  {f'{what} in groups below {limit}':<25}{rows:>8,}{rows / n:>9.1%}")
    lines += ["", *wrap(found.chances(), WIDTH, initial_indent="  ", subsequent_indent="  ")]
    lines += ["", f"  {'columns that single people out':<58}{'groups':>10}{'unique':>10}{'distinct':>10}{'separate':>10}"]
    for size in sorted({len(s.columns) for s in found.subsets}):
        for s in [s for s in found.subsets if len(s.columns) == size][:5]:
            lines.append(f"  {', '.join(s.columns)[:56]:<58}{s.n_groups:>10,}{s.n_unique:>10,}{s.distinction:>10.2%}{s.separation:>10.2%}")
    if not found.is_complete:
        lines.append("  (not all combinations were looked at: there are too many)")
    n_rows = n if found.people is None else found.people["n_rows"]
    for h in found.homogeneity:
        lines += [
            "",
            f"  {h.column}: {h.n_rows_disclosed:,} rows ({h.n_rows_disclosed / n_rows:.1%}) give it away to anybody who knows their quasi-identifiers",
        ]
    if found.people is not None:
        from shoal.report.words import several_rows_in_numbers

        lines += ["", f"  {several_rows_in_numbers(found.people)}"]
    return "\n".join(lines)
