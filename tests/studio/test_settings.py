"""Settings from a policy and back: nothing is lost on the way, or it is refused."""

from __future__ import annotations

import pytest

from shoal.errors import PolicyError
from shoal.policy.columns import ColumnPolicy
from shoal.policy.policy import Policy
from shoal.studio.settings import SHOWN, Settings, fields_of, of_policy, of_project, read_settings

FREE = {"age": ColumnPolicy(role="quasi-identifier")}


def test_what_a_policy_asks_for_is_what_the_form_says():
    demands = (("entropy-l-diversity", {"l": 1.5}), ("t-closeness", {"t": 0.25}))
    asked = Policy(
        k=7, measure="lm", algorithm="mondrian", withhold=0.02, missing="suppress", keep_order=True, seed=3,
        time_limit=2.5, stop_at_ratio=1.07, effort=2,
        columns={**FREE, "ill": ColumnPolicy(role="sensitive", demands=demands)},
    )  # fmt: skip
    s = of_policy(asked)
    assert {name: getattr(asked, name) for name in SHOWN} == s.said
    assert of_policy(asked.changed(withhold=0.0, deletion=True)).said["deletion"] is True
    assert s.require == {"entropy-l-diversity": "1.5", "t-closeness": "0.25"}
    shown = {f.name: f.value for f in fields_of(s)}
    assert shown == {
        "k": "7", "measure": "lm", "algorithm": "mondrian", "withhold": "2", "deletion": "", "missing": "suppress",
        "keep_order": "yes",
        "seed": "3", "time_limit": "2.5", "stop_at_ratio": "7", "effort": "2",
    }  # fmt: skip
    assert read_settings({**shown, **{f"require {name}": text for name, text in s.require.items()}}) == s


def test_a_field_that_need_not_say_what_is_usual_is_empty():
    shown = {f.name: f.value for f in fields_of(Settings())}
    assert [name for name, text in shown.items() if text == ""] == [
        "deletion",
        "keep_order",
        "time_limit",
        "stop_at_ratio",
        "effort",
    ]
    assert read_settings(shown) == Settings()
    assert read_settings({}) == Settings()


def test_a_field_says_what_it_may_hold():
    made = {f.name: f for f in fields_of(Settings())}
    assert made["k"].limits == {"min": "2", "step": "1"}
    assert made["withhold"].limits == {"min": "0", "max": "100", "step": "any"}
    assert made["stop_at_ratio"].limits == made["effort"].limits == {"min": "0", "step": "any"}
    assert list(made["missing"].choices) == ["value", "suppress", "error"]
    assert "mondrian" in made["algorithm"].choices
    assert {f.form for f in made.values()} == {"number", "choice", "box"}


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("k", "x", "“k: rows that look alike, at least” must be a whole number."),
        ("seed", "1.5", "“Seed” must be a whole number."),
        ("withhold", "much", "“Rows that may be withheld, in percent” must be a number."),
        ("effort", "x", "“Effort, in multiples of the usual” must be a number."),
    ],
)
def test_a_field_that_is_no_number_is_named_by_its_label(name: str, text: str, words: str):
    with pytest.raises(PolicyError) as caught:
        read_settings({name: text})
    assert str(caught.value) == words


def test_a_project_of_before_is_read_and_nonsense_in_one_is_refused():
    old = {
        "k": 3,
        "withhold": 0.025,
        "deletion": "",
        "keep_order": "yes",
        "time_limit": "30",
        "near_enough": "10",
        "effort": "",
        "require": {"t-closeness": "0.3"},
    }
    s = of_project(old)
    assert (s.said["withhold"], s.said["keep_order"], s.said["time_limit"], s.said["effort"]) == (
        0.025,
        True,
        30.0,
        1.0,
    )
    assert s.said["stop_at_ratio"] == pytest.approx(1.1)
    assert of_project(s.to_dict()) == s
    for wrong in ({"k": 1}, {"k": []}, {"measure": "magic"}, {"withhold": {}}):
        with pytest.raises(PolicyError):
            of_project(wrong)


def test_what_the_form_cannot_say_is_refused():
    different = {
        "a": ColumnPolicy(role="sensitive", demands=(("t-closeness", {"t": 0.25}),)),
        "b": ColumnPolicy(role="sensitive"),
    }
    with pytest.raises(PolicyError, match="different things"):
        of_policy(Policy(columns={**FREE, **different}))
    with pytest.raises(PolicyError, match="folder"):
        of_policy(Policy(columns=FREE, hierarchies="somewhere"))  # type: ignore[arg-type]
