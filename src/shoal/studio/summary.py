"""What matters of a run, for one screen: look here first, the promise, the price, how close to the best. From the report's numbers and words."""

from __future__ import annotations

from dataclasses import dataclass

from shoal import measures
from shoal.report import svg, words
from shoal.studio.runs import FILES, OWNERS, Run


@dataclass(frozen=True)
class Summary:
    """The parts of the screen."""

    first: tuple[str, ...]
    """What to look at before anything else."""
    promise: str
    close: str
    price: str
    """A drawing: how much of each column is lost."""
    lost: float
    risk: tuple[float, float]
    """The share of rows that stand out by less than k, before and after."""
    highest: tuple[float, float]
    """The highest chance of picking somebody's row, before and after."""
    published: tuple[str, ...]
    owners: tuple[str, ...]


def summary(run: Run) -> Summary:
    """The screen of a run that is done."""
    model = run.model
    m = words.figures(model)
    first = []
    if run.was_stopped:
        first.append(
            "You stopped this run: it is the best found until then, and verified. Its policy repeats what was asked, not the moment at which you stopped."
        )
    if run.is_as_before is False:
        first.append("This is not the release that the project had: the search took another way.")
    if run.order_tells():
        first.append(f"ORDER TELLS: {run.order_tells()}")
    first += words.unprotected(model)
    usual = measures.DEFAULT
    shares = [(c["column"], c[usual]["share"]) for c in model["loss_by_column"]]
    bars = svg.bars("Lost of each protected column", [(name, share, f"{100 * share:.0f} %") for name, share in shares])
    before, after = model["risk"]["before"], model["risk"]["after"]
    return Summary(
        tuple(first), words.verdict(m), words.closeness(m), bars, sum(share for _, share in shares) / max(len(shares), 1),
        (before["n_below_k"] / max(before["n_rows"], 1), after["n_below_k"] / max(after["n_rows"], 1)),
        (before["highest"], after["highest"]), tuple(name for name in FILES if name not in OWNERS), OWNERS,
    )  # fmt: skip
