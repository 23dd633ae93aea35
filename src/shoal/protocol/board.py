"""The miner's side of what the protocols share: who takes part, who deals keys, and in which phase the session is.

    join ──► deal ──► check ──► submit ──► … ──► closed          (or failed, with the reason)

Everything changes only through ``step``; the time comes with the message. A phase ends when everybody has done her part, when its
time is over, or when the miner says so; who did not appear by then is left out and the rest goes on.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from shoal.protocol import keygen, tokens
from shoal.protocol.group import Group
from shoal.protocol.keygen import Commitment
from shoal.protocol.messages import Body, Message, Rejected, bytes_of
from shoal.protocol.messages import field as take
from shoal.protocol.session import Session

ROLES = ("deal", "help")


@dataclass(frozen=True)
class Member:
    """A customer on the roster; she is known by her keys only."""

    index: int
    sign_key: bytes
    seal_key: bytes
    roles: tuple[str, ...]


@dataclass
class Board:
    """State of a session as the miner knows it."""

    session: Session
    group: Group
    phase: str = "join"
    since: float = 0.0
    reason: str = ""
    roster: list[Member] = field(default_factory=list)
    by_key: dict[bytes, int] = field(default_factory=dict)
    dealers: list[int] = field(default_factory=list)
    appointed: dict[int, float] = field(default_factory=dict)
    commitments: dict[int, Commitment] = field(default_factory=dict)
    commit_bodies: dict[int, Body] = field(default_factory=dict)
    sealed: dict[int, dict[int, bytes]] = field(default_factory=dict)
    named: dict[int, str] = field(default_factory=dict)
    """Who was caught, and at what."""
    out: set[int] = field(default_factory=set)
    """Dealers whose polynomials do not count; fixed when submission begins."""
    confirmed: set[int] = field(default_factory=set)

    def member(self, index: int) -> Member:
        if not 1 <= index <= len(self.roster):
            raise Rejected(403, "stranger", "The sender is not on the session's roster.")
        return self.roster[index - 1]

    def need(self, *phases: str) -> None:
        if self.phase not in phases:
            raise Rejected(409, "phase", f"The session is in the phase '{self.phase}'; this message belongs to '{phases[0]}'.")

    def enter(self, phase: str, now: float, reason: str = "") -> None:
        self.phase, self.since, self.reason = phase, now, reason

    @property
    def roster_digest(self) -> bytes:
        """What everybody who saw the same roster has in common."""
        return hashlib.sha256(b"".join(m.sign_key + m.seal_key for m in self.roster)).digest()

    @property
    def qualified(self) -> list[int]:
        """The dealers whose sum is the key: those who dealt to everybody and were not caught."""
        return [d for d in self.dealers if d not in self.out and len(self.sealed.get(d, ())) == len(self.roster)]

    def order(self, role: str, members: list[int], purpose: str = "") -> list[int]:
        """Members in an order that follows from the roster, so that nobody chooses who gets a role."""
        digest = self.roster_digest
        return sorted(members, key=lambda i: hashlib.sha256(digest + f"{role}/{purpose}/{i}".encode()).digest())


def step(board: Board, message: Message, now: float) -> Body | None:
    """Take a message that every protocol has; None if it is not one of those. The board is changed in place."""
    handlers = {"join": take_join, "commit": take_commit, "deal": take_deal, "complain": take_complaint, "confirm": take_confirm}
    if message.kind == "close":
        return take_close(board, message, now)
    if message.kind not in handlers:
        return None
    reply = handlers[message.kind](board, message, now)
    advance(board, now)
    return reply


def take_join(board: Board, message: Message, now: float) -> Body:
    """A token, two public keys and the roles she offers; the answer is her index."""
    board.need("join")
    sign_key = bytes_of(take(message.body, "sign_key", str))
    message.check_signature(sign_key)
    if sign_key.hex() != message.slot:
        raise Rejected(400, "malformed", "A join must be named by its signing key.")
    if sign_key in board.by_key:
        raise Rejected(409, "twice", "This key has joined already.")
    roles = take(message.body, "roles", list)
    if any(r not in ROLES for r in roles):
        raise Rejected(400, "malformed", "A join offers a role that there is not.")
    seal_key = board.group.element(bytes_of(take(message.body, "seal_key", str)))
    if board.session.registrar is not None:
        token = take(message.body, "token", str)
        tokens.check(board.session.registrar.key, tokens.purpose(board.session.context, "join", sign_key), bytes_of(token))
    index = len(board.roster) + 1
    if board.session.customers and index > board.session.customers:
        raise Rejected(409, "full", "The session has all the customers it was made for.")
    board.roster.append(Member(index, sign_key, seal_key, tuple(sorted(set(roles)))))
    board.by_key[sign_key] = index
    return {"index": index}


def take_commit(board: Board, message: Message, now: float) -> Body:
    board.need("deal")
    _need_dealer(board, message.sender)
    board.commitments[message.sender] = keygen.read_commitment(board.session, board.group, message.sender, message.body)
    board.commit_bodies[message.sender] = message.body
    return {}


def take_deal(board: Board, message: Message, now: float) -> Body:
    board.need("deal")
    _need_dealer(board, message.sender)
    if message.sender not in board.commitments:
        raise Rejected(409, "order", "A dealer sent points before her commitment.")
    start, sealed = take(message.body, "start", int), [bytes_of(s) for s in take(message.body, "sealed", list)]
    if not sealed or not 1 <= start <= len(board.roster) - len(sealed) + 1:
        raise Rejected(400, "malformed", "A dealer sent points for customers that there are not.")
    board.sealed.setdefault(message.sender, {}).update(enumerate(sealed, start=start))
    return {}


def _need_dealer(board: Board, index: int) -> None:
    if index not in board.dealers or index in board.out:
        raise Rejected(403, "role", "The sender is not a dealer of this session, or no longer.")


def take_complaint(board: Board, message: Message, now: float) -> Body:
    """A right complaint names the dealer, a wrong one names the customer."""
    board.need("check", "submit")
    dealer = take(message.body, "dealer", int)
    if dealer not in board.commitments or message.sender not in board.sealed.get(dealer, {}):
        raise Rejected(400, "malformed", "A complaint names a dealer that there is not.")
    sealed = board.sealed[dealer][message.sender]
    seal_key = board.member(message.sender).seal_key
    guilty = keygen.judge(board.session, board.group, message.sender, seal_key, board.commitments[dealer], sealed, message.body)
    if guilty and board.phase == "check":
        board.named.setdefault(dealer, "dealt points that do not fit her commitments")
        board.out.add(dealer)
        board.confirmed.clear()
    elif guilty:
        board.named.setdefault(dealer, "dealt points that do not fit her commitments (found too late to leave her out)")
    elif not guilty:
        board.named.setdefault(message.sender, "complained of a dealer whose points are right")
    return {"guilty": dealer if guilty else message.sender}


def take_confirm(board: Board, message: Message, now: float) -> Body:
    board.need("check")
    if message.body.get("dealers") != board.qualified:
        raise Rejected(409, "dealers", "The set of dealers has changed: fetch it again.")
    board.confirmed.add(message.sender)
    return {}


def take_close(board: Board, message: Message, now: float) -> Body:
    """The miner ends the phase that is under way."""
    if message.sender != 0:
        raise Rejected(403, "role", "Only the miner closes a phase.")
    if message.body.get("phase") == board.phase == "join":
        end_join(board, now)
    return {"phase": board.phase}


def advance(board: Board, now: float) -> None:
    """Move on where everybody is done or the time is over."""
    full = 0 < board.session.customers == len(board.roster)
    if board.phase == "join" and (full or _over(board, now, "join")):
        end_join(board, now)
    if board.phase == "deal":
        replace_dealers(board, now)
        waiting = [d for d in board.dealers if d not in board.out and d not in board.qualified]
        if not waiting:
            _after_deal(board, now)
    if board.phase == "check":
        if len(board.qualified) < 2:
            board.enter("failed", now, "fewer than two honest dealers are left")
        elif len(board.confirmed) >= len(board.roster) or _over(board, now, "check"):
            board.enter("submit", now)


def end_join(board: Board, now: float) -> None:
    least = board.session.threshold
    if len(board.roster) < least:
        board.enter("failed", now, f"{len(board.roster)} customers joined, at least {least} are needed")
        return
    if board.session.protocol == "star":
        board.enter("submit", now)
        return
    if board.session.protocol == "suppression" and sum("help" in m.roles for m in board.roster) < board.session.helpers:
        board.enter("failed", now, f"fewer than {board.session.helpers} customers offered to mix and decrypt")
        return
    board.enter("deal", now)
    for candidate in candidates(board)[: board.session.committee]:
        appoint(board, candidate, now)
    if len(board.dealers) < 2:
        board.enter("failed", now, "fewer than two customers offered to deal keys")


def candidates(board: Board) -> list[int]:
    """Who may still be appointed a dealer, in the order that follows from the roster."""
    offered = [m.index for m in board.roster if "deal" in m.roles and m.index not in board.dealers]
    return board.order("deal", offered)


def appoint(board: Board, index: int, now: float) -> None:
    board.dealers.append(index)
    board.appointed[index] = now


def replace_dealers(board: Board, now: float) -> None:
    """A dealer who lets her time pass is left out, and the next one is asked."""
    for dealer in list(board.dealers):
        late = now - board.appointed[dealer] > board.session.seconds["deal"]
        if dealer not in board.out and dealer not in board.qualified and late:
            board.named[dealer] = "did not deal in time"
            board.out.add(dealer)
            for candidate in candidates(board)[:1]:
                appoint(board, candidate, now)


def _after_deal(board: Board, now: float) -> None:
    if len(board.qualified) >= 2:
        board.enter("check", now)
    else:
        board.enter("failed", now, "fewer than two dealers dealt")


def _over(board: Board, now: float, phase: str) -> bool:
    return board.phase == phase and now - board.since > board.session.seconds[phase]
