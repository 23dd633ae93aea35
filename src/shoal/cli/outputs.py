"""Writing what a run was asked for: all of it, or nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path

from shoal.errors import WriteError
from shoal.io.atomic import check_place
from shoal.release.release import Release


def check_outputs(source: str, output: str, *others: str | None) -> None:
    """Refuse, before any work, an output that is the input or another output, or whose folder is not there."""
    seen: dict[str, str] = {}
    for path in (output, *others):
        if path is None or path == "-":
            continue
        check_place(path)
        if source != "-" and os.path.exists(path) and os.path.exists(source) and os.path.samefile(path, source):
            raise WriteError(f"'{path}' is the input itself. Choose another name: shoal never overwrites what it reads.")
        real = os.path.realpath(path)
        if real in seen:
            raise WriteError(f"'{path}' is asked for twice. Give each output its own file.")
        seen[real] = path


def write_all(
    release: Release,
    output: str,
    *,
    manifest: str | None = None,
    report: str | None = None,
    proof: str | None = None,
    spreadsheet_safe: bool = False,
) -> None:
    """Write the release and what goes with it. If one of them fails, those already written are taken back."""
    from shoal.io.atomic import write_bytes

    written: list[str] = []
    try:
        if proof is not None:
            release.proof(proof)
            written.append(proof)
        release.write(output, spreadsheet_safe=spreadsheet_safe)
        written += [output] if output != "-" else []
        if manifest is not None:
            write_bytes(manifest, (json.dumps(release.manifest, indent=2, ensure_ascii=False) + "\n").encode())
            written.append(manifest)
        if report is not None:
            release.report(report)
    except BaseException:
        for path in written:
            Path(path).unlink(missing_ok=True)
        raise
