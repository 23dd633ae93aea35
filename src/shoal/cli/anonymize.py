"""``shoal anonymize``: from a file to a verified release."""

from __future__ import annotations

from contextlib import nullcontext
from time import perf_counter
from typing import Any

import click

from shoal.cli import options, settings
from shoal.policy.settings import SETTINGS


@click.command(short_help="Turn a table about people into a verified k-anonymous release.")
@click.argument("input", metavar="INPUT")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUTPUT",
    help="Where to write: .csv, .csv.gz, .parquet, the address of a table, or - for standard output.",
)
@options.policy
@options.query
@settings.asked(*settings.ROLES, "keep", *SETTINGS, "weights", "workload")
@settings.criteria
@options.reading
@options.form
@click.option("--output-delimiter", metavar="CHAR", help="The delimiter of a text file that is written (default: the input's).")
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
              record: str | None, proof: str | None, force: bool, form: str, spreadsheet_safe: bool, output_delimiter: str | None,
              reading: options.TextForm, **asked: Any) -> None:  # fmt: skip
    """Read INPUT, find groups of at least K rows that lose least, recount the result, and write it."""
    from shoal import api
    from shoal.cli.outputs import Outputs, check_outputs, write_all
    from shoal.cli.summary import summary
    from shoal.cli.watch import watching
    from shoal.engines.stored import Stored

    to = Outputs(output, manifest, report, owner_report, record, proof)
    asked["policy"] = check_outputs(
        input, *to.all, force=force, policy=asked["policy"], reads=[asked["hierarchies"]], is_folder=asked["engine"] == "spark"
    )
    how: dict[str, Any] = {"form": form, "spreadsheet_safe": spreadsheet_safe}
    mark = options.character(output_delimiter)
    with watching(quiet, json_progress) as watch:
        made = api.stage(
            input,
            output,
            delimiter=reading.delimiter,
            encoding=reading.encoding,
            output_delimiter=mark,
            force=force,
            proof=proof is not None,
            report=report is not None or owner_report is not None,
            watch=watch,
            **how,
            **asked,
        )
        with made if isinstance(made, Stored) else nullcontext():
            begun = perf_counter()
            said = None if quiet else summary(made, input, to)
            made.took("tell", perf_counter() - begun)
            watch.tell("writing")
            made.read_by(reading.delimiter, reading.encoding, mark)
            write_all(made, to, force=force, delimiter=mark, **how)
    if said is not None:
        click.echo(said.text(made.seconds), err=output == "-")
