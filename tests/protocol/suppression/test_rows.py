"""An encrypted row, and the proofs that its sender knows what is in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shoal.errors import ProtocolError
from shoal.protocol.group import make_group
from shoal.protocol.messages import Message
from shoal.protocol.suppression.rows import cell_element, encrypt_row, read_row
from tests.protocol.rehearsal import make_session
from tests.protocol.sessions import COLUMNS

SESSION, OTHER = (make_session("suppression", 3, COLUMNS, number=number) for number in ("ab" * 16, "cd" * 16))
GROUP = make_group()
SECRET = GROUP.random_scalar()
MESSAGE = Message(SESSION.digest, 4, "row", "", encrypt_row(SESSION, GROUP, 4, GROUP.generate(SECRET), ["30"]))


def test_a_row_holds_its_cells_under_the_key() -> None:
    [cell] = read_row(SESSION, GROUP, MESSAGE)
    assert GROUP.divide(cell.body, GROUP.power(cell.hint, SECRET)) == cell_element(SESSION, GROUP, 0, "30")


def test_cells_of_other_values_columns_and_sessions_are_unrelated() -> None:
    assert len({cell_element(s, GROUP, j, v) for s in (SESSION, OTHER) for j in (0, 1) for v in ("30", "31")}) == 8


def test_a_row_of_somebody_else_cannot_be_sent_again() -> None:
    """The proofs are bound to the sender and the session: a copy would tell whether two rows are equal."""
    with pytest.raises(ProtocolError):
        read_row(SESSION, GROUP, replace(MESSAGE, sender=5))
    with pytest.raises(ProtocolError):
        read_row(OTHER, GROUP, MESSAGE)


@pytest.mark.parametrize("cells", [[], [["a"]], ["x"], [[1, 2, 3]], MESSAGE.body["cells"] * 2, None], ids=range(6))
def test_what_is_no_row_is_refused(cells: object) -> None:
    with pytest.raises(ProtocolError):
        read_row(SESSION, GROUP, replace(MESSAGE, body={"cells": cells}))
