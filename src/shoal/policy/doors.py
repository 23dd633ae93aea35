"""What the library says of the settings: the keywords of ``anonymize``, their types and their documentation."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from shoal.policy.beside import BESIDE
from shoal.policy.setting import Setting
from shoal.policy.settings import OLD_NAMES, SETTINGS
from shoal.privacy.asking import shorthands

F = TypeVar("F", bound=Callable[..., Any])
PLACE = "    {settings}"
"""Where a docstring has the documentation of the settings."""


def each() -> Iterator[tuple[str, str, str]]:
    """Each keyword that asks for something: its name, its type, and its documentation."""
    for name, entry in {**SETTINGS, **BESIDE}.items():
        yield name, entry.python, in_words(entry)
    for key, criteria in shorthands().items():
        first = criteria[0]
        yield key, "Any", f"for every sensitive column: {', '.join(p.words for p in first.parameters)}; short for ``require``"
    for old, new in OLD_NAMES.items():
        yield old, SETTINGS[new].python, f"the old name of ``{new}``"


def in_words(entry: Setting) -> str:
    """What a setting is, with its default."""
    said = f"{entry.help}; {entry.in_python}" if entry.in_python else entry.help
    return f"{said} ({entry.usual})" if entry.usual else said


def takes_settings(function: F) -> F:
    """A function that takes settings by keyword, with all of them in its documentation, and in the signature that ``help`` shows."""
    before = inspect.signature(function)
    own = [p for p in before.parameters.values() if p.kind is not p.VAR_KEYWORD]
    made = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind) for name, kind, _ in each()]
    function.__signature__ = before.replace(parameters=[*own, *made])  # type: ignore[attr-defined]
    lines = [
        line
        for name, _, words in each()
        for line in textwrap.wrap(words, 130, initial_indent=f"    {name:<20}", subsequent_indent=" " * 24)
    ]
    function.__doc__ = (function.__doc__ or "").replace(PLACE, "\n".join(lines))
    return function


def typed() -> str:
    """The text of ``keywords.py``, by which editors and type checkers know the keywords."""
    lines = "\n".join(f"    {name}: {kind}" for name, kind, _ in each())
    return f'''"""What may be asked for by keyword. Made by ``make docs`` from the declaration: change that instead."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypedDict


class Keywords(TypedDict, total=False):
    """Each setting; None where it is not said. The documentation of :func:`shoal.anonymize` says what each means."""

{lines}
'''
