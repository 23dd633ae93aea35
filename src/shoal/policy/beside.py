"""What may be given beside a policy, in Python and on the command line; in a policy file it stands with the columns."""

from __future__ import annotations

from shoal.policy.allowed import Unchecked
from shoal.policy.setting import Setting, named

NAMES = Unchecked(type="Iterable[str]")
BESIDE = named(
    quasi_identifiers=Setting(
        NAMES, None,
        "columns that outsiders may know of somebody: they are made coarser where somebody would stand alone",
        flags=("--qi",), metavar="COL",
    ),
    sensitive=Setting(NAMES, None, "columns to keep but to watch: groups can be asked to vary in them", metavar="COL"),
    identifiers=Setting(NAMES, None, "columns to drop", flags=("--identifier",), metavar="COL"),
    keep=Setting(
        NAMES, None,
        "columns to release as they are, on purpose; one that looks like names or numbers of people is refused unless it is here",
        metavar="COL",
    ),
    require=Setting(
        Unchecked(type="Mapping[str, Any]"), None,
        "criteria of the sensitive columns, by name; 'shoal criteria' lists them", metavar="NAME=PARAMETERS"
    ),
    weights=Setting(
        Unchecked(type="Mapping[str, float]"), None,
        "how much the loss of a column counts, such as age=2; 1 where nothing is said",
        in_python='``{"age": 2}``', flags=("--weight",), metavar="COL=W",
    ),
    workload=Setting(
        Unchecked(type="str | Path | Iterable[str]"), None,
        "a file with questions that analysts will ask, one a line (age=30..39 sex): columns weigh by how many questions need them",
        in_python="or the lines", metavar="FILE",
    ),
)  # fmt: skip
