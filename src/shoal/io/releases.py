"""The way out for a release: only what was verified is written, and the file's bytes are hashed on the way."""

from __future__ import annotations

import hashlib
import io
import os
import warnings
from typing import Any

import polars as pl

from shoal.errors import NotAnonymous, ShoalWarning, WriteError
from shoal.io import connections, databases, uris
from shoal.io.csv import render
from shoal.io.endings import form_of
from shoal.io.order import arranged
from shoal.io.writer import write
from shoal.judge.gate import check
from shoal.release.release import Release
from shoal.release.telling import order_words


def write_release(
    release: Release,
    path: str | os.PathLike[str] | connections.Source,
    *,
    keep_order: bool | None = None,
    delimiter: str | None = None,
    form: str = "labels",
    **how: Any,
) -> str:
    """Write a release by its path's ending or to the table of its address or connection, in the form, order and with the delimiter that were asked for; gives the SHA-256 of the file."""
    if not isinstance(release, Release):
        raise NotAnonymous("Only a verified Release can be written.")
    keep = release.policy.keep_order if keep_order is None else keep_order
    if keep and not release.policy.keep_order and release.facts["telling_order"]:
        warnings.warn(f"ORDER: {order_words(release.facts['telling_order'])}", ShoalWarning, stacklevel=3)
    if isinstance(path, connections.Source):
        return _write_table(release, path, keep, form, **how)
    if (uri := uris.parse(path)) is not None:
        return _write_table(release, uri, keep, form, **how)
    mark = release.original.delimiter if delimiter is None else delimiter
    frame, verdict = release.in_form(form, lists_as_text=form_of(os.fspath(path)).kind == "csv")
    return write(frame, path, verdict=verdict, keep_order=keep, delimiter=mark, **how)


def _write_table(
    release: Release, to: uris.Uri | connections.Source, keep_order: bool, form: str, *, force: bool = False, spreadsheet_safe: bool = False
) -> str:
    """Write a release to a table of a database; gives the SHA-256 of its rows as plain CSV."""
    if spreadsheet_safe:
        raise WriteError("--spreadsheet-safe is for files that a spreadsheet opens. Leave it out for a database.")
    if form != "labels":  # the database counts groups again by the names of the quasi-identifiers, which a form does not have
        raise WriteError(f"The form '{form}' is written to files only. Write .parquet or .csv, or leave --form out.")
    verified = check(release.frame, release.verdict)
    frame = verified if keep_order else arranged(verified)
    given = release.original.given
    if isinstance(to, connections.Source):
        connections.write_source(frame, to, release.verdict, given=given, force=force)
    else:
        databases.write_table(frame, to, release.verdict, given=given, force=force)
    return csv_sha256(frame)


def release_sha256(release: Release) -> str:
    """What a release's file would hash to, written as plain CSV with nothing else asked for."""
    return csv_sha256(release.frame if release.policy.keep_order else arranged(release.frame), release.original.delimiter)


def csv_sha256(frame: pl.DataFrame, delimiter: str = ",") -> str:
    """The SHA-256 of a frame as plain CSV; of its Parquet form where a column has no form as text."""
    stream = io.BytesIO()
    try:
        render(frame).write_csv(stream, separator=delimiter)
    except Exception:
        stream = io.BytesIO()
        frame.write_parquet(stream)
    return hashlib.sha256(stream.getbuffer()).hexdigest()
