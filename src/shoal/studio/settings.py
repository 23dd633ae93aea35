"""What is asked of a run, as the form says it; read from the form, and from a policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from shoal import measures
from shoal.errors import DataError, PolicyError
from shoal.policy.policy import Policy
from shoal.privacy.asking import criteria


@dataclass
class Settings:
    """What is asked of a run, as the form says it."""

    k: int = 5
    measure: str = measures.DEFAULT
    algorithm: str = "auto"
    withhold: float = 0.0
    deletion: str = ""
    require: Mapping[str, str] = field(default_factory=dict)
    """What is asked of sensitive columns: a criterion's name, and its parameters as on the command line."""
    missing: str = "value"
    keep_order: str = ""
    """Whether rows keep the input's order; else they are sorted by what they show."""
    time_limit: str = ""
    near_enough: str = ""
    """Stop once it loses at most so many percent more than the least possible."""
    effort: str = ""
    """How much the search works, in multiples of what is usual."""
    seed: int = 0

    @property
    def stop_at_ratio(self) -> float | None:
        near = number(self.near_enough, "How close is near enough")
        return 1 + near / 100 if near is not None else None


def number(text: str, what: str) -> float | None:
    """The number in a field; None for an empty one."""
    try:
        return float(text) if text.strip() else None
    except ValueError:
        raise PolicyError(f"{what} must be a number.") from None


def read_settings(form: dict[str, str], before: Settings) -> Settings:
    """What the form says; a field that should hold a number and does not is named in the message."""
    numbers: dict[str, Any] = {}
    for key, kind, what in (("k", int, "k"), ("withhold", float, "The share of rows to withhold"), ("seed", int, "The seed")):
        text = form.get(key, "").strip()
        try:
            numbers[key] = kind(text) if text else getattr(Settings(), key)
        except ValueError:
            raise DataError(f"{what} must be a {'whole ' if kind is int else ''}number.") from None
    numbers["withhold"] /= 100
    words = ("measure", "algorithm", "missing", "time_limit", "near_enough", "effort")
    texts = {key: form.get(key, getattr(before, key)) for key in words}
    require = {c.name: text for c in criteria() if (text := form.get(f"require {c.name}", "").strip())}
    return replace(before, **numbers, **texts, require=require, deletion=form.get("deletion", ""), keep_order=form.get("keep_order", ""))


def of_policy(policy: Policy) -> Settings:
    """The settings that ask for what a policy asks for. What the form cannot say is refused in words."""
    if policy.hierarchies is not None:
        raise PolicyError(
            "This policy names a folder of hierarchies. Send the hierarchies column by column instead, or run it on the command line."
        )
    if policy.suppression_only or policy.target is not None:
        said = "suppression_only" if policy.suppression_only else "target"
        raise PolicyError(f"This policy says {said}, which the studio cannot. Leave it out, or run the policy on the command line.")
    asked = [dict(column.demands) for column in policy.columns.values() if column.role == "sensitive"]
    if any(one != asked[0] for one in asked[1:]):
        raise PolicyError(
            "This policy asks different things of its sensitive columns. The studio asks the same of all: run it on the command line."
        )
    require = {name: ", ".join(f"{value:g}" for value in parameters.values()) for name, parameters in (asked[0] if asked else {}).items()}
    return Settings(
        k=policy.k, measure=policy.measure, algorithm=policy.algorithm, withhold=policy.withhold, deletion="yes" if policy.deletion else "",
        require=require, missing=policy.missing, keep_order="yes" if policy.keep_order else "",
        time_limit="" if policy.time_limit is None else repr(policy.time_limit),
        near_enough="" if policy.stop_at_ratio == 1 else repr(round(100 * (policy.stop_at_ratio - 1), 9)),
        effort="" if policy.effort == 1 else repr(policy.effort), seed=policy.seed,
    )  # fmt: skip
