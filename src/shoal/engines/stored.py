"""A release that is not in memory: written where nobody sees it, recounted there, and published in one step."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Any

import polars as pl

from shoal.engines.base import Counting
from shoal.engines.driver import Made
from shoal.errors import Refused
from shoal.judge.verdict import Verdict
from shoal.policy.policy import Policy
from shoal.problem import Solution
from shoal.release import doors
from shoal.release.counted import CountedRelease
from shoal.release.frozen import FrozenDict
from shoal.release.risk import Risk, risk_of
from shoal.release.written import WrittenFile, with_reading, written_file
from shoal.text.rounding import times_the_least
from shoal.text.shown import Shown

IN_MEMORY = "needs the table in memory, and this release is not there. Leave it out, or take --engine memory (engine='memory' in Python)"


class Stored(Shown):
    """A verified release that lies elsewhere. Until :meth:`write` gives it its name, nobody sees it; leaving the block removes what was not written."""

    def __init__(self, rows: Counting, made: Made, output: str) -> None:
        self._rows, self._made, self.output = rows, made, output
        self._written: dict[str, Any] = {}

    @property
    def facts(self) -> FrozenDict:
        """The record, without what is known only after publishing."""
        return self._made.facts

    @property
    def verdict(self) -> Verdict:
        return self._made.verdict

    @property
    def policy(self) -> Policy:
        return self._made.story.policy

    @property
    def notes(self) -> tuple[str, ...]:
        """What reading had to assume."""
        return self._rows.notes

    @property
    def manifest(self) -> FrozenDict:
        """What the release is, in numbers that may be published with it."""
        return FrozenDict({**self._made.told, "release_sha256": self.verdict.fingerprint})

    @property
    def seconds(self) -> FrozenDict:
        """How long each step took, so far."""
        more = self._written.get("seconds", {})
        return FrozenDict({step: spent + more.get(step, 0.0) for step, spent in self.facts["seconds"].items()})

    def took(self, step: str, seconds: float) -> None:
        """Say how long a step took after the release was made."""
        self._written.setdefault("seconds", {})[step] = seconds

    @property
    def record(self) -> FrozenDict:
        """Everything that is known of the run, exactly, for the owner."""
        return FrozenDict({**self.facts, "seconds": self.seconds, "release_sha256": self.verdict.fingerprint})

    @property
    def loss(self) -> float:
        return float(self._made.facts["loss"])

    @property
    def lower_bound(self) -> float | None:
        bound = self._made.facts["lower_bound"]
        return None if bound is None else float(bound)

    @property
    def ratio(self) -> float | None:
        ratio = self._made.facts["ratio"]
        return None if ratio is None else float(ratio)

    @property
    def solution(self) -> Solution:
        return self._made.story.solution

    def risks(self) -> tuple[Risk, Risk]:
        """Before, over the original rows, and after, over the released ones."""
        problem = self._made.story.encoding.problem
        return risk_of(problem.weight, problem.k), risk_of(self.verdict.size_array(), problem.k)

    def first_rows(self) -> pl.DataFrame:
        """The first rows of the original over the columns that are released: to look at."""
        dropped = self.policy.named("identifier")
        return self._rows.head.select(pl.exclude(dropped) if dropped else pl.all()).with_columns(pl.col(pl.Categorical).cast(pl.String))

    def meant_for(self, path: str | Path, **how: Any) -> None:
        """Say where it will be written, for what is said of it before: a table of a database is written last."""
        self._written["file"] = written_file(path, **how)

    def read_by(self, delimiter: str | None, encoding: str | None, output_delimiter: str | None) -> None:
        """Say how files were read and written, for the commands in a report."""
        self._written["reading"] = (delimiter, encoding, output_delimiter)

    def write(self, path: str | Path | None = None, **how: Any) -> str:
        """Publish the release under the name that it was made for. Gives the SHA-256 of what was written."""
        if path is not None and str(path) != self.output:
            raise Refused(f"This release was made for '{self.output}', and is there or nowhere. Run it again for another place.")
        if "sha256" not in self._written:
            start = time.perf_counter()
            sha256 = self._rows.publish(self.verdict)
            self._written.update(sha256=sha256, file=written_file(self.output, **how))
            self.took("write", time.perf_counter() - start)
        return str(self._written["sha256"])

    def proof(self, path: str | Path, **how: Any) -> None:
        raise Refused(f"A proof {IN_MEMORY}.")

    def report(self, path: str | Path | None = None, *, force: bool = False) -> Any:
        """Write the report that may be published with the release, made of what was counted."""
        return doors.load("write_report")(self._counted(), path, force=force)

    def owner_report(self, path: str | Path | None = None, *, force: bool = False) -> Any:
        """Write the report with everything in it, for the owner alone."""
        return doors.load("write_owner_report")(self._counted(), path, force=force)

    def _counted(self) -> CountedRelease:
        """What a report looks at."""
        counts, story = self._rows.counts, self._made.story
        if counts is None:
            raise Refused(
                "Nothing was counted for a report. Ask for it when the release is made (report=True in Python), or take --engine memory."
            )
        if "file" not in self._written:
            raise Refused("A report is of a release that is written: write it first.")
        columns = tuple(name for name in self._rows.columns if name not in self.policy.named("identifier"))
        given = (story.policy, story.encoding.problem, story.solution, self.verdict, self._made.facts, self.record, self.manifest)
        file = with_reading(self._written["file"], *self._written.get("reading", (None, None, None)))
        return CountedRelease(counts, columns, self._rows.source, self.notes, *given, file)

    def close(self) -> None:
        """Remove whatever is not published."""
        self._rows.clean()

    def __enter__(self) -> Stored:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()

    def warnings(self) -> list[str]:
        return self.verdict.warnings()

    def sentences(self) -> list[str]:
        near = "" if self.ratio is None else f" Its loss is {times_the_least(self.ratio)}, which is proved."
        return [f"{self.output}: {'published' if 'sha256' in self._written else 'not yet published'}.{near}", *self.verdict.sentences()]


class InSession(Stored):
    """A verified release that is in a session of Spark, as a DataFrame."""

    def __init__(self, rows: Counting, made: Made) -> None:
        super().__init__(rows, made, "the session")
        self.write()
        self._written["file"] = WrittenFile(is_table=True)

    @property
    def table(self) -> Any:
        """The released rows, which were computed once and recounted."""
        return self._rows.table  # type: ignore[attr-defined]
