"""What a session withstands, in numbers, before anybody sends anything.

Each limit is the largest number of keys that may collude with the miner, deviating as they like, and the claim beside
it still holds. A key stands for one row, so an owner of r rows holds r of them; the session file does not say who holds
which. The proofs are in ``docs/protocol.md``.
"""

from __future__ import annotations

from dataclasses import dataclass

from shoal.protocol.session import Session


@dataclass(frozen=True)
class Limit:
    """So many keys of colluders, and what holds against the miner and them."""

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
        lone = Limit(
            session.threshold - 2,
            "a row that nobody shares stays closed, even if they guess its values",
            "k + 2 · tolerate − 2",
        )
        return [lone, Limit(2 * c, whole.what, "2 · tolerate")]
    if session.protocol == "extraction":
        return [keys, lone, whole]
    mixing = Limit(session.mixers - 1, "of cells they learn distances only", "mixers − 1")
    shares = Limit(session.decryptors - 1, "they cannot decrypt", "decryptors − 1")
    return [keys, mixing, shares, lone, whole]


def withstands(session: Session) -> int:
    """The largest number of keys against which everything holds, k among it."""
    return min(limit.colluders for limit in limits(session))


def opened(session: Session, colluders: int) -> int:
    """The smallest group that the miner opens with so many colluders: each brings two points of the polynomial."""
    each = 1 if session.protocol == "star" else 2
    return max(1, session.threshold - each * colluders)


def describe(session: Session) -> list[str]:
    """The lines that the command prints before a session begins."""
    if session.protocol == "star":
        return star_lines(session)
    most = withstands(session)
    lines = [headline(session), *limit_lines(session)]
    groups = [f"{opened(session, c)} ({company(c)})" for c in range(most + 3)]
    lines.append(f"  He opens groups of so many rows or more: {', '.join(groups)}.")
    if session.protocol == "suppression":
        lines.append("  The miner alone learns all pairwise distances; with a register that is nearly the table.")
        lines.append(
            f"  An owner of {session.decryptors} keys or more can decrypt, without the miner too: she reads rows that "
            "one of her keys mixes or checks."
        )
    else:
        lines.append("  The miner alone sees every quasi-identifier, opened or not.")
    lines.append(OWNERS)
    if session.registrar is None:
        lines.append(
            "  There is no registrar: anybody enters as often as she likes, and a miner who deviates is not withstood "
            "at all."
        )
    else:
        lines.append("  The registrar must not collude: with the miner it enters keys at will.")
    return lines


def headline(session: Session) -> str:
    """The sentence that stands before all others."""
    most = withstands(session)
    who = (
        "as long as all follow the protocol"
        if session.registrar is None
        else "whatever they do"
        if most
        else "whatever he does"
    )
    return f"This session withstands: the miner {company(most)}, {who}."


def limit_lines(session: Session) -> list[str]:
    """Up to how many keys each claim holds."""
    return [f"  {limit.what}: the miner {company(limit.colluders)} ({limit.formula})" for limit in limits(session)]


def star_lines(session: Session) -> list[str]:
    """STAR: what counts is who has tokens, and who can let the server evaluate guesses."""
    return [
        headline(session),
        *limit_lines(session),
        (
            f"  With c keys he opens groups of {session.threshold} − c rows whose values they guess; each has one "
            "guess per round."
        ),
        (
            "  The randomness server must not collude with the miner: together they test any guess. The registrar must "
            "not either."
        ),
        OWNERS,
    ]


def of_owner(session: Session, n_rows: int) -> str:
    """What an owner of so many rows is told of herself."""
    most = withstands(session)
    verdict = "" if n_rows <= most else " If you collude with the miner, the others are not protected as said."
    return f"You hold {n_rows} keys, one for each row; this session withstands the miner {company(most)}.{verdict}"


def company(n: int) -> str:
    return ("alone", "with 1 key")[n] if n < 2 else f"with {n} keys"


OWNERS = "  Each row has a key, so an owner of r rows counts with r keys; this file does not say who holds how many."
