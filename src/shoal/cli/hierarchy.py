"""``shoal hierarchy``: make, check, complete and look at hierarchy files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shoal.cli import options, settings

if TYPE_CHECKING:
    from shoal.hierarchies.encoded import Encoded, ValuesError
    from shoal.table.coded import Coded
    from shoal.table.table import Table


@click.group(name="hierarchy", short_help="Make, check, complete and show hierarchy files.")
def hierarchy() -> None:
    """Make, check, complete and show hierarchy files.

    A hierarchy file has one line per value and no header: the value first, each further field one level up, the last one *,
    with ; between the fields. It lists values of your table: handle it as you handle the table.
    """


@hierarchy.command()
@settings.asked("missing_values")
@options.reading
@click.argument("input", metavar="INPUT")
@options.columns("Only this column. Default: all.")
@click.option("-o", "--output", required=True, metavar="DIR", help="The folder to write to; it is made if it is not there.")
@click.option("--force", is_flag=True, help="Replace files that are there already.")
def suggest(
    input: str, columns: tuple[str, ...], output: str, force: bool, missing_values: tuple[str, ...], reading: options.TextForm
) -> None:
    """Write a sensible hierarchy for each column of INPUT, from its values.

    Numbers get intervals, dates months and years, codes prefixes; of categories, the rare ones are grouped.
    The files are a beginning: read them, and change what you know better. They hold values of INPUT, so only their owner can read them;
    columns that name people and free text get one only if they are named with --column.
    """
    from shoal.hierarchies.encoded import ValuesError
    from shoal.hierarchies.files import text_of
    from shoal.hierarchies.suggest import suggest as suggest_for
    from shoal.text.headers import need_header

    table = _read(input, missing_values, reading)
    if not columns:
        need_header(table.frame, table.source)
    without = {} if columns else _no_categories(table)
    made: list[tuple[Path, str]] = []
    said: list[str] = []
    for name in columns or table.columns:
        if name in without:
            said.append(f"{name}: {without[name]}, nothing written")
            continue
        coded = table.coded(name)
        try:
            suggestion = suggest_for(name, coded.values.to_list(), coded.counts())
        except ValuesError as error:
            raise _located(error, table, coded) from None
        target = _target(Path(output), name, force)
        made.append((target, text_of(suggestion.rows)))
        said.append(f"{name}: {suggestion.description} ({_counted(len(suggestion.rows), 'value')}) → {target}")
    _write_all(made, private=True)
    click.echo("\n".join(said))
    if made:
        click.echo(f"These files hold values of {table.source}: only you can read them. Handle them as you handle the table.")


@hierarchy.command()
@settings.asked("missing_values")
@options.reading
@click.argument("input", metavar="INPUT")
@click.argument("directory", metavar="DIR")
@options.columns("Only this column. Default: all that have a file.")
@click.pass_context
def check(
    context: click.Context, input: str, directory: str, columns: tuple[str, ...], missing_values: tuple[str, ...], reading: options.TextForm
) -> None:
    """Say for each column of INPUT whether its hierarchy in DIR is well formed and holds all its values.

    Values that are missing are counted and their lines named, never shown. Exit status 2 if something is wrong.
    """
    from shoal.errors import HierarchyError
    from shoal.hierarchies.builders.file import from_file

    table = _read(input, missing_values, reading)
    wrong = 0
    for name, path in _files(table, Path(directory), columns):
        try:
            encoded = _encoded(table, table.coded(name), from_file(path))
        except HierarchyError as error:
            wrong += 1
            click.echo(f"{name}: {error}" if str(path) in str(error) or "Column" not in str(error) else str(error))
        else:
            tree = encoded.tree
            click.echo(
                f"{name}: all {len(encoded.code_of)} values are in {path.name} ({_counted(tree.n_leaves, 'leaf', 'leaves')}, {_counted(tree.height, 'level')})"
            )
    if wrong:
        context.exit(2)


@hierarchy.command()
@settings.asked("missing_values")
@options.reading
@click.argument("input", metavar="INPUT")
@click.argument("directory", metavar="DIR")
@options.columns("Only this column. Default: all that have a file.")
@click.option("-o", "--output", metavar="DIR", help="Write the completed files here. Default: DIR itself.")
def complete(
    input: str, directory: str, columns: tuple[str, ...], output: str | None, missing_values: tuple[str, ...], reading: options.TextForm
) -> None:
    """Add the values of INPUT that the hierarchies in DIR lack, and say where they went.

    Where the levels are intervals, prefixes or dates, a new value gets the labels that its neighbours have. Else a number goes into
    the smallest group around it, and anything else directly below the root.
    """
    from shoal.hierarchies.builders.levels import levels
    from shoal.hierarchies.complete import complete as complete_rows
    from shoal.hierarchies.files import read_rows, text_of

    table = _read(input, missing_values, reading)
    made: list[tuple[Path, str]] = []
    said: list[str] = []
    for name, path in _files(table, Path(directory), columns):
        rows, coded = read_rows(path), table.coded(name)
        known = {row[0] for row in rows}
        lacking = [v for v in coded.values.to_list() if v not in known]
        target = Path(output) / path.name if output else path
        if lacking:
            done = complete_rows(rows, lacking)
            _encoded(table, coded, levels(done.rows))  # the completed file must be usable
            said.append(f"{name}: {_counted(len(lacking), 'value')} added {_where(done.added_below, done.recognised)} → {target}")
            made.append((target, text_of(done.rows)))
        else:
            said.append(f"{name}: nothing is missing")
            if output:
                made.append((target, text_of(rows)))
    _write_all(made)
    click.echo("\n".join(said))


@hierarchy.command()
@settings.asked("missing_values")
@options.reading
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--table", "input", metavar="INPUT", help="Count the rows of this table below each node.")
@click.option("--column", metavar="COL", help="The column of the table; default: from the file's name.")
@click.option("--depth", type=click.IntRange(min=1), help="How many steps below the root to draw. Default: all.")
@click.option("--most", type=click.IntRange(min=2), default=12, show_default=True, help="How many children of a node to draw.")
def show(
    file: str | None,
    input: str | None,
    column: str | None,
    depth: int | None,
    most: int,
    missing_values: tuple[str, ...],
    reading: options.TextForm,
) -> None:
    """Draw the tree of a hierarchy file: each node with the number of values below it.

    Without FILE, draw the default hierarchy of --column of --table, with the number of rows below each node.
    """
    import numpy as np

    from shoal.hierarchies import default_spec
    from shoal.hierarchies.builders.file import from_file
    from shoal.hierarchies.draw import draw
    from shoal.hierarchies.files import read_tree

    if file is None and (input is None or column is None):
        raise click.UsageError("Name a hierarchy file, or a column of a table: --table INPUT --column COL.")
    count = None
    if file is not None:
        tree = read_tree(file)
    if input is not None:
        table = _read(input, missing_values, reading)
        coded = table.coded(column or _column_of(Path(str(file))))
        spec = from_file(file) if file is not None else default_spec(coded.name, coded.values.to_list(), coded.counts())
        encoded = _encoded(table, coded, spec)
        if file is None:
            click.echo(f"{coded.name}: {encoded.description}")
        tree, count = encoded.tree, np.zeros(encoded.tree.n_leaves, dtype=np.int64)
        count[encoded.code_of] = coded.counts()
        if encoded.missing_code is not None:
            count[encoded.missing_code] = coded.n_missing
    for line in draw(tree, count, most, depth):
        click.echo(line)


@hierarchy.command()
@settings.asked("missing_values")
@options.reading
@click.argument("file", metavar="FILE")
@click.option("--table", "input", metavar="INPUT", required=True, help="The table that the hierarchy is for.")
@click.option("--column", metavar="COL", help="The column of the table; default: from the file's name.")
@click.option("-o", "--output", metavar="FILE", required=True, help="Where to write the new hierarchy.")
@click.option(
    "--measure",
    metavar="NAME",
    help="The measure that prices the nodes (default: the first that may fall as a set grows); see 'shoal measures'.",
)
def monotone(
    file: str, input: str, column: str | None, output: str, measure: str | None, missing_values: tuple[str, ...], reading: options.TextForm
) -> None:
    """Take out the nodes of a hierarchy that cost more than a node above them, on the values of a table.

    shoal does not need this (it shows such a node as the cheaper one); it is for tools that take the tree as it is.
    """
    from shoal.hierarchies.builders.file import from_file
    from shoal.hierarchies.files import rows_of, text_of
    from shoal.monotone import monotone_tree

    table = _read(input, missing_values, reading)
    coded = table.coded(column or _column_of(Path(file)))
    encoded = _encoded(table, coded, from_file(file))
    made = monotone_tree(encoded, coded, measure)
    _write_all([(Path(output), text_of(rows_of(made)))])
    click.echo(f"{_counted(encoded.tree.n_nodes - made.n_nodes, 'node')} taken out, {made.n_nodes} left → {output}")


def _read(input: str, missing_values: Sequence[str], reading: options.TextForm) -> Table:
    from shoal.io import read

    table = read(reading.open(input))
    return table.with_missing(missing_values, table.columns)


def _files(table: Table, folder: Path, columns: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """The columns asked for with their files; without any, all columns that have one."""
    from shoal.errors import HierarchyError
    from shoal.hierarchies.files import find

    found = {name: find(folder, name) for name in columns or table.columns}
    without = [name for name, path in found.items() if path is None]
    if columns and without:
        raise HierarchyError(f"Column '{without[0]}' has no hierarchy in {folder}: there should be a file {without[0]}.csv.")
    if len(without) == len(found):
        raise HierarchyError(
            f"{folder} has no hierarchy for any column of {table.source}: there should be files such as {table.columns[0]}.csv."
        )
    return ((name, path) for name, path in found.items() if path is not None)


def _encoded(table: Table, coded: Coded, spec: object) -> Encoded:
    from shoal.hierarchies.encode import encode
    from shoal.hierarchies.encoded import ValuesError
    from shoal.hierarchies.specs import as_spec

    try:
        return encode(coded.name, coded.values.to_list(), coded.n_missing > 0, as_spec(spec))
    except ValuesError as error:
        raise _located(error, table, coded) from None


def _located(error: ValuesError, table: Table, coded: Coded) -> ValuesError:
    """A ValuesError with the lines of the table in which the values stand."""
    return error.at_lines(table.where(coded.rows_of(error.missing_values.tolist())))


def _no_categories(table: Table) -> dict[str, str]:
    """Columns that get no hierarchy unless they are named with --column, and why: they are empty, name people, or are free text."""
    from shoal.columns.roles import FREE_TEXT, overview

    found = {}
    for s in overview(table):
        is_text = s.kind == "text" and (s.question == FREE_TEXT or s.role == "identifier")
        if s.kind == "nested":
            found[s.column] = "its values cannot be generalized"
        elif s.n_values == 0:
            found[s.column] = "no values"
        elif is_text or s.role == "identifier":
            found[s.column] = f"{s.reasons[0]}, so it looks like {'free text' if is_text else 'an identifier'} (ask for it with --column)"
    return found


def _target(folder: Path, column: str, force: bool) -> Path:
    from shoal.errors import HierarchyError

    if "/" in column or "\\" in column or column in (".", ".."):
        raise HierarchyError(f"Column '{column}' cannot name a file. Rename the column, or leave it out with --column.")
    target = folder / f"{column}.csv"
    if target.exists() and not force:
        raise HierarchyError(f"{target} is there already. Choose another folder, or replace it with --force.")
    return target


def _write_all(files: Sequence[tuple[Path, str]], private: bool = False) -> None:
    """All of them, or none. They hold values of a table: a new file is for its owner alone, and with ``private`` one that is replaced as well."""
    from functools import partial

    from shoal.disk.atomic import write_bytes
    from shoal.disk.together import write_together
    from shoal.errors import WriteError

    for path, _ in files:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteError(f"The folder {path.parent} cannot be made ({error.strerror}). Choose another.") from None
    write_together(*((str(path), partial(write_bytes, data=text.encode(), private=private or not path.exists())) for path, text in files))


def _column_of(path: Path) -> str:
    """``job`` for ``job.csv`` and for ``staff_hierarchy_job.csv``."""
    return path.stem.rpartition("_hierarchy_")[2]


def _counted(n: int, word: str, many: str | None = None) -> str:
    return f"{n} {word if n == 1 else many or word + 's'}"


def _where(added_below: dict[str, int], recognised: str | None, most: int = 5) -> str:
    """In words: below which labels, and how many below each."""
    labels = sorted(added_below.items(), key=lambda item: (-item[1], item[0]))
    shown = ", ".join(f"{n} below '{label}'" for label, n in labels[:most])
    rest = sum(n for _, n in labels[most:])
    by = f" by {recognised}" if recognised else ""
    return f"({shown}{f', {rest} elsewhere' if rest else ''}){by}"
