"""shoal spark: what workers of a Spark cluster need."""

from __future__ import annotations

import os

import click


@click.group(help="What the workers of a Spark cluster need.")
def spark() -> None:
    pass


@spark.command()
@click.option("-o", "--output", default="shoal-env.tar.gz", show_default=True, metavar="FILE", help="The archive.")
@click.option("--alone", is_flag=True, help="Only shoal: the workers have numpy, polars, pyarrow, scipy, highspy and cffi already.")
@click.option("--force", is_flag=True, help="Replace a file that exists.")
def package(output: str, alone: bool, force: bool) -> None:
    """Pack shoal for the workers, which need it only where a table is solved in parts.

    The archive is for workers with this machine's system and version of Python. Name it with --archive, or in a session of your own by spark.archives.
    """
    from shoal.engines.spark_package import package as pack
    from shoal.engines.spark_package import python
    from shoal.engines.spark_session import UNPACKED

    names = pack(output, alone=alone, force=force)
    click.echo(f"{output}: {', '.join(names)} for Python {python()}, {os.path.getsize(output) / 2**20:.0f} MiB.")
    click.echo(f"With shoal anonymize: --engine spark --archive {output}")
    click.echo(f"In a session of your own: spark.archives={output}#{UNPACKED}, spark.executorEnv.PYTHONPATH=./{UNPACKED}")
