"""``shoal demo``: a guided run on the table we ship."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from shoal.cli import options


@click.command(short_help="A guided run on the table we ship.")
@click.option("-o", "--output", default="demo-out", metavar="DIR", help="Where to leave the files (default demo-out).")
@click.option("-k", type=int, default=None, help="Group size (default: the demo policy's, 5).")
@options.force
@click.option("--time-limit", type=float, default=None, metavar="SECONDS", help="How long the search may take.")
def demo(output: str, k: int | None, time_limit: float | None, force: bool) -> None:
    """Anonymize 10,000 invented patients, step by step, and leave the files to look at."""
    from shoal import api
    from shoal import demo as shipped
    from shoal.cli.outputs import Outputs, check_outputs, write_all
    from shoal.cli.program import program
    from shoal.cli.summary import summary
    from shoal.cli.watch import watching

    files = shipped.files()
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    to = Outputs(
        str(folder / "release.csv"), str(folder / "manifest.json"), str(folder / "report.html"),
        str(folder / "owner-report.html"), str(folder / "record.json"),
    )  # fmt: skip
    check_outputs(str(files.table), *to.all, force=force)
    click.echo(f"The table: {files.table.name}, invented patients. The policy: {files.policy.name}.\n")
    table, policy, out = (quote(str(path)) for path in (files.table, files.policy, folder / "release.csv"))
    click.echo(f"  {program()} anonymize {table} -o {out} --policy {policy}\n")
    with watching(quiet=False) as watch:
        release = api.anonymize(files.table, policy=files.policy, k=k, time_limit=time_limit, watch=watch)
        write_all(release, to, force=force)
    click.echo(summary(release, files.table.name, to).text(release.seconds))
    click.echo("\nThe first rows as anybody may see them:\n")
    click.echo(_first_rows(release.frame))
    click.echo(f"\nLook at {to.owner_report} in a browser: it is yours alone. What may go with the release: {to.report} and {to.manifest}.")
    click.echo(f"Check it yourself:  {program()} verify {table} {out} -k {release.manifest['k']} --policy {policy}")


def _first_rows(frame: object) -> str:
    import polars as pl

    with pl.Config(tbl_rows=8, tbl_cols=12, tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True, tbl_width_chars=120):
        return str(frame.head(8)) if isinstance(frame, pl.DataFrame) else ""
