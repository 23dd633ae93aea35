"""A release written one stretch of rows after the other, in the very bytes that writing it whole gives as text; and hashed on the way."""

from __future__ import annotations

import gzip
import hashlib
from typing import IO, Any

import polars as pl

from shoal.errors import WriteError
from shoal.io.endings import form_of
from shoal.io.writer import Hashed, defuse, pieces, rendered


class StreamWriter:
    """Writes frames of one schema to an open file, by the ending of the name that it will have."""

    def __init__(self, file: IO[bytes], name: str, *, delimiter: str = ",", spreadsheet_safe: bool = False) -> None:
        self.form, self.name, self.delimiter, self.spreadsheet_safe = form_of(name), name, delimiter, spreadsheet_safe
        self.hashed = Hashed(file)  # type: ignore[arg-type]
        self._packed = (
            gzip.GzipFile(filename="", mode="wb", fileobj=self.hashed, compresslevel=6, mtime=0) if self.form.compressed else None
        )
        self._parquet: Any = None
        self._schema: Any = None
        self._is_begun = False

    def write(self, frame: pl.DataFrame) -> None:
        """Some more rows. At least one call is needed, if only with no rows: it says which columns there are."""
        if self.form.kind == "parquet":
            self._write_parquet(_plain(defuse(frame) if self.spreadsheet_safe else frame))
            return
        frame = rendered(frame, self.name)
        frame = defuse(frame) if self.spreadsheet_safe else frame
        to = self.hashed if self._packed is None else self._packed
        for piece in pieces(frame, self.form, self.delimiter, header=not self._is_begun):
            to.write(piece)
        self._is_begun = True

    def _write_parquet(self, frame: pl.DataFrame) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            table = frame.to_arrow(compat_level=pl.CompatLevel.oldest())
            if self._parquet is None:
                self._schema = table.schema
                self._parquet = pq.ParquetWriter(pa.PythonFile(self.hashed, mode="w"), self._schema, compression="zstd")
            self._parquet.write_table(table.cast(self._schema))
        except pa.ArrowException as error:
            raise WriteError(f"The table could not be written as parquet ({type(error).__name__}). Write it in the other form.") from None

    def finish(self) -> str:
        """Everything is written. Gives the SHA-256 of the bytes."""
        if self._parquet is not None:
            self._parquet.close()
        if self._packed is not None:
            self._packed.close()
        return self.hashed.sha256.hexdigest()


def file_sha256(path: Any) -> str:
    """The SHA-256 of a file's bytes."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _plain(frame: pl.DataFrame) -> pl.DataFrame:
    """Categories as texts: a type must not tell what the rows do not."""
    return (
        frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
        if any(isinstance(t, pl.Categorical | pl.Enum) for t in frame.dtypes)
        else frame
    )
