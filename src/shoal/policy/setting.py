"""What a setting is: one entry, from which every door is made. The entries stand in settings, columns, beside and clusters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any

from shoal.errors import PolicyError
from shoal.policy.allowed import Allowed, OneOf, YesOrNo


@dataclass(frozen=True)
class Setting:
    """What somebody may ask for, said once."""

    allowed: Allowed
    default: Any
    help: str
    """What it is, in a few words, for every door: the library, the command, the reference."""
    in_python: str = ""
    """What else it may be in Python."""
    more: str = ""
    """What else there is to know, for the reference."""
    why: str = ""
    """What follows the message about a wrong value: advice, or a reason."""
    example: str = ""
    """As in a policy file; for what stands in none, as on the command line."""
    label: str = ""
    """Of the field in the studio; none if the studio has no such field."""
    percent_over: float | None = None
    """The studio's field shows percent, and this number as 0."""
    is_basic: bool = False
    """Whether the field stands among the first, not under "Advanced"."""
    flags: tuple[str, ...] = ()
    """Of the command, where it is not its name."""
    metavar: str | None = None
    old: str = ""
    """The name that it had before, which is still accepted."""
    in_clusters: str = ""
    """What it means to a clustering; nothing if a clustering refuses it."""
    instead: str = ""
    """What a clustering takes instead, where it refuses it."""
    is_told: bool = False
    """Whether a policy that is written out says it even where it is the default."""
    name: str = ""
    """The key of a policy file and the keyword of the library. An entry gets it from where it stands."""

    @property
    def options(self) -> tuple[str, ...]:
        """The command's option, by all its names."""
        return (*(self.flags or (f"--{self.name.replace('_', '-')}",)), *([f"--{self.old}"] if self.old else []))

    @property
    def usual(self) -> str:
        """The default in words; nothing where it is that nothing is said."""
        if self.default is None or self.default == ():
            return ""
        if isinstance(self.allowed, YesOrNo):
            return "true" if self.default else "false"
        return f"{self.default:g}" if isinstance(self.default, float) else str(self.default)

    @property
    def python(self) -> str:
        """The type of the keyword in Python; None stands for what was not said."""
        return f"{self.allowed.python} | None"

    def checked(self, value: Any) -> Any:
        """The value as a policy keeps it. One that cannot be is an error, which carries the setting's key."""
        if value is None and self.default is None:
            return None
        value = tuple(value) if isinstance(value, Iterator) else value  # which can be looked at only once
        wrong = self.allowed.wrong(self.name, value, self.why)
        if wrong is not None:
            raise PolicyError(wrong, (self.name,))
        return self.allowed.kept(value)

    @property
    def limits(self) -> str:
        """What it may be, for the reference."""
        return (
            " ".join(f"`{word}`" for word in self.allowed.meaning)
            if isinstance(self.allowed, OneOf)
            else self.allowed.must or self.allowed.words
        )


def setting(allowed: Allowed, default: Any, help: str, **more: Any) -> Any:
    """A field of a dataclass that is declared as a setting."""
    return field(default=default, metadata={"setting": Setting(allowed, default, help, **more)})


def settings_of(declared: Any) -> Mapping[str, Setting]:
    """The settings that a dataclass declares, by their names, in its order."""
    found = {f.name: f.metadata["setting"] for f in fields(declared) if "setting" in f.metadata}
    return named(**{entry.name or name: entry for name, entry in found.items()})


def named(**entries: Setting) -> Mapping[str, Setting]:
    """TableSettings with their names."""
    return MappingProxyType({name: replace(entry, name=name) for name, entry in entries.items()})
