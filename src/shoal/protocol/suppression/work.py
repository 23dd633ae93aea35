"""The miner's desk: it hands out the next task with the bytes that it needs, and notices who is late.

It does not decide who does what.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shoal.protocol.messages import Body
from shoal.protocol.suppression.jobs import Job
from shoal.protocol.suppression.rules import Rules

PATIENCE = 6
"""Somebody who has a task and still asks for news gets so many leases (time limits) before she counts as late."""


@dataclass
class Desk:
    """When a helper last sent something, and since when she has her task."""

    began: float = 0.0
    """When the desk was opened: after a restart of the miner's program nobody has been silent yet."""
    seen: dict[int, float] = field(default_factory=dict)
    given: dict[tuple[str, int, int], float] = field(default_factory=dict)
    """(place of the job, helper, stage) → when she got the task."""


def ask(desk: Desk, rules: Rules, rows: Mapping[int, Body], index: int, now: float) -> Body:
    """The next task of a helper who asks, or none."""
    desk.seen[index] = now
    if rules.board.waiting or rules.board.phase not in ("mix", "test"):
        return {"task": "none"}
    for name in rules.open_jobs:
        job = rules.jobs[name]
        if index in job.awaited:
            desk.given.setdefault((job.place, index, len(job.mixed)), now)
            return describe(job, rows, index)
    return {"task": "none"}


def describe(job: Job, rows: Mapping[int, Body], index: int) -> Body:
    """The bytes that a helper needs; she checks each against the board."""
    task: Body = {"task": "job", "job": job.name}
    stage = len(job.mixed)
    if stage == job.n_mixers:
        stage = job.roles.stage_of(index)
        if index == job.roles.closer:
            task["shares"] = {str(d): m.body for d, m in job.shares.items()}
        if stage < 0:
            return {**task, "last": job.mixed[-1].body}
        task["stage"] = job.mixed[stage].body
    if stage == 0:
        return {**task, "rows": {str(i): rows[i] for i in job.members}}
    return {**task, "before": job.mixed[stage - 1].body}


def late(desk: Desk, rules: Rules, now: float) -> list[list[str | int]]:
    """Who is awaited and was not heard of for a lease, or has had her task for too long; one per job."""
    desk.began = desk.began or now
    lease, since = rules.board.session.seconds["lease"], max(rules.board.since, desk.began)
    found: list[list[str | int]] = []
    for name in rules.open_jobs:
        job = rules.jobs[name]
        for who in job.awaited:
            silent = now - max(desk.seen.get(who, since), since) > lease
            slow = now - desk.given.get((job.place, who, len(job.mixed)), now) > PATIENCE * lease
            if who != job.receiver and (silent or slow):
                found.append([name, who])
                break
    return found
