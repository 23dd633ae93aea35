"""What a recorded run is: a name, and its steps one after the other in a folder of its own, where ``in`` leads to the inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Step = list[str] | str
"""The arguments of a command, or a piece of Python."""
QI = ["--qi", "age,sex,postcode,job"]
STAR = ["--missing-value", "*"]
"""For cells that would look suppressed."""
LITTLE = ["--effort", "0.03", "--quiet"]
ALGORITHMS = [
    "auto",
    "set-cover",
    "forest",
    "meyerson-williams",
    "meyerson-williams-diameter",
    "full-domain",
    "k-member",
    "mondrian",
    "exact",
    "one-two-factor",
    "two-factor",
    "restricted-matching",
    "attribute-suppression",
]
MEASURES = ["entropy", "monotone-entropy", "non-uniform-entropy", "information-share", "root-share", "tree", "lm", "ncp", "stars"]
CRITERIA = {
    "distinct-l-diversity": "2",
    "entropy-l-diversity": "1.5",
    "recursive-l-diversity": "3,2",
    "t-closeness": "0.45",
    "alpha-k-anonymity": "0.7",
    "basic-beta-likeness": "4",
    "enhanced-beta-likeness": "4",
    "delta-disclosure-privacy": "3",
}


@dataclass(frozen=True)
class Run:
    """One run."""

    name: str
    steps: tuple[Step, ...]
    stdin: str = ""
    """The input that standard input gives."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Small files beside it."""


def make(
    name: str,
    source: str,
    target: str,
    *asked: str,
    k: str = "3",
    files: Mapping[str, str] | None = None,
    then: Sequence[list[str]] = (),
    loud: bool = False,
) -> Run:
    """A release with its manifest and its record, and what is done with it. The summary takes longest, so only the ``loud`` print it."""
    effort = LITTLE[: 2 if loud else 3]
    k_said = [] if "--policy" in asked and k == "3" else ["-k", k]
    step = ["anonymize", source, "-o", target, *k_said, *asked, "--manifest", "m.json", "--record", "record.json", *effort]
    return Run(name, (step, *([*s, "-k", k] if s[0] == "verify" and "-k" not in s else s for s in then)), files=files or {})


def verify(release: str, *asked: str, table: str = "in/people.csv") -> list[str]:
    """What a stranger would call: what only the maker says is left out."""
    makers = ["--algorithm", "--withhold", "--engine", "--seed", "--missing"] + ([] if "--proof" in asked else ["--measure"])
    kept = [word for before, word in zip(("", *asked), asked, strict=False) if word not in makers and before not in makers]
    return ["verify", table, release, *kept]
