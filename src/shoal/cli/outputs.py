"""Writing what a run was asked for: all of it, or nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from shoal.disk.atomic import check_place, write_bytes
from shoal.disk.together import write_together
from shoal.engines.stored import Stored
from shoal.errors import WriteError
from shoal.io import addresses, check_output
from shoal.policy.policy import Policy
from shoal.release.release import Release


@dataclass(frozen=True)
class Outputs:
    """The files of a run. The first three may be published; the others stay with the owner, who alone may read them."""

    output: str
    manifest: str | None = None
    report: str | None = None
    owner_report: str | None = None
    record: str | None = None
    proof: str | None = None

    @property
    def all(self) -> tuple[str | None, ...]:
        return self.output, self.manifest, self.report, *self.owners

    @property
    def owners(self) -> tuple[str | None, ...]:
        return self.owner_report, self.record, self.proof


def check_outputs(
    source: str,
    *paths: str | None,
    force: bool = False,
    policy: str | None = None,
    reads: Iterable[str | None] = (),
    is_folder: bool = False,
) -> Policy | None:
    """Refuse, before any work, an output that is read or is another output, that exists, or whose folder is not there.

    Beside the input, the run reads a ``policy`` with the files that it names, and ``reads``: other files, or folders of such.
    Whether the first output, where that ``is_folder``, may be replaced, its engine says. Gives the policy, which is read here and nowhere else.
    """
    seen: dict[str, str] = {}
    asked = None if policy is None else Policy.read(policy)
    read = [source, *_files(reads), *_files_of(policy, asked)]
    for path in paths:
        if path is None or path == "-":
            continue
        if addresses.parse(path) is not None:
            _check_table(path, path == paths[0], source, force)
            continue
        for at in read:
            if at != "-" and os.path.exists(path) and os.path.exists(at) and os.path.samefile(path, at):
                what = "the input itself" if at == source else "read by this very run"
                raise WriteError(f"'{path}' is {what}. Choose another name: shoal never overwrites what it reads.")
        if not (is_folder and path == paths[0]):
            check_place(path, force=force)
        if os.path.isdir(source) and os.path.realpath(os.path.dirname(os.path.abspath(path))) == os.path.realpath(source):
            raise WriteError(f"'{path}' would lie among the files that are read. Choose another folder.")
        real = os.path.realpath(path)
        if real in seen:
            raise WriteError(f"'{path}' is asked for twice. Give each output its own file.")
        seen[real] = path
    return asked


def _check_table(table: str, is_release: bool, source: str, force: bool) -> None:
    """Only the release itself can go to a database."""
    if not is_release:
        raise WriteError("Only the release can be written to a database. Give every other output a file.")
    check_output(table, [source], force=force)


def _files(reads: Iterable[str | None]) -> list[str]:
    """The files themselves, and those in folders."""
    there = [path for path in reads if path is not None]
    return [file for path in there for file in ([e.path for e in os.scandir(path)] if os.path.isdir(path) else [path])]


def _files_of(policy: str | None, asked: Policy | None) -> list[str]:
    """A policy's file, and the hierarchies that it names."""
    if policy is None or asked is None:
        return []
    named = [getattr(column.hierarchy, "path", None) for column in asked.columns.values()]
    return [policy, *_files(None if path is None else str(path) for path in (asked.hierarchies, *named))]


def write_all(release: Release | Stored, to: Outputs, *, force: bool = False, **how: Any) -> None:
    """Write the release and what goes with it. If one of them fails, everything is as it was before."""
    table = (to.output, lambda path: release.write(path, force=force, **how))
    is_file = addresses.parse(to.output) is None
    if not is_file:
        release.meant_for(to.output, **how)
    write_together(
        (to.proof, lambda path: release.proof(path, force=force)),
        *([table] if is_file else []),
        (to.manifest, lambda path: write_json(path, release.manifest, force=force)),
        (to.report, lambda path: release.report(path, force=force)),
        (to.owner_report, lambda path: release.owner_report(path, force=force)),
        (to.record, lambda path: write_json(path, release.record, private=True, force=force)),
        *([] if is_file else [table]),  # a transaction cannot be taken back: it comes last
    )


def write_json(path: str, content: Mapping[str, Any], *, private: bool = False, force: bool = False) -> None:
    """Write figures as JSON."""
    write_bytes(path, (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode(), private=private, force=force)
