"""What is asked of a run, as the form says it; read from the form, from a policy, and from a project.

The fields are made of the declaration.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from shoal.errors import PolicyError
from shoal.policy.allowed import NameIn, NumberIn, OneOf, WholeNumber, YesOrNo
from shoal.policy.policy import Policy
from shoal.policy.setting import Setting
from shoal.policy.settings import SETTINGS
from shoal.privacy.asking import criteria

SHOWN = {name: entry for name, entry in SETTINGS.items() if entry.label}
"""The settings that have a field."""
ON_THE_DESK = ("person", "missing_values")
"""Those that are decided with the columns."""
BEFORE = {"stop_at_ratio": "near_enough"}
"""What a field was called in older projects."""


@dataclass(frozen=True)
class Settings:
    """What is asked of a run: of its table by the settings' names, and of sensitive columns by the names of
    criteria.
    """

    said: Mapping[str, Any] = field(
        default_factory=lambda: {name: entry.default for name, entry in SHOWN.items()} | {"keep_order": False}
    )
    """Rows are sorted unless somebody wants the input's order."""
    require: Mapping[str, str] = field(default_factory=dict)
    """Parameters as on the command line."""

    def to_dict(self) -> dict[str, Any]:
        """For a project."""
        return {**self.said, "require": dict(self.require)}


@dataclass(frozen=True)
class FormField:
    """A field of the form."""

    name: str
    label: str
    is_basic: bool
    value: str
    """What stands in it; "yes" for a box that is ticked."""
    form: str
    """``number``, ``choice`` or ``box``."""
    limits: Mapping[str, str]
    choices: Mapping[str, str]


def fields_of(settings: Settings) -> list[FormField]:
    """The fields of the form with what they hold, in the order of the declaration."""
    return [_field(entry, settings.said[name]) for name, entry in SHOWN.items()]


def _field(entry: Setting, value: Any) -> FormField:
    allowed, choices, limits, form = entry.allowed, dict[str, str](), dict[str, str](), "number"
    if isinstance(allowed, YesOrNo):
        form = "box"
    elif isinstance(allowed, OneOf | NameIn):
        form, choices = (
            "choice",
            dict(allowed.meaning) if isinstance(allowed, OneOf) else {name: name for name in allowed.catalog},
        )
    elif isinstance(allowed, WholeNumber):
        limits = {"min": str(allowed.least), "step": "1"}
    elif isinstance(allowed, NumberIn):
        ends = {"min": allowed.least, "max": allowed.most}
        limits = {key: _in_field(entry, end) for key, end in ends.items() if math.isfinite(end)} | {"step": "any"}
    return FormField(entry.name, entry.label, entry.is_basic, _text(entry, value), form, limits, choices)


def _text(entry: Setting, value: Any) -> str:
    """What stands in a field; nothing for what is usual, where the field need not say it."""
    if isinstance(entry.allowed, YesOrNo):
        return "yes" if value else ""
    if value is None or (
        value == entry.default and not entry.is_told and not entry.is_basic and isinstance(entry.allowed, NumberIn)
    ):
        return ""
    return _in_field(entry, value)


def _in_field(entry: Setting, value: Any) -> str:
    """A value as its field has it, some in percent."""
    shown = value if entry.percent_over is None else round(100 * (value - entry.percent_over), 9)
    return shown if isinstance(shown, str) else repr(shown).removesuffix(".0")


def _value(entry: Setting, text: str) -> Any:
    """What a field says."""
    if isinstance(entry.allowed, YesOrNo):
        return bool(text)
    if not isinstance(entry.allowed, NumberIn | WholeNumber):
        return text
    if not text.strip():
        return entry.default
    if isinstance(entry.allowed, WholeNumber):
        try:
            return int(text)
        except ValueError:
            raise PolicyError(f"“{entry.label}” must be a whole number.") from None
    said = number(text, f"“{entry.label}”")
    return said if entry.percent_over is None or said is None else entry.percent_over + said / 100


def number(text: str, what: str) -> float | None:
    """The number in a field; None for an empty one."""
    try:
        return float(text) if text.strip() else None
    except ValueError:
        raise PolicyError(f"{what} must be a number.") from None


def read_settings(form: Mapping[str, str]) -> Settings:
    """What the form says; a field that should hold a number and does not is named in the message."""
    said = {
        name: _value(entry, form.get(name, "")) if name in form or isinstance(entry.allowed, YesOrNo) else entry.default
        for name, entry in SHOWN.items()
    }
    return Settings(said, {c.name: text for c in criteria() if (text := form.get(f"require {c.name}", "").strip())})


def of_project(kept: Mapping[str, Any]) -> Settings:
    """What a project asks for; older ones have some fields as texts."""
    said = dict(Settings().said)
    for name, entry in SHOWN.items():
        value = kept.get(name, kept.get(BEFORE.get(name, "")))
        if value is not None:
            said[name] = entry.checked(_value(entry, value) if isinstance(value, str) else value)
    return Settings(said, {str(name): str(text) for name, text in dict(kept.get("require", {})).items()})


def of_policy(policy: Policy) -> Settings:
    """The settings that ask for what a policy asks for. What the form cannot say is refused in words."""
    if policy.hierarchies is not None:
        raise PolicyError(
            "This policy names a folder of hierarchies. Send the hierarchies column by column instead, or run it on "
            "the command line."
        )
    for name, entry in SETTINGS.items():
        if name not in (*SHOWN, *ON_THE_DESK) and getattr(policy, name) != entry.default:
            raise PolicyError(
                f"This policy says {name}, which the studio cannot. Leave it out, or run the policy on the command "
                "line."
            )
    asked = [dict(column.demands) for column in policy.columns.values() if column.role == "sensitive"]
    if any(one != asked[0] for one in asked[1:]):
        raise PolicyError(
            "This policy asks different things of its sensitive columns. The studio asks the same of all: run it on "
            "the command line."
        )
    require = {
        name: ", ".join(f"{value:g}" for value in parameters.values())
        for name, parameters in (asked[0] if asked else {}).items()
    }
    return Settings({name: getattr(policy, name) for name in SHOWN}, require)
