"""A run: an anonymization in a thread, its loss and bound as they come, and its release in the end."""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from shoal import api
from shoal.disk.atomic import write_bytes
from shoal.errors import DataError
from shoal.io import release_sha256
from shoal.policy.policy import Policy
from shoal.policy.toml import toml_key
from shoal.problem import Watch
from shoal.release.release import Release
from shoal.release.risk import risks
from shoal.release.telling import order_words
from shoal.report import page, svg
from shoal.report.markdown import markdown
from shoal.report.model import first_model, owner_model
from shoal.report.once import put_away
from shoal.report.public import public_model
from shoal.stages import in_words
from shoal.studio.work import TURNS, Job
from shoal.table import Table
from shoal.text.rounding import times_the_least

FOR_EVER = 86_400.0
"""Seconds that whoever asks for a report waits for it."""
MOST_POINTS = 2_000
"""Points of the live curve; when there are more, every second one is dropped."""

ABOUT_FILES = {
    "release.csv": "the table",
    "release.parquet": "the table, for data tools",
    "report.html": "what is protected and what was lost, in plain words: for an officer and for readers",
    "report.md": "the same as text",
    "report.json": "the same as data",
    "manifest.json": "the figures by which anybody can check the release",
    "owner-report.html": "the report with the original beside the release: for you and whoever signs",
    "record.json": "all figures of the run",
    "policy.toml": "what you asked for: repeats the run",
}
"""What each file is, for whoever has never seen one."""
FILES = {
    "release.csv": "text/csv; charset=utf-8",
    "release.parquet": "application/vnd.apache.parquet",
    "report.html": "text/html; charset=utf-8",
    "report.md": "text/markdown; charset=utf-8",
    "report.json": "application/json",
    "manifest.json": "application/json",
    "owner-report.html": "text/html; charset=utf-8",
    "record.json": "application/json",
    "policy.toml": "application/toml",
}
"""What can be downloaded of a run."""
OWNERS = ("owner-report.html", "record.json", "policy.toml")
"""Those that tell more than the release: they stay with the owner."""


class Ear(Watch):
    """Receives the progress of a run, for the page, and passes on that somebody wants it to stop."""

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.stage = "waiting for the run before it"
        self.done: float | None = None
        self.loss: list[tuple[float, float]] = []
        self.bound: list[tuple[float, float]] = []
        self.stop = threading.Event()
        self._lock = threading.Lock()

    def tell(
        self, stage: str, done: float | None = None, loss: float | None = None, bound: float | None = None
    ) -> None:
        now = time.monotonic() - self.begun
        with self._lock:
            self.stage, self.done = stage, done
            for curve, value in ((self.loss, loss), (self.bound, bound)):
                if value is not None:
                    curve.append((now, value))
                    if len(curve) > MOST_POINTS:
                        del curve[1:-1:2]

    def wants_stop(self) -> bool:
        return self.stop.is_set()

    def curves(self) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
        """Loss and bound by the seconds since the run began."""
        with self._lock:
            return list(self.loss), list(self.bound)


class Run:
    """One anonymization of the table, with the policy it was started with."""

    def __init__(
        self,
        number: int,
        key: str,
        table: Table,
        policy: Policy,
        folder: Path,
        reasons: Mapping[str, list[str]] | None = None,
        name: str = "",
        after: Callable[[], object] = lambda: None,
    ) -> None:
        self.number = number
        self.name = name
        """What its owner calls it."""
        self.reasons = reasons or {}
        """What was answered about each column: comments of the policy."""
        self.again = ""
        """The fingerprint that it should have, where it repeats a run of a project."""
        self.key = key
        """Of its table."""
        self.source = table.source
        self.policy = policy
        self.ear = Ear()
        self.seconds = 0.0
        self.first: dict[str, Any] = {}
        """The numbers of the report's first page, and the risk: what the workspace shows."""
        self.drawing: Job[tuple[dict[str, Any], dict[str, Any]]] | None = None
        """The numbers of both reports, which take long on a large table: nobody waits for them who does not ask for
        them.
        """
        self._policy_text = ""
        self._folder = folder
        self._writing = threading.Lock()
        self.job: Job[Release] = Job(f"Run {number}", lambda: self._work(table), after)

    def _work(self, table: Table) -> Release:
        with TURNS.of_run():
            self.ear.begun = time.monotonic()
            try:
                release = api.anonymize(table, policy=self.policy, watch=self.ear)
            finally:
                self.seconds = time.monotonic() - self.ear.begun
            self.ear.tell("drawing the report")
            before, after = risks(release)
            self.first = {**first_model(release), "risk": {"before": asdict(before), "after": asdict(after)}}
            over = TURNS.beside()
            self.drawing = Job(f"Drawing the report of {self.title}", lambda: _drawn(release), over, gives_way=True)
            return release

    def is_drawn(self, patience: float = 0.0) -> bool:
        """Whether the numbers of its reports are there after so many seconds."""
        if self.drawing is not None:
            self.drawing.wait(patience)
        return self.drawing is not None and self.drawing.state != "working"

    def _drawn(self) -> tuple[dict[str, Any], dict[str, Any]]:
        self.is_drawn(FOR_EVER)
        if self.drawing is None or self.drawing.result is None:
            raise DataError(
                self.drawing.error
                if self.drawing is not None
                else "This run has no report: it is still going, or it failed."
            )
        return self.drawing.result

    @property
    def model(self) -> dict[str, Any]:
        """The numbers of the owner's report, which the page shows."""
        return self._drawn()[0]

    @property
    def public(self) -> dict[str, Any]:
        """The numbers of the report that may be published."""
        return self._drawn()[1]

    def order_tells(self) -> str:
        """What the rows' order tells, where it was kept and tells something; for the owner, as all that a page
        shows.
        """
        if self.job.state != "done" or not self.policy.keep_order or not self.release.facts["telling_order"]:
            return ""
        return order_words(self.release.facts["telling_order"])

    @property
    def release(self) -> Release:
        if self.job.result is None:
            raise DataError("This run has no release: it is still going, or it failed.")
        return self.job.result

    @property
    def address(self) -> str:
        """Of its page."""
        return f"/tables/{self.key}/runs/{self.number}"

    @property
    def fingerprint(self) -> str:
        """Of what was verified: the addresses of its files carry it."""
        return self.release.verdict.fingerprint[:16]

    @property
    def files(self) -> str:
        """Where its files are: addressed by table, run and what was verified, so that an address leads to one file or
        to none.
        """
        return f"{self.address}/{self.fingerprint}"

    @property
    def was_stopped(self) -> bool:
        return self.ear.stop.is_set()

    @property
    def title(self) -> str:
        usual = Policy()
        more = [
            getattr(self.policy, name)
            for name in ("measure", "algorithm")
            if getattr(self.policy, name) != getattr(usual, name)
        ]
        demands = {name: given for column in self.policy.columns.values() for name, given in column.demands}
        more += [f"{name} {', '.join(f'{value:g}' for value in given.values())}" for name, given in demands.items()]
        return f"Run {self.number}: {self.name or ', '.join([f'k={self.policy.k}', *more])}"

    @property
    def is_as_before(self) -> bool | None:
        """Whether it gave the very release that it repeats; None where it repeats none, or is not done."""
        return None if not self.again or self.job.state != "done" else self.again == self.release.verdict.fingerprint

    def wipe(self) -> None:
        """Remove its files."""
        for home in (self._home(False), self._home(True)):
            shutil.rmtree(home, ignore_errors=True)

    def _home(self, spreadsheet_safe: bool) -> Path:
        return self._folder / f"run-{self.key}-{self.number}{'-safe' if spreadsheet_safe else ''}"

    def state(self) -> dict[str, Any]:
        """Where the run stands, for the page to draw."""
        loss, bound = self.ear.curves()
        near = loss[-1][1] / bound[-1][1] if loss and bound and bound[-1][1] > 0 else 0.0
        words = in_words(self.ear.stage)
        stage = words if not self.was_stopped else f"Stopping: {words}"
        return {
            "state": self.job.state,
            "stage": stage,
            "done": self.ear.done,
            "seconds": round(time.monotonic() - self.ear.begun, 1),
            "near": f"What it loses is {times_the_least(near)}." if near >= 1 else "",
            "figure": _meeting(loss, bound),
        }

    def report(self) -> str:
        """The report, for a page that has a title already."""
        return page.body(self.model)

    def file(self, name: str, spreadsheet_safe: bool = False) -> Path:
        """A file of this run, written when it is first asked for. Only a verified release gets here."""
        release = self.release
        home = self._home(spreadsheet_safe)
        path = home / name
        with self._writing:
            home.mkdir(mode=0o700, exist_ok=True)
            if not path.exists():
                self._write(release, path, spreadsheet_safe)
        return path

    def _write(self, release: Release, path: Path, spreadsheet_safe: bool) -> None:
        if path.name.startswith("release."):
            release.write(path, spreadsheet_safe=spreadsheet_safe)
            return
        made = {
            "report.html": lambda: page.html(self.public),
            "report.md": lambda: markdown(self.public),
            "report.json": lambda: page.as_json(self.public),
            "manifest.json": lambda: self._json(release.manifest),
            "owner-report.html": lambda: page.html(self.model),
            "record.json": lambda: self._json(release.record),
            "policy.toml": self.policy_text,
        }
        # whole or not at all: what is there is served again
        write_bytes(path, made[path.name]().encode(), private=True)

    def policy_text(self) -> str:
        """The policy, with what was answered about each column; written once, since it is kept with every change of the
        desk.
        """
        if not self._policy_text:
            self._policy_text = with_reasons(self.policy.toml(), self.reasons)
        return self._policy_text

    def _json(self, figures: Mapping[str, Any]) -> str:
        """Figures as JSON. They speak of release.csv, whatever was downloaded last."""
        return (
            json.dumps({**figures, "release_sha256": release_sha256(self.release)}, indent=2, ensure_ascii=False) + "\n"
        )


def _drawn(release: Release) -> tuple[dict[str, Any], dict[str, Any]]:
    """The numbers of both reports; what they were counted from is put away, since runs are kept."""
    try:
        return owner_model(release), public_model(release)
    finally:
        put_away(release)


def _meeting(loss: list[tuple[float, float]], bound: list[tuple[float, float]]) -> str:
    """What is lost and what cannot be lost less, as they come together; in percent of what the first release lost."""
    first = loss[0][1] if loss and loss[0][1] > 0 else 0.0
    if not first or (not bound and loss[-1][1] > 0.99 * first):
        return ""  # nothing to see yet
    lost, least = ([(at, 100 * value / first) for at, value in curve] for curve in (loss, bound))
    series = [("lost", "a", lost), ("cannot lose less", "b", least)]
    return svg.lines(
        "What is lost so far, and what no such release can lose less than",
        series,
        "seconds",
        "in percent of the first release's loss",
    )


def with_reasons(toml: str, reasons: Mapping[str, list[str]]) -> str:
    """A policy with comments below the heading of each column that something was answered about."""
    lines = []
    heads = {f"[columns.{toml_key(name)}]": said for name, said in reasons.items()}
    for line in toml.splitlines():
        lines += [line, *(f"# {' '.join(text.split())}" for text in heads.get(line, ()))]
    return "\n".join(lines) + "\n"
