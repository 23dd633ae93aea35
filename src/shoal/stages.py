"""What each stage of a run is called where a person reads it. Programs get the short names."""

from __future__ import annotations

import time

GOOD_ENOUGH = "Finding out how good a release can be"
BETTER = "Looking for a better release"
FIRST = "Making a first release"
IN_WORDS = {
    "starting": "Starting",
    "reading": "Reading",
    "encoding": "Preparing",
    "split": FIRST,
    "demands": "Keeping the promises about sensitive columns",
    "withholding": "Choosing which rows to withhold",
    "boxes": GOOD_ENOUGH,
    "prices": GOOD_ENOUGH,
    "neighbours": GOOD_ENOUGH,
    "linear program": GOOD_ENOUGH,
    "cuts": GOOD_ENOUGH,
    "groups": BETTER,
    "integer program": BETTER,
    "cover": BETTER,
    "search": BETTER,
    "columns": "Choosing the columns to hide",
    "levels": "Choosing a level for each column",
    "cut": "Cutting the table into groups",
    "members": "Adding people to groups",
    "forest": "Joining people into groups",
    "matching": "Joining people into pairs",
    "factor": "Joining people into groups",
    "solving in parts": "Looking for a release on the workers, part by part",
    "verifying": "Recounting what will be released",
    "writing": "Writing",
    "drawing the report": "Drawing the report",
    "waiting for the run before it": "Waiting for the run before it",
}


def in_words(stage: str) -> str:
    return IN_WORDS.get(stage, stage)


class Pace:
    """How long a run has taken, and how long its stage will still take at the pace that it has had."""

    def __init__(self) -> None:
        self.begun = self.stage_begun = time.monotonic()
        self.stage = "starting"
        self.done: float | None = None

    def tell(self, stage: str, done: float | None) -> bool:
        """What is being done now; whether that is a new stage."""
        is_new = stage != self.stage
        if is_new:
            self.stage, self.stage_begun, self.done = stage, time.monotonic(), None
        self.done = done if done is not None else self.done
        return is_new

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    @property
    def seconds_left(self) -> float | None:
        """Of this stage; None where nobody knows."""
        spent = time.monotonic() - self.stage_begun
        return spent * (1 - self.done) / self.done if self.done else None
