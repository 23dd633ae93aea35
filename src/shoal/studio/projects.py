"""A project: what was decided about a table, in a file. Saved, and opened again on the same table, here or by a
colleague.

It holds roles, hierarchies, settings, answers and what was asked of each run; the table itself only if its owner asks
for it, and then sealed. A hierarchy that was arranged by hand lists values of its column, as ``policy.toml`` does: keep
a project with the table.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import asdict
from pathlib import Path
from typing import Any

from shoal import __version__, hierarchies
from shoal.disk.atomic import write_bytes
from shoal.errors import DataError, PolicyError, ShoalError
from shoal.hierarchies import as_toml
from shoal.policy.policy import Policy
from shoal.release.record import NOTICE
from shoal.studio import sealed
from shoal.studio.desk import Desk, Past
from shoal.studio.history import take_up
from shoal.studio.questions import ROLES
from shoal.studio.settings import of_project
from shoal.table import Table

FORMAT = "shoal-project-1"
NOT_ONE = "This is not a project of the studio."
Project = dict[str, Any]


def project_of(desk: Desk) -> Project:
    """All that was decided, without the table."""
    there = desk.loaded
    if there is None:
        raise DataError("There is no table yet. Load one first.")
    names = there.table.columns
    past = [asdict(run) for run in desk.past]
    done = [
        {"name": run.name, "policy": run.policy_text(), "fingerprint": run.release.verdict.fingerprint}
        for run in desk.runs
        if run.job.state == "done"
    ]
    return {
        "notice": NOTICE,
        "format": FORMAT,
        "shoal": __version__,
        "table": {"name": there.table.source, "rows": there.table.n_rows, "columns": names, "sha256": there.sha256,
        "delimiter": there.table.delimiter},
        "roles": {name: desk.roles[name] for name in names if name in desk.roles},
        "order": list(desk.order),
        "hierarchies": {name: as_toml(spec) for name, spec in desk.specs.items()},
        "weights": dict(desk.weights),
        "missing_values": list(desk.marks),
        "answers": dict(desk.answers),
        "settings": desk.settings.to_dict(),
        "runs": [*past, *done],
    }  # fmt: skip


def digest(project: Project) -> str:
    """Of a project, to know whether it changed since it was saved."""
    return hashlib.sha256(json.dumps(project, sort_keys=True, default=str).encode()).hexdigest()


def text(project: Project) -> bytes:
    return (json.dumps(project, indent=1, ensure_ascii=False) + "\n").encode()


def with_table(project: Project, table: Table, passphrase: str) -> Project:
    """The project with its table, sealed."""
    return {**project, "sealed_table": sealed.seal(table.frame, passphrase, _beside(project))}


def table_in(project: Project, passphrase: str) -> Table:
    """The table of a project, unsealed."""
    about = project["table"]
    frame = sealed.unseal(project["sealed_table"], passphrase, _beside(project))
    return Table(frame, kind="path", source=str(about["name"]), delimiter=str(about.get("delimiter", ",")))


def _beside(project: Project) -> str:
    return json.dumps([FORMAT, project["table"]["name"], project["table"]["sha256"]])


def read(content: bytes) -> Project:
    """A project from a file; what is not one is refused before anything of it is used."""
    try:
        made = json.loads(content.decode())
        if made["format"] != FORMAT:
            raise DataError(f"This project is of another version ({str(made['format'])[:40]}).")
        kinds = {
            "table": dict,
            "roles": dict,
            "order": list,
            "hierarchies": dict,
            "weights": dict,
            "missing_values": list,
            "answers": dict,
            "settings": dict,
            "runs": list,
        }
        if any(not isinstance(made[name], kind) for name, kind in kinds.items()) or not isinstance(
            made["table"]["columns"], list
        ):
            raise TypeError
        of_project(made["settings"])
        return dict(made)
    except (ValueError, KeyError, TypeError, UnicodeDecodeError, RecursionError, PolicyError):
        raise DataError(NOT_ONE) from None


def put_on(desk: Desk, project: Project) -> None:
    """What a project decided, on the desk with its table.

    What does not fit another table is left out, and that is said.
    """
    there = desk.table.columns
    desk.forget()
    left: list[str] = []
    desk.roles = {str(n): str(r) for n, r in project["roles"].items() if n in there and r in ROLES}
    desk.order = tuple(str(n) for n in project["order"] if n in there)
    desk.marks = tuple(str(mark) for mark in project["missing_values"])
    for name, value in project["hierarchies"].items():
        try:
            desk.choose(str(name), _spec(value)) if name in there else left.append(str(name))
        except ShoalError:
            left.append(str(name))
    for name, weight in project["weights"].items():
        if name in there:
            desk.weigh(str(name), str(weight))
    desk.answers = {str(key): str(answer) for key, answer in project["answers"].items()}
    desk.settings = of_project(project["settings"])
    desk.past = [
        Past(str(run["name"]), str(run["policy"]), str(run["fingerprint"]))
        for run in project["runs"]
        if isinstance(run, dict)
    ]
    desk.said = _difference(desk, project, left)
    if not desk.said:
        take_up(desk, project.get("history"))
    desk.saved = digest(project_of(desk)) if not desk.said else ""


def _spec(value: Any) -> Any:
    """A hierarchy; never one that would be read from a file of this machine."""
    if not isinstance(value, dict) or "file" in value:
        raise DataError(NOT_ONE)
    return hierarchies.spec_from_toml(value)


def _difference(desk: Desk, project: Project, left: list[str]) -> str:
    """How the table differs from the one that the project was saved with; nothing if it is that one."""
    about, table = project["table"], desk.table
    if desk.loaded is not None and about.get("sha256") == desk.loaded.sha256 and not left:
        return ""
    absent = [str(name) for name in about["columns"] if name not in table.columns]
    new = [name for name in table.columns if name not in about["columns"]]
    said = [
        (
            f"This is not the file that the project was saved with ({about.get('name')}, {about.get('rows')} rows). "
            "What fits was taken: look at it before you run."
        )
    ]
    said += [f"Columns that are not here: {', '.join(absent)}."] if absent else []
    said += [f"New columns: {', '.join(new)}."] if new else []
    said += [f"Hierarchies that do not fit: {', '.join(left)}."] if left else []
    return " ".join(said)


def policy_from(content: str, folder: Path) -> Policy:
    """A policy that was sent.

    It may name no file of this machine: hierarchies stand in it, or are sent by themselves.
    """
    try:
        made = tomllib.loads(content)
    except tomllib.TOMLDecodeError as wrong:
        raise PolicyError(f"This is not a policy: {wrong}.") from None
    columns = made.get("columns", {})
    files = (
        [name for name, entry in columns.items() if isinstance(entry, dict) and _names_a_file(entry.get("hierarchy"))]
        if isinstance(columns, dict)
        else []
    )
    if files or "hierarchies" in made:
        raise PolicyError(
            "This policy names files of hierarchies. Send them column by column, and the policy without them; or run "
            "it on the command line."
        )
    path = folder / f"policy-{hashlib.sha256(content.encode()).hexdigest()[:16]}.toml"
    write_bytes(path, content.encode(), private=True, force=True)
    try:
        return Policy.read(path)
    except PolicyError as wrong:
        raise PolicyError(str(wrong).replace(str(path), "the policy")) from None
    finally:
        path.unlink(missing_ok=True)


def _names_a_file(hierarchy: Any) -> bool:
    return isinstance(hierarchy, str) or (isinstance(hierarchy, dict) and "file" in hierarchy)
