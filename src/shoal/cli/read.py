"""``shoal read``: what a release tells, with its uncertainty."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from shoal.cli import options, settings

if TYPE_CHECKING:
    from shoal.reader.estimate import Estimate
    from shoal.reader.reading import Reading


class ReadCommand(click.Command):
    """Says what to do where a shell has cut conditions into several words."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        counts = any(argument.startswith("--count") for argument in args)  # the list is used up
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if not counts or "unexpected extra argument" not in error.message:
                raise
            raise click.UsageError(
                f"{error.message.rstrip('.')}. Conditions of one --count stand in quotes: --count 'age=30..39 sex=f'.", ctx
            ) from None


@click.command(cls=ReadCommand, short_help="Say what a release by any tool tells, with its uncertainty.")
@click.argument("release", metavar="RELEASE")
@settings.asked("quasi_identifiers", "hierarchies", "missing_values")
@options.form
@options.reading
@click.option("--policy", metavar="FILE", help="The policy that it was made by, for its hierarchies.")
@click.option("--manifest", metavar="FILE", help="The manifest that was published with it: it names the measure and the quasi-identifiers.")
@settings.asked("measure", help="The measure that the release minimised, where there is no manifest.")
@click.option(
    "--count",
    "counts",
    multiple=True,
    metavar="CONDITIONS",
    help="Count rows: 'age=30..39 sex=f job=nurse|cook', in quotes. May be repeated.",
)
@click.option("--table", "tables", multiple=True, metavar="COL,COL", help="Count every combination of values. May be repeated.")
@click.option(
    "--mean",
    "means",
    multiple=True,
    metavar="COL",
    callback=settings.columns_of,
    help=f"The mean of a column of numbers. {settings.SEVERAL}",
)
@click.option(
    "--median",
    "medians",
    multiple=True,
    metavar="COL",
    callback=settings.columns_of,
    help=f"The median of a column of numbers. {settings.SEVERAL}",
)
@click.option(
    "-o", "--output", metavar="FILE", help="Write a table with a typed value, drawn, in every cell (.csv, .parquet); for you alone."
)
@click.option(
    "--imputations", type=click.IntRange(1, 1000), default=1, metavar="N", help="Draw the values N times, one table below the other."
)
@click.option("--seed", type=int, default=0, help="For drawing values.")
@options.force
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def read(
    release: str, quasi_identifiers: tuple[str, ...], hierarchies: str | None, form: str, policy: str | None, manifest: str | None, measure: str | None, counts: tuple[str, ...],
    tables: tuple[str, ...], means: tuple[str, ...], medians: tuple[str, ...], output: str | None, imputations: int, seed: int, as_json: bool,
    reading: options.TextForm, missing_values: tuple[str, ...], force: bool,
) -> None:  # fmt: skip
    """Estimate counts, tables, means and medians from RELEASE alone.

    Every figure comes with an interval that held the truth 95 times of 100 on the tables it was tried on; where rare values are hidden more often it may not
    (docs/analysis.md). Nothing but the release (and what was published with it)
    is read, so reading it adds no risk to what the release has.
    """
    from shoal import io
    from shoal.cli.outputs import check_outputs
    from shoal.reader.conditions import parse
    from shoal.reader.read import read as open_release

    check_outputs(release, output, force=force, reads=[manifest, hierarchies, policy])
    table = io.read(reading.open(release))
    told = open_release(
        table, quasi_identifiers=quasi_identifiers or None, hierarchies=hierarchies, manifest=manifest, measure=measure, form=form, missing_values=missing_values, policy=policy
    )  # fmt: skip
    found: dict[str, Estimate] = {f"count {text}": told.count(parse(text, told.columns)) for text in counts}
    found |= {f"mean {name}": told.mean(name) for name in means}
    found |= {f"median {name}": told.quantile(name, 0.5) for name in medians}
    crossed = {text: told.table(*[name.strip() for name in text.split(",")]) for text in tables}
    drawn = told.imputed(imputations, seed) if output is not None else None
    if output is not None and drawn is not None:
        io.write_for_owner(drawn, output, inputs=[release], delimiter=table.delimiter, force=force)
    if as_json:
        click.echo(json.dumps(_as_dict(told, found, crossed), indent=2, ensure_ascii=False, default=str))
    else:
        _print(told, found, crossed)
    if drawn is not None and output != "-":
        times = "" if imputations == 1 else f", {imputations:,} times one below the other"
        click.echo(f"Wrote {output}: {drawn.height:,} rows with a drawn value in every cell{times}. It is for you alone.", err=as_json)


def _as_dict(reading: Reading, found: dict[str, Estimate], crossed: dict[str, Any]) -> dict[str, Any]:
    return {
        "rows": reading.n_rows,
        "lean": reading.lean,
        "columns": reading.summary().to_dicts(),
        "doubts": reading.doubts,
        "estimates": {name: asdict(estimate) for name, estimate in found.items()},
        "tables": {name: table.to_dicts() for name, table in crossed.items()},
    }


def _print(reading: Reading, found: dict[str, Estimate], crossed: dict[str, Any]) -> None:
    if not found and not crossed:
        click.echo(f"{reading.n_rows:,} rows\n")
        click.echo(f"{'column':<24}{'exact':>9}{'generalized':>13}{'hidden':>9}{'doubtful':>10}{'unresolved':>12}")
        for name, exact, wide, hidden, _, doubtful, vague in reading.summary().iter_rows():
            click.echo(f"{name:<24}{exact:>9.1%}{wide:>13.1%}{hidden:>9.1%}{doubtful:>10.1%}{vague:>12.1%}")
        click.echo("")
    for name, estimate in found.items():
        sure = "" if estimate.at_least is None else f"; certainly between {estimate.at_least:,.0f} and {estimate.at_most:,.0f}"
        click.echo(f"{name}: {estimate}{sure}")
    for name, table in crossed.items():
        click.echo(f"\n{name}")
        names = table.columns[:-3]
        click.echo("".join(f"{column:<20}" for column in names) + f"{'count':>10}{'from':>10}{'to':>10}")
        for *values, count, low, high in table.iter_rows():
            click.echo("".join(f"{'' if v is None else v!s:<20}" for v in values) + f"{count:>10,.0f}{low:>10,.0f}{high:>10,.0f}")
    for sentence in reading.doubts:
        click.echo(f"\n{sentence}", err=True)
