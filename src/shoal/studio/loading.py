"""Reading a table: what it holds, what its columns look like, and a fingerprint by which a project knows it again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from shoal import hierarchies, io
from shoal.columns.relations import Relation
from shoal.columns.roles import Suggestion, study
from shoal.columns.whose import may_be_a_person, whose
from shoal.errors import DataError, ShoalError
from shoal.hierarchies.encoded import Spec
from shoal.studio.haystack import Haystack
from shoal.studio.pictures import Silhouette, spread_of
from shoal.studio.sketch import MOST_VALUES
from shoal.table import Coded, Table


@dataclass(frozen=True, eq=False)
class Loaded:
    """A table, and what its columns look like."""

    table: Table
    columns: tuple[Suggestion, ...]
    relations: tuple[Relation, ...]
    coded: Mapping[str, Coded]
    repeats: frozenset[str]
    """Identifiers that may say whose row it is."""
    defaults: Mapping[str, Spec]
    """The hierarchy that a column gets if none is chosen; not for columns of very many values."""
    spreads: Mapping[str, Silhouette]
    """How the rows of each column lie, for its pictures."""
    haystacks: Mapping[str, Haystack]
    """The values of each column, to be searched."""
    sha256: str
    """Of the file's bytes."""


def load(path: Path, name: str, is_ours: bool) -> Loaded:
    """Read a table; an upload is then deleted, since it is no longer needed."""
    try:
        table = replace(io.read(path), source=name)
        sha256 = _sha256(path)
    except ShoalError as error:
        raise type(error)(str(error).replace(str(path), name)) from None
    finally:
        if is_ours:
            path.unlink(missing_ok=True)
    return look_at(table, sha256)


def look_at(table: Table, sha256: str) -> Loaded:
    """What a table's columns look like."""
    if table.n_rows == 0:
        raise DataError(f"{table.source} has no rows.")
    coded: dict[str, Coded] = {}

    def code(column: str) -> Coded:
        coded[column] = table.coded(column)
        return coded[column]

    columns, relations = study(table, code)
    defaults = {name: default(made) for name, made in coded.items() if made.n_values <= MOST_VALUES}
    repeats = frozenset(w.column for w in whose(coded, columns)) | {
        s.column for s in columns if s.column in coded and may_be_a_person(coded[s.column], s)
    }
    spreads = {s.column: spread_of(coded[s.column], s.kind) for s in columns if s.column in coded}
    table.remember(coded)
    haystacks = {name: Haystack(made.values) for name, made in coded.items()}
    return Loaded(table, tuple(columns), tuple(relations), coded, repeats, defaults, spreads, haystacks, sha256)


def default(coded: Coded) -> Spec:
    """The hierarchy that a column gets by itself."""
    return hierarchies.default_spec(coded.name, coded.values.to_list(), coded.counts())


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
