"""Where a release of Spark is until it is verified: in a folder that takes its name in one step, or in the session."""

from __future__ import annotations

import os
import re
import secrets
import socket
from typing import TYPE_CHECKING, Any

from shoal.disk.system import exchange, has_ended
from shoal.errors import DataError, WriteError
from shoal.io.sources.folders import LAKE, LAKES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def refuse_lake(session: SparkSession, name: str) -> None:
    """Refuse the folder of a table that keeps older versions of its rows: read as Parquet, what was deleted would come back."""
    path = session._jvm.org.apache.hadoop.fs.Path(name)  # type: ignore[union-attr]
    files = path.getFileSystem(session._jsparkSession.sessionState().newHadoopConf())
    for mark, kind in LAKES.items():
        if not set(name) & set("*?[{") and files.exists(session._jvm.org.apache.hadoop.fs.Path(path, mark)):  # type: ignore[union-attr]
            raise DataError(LAKE.format(name, kind))


HOST = re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname())[:40]
OWNER = f"{HOST}.{os.getpid()}"
LEFT = re.compile(r"(?P<host>[A-Za-z0-9-]*)\.(?P<process>\d+)\.[0-9a-f]{12}\.(part|old)")


class Folder:
    """A folder of Parquet. Until it is published it has another name, beside its place; Spark's marker ``_SUCCESS`` is in it.

    That name says which process has it, so that the next run can sweep what a killed one left, and put back a folder that it had moved aside.
    """

    def __init__(self, session: SparkSession, output: str, force: bool) -> None:
        self.session, self.output, self.force = session, output.rstrip("/"), force
        self._head, _, self._name = self.output.rpartition("/")
        self._head = self._head or ("/" if output.startswith("/") else ".")
        self.part = f"{self._head}/.{self._name}.{OWNER}.{secrets.token_hex(6)}.part"
        self._held: DataFrame | None = None
        if not self._name:
            raise WriteError("Name a folder for the release.")
        self.notes = self._recover()
        if force:
            refuse_lake(session, self.output)
        if self._files().exists(self._path(self.output)) and not force:
            raise WriteError(
                f"'{output}' exists already, and nothing was written. Choose another name, or give --force (force=True in Python) to replace it."
            )

    def _path(self, name: str) -> Any:
        return self.session._jvm.org.apache.hadoop.fs.Path(name)  # type: ignore[union-attr]

    def _files(self) -> Any:
        """The file system on which the output is."""
        return self._path(self.output).getFileSystem(self.session._jsparkSession.sessionState().newHadoopConf())

    def _left(self) -> list[str]:
        """The names of what other runs have beside the place, finished or not."""
        files, head = self._files(), self._path(self._head)
        if not files.exists(head):
            return []
        names = [str(found.getPath().getName()) for found in files.listStatus(head)]
        return [name for name in names if LEFT.fullmatch(name.removeprefix(f".{self._name}.")) and name.startswith(f".{self._name}.")]

    def _recover(self) -> tuple[str, ...]:
        """Put back the folder that a killed run had moved aside, if it did not come to give the new one its name; and remove what else it left."""
        files, place, notes = self._files(), self._path(self.output), []
        for name in self._left():
            path, is_dead = self._path(f"{self._head}/{name}"), _has_ended(name.removeprefix(f".{self._name}."))
            if name.endswith(".old") and not files.exists(place):
                if not is_dead:
                    raise WriteError(
                        f"'{self.output}' is not there, and '{name}' beside it is the folder that it was: another run is replacing it, or was killed on another machine. "
                        "Wait, or rename that folder back. Nothing was written."
                    )
                files.rename(path, place)
                notes.append(f"An earlier run was killed while it replaced '{self.output}'. The old folder was put back.")
            elif is_dead:
                files.delete(path, True)
        return tuple(notes)

    def hold(self, rows: DataFrame) -> DataFrame:
        """Keep rows, so that they are not computed for each question; what a lost worker held is computed again."""
        from pyspark import StorageLevel

        self._held = rows.persist(StorageLevel.DISK_ONLY)
        return self._held

    def write(self, rows: DataFrame) -> DataFrame:
        rows.write.parquet(self.part)
        return self.session.read.parquet(self.part)

    def publish(self) -> None:
        """Give the folder its name: in one step, where the system can exchange two names; else an old one is moved aside first, and comes back if that fails."""
        files, place, part = self._files(), self._path(self.output), self._path(self.part)
        if not files.exists(place):
            if not files.rename(part, place):
                raise WriteError(f"'{self.output}' could not be written.")
            return
        if not self.force:
            raise WriteError(f"'{self.output}' exists already, and nothing was written.")
        if files.getScheme() == "file" and exchange(*(str(files.makeQualified(path).toUri().getPath()) for path in (part, place))):
            return  # what has the name of the part now is the old folder, and goes with it
        aside = self._path(f"{self.part.removesuffix('.part')}.old")
        if not files.rename(place, aside):
            raise WriteError(f"'{self.output}' could not be replaced, and stays as it was.")
        if not files.rename(part, place):
            files.rename(aside, place)
            raise WriteError(f"'{self.output}' could not be written.")
        files.delete(aside, True)

    def clean(self) -> None:
        if self._held is not None:
            self._held.unpersist()
        self._files().delete(self._path(self.part), True)


def _has_ended(name: str) -> bool:
    """Whether what has this name was left by a process of this machine that is no more."""
    found = LEFT.fullmatch(name)
    return found is not None and found["host"] == HOST and has_ended(int(found["process"]))


class Memo:
    """In the session: the rows are computed once and kept, so that what was verified is what is used. If a worker that keeps some is lost, using them fails."""

    notes: tuple[str, ...] = ()

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
