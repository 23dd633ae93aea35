"""Where a release of Spark is until it is verified: in a folder that takes its name in one step, or in the session."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from shoal.errors import WriteError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Folder:
    """A folder of Parquet. Until it is published it has another name, beside its place; Spark's marker ``_SUCCESS`` is in it."""

    def __init__(self, session: SparkSession, output: str, force: bool) -> None:
        self.session, self.output, self.force = session, output.rstrip("/"), force
        head, _, name = self.output.rpartition("/")
        self.part = f"{head + '/' if head else ''}.{name}.{secrets.token_hex(6)}.part"
        self._held: DataFrame | None = None
        if not name:
            raise WriteError("Name a folder for the release.")
        if self._files().exists(self._path(self.output)) and not force:
            raise WriteError(
                f"'{output}' exists already, and nothing was written. Choose another name, or give --force (force=True in Python) to replace it."
            )

    def _path(self, name: str) -> Any:
        return self.session._jvm.org.apache.hadoop.fs.Path(name)  # type: ignore[union-attr]

    def _files(self) -> Any:
        """The file system on which the output is."""
        return self._path(self.output).getFileSystem(self.session._jsparkSession.sessionState().newHadoopConf())

    def hold(self, rows: DataFrame) -> DataFrame:
        """Keep rows, so that they are not computed for each question; what a lost worker held is computed again."""
        from pyspark import StorageLevel

        self._held = rows.persist(StorageLevel.DISK_ONLY)
        return self._held

    def write(self, rows: DataFrame) -> DataFrame:
        rows.write.parquet(self.part)
        return self.session.read.parquet(self.part)

    def publish(self) -> None:
        """Give the folder its name. An old one is moved aside first, and comes back if that fails."""
        files, place, part = self._files(), self._path(self.output), self._path(self.part)
        aside = None
        if files.exists(place):
            if not self.force:
                raise WriteError(f"'{self.output}' exists already, and nothing was written.")
            aside = self._path(f"{self.part}.old")
            if not files.rename(place, aside):
                raise WriteError(f"'{self.output}' could not be replaced, and stays as it was.")
        if not files.rename(part, place):
            if aside is not None:
                files.rename(aside, place)
            raise WriteError(f"'{self.output}' could not be written.")
        if aside is not None:
            files.delete(aside, True)

    def clean(self) -> None:
        if self._held is not None:
            self._held.unpersist()
        self._files().delete(self._path(self.part), True)


class Memo:
    """In the session: the rows are computed once and kept, so that what was verified is what is used. If a worker that keeps some is lost, using them fails."""

    def __init__(self) -> None:
        self._held: DataFrame | None = None

    def hold(self, rows: DataFrame) -> DataFrame:
        from pyspark import StorageLevel

        self._held = rows.persist(StorageLevel.DISK_ONLY)
        return self._held

    def write(self, rows: DataFrame) -> DataFrame:
        if rows.sparkSession.sparkContext.getCheckpointDir() is not None:
            return rows.checkpoint(eager=True)
        return rows.localCheckpoint(eager=True)

    def publish(self) -> None:
        self.clean()

    def clean(self) -> None:
        if self._held is not None:
            self._held.unpersist()
