"""``shoal instance``: a paper's hard table, to try an algorithm on."""

from __future__ import annotations

import csv
import inspect
import io
import json
from shlex import quote
from typing import Any

import click

from shoal.cli import options


@click.command(short_help="Write a paper's hard table.")
@click.argument("name", required=False)
@click.argument("arguments", required=False)
@click.option("-o", "--output", metavar="FILE.csv", help="Where to write the table.")
@options.force
def instance(name: str | None, arguments: str | None, output: str | None, force: bool) -> None:
    """Without NAME, list what there is. With it, write the table for ARGUMENTS, which are JSON.

    \b
    shoal instance r-cliques '{"edges": [[0, 1], [0, 2], [1, 2]], "r": 3}' -o hard.csv
    """
    if name is None:
        _list()
        return
    if output is None or arguments is None:
        raise click.UsageError(f"Say for what, and where to write: shoal instance {name} '{{…}}' -o hard.csv. {_signature(_made_by(name))}")
    from shoal.disk.atomic import check_place, write_bytes

    made = _call(_made_by(name), arguments)
    check_place(output, force=force)
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = [f"c{j}" for j in range(len(made.rows[0]))]
    writer.writerows([names, *made.rows])
    write_bytes(output, stream.getvalue().encode(), force=force)
    click.echo(f"{len(made.rows)} rows of {len(names)} columns, k = {made.k}. The question: {made.encodes}.")
    if made.threshold is not None:
        click.echo(f"The answer is yes if and only if some release loses no more than {made.threshold:g} ({made.measure}).")
    how = "--algorithm attribute-suppression" if made.measure == "columns" else f"--measure {made.measure} --algorithm exact"
    click.echo(f"Try: shoal anonymize {quote(output)} -o out.csv -k {made.k} --qi {','.join(names)} --suppression-only {how}")


def _makers() -> dict[str, Any]:
    """The functions that make a table, by the names that are typed; those of metrics make none."""
    from shoal import instances

    functions = {name.replace("_", "-"): getattr(instances, name) for name in instances.__all__}
    return {name: f for name, f in functions.items() if inspect.isfunction(f) and inspect.signature(f).return_annotation == "Instance"}


def _made_by(name: str) -> Any:
    makers = _makers()
    if name not in makers:
        raise click.UsageError(f"There is no instance '{name}'. There are: {', '.join(makers)}.")
    return makers[name]


def _call(maker: Any, arguments: str) -> Any:
    try:
        given = json.loads(arguments)
        bound = inspect.signature(maker).bind(**given)
    except (ValueError, TypeError) as wrong:
        raise click.UsageError(f"The arguments are not what is asked for ({wrong}). {_signature(maker)}") from None
    try:
        return maker(*bound.args, **bound.kwargs)
    except (TypeError, ValueError, AttributeError, IndexError):
        raise click.UsageError(f"The arguments are not of the kind that is asked for. {_signature(maker)}") from None


def _signature(maker: Any) -> str:
    names = [p.name if p.default is p.empty else f"{p.name} ({p.default})" for p in inspect.signature(maker).parameters.values()]
    return f"It takes {', '.join(names)}, as JSON: docs/instances.md has what they mean."


def _list() -> None:
    for name, maker in _makers().items():
        click.echo(f"{name}: {inspect.getdoc(maker).splitlines()[0]}")  # type: ignore[union-attr]
        click.echo(f"    {_signature(maker)}")
