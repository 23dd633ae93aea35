"""Writing what a run was asked for: all of it, or nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shoal.atomic import check_place, write_bytes
from shoal.errors import WriteError
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


def check_outputs(source: str, *paths: str | None, force: bool = False) -> None:
    """Refuse, before any work, an output that is the input or another output, that exists, or whose folder is not there."""
    seen: dict[str, str] = {}
    for path in paths:
        if path is None or path == "-":
            continue
        if source != "-" and os.path.exists(path) and os.path.exists(source) and os.path.samefile(path, source):
            raise WriteError(f"'{path}' is the input itself. Choose another name: shoal never overwrites what it reads.")
        check_place(path, force=force)
        real = os.path.realpath(path)
        if real in seen:
            raise WriteError(f"'{path}' is asked for twice. Give each output its own file.")
        seen[real] = path


def write_all(release: Release, to: Outputs, *, force: bool = False, **how: Any) -> None:
    """Write the release and what goes with it. If one of them fails, those already written are taken back."""
    write_together(
        (to.proof, lambda path: release.proof(path, force=force)),
        (to.output, lambda path: release.write(path, force=force, **how)),
        (to.manifest, lambda path: write_json(path, release.manifest, force=force)),
        (to.report, lambda path: release.report(path, force=force)),
        (to.owner_report, lambda path: release.owner_report(path, force=force)),
        (to.record, lambda path: write_json(path, release.record, private=True, force=force)),
    )


def write_json(path: str, content: Mapping[str, Any], *, private: bool = False, force: bool = False) -> None:
    """Write figures as JSON."""
    write_bytes(path, (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode(), private=private, force=force)


def write_together(*files: tuple[str | None, Callable[[str], object]]) -> None:
    """Write files one after the other; if one fails, those that were not there before are taken back."""
    written: list[str] = []
    try:
        for path, write in files:
            if path is None:
                continue
            is_new = path != "-" and not os.path.exists(path)
            write(path)
            written += [path] if is_new else []
    except BaseException:
        for path in written:
            Path(path).unlink(missing_ok=True)
        raise
