"""``shoal init``: a policy to begin with."""

from __future__ import annotations

import click

from shoal.cli import options


@click.command(short_help="Write a starter policy: roles, hierarchies and the questions left open.")
@click.argument("input", metavar="INPUT")
@click.option(
    "-o", "--output", default="policy.toml", show_default=True, metavar="FILE", help="Where to write the policy; - for standard output."
)
@options.reading
@options.force
def init(input: str, output: str, reading: options.TextForm, force: bool) -> None:
    """Look at INPUT and write a commented policy: a role, a kind and a hierarchy for each column, and what only you can say.

    It runs as it is: a column that is unclear is dropped until you answer its question.
    """
    from shoal import io
    from shoal.cli.outputs import check_outputs
    from shoal.cli.program import program
    from shoal.starter import typed_name, write_starter

    check_outputs(input, output, force=force)
    text = write_starter(io.read(reading.open(input)), output, typed_name(input), reading.flags, force=force)
    if output == "-":
        return
    n_questions = text.count("# QUESTION:")
    asked = f" It leaves {n_questions} {'question' if n_questions == 1 else 'questions'} open: look for QUESTION." if n_questions else ""
    for question in (
        line.removeprefix("# QUESTION: ")
        for line in text.splitlines()
        if line.startswith("# QUESTION: ") and line.endswith("who a row is about?")
    ):
        click.echo(f"SEVERAL ROWS OF ONE PERSON? {question} The answer is a line of {output}: person.\n")
    click.echo(f"{output} is a beginning: read it, and change what you know better.{asked} Then\n")
    typed = [line.removeprefix("#   shoal ") for line in text.splitlines() if line.startswith("#   shoal ")]
    click.echo("\n".join(f"   {program()} {line}" for line in typed))
