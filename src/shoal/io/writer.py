"""A frame to a file, by the file's ending: whole or not at all, and the same bytes every time."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

import polars as pl

from shoal.disk.atomic import check_place, writing
from shoal.errors import DataError, WriteError
from shoal.io.csv import render
from shoal.io.endings import Form, form_of
from shoal.io.frames import trim
from shoal.io.order import arranged
from shoal.judge.gate import Verified, check

PIECE = 1 << 16
RISKY = r"^[=+\-@\t\r]"
NUMBER = r"^[+-]?(\d+([.,]\d*)*|[.,]\d+)([eE][+-]?\d+)?%?$"


def check_output(path: str | os.PathLike[str], inputs: Iterable[object] = (), *, force: bool = True) -> None:
    """Raise what ``write`` would refuse, before the work begins: an unknown ending, a missing folder, an input as output."""
    name = os.fspath(path)
    check_place(path)
    _form(name)
    for given in inputs:
        if isinstance(given, str | os.PathLike) and _is_same(name, os.fspath(given)):
            raise WriteError(f"'{name}' is also the input. Choose another name: shoal never overwrites what it reads.")
    check_place(path, force=force)


def write(
    frame: pl.DataFrame,
    path: str | os.PathLike[str],
    *,
    verdict: Verified | None = None,
    delimiter: str = ",",
    spreadsheet_safe: bool = False,
    keep_order: bool = True,
    inputs: Iterable[object] = (),
    force: bool = True,
) -> str:
    """Write a verified frame as ``.csv``, ``.tsv``, ``.txt`` (each also ``.gz``) or ``.parquet``; ``-`` is CSV on standard output.

    The ``verdict`` must be about this frame: one that was changed or replaced since, or never verified, is refused and no file is made.
    ``spreadsheet_safe`` puts a ``'`` before cells that a spreadsheet would take for a formula. Without ``keep_order``, rows are sorted by what
    they show, so that their order tells nothing. ``inputs`` are refused as output.
    Without ``force``, a file that exists is not replaced. Gives the SHA-256 of the bytes written.
    """
    check_output(path, inputs, force=force)
    verified = check(frame, verdict)
    return _write(verified if keep_order else arranged(verified), path, delimiter, spreadsheet_safe, force=force)


def write_for_owner(
    frame: pl.DataFrame, path: str | os.PathLike[str], *, inputs: Iterable[object] = (), delimiter: str = ",", force: bool = True
) -> str:
    """Write a table that is not a release and must not be published: only its owner may read the file. Gives its SHA-256."""
    check_output(path, inputs, force=force)
    return _write(frame, path, delimiter, False, force=force, private=True)


def _write(
    frame: pl.DataFrame, path: str | os.PathLike[str], delimiter: str, spreadsheet_safe: bool, *, force: bool, private: bool = False
) -> str:
    form = _form(os.fspath(path))
    frame = rendered(frame, os.fspath(path)) if form.kind == "csv" else trim(frame)
    if spreadsheet_safe:
        frame = defuse(frame)
    with writing(path, private=private, force=force) as file:
        hashed = Hashed(file)
        _pour(frame, hashed, form, delimiter)
    return hashed.sha256.hexdigest()


class Hashed:
    """A file whose bytes are hashed as they pass."""

    def __init__(self, file: BinaryIO) -> None:
        self.file, self.sha256, self.n_bytes = file, hashlib.sha256(), 0

    def write(self, data: bytes | memoryview) -> int:
        self.sha256.update(data)
        self.n_bytes += len(data)
        return self.file.write(data)

    def flush(self) -> None:
        self.file.flush()

    def close(self) -> None:
        """The file stays open: whoever opened it closes it."""

    @property
    def closed(self) -> bool:
        return False

    def tell(self) -> int:
        return self.n_bytes


def defuse(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with ``'`` before texts and names that begin like a formula (= + - @, tab, carriage return) and are not plain numbers."""
    texts = pl.col(pl.String)
    risky = texts.str.contains(RISKY) & ~texts.str.contains(NUMBER)
    return frame.with_columns(pl.when(risky).then("'" + texts).otherwise(texts).name.keep()).rename(_defused_names(frame.columns))


def undefuse(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as it was before :func:`defuse`: without the ``'`` before what would be a formula.

    Raises :class:`DataError` where some of these cells have none: a file in which some have it and some do not tells more than its cells.
    """
    texts = pl.col(pl.String)
    _refuse_unmarked(frame)
    bare = texts.str.slice(1)
    marked = texts.str.starts_with("'") & bare.str.contains(RISKY) & ~bare.str.contains(NUMBER)
    names = {name: name[1:] for name in frame.columns if name[:1] == "'" and re.search(RISKY, name[1:]) and name[1:] not in frame.columns}
    return frame.with_columns(pl.when(marked).then(bare).otherwise(texts).name.keep()).rename(names)


def _refuse_unmarked(frame: pl.DataFrame) -> None:
    for column in frame.select(pl.col(pl.String)).iter_columns():
        n = int((column.str.contains(RISKY) & ~column.str.contains(NUMBER)).sum())
        if n:
            raise DataError(
                f"Column '{column.name}' was not written with --spreadsheet-safe (spreadsheet_safe=True in Python): {n:,} of its cells begin as a formula does "
                "and have no ' before them. Leave it out, or write the release again."
            )


def _defused_names(names: Sequence[str]) -> dict[str, str]:
    """New names for the columns whose name begins like a formula."""
    taken, found = set(names), {}
    for name in names:
        if re.search(RISKY, name) and not re.search(NUMBER, name):
            safe = "'" + name
            while safe in taken:
                safe = "'" + safe
            taken.add(safe)
            found[name] = safe
    return found


def _form(name: str) -> Form:
    """What the ending says."""
    try:
        return form_of(name)
    except DataError as error:
        raise WriteError(str(error)) from None


def rendered(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """All columns as texts, or an error that says which cannot be."""
    try:
        return render(frame)
    except DataError as error:
        column = str(error).split(",", 1)[0]
        raise WriteError(f"'{name}' cannot be written as text: {column}, which has no form in CSV. Write .parquet, or drop it.") from None


def _pour(frame: pl.DataFrame, file: Hashed, form: Form, delimiter: str) -> None:
    """Piece by piece through memory, so that only plain Python touches the file: its errors and Ctrl-C arrive as they are."""
    if not form.compressed:
        for piece in pieces(frame, form, delimiter):
            file.write(piece)
        return
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0) as packed:
        for piece in pieces(frame, form, delimiter):
            packed.write(piece)


def pieces(frame: pl.DataFrame, form: Form, delimiter: str, header: bool = True) -> Iterator[memoryview]:
    """The bytes of a file, piece by piece; of a text with its header, or without."""
    mark = form.delimiter or delimiter
    try:
        if form.kind == "parquet":
            frame.write_parquet(stream := io.BytesIO())
            yield stream.getbuffer()
            return
        for start in range(0, max(frame.height, 1), PIECE):
            frame.slice(start, PIECE).write_csv(stream := io.BytesIO(), include_header=header and start == 0, separator=mark)
            yield stream.getbuffer()
    except pl.exceptions.PolarsError as error:
        raise WriteError(f"The table could not be written as {form.kind} ({type(error).__name__}). Write it in the other form.") from None


def _is_same(output: str, given: str) -> bool:
    if "-" in (output, given):
        return False
    try:
        return os.path.samefile(output, given)
    except OSError:
        return os.path.realpath(output) == os.path.realpath(given)
