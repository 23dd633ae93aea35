"""The folded rows of a long run, kept in a folder of the user's, so that a run that was interrupted need not count them again.

They are taken up only if the input, and all that decides how it is read, are the same; the recount of the release looks at the input itself again anyway. They hold data: the folder must be
the user's alone, and they are removed when the release is published.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import stat
from collections.abc import Sequence
from pathlib import Path

import polars as pl

import shoal
from shoal.disk.atomic import advice, write_bytes
from shoal.disk.system import is_own
from shoal.errors import WriteError
from shoal.io.source import Source
from shoal.judge.counts import N, label
from shoal.policy.policy import Policy


class KeptFold:
    """One input folded over some columns."""

    def __init__(self, folder: Path, source: Source, policy: Policy, names: Sequence[str]) -> None:
        self.path, self.about = folder / "folded.parquet", folder / "folded.json"
        self.columns = [*(label(j) for j in range(len(names))), N]
        marked = [name for name, column in policy.columns.items() if column.role != "insensitive"] if policy.missing_values else []
        asked = [
            shoal.__version__,
            os.path.realpath(source.name),
            source.stamps(),
            source.delimiter,
            list(names),
            list(policy.missing_values),
            sorted(marked),
        ]
        self.key = hashlib.sha256(json.dumps(asked).encode()).hexdigest()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            status = folder.stat()
        except OSError as error:
            raise WriteError(f"'{folder}' cannot be used for --work: {advice(error)}.") from None
        if not is_own(status) or (os.name == "posix" and stat.S_IMODE(status.st_mode) & 0o077):
            raise WriteError(
                f"'{folder}' can be read by others, and --work keeps data there. Make it yours alone (chmod 700), or name a new folder."
            )

    def load(self) -> pl.DataFrame | None:
        """What was counted, if it was this input; None if there is nothing, or it is of another."""
        try:
            told, data = json.loads(self.about.read_text()), self.path.read_bytes()
            if told != {"key": self.key, "sha256": hashlib.sha256(data).hexdigest()}:
                return None
            frame = pl.read_parquet(io.BytesIO(data))
        except (OSError, ValueError, pl.exceptions.PolarsError):
            return None
        return frame if frame.columns == self.columns else None

    def save(self, counted: pl.DataFrame) -> None:
        stream = io.BytesIO()
        counted.select(self.columns).write_parquet(stream)
        self.about.unlink(missing_ok=True)
        write_bytes(self.path, stream.getvalue(), private=True)
        about = {"key": self.key, "sha256": hashlib.sha256(stream.getbuffer()).hexdigest()}
        write_bytes(self.about, json.dumps(about).encode(), private=True)

    def remove(self) -> None:
        for path in (self.about, self.path):
            path.unlink(missing_ok=True)
