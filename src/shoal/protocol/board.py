"""What the board says, by rules that are the same for everybody: who takes part, who deals keys, and in which phase the
session is.

    join ──► deal ──► check ──► submit ──► … ──► closed          (or failed, with the reason)

The miner runs these rules on the messages he takes; every customer runs them again on the entries that he shows
(``replica``), and takes nothing from him that does not follow. Everything changes only through ``step``; the time comes
with the entry. A phase ends when everybody has done her part, when its time is over, or when the miner says so. Whoever
did not appear by then is left out, and the others go on.

The end of a phase is *sealed*: the registrar signs the chain's head (message ``head``), one head per phase, and nothing
is taken before. Who deals keys and who helps follows from that signature on the closed roster: it is fixed only after
the roster is, and nobody who joins can choose it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from shoal.errors import ProtocolError
from shoal.protocol import keygen, proofs, tokens
from shoal.protocol.chain import first_hash, next_hash
from shoal.protocol.countersign import Head, read_head, statement
from shoal.protocol.group import Group
from shoal.protocol.keygen import Commitment
from shoal.protocol.messages import Body, Header, Message, Rejected, body_digest, bytes_of
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
    """State of a session, as it follows from the entries so far."""

    session: Session
    group: Group
    phase: str = "join"
    since: float = 0.0
    reason: str = ""
    roster: list[Member] = field(default_factory=list)
    by_key: dict[bytes, int] = field(default_factory=dict)
    dealers: list[int] = field(default_factory=list)
    commitments: dict[int, Commitment] = field(default_factory=dict)
    dealt: dict[int, dict[int, str]] = field(default_factory=dict)
    """Dealer → first customer of each chunk of sealed points → digest of that message's body."""
    covered: dict[int, set[int]] = field(default_factory=dict)
    """Dealer → the customers she dealt to."""
    named: dict[int, str] = field(default_factory=dict)
    """Who was caught, and at what."""
    out: set[int] = field(default_factory=set)
    """Dealers whose polynomials do not count; fixed when submission begins."""
    confirmed: set[int] = field(default_factory=set)
    seq: int = 0
    hash: str = ""
    """How long the chain is, and its last hash."""
    waiting: str = ""
    """The phase that has ended and is not sealed yet."""
    closing: Head | None = None
    """The head that is to be sealed."""
    seals: list[Head] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.hash = self.hash or first_hash(self.session)

    @property
    def after(self) -> str:
        """The last sealed head: every message says that it builds on it."""
        return self.seals[-1].digest if self.seals else ""

    def record(self, at: float, header: Header) -> None:
        """The chain goes on by one entry."""
        self.seq += 1
        self.hash = next_hash(self.hash, self.seq, at, header)
        if self.waiting and self.closing is None:
            self.closing = Head(self.waiting, self.seq, self.hash)

    def member(self, index: int) -> Member:
        if not 1 <= index <= len(self.roster):
            raise Rejected(403, "stranger", "The sender is not on the session's roster.")
        return self.roster[index - 1]

    def need(self, *phases: str) -> None:
        if self.waiting:
            raise Rejected(409, "seal", f"The end of the phase '{self.waiting}' is not sealed yet. Try again.")
        if self.phase not in phases:
            raise Rejected(
                409, "phase", f"The session is in the phase '{self.phase}'; this message belongs to '{phases[0]}'."
            )

    def enter(self, phase: str, now: float, reason: str = "") -> None:
        """Go to another phase; the one that ends waits for its seal. (STAR seals its rounds by rules of its own.)"""
        if phase != "failed" and phase != self.phase and self.session.protocol != "star":
            self.waiting = self.phase
        self.phase, self.since, self.reason = phase, now, reason

    @property
    def qualified(self) -> list[int]:
        """The dealers whose sum is the key: those who dealt to everybody and were not caught."""
        return [d for d in self.dealers if d not in self.out and len(self.covered.get(d, ())) == len(self.roster)]

    @property
    def draw(self) -> bytes:
        """What all draws follow from: the signature on the closed roster's head."""
        sealed = next((s for s in self.seals if s.place == "join"), None)
        if sealed is None:
            raise ProtocolError("Nothing can be drawn before the roster is closed and sealed.")
        return hashlib.sha256(b"shoal-v2-draw" + bytes.fromhex(sealed.signature)).digest()

    def order(self, role: str, members: list[int], purpose: str = "") -> list[int]:
        """Members in the order that the draw gives, so that nobody chooses who gets a role."""
        draw = self.draw
        return sorted(members, key=lambda i: hashlib.sha256(draw + f"{role}/{purpose}/{i}".encode()).digest())


def step(board: Board, message: Message, now: float) -> Body | None:
    """Take a message that every protocol has; None if it is not one of those. The board is changed in place."""
    handlers = {
        "join": take_join,
        "commit": take_commit,
        "deal": take_deal,
        "complain": take_complaint,
        "confirm": take_confirm,
        "head": take_seal,
    }
    if message.kind == "close":
        return take_close(board, message, now)
    if message.kind == "head" and board.session.protocol == "star":
        return None  # its rounds are countersigned by rules of their own
    if message.kind not in handlers:
        return None
    reply = handlers[message.kind](board, message, now)
    advance(board, now)
    return reply


def take_join(board: Board, message: Message, now: float) -> Body:
    """A token, two public keys with proof that she holds them, and the roles she offers; the answer is her index."""
    board.need("join")
    sign_key = bytes_of(take(message.body, "sign_key", str))
    message.check_signature(sign_key)
    if sign_key.hex() != message.slot:
        raise Rejected(400, "malformed", "A join must be named by its signing key.")
    if sign_key in board.by_key:
        raise Rejected(409, "twice", "This key has joined already.")
    roles = take(message.body, "roles", list)
    if any(r not in ROLES for r in roles):
        raise Rejected(400, "malformed", "A join offers a role that does not exist.")
    seal_key = board.group.element(bytes_of(take(message.body, "seal_key", str)))
    proof = bytes_of(take(message.body, "proof", str))
    proofs.check_knowledge(board.group, seal_key, proof, join_context(board.session, sign_key))
    if board.session.registrar is not None:
        token = take(message.body, "token", str)
        tokens.check(
            board.session.registrar.key, tokens.purpose(board.session.context, "join", sign_key), bytes_of(token)
        )
    index = len(board.roster) + 1
    if board.session.customers and index > board.session.customers:
        raise Rejected(409, "full", "The session has all the customers it was made for.")
    board.roster.append(Member(index, sign_key, seal_key, tuple(sorted(set(roles)))))
    board.by_key[sign_key] = index
    return {"index": index}


def join_context(session: Session, sign_key: bytes) -> bytes:
    """What the proof of holding the sealing key is bound to."""
    return session.bind("join", sign_key)


def take_seal(board: Board, message: Message, now: float) -> Body:
    """The registrar's signature on the end of a phase (the miner's own, where the session has no registrar)."""
    if message.sender != 0:
        raise Rejected(403, "role", "Only the miner brings the seal of a phase.")
    if board.closing is None or message.slot != board.closing.place:
        raise Rejected(409, "seal", "Nothing of this name waits for a seal.")
    head = read_head(message.slot, message.body)
    if (head.seq, head.digest) != (board.closing.seq, board.closing.digest):
        raise Rejected(403, "seal", "A seal was made for another board.")
    check_seal(board.session, head)
    board.seals.append(head)
    board.waiting, board.closing, board.since = "", None, now
    if head.place == "join" and board.phase == "deal":
        draw_dealers(board)
    return {}


def own_head(session: Session, place: str, seq: int, digest: str, key: Ed25519PrivateKey) -> Head:
    """The miner's own seal, where the session has no registrar."""
    return Head(place, seq, digest, key.sign(statement(session.digest, place, seq, digest)).hex())


def check_seal(session: Session, head: Head) -> None:
    """Is it signed by the registrar, or, in an open session, by the miner?"""
    if session.registrar is not None:
        head.check(session)
        return
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(session.miner.key))
        key.verify(bytes.fromhex(head.signature), statement(session.digest, head.place, head.seq, head.digest))
    except (InvalidSignature, ValueError) as error:
        raise Rejected(403, "seal", f"The miner did not sign what he shows at the end of '{head.place}'.") from error


def take_commit(board: Board, message: Message, now: float) -> Body:
    board.need("deal")
    _need_dealer(board, message.sender)
    if message.sender in board.commitments:
        raise Rejected(409, "twice", "This dealer has committed already.")
    board.commitments[message.sender] = keygen.read_commitment(board.session, board.group, message.sender, message.body)
    return {}


def take_deal(board: Board, message: Message, now: float) -> Body:
    """A chunk of sealed points. Its slot says for whom; the miner hands out the points themselves."""
    board.need("deal")
    _need_dealer(board, message.sender)
    if message.sender not in board.commitments:
        raise Rejected(409, "order", "A dealer sent points before her commitment.")
    start, count = read_range(message.slot)
    need_chunk(start, count, len(board.roster))
    chunk = set(range(start, start + count))
    if chunk & board.covered.get(message.sender, set()):
        raise Rejected(409, "twice", "A dealer sent a customer's points twice.")
    board.dealt.setdefault(message.sender, {})[start] = message.digest()
    board.covered.setdefault(message.sender, set()).update(chunk)
    return {}


def need_chunk(start: int, count: int, n_customers: int) -> None:
    """Points come in the chunks that everybody expects.

    Otherwise a customer would not find hers and would think that the miner lies.
    """
    if (
        not 1 <= start <= n_customers
        or start % keygen.CHUNK != 1
        or count != min(keygen.CHUNK, n_customers - start + 1)
    ):
        raise Rejected(400, "malformed", "A dealer sent points for other customers than a chunk has.")


def read_range(slot: str) -> tuple[int, int]:
    """First customer and number of customers of a chunk of points."""
    first, _, count = slot.partition("-")
    if not (slot.isascii() and first.isdigit() and count.isdigit() and len(slot) <= 16 and int(count)):
        raise Rejected(400, "malformed", "The place of a dealer's points is malformed.")
    return int(first), int(count)


def _need_dealer(board: Board, index: int) -> None:
    if index not in board.dealers or index in board.out:
        raise Rejected(403, "role", "The sender is not a dealer of this session.")


def take_complaint(board: Board, message: Message, now: float) -> Body:
    """A true complaint puts the dealer on the list of cheats, a false one the customer who complained."""
    board.need("check", "submit")
    dealer = take(message.body, "dealer", int)
    if message.slot != str(dealer):
        raise Rejected(400, "malformed", "A complaint must be named by its dealer.")
    if dealer not in board.commitments or message.sender not in board.covered.get(dealer, ()):
        raise Rejected(400, "malformed", "A complaint names a dealer that does not exist.")
    sealed = read_complained(board, dealer, message.sender, message.body)
    seal_key = board.member(message.sender).seal_key
    guilty = keygen.judge(
        board.session, board.group, message.sender, seal_key, board.commitments[dealer], sealed, message.body
    )
    if guilty and board.phase == "check":
        board.named.setdefault(dealer, "dealt points that do not fit her commitments")
        board.out.add(dealer)
        board.confirmed.clear()
    elif guilty:
        board.named.setdefault(dealer, "dealt points that do not fit her commitments (found too late to leave her out)")
    else:
        board.named.setdefault(message.sender, "complained of a dealer whose points are right")
    return {"guilty": dealer if guilty else message.sender}


def read_complained(board: Board, dealer: int, index: int, body: Body) -> bytes | None:
    """The sealed points that a complaint is about: the dealer's own message is in it, so that everybody can judge."""
    chunk = take(body, "chunk", dict)
    start = max((s for s in board.dealt[dealer] if s <= index), default=0)
    if board.dealt[dealer].get(start) != body_digest(chunk):
        raise Rejected(400, "malformed", "A complaint is about points that the dealer did not send.")
    return keygen.point_of(chunk, start, index)


def take_confirm(board: Board, message: Message, now: float) -> Body:
    board.need("check")
    if message.body.get("dealers") != board.qualified:
        raise Rejected(409, "dealers", "The set of dealers has changed: fetch it again.")
    if message.slot != "-".join(map(str, board.qualified)):
        raise Rejected(400, "malformed", "A confirmation must be named by the dealers.")
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
    if board.waiting:
        return
    full = 0 < board.session.customers == len(board.roster)
    if board.phase == "join" and (full or _over(board, now, "join")):
        end_join(board, now)
    elif board.phase == "deal" and (len(board.qualified) == len(board.dealers) or _over(board, now, "deal")):
        end_deal(board, now)
    elif board.phase == "check" and len(board.qualified) < board.session.quorum:
        board.enter("failed", now, f"fewer than {board.session.quorum} honest dealers are left")
    elif board.phase == "check" and (len(board.confirmed) >= len(board.roster) or _over(board, now, "check")):
        board.enter("submit", now)


def end_join(board: Board, now: float) -> None:
    session, least = board.session, board.session.threshold
    if len(board.roster) < least:
        board.enter("failed", now, f"{len(board.roster)} customers joined, at least {least} are needed")
    elif session.protocol == "star":
        board.enter("submit", now)
    elif session.protocol == "suppression" and sum("help" in m.roles for m in board.roster) < session.helpers:
        board.enter("failed", now, f"fewer than {session.helpers} customers offered to mix and decrypt")
    elif sum("deal" in m.roles for m in board.roster) < session.committee:
        board.enter("failed", now, f"fewer than {session.committee} customers offered to deal keys")
    else:
        board.enter("deal", now)


def draw_dealers(board: Board) -> None:
    """The committee.

    Nobody replaces a dealer who does not come: otherwise, whoever can delay messages could choose the committee.
    """
    offered = [m.index for m in board.roster if "deal" in m.roles]
    board.dealers = board.order("deal", offered)[: board.session.committee]


def end_deal(board: Board, now: float) -> None:
    """Go on with the dealers who dealt, if they are a quorum."""
    late = [d for d in board.dealers if d not in board.qualified]
    board.named.update(dict.fromkeys(late, "did not deal in time"))
    board.out.update(late)
    if len(board.qualified) >= board.session.quorum:
        board.enter("check", now)
    else:
        board.enter("failed", now, f"fewer than {board.session.quorum} of {board.session.committee} dealers dealt")


def _over(board: Board, now: float, phase: str) -> bool:
    return board.phase == phase and now - board.since > board.session.seconds[phase]
