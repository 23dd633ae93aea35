"""The later chapters: what was asked, how to repeat and check it, the losses by every measure, and what the words
mean.
"""

from __future__ import annotations

from shlex import quote
from typing import Any

from shoal import measures
from shoal.report import words
from shoal.report.blocks import Beside, Block, Command, Drawn, Paragraph, Sheet, Terms

Numbers = dict[str, Any]

GLOSSARY = (
    (
        "bound",
        "A number that the loss of no release of these rows, with the same hierarchies, can be below, whichever rows "
        "it withholds "
        "of those it may. It is proved.",
    ),
    ("exact", "A cell that shows its value."),
    ("fingerprint", "The beginning of a file's SHA-256. A file that was changed has another one."),
    (
        "generalized",
        (
            "A cell that shows something wider that its value lies in, such as [20, 30) for 27 or 2016-03 for a day of "
            "March 2016."
        ),
    ),
    ("group", "Rows that show the same in all protected columns."),
    ("hidden", "A cell that shows * and nothing else. The literature says suppressed."),
    ("hierarchy", "What the values of a column may be generalized to, level by level."),
    ("k-anonymous", "Every row is in a group of at least k rows."),
    ("loss", "What generalizing has cost, as a number. A measure says how it is counted."),
    (
        "protected column",
        (
            "A column that an outsider may know of somebody, and that is generalized. The literature says "
            "quasi-identifier."
        ),
    ),
    (
        "sensitive column",
        "A column that nobody should learn of a person. It is released as it is; what is hidden is whose row it is in.",
    ),
    ("withheld", "A row that was left out of the release."),
)


def asked(model: Numbers) -> list[Block]:
    """The settings of the run."""
    return [
        Sheet(("setting", "value"), words.asked(model)),
        *(Paragraph(note, "soft") for note in model.get("notes", ())),
        *_free(model),
    ]


def _free(model: Numbers) -> list[Block]:
    free = model["asked"]["free"]
    if not free:
        return []
    return [
        Paragraph(
            f"{', '.join(free)}: generalized freely, so the algorithms' guarantees do not apply; the bound still does.",
            "soft",
        )
    ]


def repeat(model: Numbers) -> list[Block]:
    """How to make the same release again."""
    first, command, last = words.repeat(model)
    return [Paragraph(first), Command(command, "sh"), Command(model["policy"], "toml"), Paragraph(last, "soft")]


def check(model: Numbers) -> list[Block]:
    """How to check what is said here: with the release alone, and with the original."""
    m = words.figures(model)
    order = "" if model["asked"]["keep_order"] else " --reordered"
    names = " ".join(f"--qi {quote(name)}" for name in m["quasi_identifiers"])
    written, source, file = model["file"], words.original(model), words.release(model)
    which = (
        ""
        if written["name"]
        else f" RELEASE is {'the address of the released table' if written['is_table'] else 'the release file'}."
    )
    lines = [f"shoal assess {file} {names}{written['alone']}"] if not written["flags"] else []
    lines = lines if written["is_table"] else [f"sha256sum {file}", *lines]
    of = " (of its rows)" if written["is_table"] else ""
    return [
        Paragraph(
            f"With the release alone: its SHA-256{of} is {m['release_sha256']}, and whoever counts the rows by "
            f"{', '.join(m['quasi_identifiers'])} finds no "
            f"combination with fewer than {m['smallest_group']:,} rows.{which}"
        ),
        *([Command("\n".join(lines), "sh")] if lines else []),
        Paragraph("Whoever has the original as well compares every cell with it:"),
        Command(f"shoal verify {source} {file} --policy shoal.toml{order}{written['flags']}{written['beside']}", "sh"),
    ]


def losses(model: Numbers) -> list[Block]:
    """Loss, bound, what the algorithm promises, and the losses of each column by every measure."""
    m = words.figures(model)
    names = [name for name in model["loss_by_column"][0] if name != "column"]
    rows = [(c["column"], *(_lost(c[n]) for n in names)) for c in model["loss_by_column"]]
    rows.append(("all columns", *(words.number(m["measures"][n]["per_cell"]) for n in names)))
    said = "Loss per cell by each measure" + (
        ", and the share of what suppressing the column would lose"
        if "record" in model
        else "; a dash where the figure would tell more than the release"
    )
    rest = "; ".join(f"{name} {words.number(m['measures'][name]['total'])}" for name in measures.REPORTED)
    return [
        Paragraph(words.closeness(m)),
        *([Paragraph(m["guarantee_note"], "soft")] if m["guarantee_note"] else []),
        *_curves(model),
        Sheet(("column", *names), rows, said, range(1, len(names) + 1)),
        Paragraph(f"By the sizes of the groups: {rest}.", "soft"),
    ]


def _lost(loss: Numbers) -> str:
    share = f" ({loss['share']:.0%})" if "share" in loss else ""
    return words.number(loss["per_cell"]) + share


def _curves(model: Numbers) -> list[Block]:
    """Loss and bound over the run, and what they prove: they can only meet."""
    c = model.get("curves", {"loss": []})
    if len(c["loss"]) < 2:
        return []
    found: list[Block] = [
        Drawn(
            "Loss and bound over the run",
            [("loss", "a", c["loss"]), ("bound", "b", c["bound"])],
            "work done",
            "they can only meet",
        )
    ]
    if len(c["ratio"]) > 1:
        found.append(Drawn("Loss over bound", [("ratio", "a", c["ratio"])], "work done", "1 is the best possible"))
    return [Beside(found)]


def glossary(model: Numbers) -> list[Block]:
    """What the words mean."""
    return [Terms(GLOSSARY)]
