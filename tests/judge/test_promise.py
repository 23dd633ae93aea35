"""What must be counted for a promise."""

from shoal.judge.criteria.base import Requirement
from shoal.judge.promise import ReleasePromise


def test_quasi_identifiers_come_first_and_no_column_twice() -> None:
    asked = tuple(Requirement(name, "ill", {}) for name in ("t-closeness", "distinct-l-diversity"))
    promise = ReleasePromise(2, ("age", "town"), asked, {}, ("town", "ill", "age", "note"), 0, False, None, {}, sensitive=("ill", "dose"))
    assert promise.folded == promise.counted == ("age", "town", "ill")
    assert promise.kept == ("ill", "note")
