"""Who does what, and until when: tasks with leases. Nothing here is durable; after a restart the work that is left is handed out again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from shoal.protocol.messages import Body, text_of
from shoal.protocol.suppression.jobs import Job
from shoal.protocol.suppression.miner import State, before_digest, n_stages
from shoal.protocol.suppression.stamps import pack

WINDOW = 64
"""So many open jobs are looked at for each customer who asks."""
MIXERS = 4
"""So many of the helpers who are there share the mixing."""


@dataclass
class Plan:
    """The people asked for the next step of a job, each with the time at which her lease ends."""

    step: tuple[str, int]
    leases: dict[int, float] = field(default_factory=dict)
    given: set[int] = field(default_factory=set)


@dataclass
class Desk:
    """The miner's list of helpers who were heard of lately, and the plans of open jobs."""

    seen: dict[int, float] = field(default_factory=dict)
    plans: dict[str, Plan] = field(default_factory=dict)
    load: dict[int, int] = field(default_factory=dict)
    rank: dict[int, int] = field(default_factory=dict)
    """Every helper's place in an order that follows from the roster, so that the miner does not choose who mixes."""
    avoided: dict[str, set[int]] = field(default_factory=dict)
    """Who let a lease of a job pass: she is asked last."""


def ask(desk: Desk, state: State, index: int, now: float) -> Body:
    """The next task for a customer who asks, or none."""
    desk.seen[index] = now
    if not desk.rank:
        helpers = [m.index for m in state.board.roster if "help" in m.roles]
        desk.rank = {i: place for place, i in enumerate(state.board.order("help", helpers))}
    if state.board.phase == "test" and index in state.group_of and index not in state.finals:
        task = final_task(state, index)
        if task is not None:
            return task
    if state.board.phase in ("mix", "test") and index in desk.rank:
        present = [i for i, at in desk.seen.items() if now - at <= state.board.session.seconds["lease"] and i in desk.rank]
        present.sort(key=desk.rank.__getitem__)
        for name in list(islice(state.open_jobs, WINDOW)):
            task = job_task(desk, state, state.jobs[name], index, present, now)
            if task is not None:
                return task
    return {"task": "none"}


def job_task(desk: Desk, state: State, job: Job, index: int, present: list[int], now: float) -> Body | None:
    """This customer's part in one job, if she has one now."""
    step = current_step(state, job)
    if step[0] == "done":
        state.open_jobs.pop(job.name, None)
        return None
    plan = desk.plans.get(job.name)
    if plan is None or plan.step != step:
        plan = desk.plans[job.name] = Plan(step)
    lease = state.board.session.seconds["lease"]
    for late in [i for i, end in plan.leases.items() if now > end and i not in job.shares]:
        del plan.leases[late]
        plan.given.discard(late)
        desk.avoided.setdefault(job.name, set()).add(late)
    if index not in plan.leases:
        (choose_mixer if step[0] == "mix" else choose_decryptors)(desk, state, job, plan, index, present, now + lease)
    if index not in plan.leases or index in plan.given or index in job.shares:
        return None
    plan.leases[index] = now + lease  # she is there; if she has to wait for others, her lease waits with her
    task = describe(state, job, plan, index)
    if task is not None:
        plan.given.add(index)
        desk.load[index] = desk.load.get(index, 0) + 1
    return task


def current_step(state: State, job: Job) -> tuple[str, int]:
    """What a job waits for: ``mix`` with its stage, or ``decrypt``."""
    session = state.board.session
    if len(job.mixed) < n_stages(session, job):
        return "mix", len(job.mixed)
    if job.is_group and len(job.shares) >= n_helpers(state, job, job.shares):
        return "done", 0
    return "decrypt", 0


def n_helpers(state: State, job: Job, chosen: Iterable[int]) -> int:
    """Phase 3: t − 1 helpers, or t if one of them is a member of the group, who needs t − 1 others herself."""
    t = state.board.session.decryptors
    return t if any(i in job.left for i in chosen) else t - 1


def choose_mixer(desk: Desk, state: State, job: Job, plan: Plan, index: int, present: list[int], end: float) -> None:
    """The step goes to who asks, if she is among the first few of those who are there: a mixer checks the proofs of each row once, so few should mix."""
    if plan.leases or index in job.mixers:
        return
    avoided = desk.avoided.get(job.name, set())
    able = (i for i in present if i not in job.mixers)
    best = list(islice((i for i in able if i not in avoided and not (job.is_group and i in job.left)), MIXERS))
    if index in best or (not best and index in present):
        plan.leases[index] = end


def choose_decryptors(desk: Desk, state: State, job: Job, plan: Plan, index: int, present: list[int], end: float) -> None:
    """Fill a plan with helpers who are there: those who were late last, then members of the group, the least busy first."""
    t = state.board.session.decryptors
    chosen = [*plan.leases, *(i for i in job.shares if i not in plan.leases)] if job.is_group else decryptors_of(job, plan, t)

    def is_full() -> bool:
        return len(chosen) >= (n_helpers(state, job, chosen) if job.is_group else t)

    if is_full():
        return
    avoided = desk.avoided.get(job.name, set())
    ranked = [i for i in present if i not in plan.leases and i not in job.shares and i not in job.mixers]
    ranked.sort(key=lambda i: (i in avoided, job.is_group and i in job.left, desk.load.get(i, 0)))
    for i in ranked:
        chosen.append(i)
        if is_full():
            plan.leases.update({i: end for i in chosen if i not in plan.leases and i not in job.shares})
            return


def describe(state: State, job: Job, plan: Plan, index: int) -> Body | None:
    """The task itself, with everything that the helper needs to check it."""
    head: Body = {"job": job.name, "left": list(job.left), "right": list(job.right), "stamps": [m.stamp for m in job.mixed]}
    if plan.step[0] == "mix":
        task: Body = {**head, "task": "mix", "stage": plan.step[1], "before": text_of(before_digest(state, job))}
        if plan.step[1] == 0:
            return {**task, "rows": [vars(state.row_messages[i]) for i in job.members]}
        bodies, hints = job.output()
        return {**task, "bodies": bodies, "hints": hints}
    bodies, hints = job.output()
    share: Body = {**head, "task": "share", "bodies": bodies, "hints": hints, "among": []}
    if job.is_group:
        return share
    among = decryptors_of(job, plan, state.board.session.decryptors)
    if index not in among:
        return None
    others = [i for i in among if i in job.shares]
    if index != closer(state, job, among):
        return {**share, "among": among}
    if len(others) < len(among) - 1:
        return None
    return {**share, "task": "count", "among": among, "shares": [job.share_messages[i] for i in others]}


def decryptors_of(job: Job, plan: Plan, wanted: int) -> list[int]:
    """The set that decrypts a chunk: those whose shares are there, all but one at most, and those who are asked."""
    shared = sorted(job.shares)[: wanted - 1]
    asked = [i for i in plan.leases if i not in job.shares and i not in job.mixers]
    return sorted([*shared, *asked[: wanted - len(shared)]])


def closer(state: State, job: Job, among: list[int]) -> int:
    """The closing mixer of a chunk: the first, in an order that follows from the roster, who has given no share."""
    return state.board.order("close", [i for i in among if i not in job.shares], job.name)[0]


def final_task(state: State, index: int) -> Body | None:
    """A member's own part of phase 3, once t − 1 shares of others are there."""
    job = state.jobs[f"group-{state.group_of[index]}"]
    shares = {i: parts for i, (_, parts) in job.shares.items() if i != index}
    t = state.board.session.decryptors
    if len(job.mixed) < n_stages(state.board.session, job) or len(shares) < t - 1:
        return None
    bodies, hints = job.output()
    chosen = dict(sorted(shares.items())[: t - 1])
    return {
        "task": "final",
        "job": job.name,
        "group": state.group_of[index],
        "members": list(job.left),
        "stamps": [m.stamp for m in job.mixed],
        "digests": [state.row_messages[i].digest() for i in job.members],
        "bodies": bodies,
        "hints": hints,
        "parts": {str(i): pack(parts) for i, parts in chosen.items()},
    }
