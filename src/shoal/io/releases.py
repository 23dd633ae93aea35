"""The way out for a release: only what was verified is written, and the file's bytes are hashed on the way."""

from __future__ import annotations

import hashlib
import io
import os
from typing import Any

import polars as pl

from shoal.errors import NotAnonymous
from shoal.io.csv import render
from shoal.io.writer import write
from shoal.release.release import Release


def write_release(release: Release, path: str | os.PathLike[str], **how: Any) -> str:
    """Write a release by its path's ending; gives the SHA-256 of the file."""
    if not isinstance(release, Release):
        raise NotAnonymous("Only a verified Release can be written.")
    return write(release.frame, path, verdict=release.verdict, **how)


def csv_sha256(frame: pl.DataFrame) -> str:
    """The SHA-256 of a frame as plain CSV; of its Parquet form where a column has no form as text."""
    stream = io.BytesIO()
    try:
        render(frame).write_csv(stream)
    except Exception:
        stream = io.BytesIO()
        frame.write_parquet(stream)
    return hashlib.sha256(stream.getbuffer()).hexdigest()
