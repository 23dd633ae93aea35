"""What a session withstands, in numbers, before anybody sends anything.

Each limit is the largest number of customers who may collude with the miner, deviating as they like, and the claim beside it still holds; a
customer stands for one row, so an owner of r rows counts r times. The proofs are in ``docs/protocol.md``.
"""

from __future__ import annotations

from dataclasses import dataclass

from shoal.protocol.session import Session


@dataclass(frozen=True)
class Limit:
    """So many colluders, and what holds against the miner and them."""

    colluders: int
    what: str
    formula: str


def limits(session: Session) -> list[Limit]:
    """All limits of a session; the smallest is what the session as a whole withstands."""
    k, c = session.k, session.tolerate
    keys = Limit(session.quorum - 1, "the keys are unknown to them", "⌊committee / 2⌋, or tolerate if that is more")
    lone = Limit((session.threshold - 2) // 2, "a row that nobody shares stays closed", "⌊(k + 2 · tolerate − 2) / 2⌋")
    whole = Limit(c, f"no group of fewer than {k} rows is opened", "tolerate")
    if session.protocol == "star":
        return [
            Limit((session.threshold - 2), "a row that nobody shares stays closed, if they cannot guess its values", "k + 2 · tolerate − 2")
        ]
    if session.protocol == "extraction":
        return [keys, lone, whole]
    mixing = Limit(session.mixers - 1, "of cells they learn distances only", "mixers − 1")
    shares = Limit(session.decryptors - 1, "they cannot decrypt", "decryptors − 1")
    return [keys, mixing, shares, lone, whole]


def withstands(session: Session) -> int:
    """The largest number of colluders against whom everything but the exact k holds."""
    return min(limit.colluders for limit in limits(session) if limit.formula != "tolerate")


def opened(session: Session, colluders: int) -> int:
    """The smallest group that the miner opens with so many colluders: each brings two points of the polynomial."""
    each = 1 if session.protocol == "star" else 2
    return max(1, session.threshold - each * colluders)


def describe(session: Session) -> list[str]:
    """The lines that the command prints before a session begins."""
    if session.protocol == "star":
        return star_lines(session)
    most = withstands(session)
    who = "whatever they do" if session.registrar else "as long as all of them follow the protocol"
    lines = [f"This session withstands: the miner {company(most)}, {who}."]
    lines += [f"  {limit.what}: the miner {company(limit.colluders)} ({limit.formula})" for limit in limits(session)]
    groups = [f"{opened(session, c)} ({company(c)})" for c in range(most + 2)]
    lines.append(f"  He opens groups of so many rows or more: {', '.join(groups)}.")
    if session.protocol == "suppression":
        lines.append("  The miner alone learns all pairwise distances; with a register that is nearly the table.")
    else:
        lines.append("  The miner alone sees every quasi-identifier, opened or not.")
    lines.append("  An owner of r rows counts as r customers.")
    if session.registrar is None:
        lines.append("  There is no registrar: anybody enters as often as she likes, and a miner who deviates is not withstood at all.")
    else:
        lines.append("  The registrar must not collude: with the miner it enters customers at will.")
    return lines


def star_lines(session: Session) -> list[str]:
    """STAR: what counts is who has tokens, and who can let the server evaluate guesses."""
    t = session.threshold
    return [
        f"This session withstands: the miner with up to {t - 2} customers, whatever they do.",
        f"  With c customers he opens groups of {t} − c rows whose values they guess; each has one guess per round.",
        "  The randomness server must not collude with the miner: together they test any guess. The registrar must not either.",
        "  An owner of r rows counts as r customers.",
    ]


def company(n: int) -> str:
    return ("alone", "with 1 customer")[n] if n < 2 else f"with {n} customers"
