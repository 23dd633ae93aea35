"""The way out: only what was verified is written."""

from __future__ import annotations

import hashlib
import io
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import polars as pl

from shoal.errors import NotAnonymous, ShoalWarning, WriteError
from shoal.io import addresses
from shoal.io.endings import form_of
from shoal.io.order import arranged
from shoal.io.places import open_target
from shoal.io.source import ROWS
from shoal.io.sql.connections import ByConnection
from shoal.io.target import Target, check_told, told_of
from shoal.io.text.records import render
from shoal.judge.gate import Verified, check
from shoal.release.release import Release
from shoal.release.telling import order_words


def check_output(path: str | os.PathLike[str] | ByConnection, inputs: Iterable[object] = (), *, force: bool = True) -> None:
    """Raise what ``write`` would refuse, before the work begins: an unknown ending, a missing folder, an input as output."""
    open_target(path, force=force).check(inputs)


def write(
    frame: pl.DataFrame,
    path: str | os.PathLike[str] | ByConnection,
    *,
    verdict: Verified | None = None,
    keep_order: bool = True,
    shown: Sequence[str] = (),
    given: object = None,
    inputs: Iterable[object] = (),
    force: bool = True,
    **how: Any,
) -> str:
    """Write a verified frame to a place, as :func:`shoal.io.open_target` finds it; gives the SHA-256 of the file's bytes, or of a table's rows as plain CSV.

    The ``verdict`` must be about this frame: one that was changed or replaced since, or never verified, is refused and nothing is made.
    Without ``keep_order``, rows are sorted by what they show, so that their order tells nothing. ``inputs`` are refused as output.
    """
    with open_target(path, force=force, **how) as target:
        target.check(inputs)
        verified = check(frame, verdict)
        return _put(verified if keep_order else arranged(verified), target, shown, given)


def write_for_owner(
    frame: pl.DataFrame, path: str | os.PathLike[str], *, inputs: Iterable[object] = (), delimiter: str = ",", force: bool = True
) -> str:
    """Write a table that is not a release and must not be published: only its owner may read the file. Gives its SHA-256."""
    with open_target(path, delimiter=delimiter, force=force, private=True) as target:
        target.check(inputs)
        return _put(frame, target, (), None)


def _put(frame: pl.DataFrame, target: Target, shown: Sequence[str], given: object) -> str:
    """A file's bytes are hashed as they pass. What has no bytes of its own is read back before anybody else sees it."""
    target.write(_pieces(frame), shown, given)
    passed = target.sha256()
    if passed is not None:
        target.publish(None)
        return passed
    sent = told_of(_pieces(frame))
    check_told(target.rows(), sent)
    target.publish(sent)
    return sent


def _pieces(frame: pl.DataFrame) -> Iterator[pl.DataFrame]:
    yield from frame.iter_slices(ROWS) if frame.height else [frame]


def write_release(
    release: Release,
    path: str | os.PathLike[str] | ByConnection,
    *,
    keep_order: bool | None = None,
    delimiter: str | None = None,
    form: str = "labels",
    **how: Any,
) -> str:
    """Write a release to a place, in the form, order and with the delimiter that were asked for; gives the SHA-256 of what was written."""
    if not isinstance(release, Release):
        raise NotAnonymous("Only a verified Release can be written.")
    keep = release.policy.keep_order if keep_order is None else keep_order
    if keep and not release.policy.keep_order and release.facts["telling_order"]:
        warnings.warn(f"ORDER: {order_words(release.facts['telling_order'])}", ShoalWarning, stacklevel=3)
    is_table = isinstance(path, ByConnection) or addresses.parse(path) is not None
    if is_table and form != "labels":
        raise WriteError(f"The form '{form}' is written to files only. Write .parquet or .csv, or leave --form out.")
    mark = release.original.delimiter if delimiter is None else delimiter
    frame, verdict = release.in_form(form, lists_as_text=not is_table and form_of(os.fspath(path)).kind == "csv")  # type: ignore[arg-type]
    shown = release.verdict.quasi_identifiers
    return write(frame, path, verdict=verdict, keep_order=keep, delimiter=mark, shown=shown, given=release.original.given, **how)


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
