"""Settings from a policy and back: nothing is lost on the way, or it is refused."""

from __future__ import annotations

import pytest

from shoal.errors import PolicyError
from shoal.policy.columns import ColumnPolicy
from shoal.policy.policy import Policy
from shoal.studio.settings import of_policy

FREE = {"age": ColumnPolicy(role="quasi-identifier")}


def test_what_a_policy_asks_for_is_what_the_form_says():
    demands = (("entropy-l-diversity", {"l": 1.5}), ("t-closeness", {"t": 0.25}))
    asked = Policy(
        k=7, measure="lm", algorithm="mondrian", withhold=0.02, missing="suppress", keep_order=True, seed=3, time_limit=2.5, stop_at_ratio=1.07, effort=2,
        columns={**FREE, "ill": ColumnPolicy(role="sensitive", demands=demands)},
    )  # fmt: skip
    s = of_policy(asked)
    assert (s.k, s.measure, s.algorithm, s.withhold, s.missing, s.seed) == (7, "lm", "mondrian", 0.02, "suppress", 3)
    assert (s.deletion, s.keep_order, s.time_limit, s.effort) == ("", "yes", "2.5", "2")
    assert of_policy(asked.changed(withhold=0.0, deletion=True)).deletion == "yes"
    assert s.stop_at_ratio == asked.stop_at_ratio
    assert s.require == {"entropy-l-diversity": "1.5", "t-closeness": "0.25"}


def test_what_the_form_cannot_say_is_refused():
    different = {"a": ColumnPolicy(role="sensitive", demands=(("t-closeness", {"t": 0.25}),)), "b": ColumnPolicy(role="sensitive")}
    with pytest.raises(PolicyError, match="different things"):
        of_policy(Policy(columns={**FREE, **different}))
    with pytest.raises(PolicyError, match="folder"):
        of_policy(Policy(columns=FREE, hierarchies="somewhere"))  # type: ignore[arg-type]
