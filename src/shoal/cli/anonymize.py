"""``shoal anonymize``: from a file to a verified release."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import click

from shoal import measures
from shoal.cli import options


@click.command(short_help="Turn a table about people into a verified k-anonymous release.")
@click.argument("input", metavar="INPUT")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUTPUT",
    help="Where to write: .csv, .csv.gz, .parquet, the address of a table, or - for standard output.",
)
@click.option("-k", type=int, help="Every row looks like at least K - 1 others (default 5).")
@click.option("--policy", metavar="FILE", help="A TOML policy; flags override it.")
@options.query
@options.roles
@options.keep
@options.reading
@options.hierarchies
@options.suppression_only
@click.option("--measure", metavar="NAME", help=f"The measure of loss to minimise (default {measures.DEFAULT}); see 'shoal measures'.")
@click.option("--algorithm", metavar="NAME", help="The algorithm (default auto); see 'shoal algorithms'.")
@options.withhold
@click.option("--deletion", is_flag=True, default=None, help="Let any row be withheld; it then counts as a row with every cell suppressed.")
@options.criteria
@click.option("--time-limit", type=float, metavar="SECONDS", help="How long the run may take at most.")
@click.option(
    "--effort", type=float, metavar="TIMES", help="How much the search works, in multiples of the usual for the table's size (default 1)."
)
@click.option(
    "--stop-at-ratio",
    type=float,
    metavar="RATIO",
    help="Stop once the loss is proved to be at most so many times the least possible, such as 1.1.",
)
@click.option("--seed", type=int, metavar="N", help="The seed of the search (default 0).")
@click.option(
    "--missing", type=click.Choice(["value", "suppress", "error"]), help="What a missing cell is (default: a value like any other)."
)
@options.order
@options.weights
@options.form
@click.option("--output-delimiter", metavar="CHAR", help="The delimiter of a text file that is written (default: the input's).")
@options.missing_values
@options.person
@click.option("--manifest", metavar="FILE", help="Write the figures that may be published, as JSON.")
@click.option("--report", metavar="FILE.html", help="Write the report that may be published (.html, .md or .json).")
@click.option(
    "--owner-report", metavar="FILE.html", help="Write the report with the original's figures too. For the owner: not for publication."
)
@click.option("--record", metavar="FILE", help="Write exact figures, seconds, seed and fingerprints. For the owner: not for publication.")
@click.option("--proof", metavar="FILE", help="Write the witness of the bound. It shows data: for the owner and an auditor only.")
@options.force
@options.engine
@click.option("--spreadsheet-safe", is_flag=True, help="Defuse cells that a spreadsheet would take for a formula.")
@click.option(
    "--json-progress",
    is_flag=True,
    help="Tell the progress as lines of JSON on standard error: stage, share done, rows, bytes, seconds left.",
)
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def anonymize(input: str, output: str, quiet: bool, json_progress: bool, manifest: str | None, report: str | None, owner_report: str | None,
              record: str | None, proof: str | None, force: bool, form: str, spreadsheet_safe: bool, output_delimiter: str | None, qi: tuple[str, ...],
              sensitive: tuple[str, ...], identifier: tuple[str, ...], keep: tuple[str, ...], missing_values: tuple[str, ...],
              reading: options.TextForm,
              **settings: Any) -> None:  # fmt: skip
    """Read INPUT, find groups of at least K rows that lose least, recount the result, and write it."""
    from shoal import api
    from shoal.cli.outputs import Outputs, check_outputs, write_all
    from shoal.cli.summary import summary
    from shoal.cli.watch import watching
    from shoal.engines.stored import Stored

    to = Outputs(output, manifest, report, owner_report, record, proof)
    settings["policy"] = check_outputs(
        input, *to.all, force=force, policy=settings["policy"], reads=[settings["hierarchies"]], is_folder=settings["engine"] == "spark"
    )
    how: dict[str, Any] = {"form": form, "spreadsheet_safe": spreadsheet_safe}
    mark = options.character(output_delimiter)
    with watching(quiet, json_progress) as watch:
        made = api.stage(
            input,
            output,
            quasi_identifiers=qi or None,
            sensitive=sensitive or None,
            identifiers=identifier or None,
            keep=keep or None,
            missing_values=missing_values or None,
            delimiter=reading.delimiter,
            encoding=reading.encoding,
            output_delimiter=mark,
            force=force,
            proof=proof is not None,
            report=report is not None or owner_report is not None,
            watch=watch,
            **how,
            **settings,
        )
        with made if isinstance(made, Stored) else nullcontext():
            watch.tell("writing")
            made.read_by(reading.delimiter, reading.encoding, mark)
            write_all(made, to, force=force, delimiter=mark, **how)
    if not quiet:
        click.echo(summary(made, input, to), err=output == "-")
