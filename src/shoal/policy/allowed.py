"""What a value may be: how it is written in Python and in a policy file, and what is said of a wrong one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from shoal import registry
from shoal.errors import PolicyError

if TYPE_CHECKING:
    from shoal.policy.place import Place


@dataclass(frozen=True)
class Allowed:
    """What a value may be."""

    python: ClassVar[str] = "Any"
    """Its type in Python."""
    toml: ClassVar[type] = str
    words: str = ""
    """What a policy file should have: "this should be …"."""
    must: str = ""
    """What a value must be, where that is more: "withhold must be …"."""

    def is_right(self, value: Any) -> bool:
        """Whether it may be this value."""
        return True

    def wrong(self, subject: str, value: Any, why: str = "") -> str | None:
        """What is wrong with a value; None if nothing is."""
        if self.is_right(value):
            return None
        return f"{subject} must be {self.must or self.words}, not {value!r}{f': {why}' if why else ''}."

    def kept(self, value: Any) -> Any:
        """The right value in the one form that a policy keeps."""
        return value

    def read(self, place: Place, key: tuple[str, ...], value: Any) -> Any:
        """The value of a policy file."""
        return place.typed(key, value, self.toml, self.words)


@dataclass(frozen=True)
class NumberIn(Allowed):
    """A number in some limits, which ``must`` says in words."""

    python: ClassVar[str] = "float"
    toml: ClassVar[type] = float
    words: str = "a number"
    least: float = -math.inf
    most: float = math.inf
    is_above: bool = False
    """Whether it must be above ``least``, not only at it."""
    is_finite: bool = False

    def is_right(self, value: Any) -> bool:
        number: Any = value  # compared as it is: a whole number may be too large for a float
        if not isinstance(value, Real) or isinstance(value, bool):
            return False
        is_above = number > self.least if self.is_above else number >= self.least
        return bool(is_above and number <= self.most and (number < math.inf or not self.is_finite))

    def kept(self, value: Any) -> Any:
        return value if type(value) in (int, float) else float(value)


@dataclass(frozen=True)
class WholeNumber(Allowed):
    """A whole number of at least so many."""

    python: ClassVar[str] = "int"
    toml: ClassVar[type] = int
    words: str = "a whole number"
    least: int = 0

    def is_right(self, value: Any) -> bool:
        return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= self.least

    def wrong(self, subject: str, value: Any, why: str = "") -> str | None:
        is_negative = isinstance(value, Integral) and not isinstance(value, bool) and int(value) < 0 == self.least
        return f"{subject} must not be negative, and {value!r} is." if is_negative else super().wrong(subject, value, why)

    def kept(self, value: Any) -> Any:
        return int(value)


def at_least(least: int) -> WholeNumber:
    """A whole number of at least so many."""
    return WholeNumber(must=f"a whole number of at least {least}", least=least)


@dataclass(frozen=True)
class YesOrNo(Allowed):
    """True or false."""

    python: ClassVar[str] = "bool"
    toml: ClassVar[type] = bool
    words: str = "true or false"

    def is_right(self, value: Any) -> bool:
        return isinstance(value, bool)


@dataclass(frozen=True)
class OneOf(Allowed):
    """One of some words; ``meaning`` says each in a few more words."""

    python: ClassVar[str] = "str"
    words: str = "a word"
    meaning: Mapping[str, str] = field(default_factory=dict)

    def wrong(self, subject: str, value: Any, why: str = "") -> str | None:
        is_right = isinstance(value, str) and value in self.meaning
        return None if is_right else f"{subject} must be one of {', '.join(self.meaning)}, not '{value}'."


@dataclass(frozen=True)
class NameIn(Allowed):
    """A name of a catalog."""

    python: ClassVar[str] = "str"
    words: str = "a name"
    catalog: registry.Catalog = field(default_factory=dict)

    def wrong(self, subject: str, value: Any, why: str = "") -> str | None:
        if not isinstance(value, str):
            return f"{subject} must be a name, not {value!r}."
        try:
            registry.check(self.catalog, value, subject)
        except PolicyError as error:
            return str(error)
        return None


@dataclass(frozen=True)
class ColumnName(Allowed):
    """The name of a column."""

    python: ClassVar[str] = "str"
    words: str = "the name of a column"

    def wrong(self, subject: str, value: Any, why: str = "") -> str | None:
        return None if isinstance(value, str) else f"{subject} must be the name of one column."


@dataclass(frozen=True)
class TextList(Allowed):
    """A list of texts."""

    python: ClassVar[str] = "Iterable[str]"
    toml: ClassVar[type] = list
    words: str = 'a list of texts, such as ["NA", "?"]'

    def wrong(self, subject: str, value: Any, why: str = "") -> str | None:
        is_list = isinstance(value, Iterable) and not isinstance(value, str | bytes)
        is_right = is_list and all(isinstance(text, str) for text in value)
        return None if is_right else f"{subject} must be {self.words}."

    def kept(self, value: Any) -> Any:
        return value if isinstance(value, tuple) else tuple(value)

    def read(self, place: Place, key: tuple[str, ...], value: Any) -> Any:
        return tuple(super().read(place, key, value))


@dataclass(frozen=True)
class FolderPath(Allowed):
    """A folder with one file per column. In a policy file its path starts at the policy's own folder."""

    python: ClassVar[str] = "Mapping[str, Any] | str | Path"
    words: str = "the path of a folder"

    def wrong(self, subject: str, value: Any, why: str = "") -> str | None:
        advice = f"{subject} takes a folder with one file per column (--{subject} DIR)"
        if not isinstance(value, str | PathLike):
            return f"{advice}, not a {type(value).__name__}; the hierarchy of a single column stands with the column."
        if not Path(value).is_dir():
            return f"'{value}' is not a folder: {advice}. Make it, correct its name, or leave it out."
        return None

    def kept(self, value: Any) -> Any:
        return Path(value)

    def read(self, place: Place, key: tuple[str, ...], value: Any) -> Any:
        return place.path.parent / super().read(place, key, value)


@dataclass(frozen=True)
class Unchecked(Allowed):
    """What is read by the part that uses it, with its own messages. ``type`` is its type in Python."""

    type: str = "Any"

    @property
    def python(self) -> str:  # type: ignore[override]
        return self.type
