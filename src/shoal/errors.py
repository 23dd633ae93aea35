"""Every error that shoal raises on purpose.

    ShoalError
    ├── PolicyError       the policy (a TOML file, flags or keywords) asks for something malformed     exit 2
    ├── DataError         the table or its file cannot be used as it is                               exit 2
    │   └── WriteError    the release could not be written; nothing half-written was left             exit 2
    ├── HierarchyError    a hierarchy is malformed, or lacks values of its column                     exit 2
    ├── Refused           an algorithm does not do what was asked; the message names one that does    exit 2
    ├── ProtocolError     a party of a distributed session sent or met something that it must refuse  exit 2
    ├── Infeasible        no release of this table meets what was asked                               exit 3
    └── NotAnonymous      a recount found a release that breaks its promise                           exit 1
        └── NotCompared   nothing wrong was found, but cells could not be compared                    exit 4

There is also ShoalWarning, a UserWarning: something is released that the user might have overlooked.

A message says what is wrong, where, what was found and what to do. It carries column names, line numbers, counts and
hierarchy labels; never a cell of a person's row.
"""

from collections.abc import Iterable


class ShoalWarning(UserWarning):
    """What a user should know of a release and might overlook. It is not an error: the release is what was asked for."""


class ShoalError(Exception):
    """The root of every error that shoal raises on purpose."""

    exit_status = 2


class PolicyError(ShoalError):
    """What the user asked for is malformed or contradicts itself."""

    def __init__(self, message: str = "", key: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.key = key
        """The setting that is wrong, where it is one: ``("columns", "age", "weight")``."""


class DataError(ShoalError):
    """The table, or the file it comes from, cannot be used as it is."""


class WriteError(DataError):
    """The release could not be written; nothing half-written was left behind."""


class HierarchyError(ShoalError):
    """A hierarchy is malformed or does not cover its column."""


class Refused(ShoalError):
    """The chosen algorithm does not do what was asked."""


class ProtocolError(ShoalError):
    """A message or a party of a distributed session was refused."""


class Infeasible(ShoalError):
    """No release of this table satisfies what was asked."""

    exit_status = 3


class NotAnonymous(ShoalError):
    """The recount found a release that does not keep its promise."""

    exit_status = 1


class NotCompared(NotAnonymous):
    """Nothing wrong was found, but not all cells could be compared: the release is not proved true. Carries the ``verdict``."""

    exit_status = 4

    def __init__(self, message: str, verdict: object = None) -> None:
        super().__init__(message)
        self.verdict = verdict


def some(lines: Iterable[object], most: int = 5) -> str:
    """Name a few numbers of many: ``some([7, 19, 240, 300, 301, 302])`` is ``'7, 19, 240, 300, 301 and 1 more'``."""
    numbers = [str(x) for x in lines]
    shown = ", ".join(numbers[:most])
    return shown if len(numbers) <= most else f"{shown} and {len(numbers) - most} more"
