"""A policy as TOML: read with the place of each mistake, and written."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal.errors import PolicyError
from shoal.hierarchies import spec_from_toml
from shoal.policy.columns import COLUMN, METRIC, ColumnPolicy, demands_of
from shoal.policy.place import Place
from shoal.policy.settings import OLD_NAMES, SETTINGS
from shoal.privacy import asking


def read(path: Path) -> tuple[Place, dict[str, Any], dict[str, ColumnPolicy]]:
    """A policy file: where its keys stand, its settings by the names that they have there, and what it asks of columns."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        content = tomllib.loads(text)
    except FileNotFoundError:
        raise PolicyError(f"There is no policy file '{path}'.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(f"The policy file '{path}' cannot be read: {type(error).__name__}.") from None
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"{path}: this is not TOML: {error}.") from None
    place = Place(path, text)
    criteria = ("require", *asking.shorthands())
    for key in content:
        if key not in (*SETTINGS, *OLD_NAMES, "columns", *criteria):
            known = sorted({*SETTINGS, "columns", *criteria})
            place.fail((key,), f"there is no setting called '{key}'; there are {', '.join(known)}")
    for old, new in OLD_NAMES.items():
        if old in content and new in content:
            place.fail((old,), f"this is the old name of '{new}', which is given too. Leave it out")
    tables = place.typed(("columns",), content.get("columns", {}), dict, "tables of columns, such as [columns.age]")
    columns = {name: _read_column(place, name, entry, content) for name, entry in tables.items()}
    for key in criteria:
        if key in content and not any(column.role == "sensitive" for column in columns.values()):
            place.fail((key,), 'this is asked of sensitive columns, and no column has that role. Give one role = "sensitive"')
    written = {old: SETTINGS[new] for old, new in OLD_NAMES.items()} | dict(SETTINGS)
    values = {key: entry.allowed.read(place, (key,), content[key]) for key, entry in written.items() if key in content}
    return place, values, columns


def _read_column(place: Place, name: str, entry: Any, content: Mapping[str, Any]) -> ColumnPolicy:
    where = ("columns", name)
    if not isinstance(entry, Mapping):
        place.fail(where, 'a column needs a table of settings, such as role = "quasi-identifier"')
    known = (*COLUMN, *METRIC, *asking.shorthands())
    for key in entry:
        if key not in known:
            place.fail((*where, key), f"there is no column setting called '{key}'; there are {', '.join(known)}")
    spec = None
    if "hierarchy" in entry:
        spec = place.within((*where, "hierarchy"), lambda: spec_from_toml(entry["hierarchy"], place.path.parent))
    said = {key: COLUMN[key].allowed.read(place, (*where, key), entry[key]) for key in ("role", "weight") if key in entry}
    role = said.setdefault("role", "quasi-identifier" if "hierarchy" in entry else COLUMN["role"].default)
    criteria = ("require", *asking.shorthands())
    shared = {key: content[key] for key in criteria if key in content and role == "sensitive"}
    first = next((key for key in criteria if key in entry), "require")
    demands = place.within((*where, first), lambda: asking.replaced(demands_of(shared), demands_of(entry)))
    return ColumnPolicy(
        **said,
        hierarchy=spec,
        hierarchy_text=_anchored(entry.get("hierarchy"), place.path.parent),
        demands=demands,
        metric={key: entry[key] for key in METRIC if key in entry},
    )


def _anchored(value: Any, folder: Path) -> Any:
    """A hierarchy's path, made absolute."""
    return str((folder / value).resolve()) if isinstance(value, str) else value


def written(settings: Mapping[str, Any], columns: Mapping[str, ColumnPolicy]) -> str:
    """A policy as a file that repeats it: what is not as usual, and what is always told."""
    lines = [
        f"{name} = {toml_value(settings[name])}"
        for name, entry in SETTINGS.items()
        if settings[name] is not None and (entry.is_told or settings[name] != entry.default)
    ]
    for name, column in columns.items():
        lines += ["", f"[columns.{toml_key(name)}]", *_column_lines(column)]
    return "\n".join(lines) + "\n"


def _column_lines(column: ColumnPolicy) -> list[str]:
    lines = [f'role = "{column.role}"']
    if column.hierarchy_text is not None:
        lines.append(f"hierarchy = {toml_value(column.hierarchy_text)}")
    if column.weight != COLUMN["weight"].default:
        lines.append(f"weight = {toml_value(column.weight)}")
    return [*lines, *(f"{key} = {toml_value(value)}" for key, value in {**asking.as_toml(column.demands), **column.metric}.items())]


def toml_value(value: Any) -> str:
    """A value in TOML.

    >>> toml_value({"intervals": [5, 10]})
    '{ intervals = [5, 10] }'
    """
    if isinstance(value, str):  # first: a hierarchy that was arranged by hand has a hundred thousand of them
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{toml_key(str(key))} = {toml_value(item)}" for key, item in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value) if isinstance(value, set | frozenset) else value
        return f"[{', '.join(toml_value(item) for item in items)}]"
    return quoted(str(value))


def quoted(text: str) -> str:
    """A basic string. JSON's escapes are TOML's, except for one control character, which JSON does not escape."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_key(key: str) -> str:
    """A key in TOML, quoted where it must be."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else quoted(key)
