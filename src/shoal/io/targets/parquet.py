"""Parquet, with types; categories are texts, because a type must not tell what the rows do not."""

from __future__ import annotations

from typing import Any

import polars as pl

from shoal.errors import WriteError
from shoal.io.sources.parquet import ParquetSource
from shoal.io.target import Rows, without_categories
from shoal.io.targets.files import FileTarget, Hashed
from shoal.io.targets.spreadsheet import defuse, undefuse

PIECE = 1 << 16


class ParquetTarget(FileTarget):
    """One file; a row group for each stretch."""

    def _pour(self, rows: Rows, file: Hashed) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        made: Any = None
        try:
            for frame in rows:
                plain = pl.DataFrame([without_categories(column) for column in frame.iter_columns()])
                table = (defuse(plain) if self.spreadsheet_safe else plain).to_arrow(compat_level=pl.CompatLevel.oldest())
                made = made or pq.ParquetWriter(pa.PythonFile(file, mode="w"), table.schema, compression="zstd")
                made.write_table(table.cast(made.schema), row_group_size=PIECE)
        except (pa.ArrowException, pl.exceptions.PolarsError) as error:
            raise WriteError(f"The table could not be written as parquet ({type(error).__name__}). Write it in the other form.") from None
        finally:
            if made is not None:
                made.close()

    def rows(self) -> Rows:
        with ParquetSource(self.path, self.name) as source:
            for stretch in source.stretches():
                yield undefuse(stretch.frame) if self.spreadsheet_safe else stretch.frame
