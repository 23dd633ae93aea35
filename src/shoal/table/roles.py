"""What a column is to the people in the table."""

from typing import Literal, get_args

Role = Literal["identifier", "quasi-identifier", "sensitive", "insensitive"]
"""An identifier names a person and is dropped; a quasi-identifier may be known to others and is generalized; a
sensitive column is what must not be learnt; an insensitive one is kept as it is, knowingly."""

ROLES: tuple[Role, ...] = get_args(Role)
