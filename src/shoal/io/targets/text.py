"""Delimited text: every cell as its text, in the same bytes every time."""

from __future__ import annotations

import gzip
import io
import os
from contextlib import closing, nullcontext
from typing import Any

import polars as pl

from shoal.errors import DataError, WriteError
from shoal.io.sources.text import TextSource
from shoal.io.target import Rows
from shoal.io.targets.files import FileTarget, Hashed
from shoal.io.targets.spreadsheet import defuse, undefuse
from shoal.io.text.records import render

PIECE = 1 << 16


class TextTarget(FileTarget):
    """``.csv``, ``.tsv``, ``.txt``, each also with ``.gz``; ``-`` is CSV on standard output."""

    def __init__(self, path: str | os.PathLike[str], *, delimiter: str = ",", **how: Any) -> None:
        super().__init__(path, **how)
        self.delimiter = self.form.delimiter or delimiter

    def _pour(self, rows: Rows, file: Hashed) -> None:
        packed = gzip.GzipFile(filename="", mode="wb", fileobj=file, compresslevel=6, mtime=0) if self.form.compressed else None
        with closing(packed) if packed is not None else nullcontext():
            is_first = True
            for frame in rows:
                self._write(frame, file if packed is None else packed, is_first)
                is_first = False

    def _write(self, frame: pl.DataFrame, file: Any, is_first: bool) -> None:
        """Piece by piece through memory, so that only plain Python touches the file: its errors and Ctrl-C arrive as they are."""
        texts = rendered(frame, self.name)
        texts = defuse(texts) if self.spreadsheet_safe else texts
        for start in range(0, max(texts.height, 1), PIECE):
            try:
                texts.slice(start, PIECE).write_csv(
                    stream := io.BytesIO(), include_header=is_first and start == 0, separator=self.delimiter
                )
            except pl.exceptions.PolarsError as error:
                raise WriteError(f"The table could not be written as csv ({type(error).__name__}). Write it in the other form.") from None
            file.write(stream.getbuffer())

    def rows(self) -> Rows:
        with TextSource(self.path, self.delimiter, name=self.name) as source:
            for stretch in source.stretches():
                yield undefuse(stretch.frame) if self.spreadsheet_safe else stretch.frame


def rendered(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """All columns as texts, or an error that says which cannot be."""
    try:
        return render(frame)
    except DataError as error:
        column = str(error).split(",", 1)[0]
        raise WriteError(f"'{name}' cannot be written as text: {column}, which has no form in CSV. Write .parquet, or drop it.") from None
