"""What is asked of the owner, and what an answer does."""

from __future__ import annotations

import tomllib

import pytest

from tests.studio.conftest import Visitor

DATES = "seen,year,age,note\n" + "".join(
    f"0{1 + i % 6}/0{1 + i % 4}/20{15 + i % 3},20{15 + i % 3},{'NA' if i % 7 == 0 else 20 + i % 31},"
    f"{'-' if i % 5 == 0 else 'abc'[i % 3]}\n"
    for i in range(120)
)


def keys(visitor: Visitor) -> list[str]:
    return [question.key for question in visitor.desk.questions()]


def give(visitor: Visitor, *roles: str) -> None:
    visitor.client.post("/columns", data={f"role-{i}": role for i, role in enumerate(roles)})


def say(visitor: Visitor, key: str, answer: str, **more: str) -> int:
    return int(visitor.client.post("/answers", data={"key": key, "answer": answer, **more}).status_code)


def test_what_follows_from_a_role_is_asked_when_the_role_is_given(visitor: Visitor):
    """No run before the questions are answered, each put by itself."""
    visitor.load("visits.csv", DATES.encode())
    assert "form seen" not in keys(visitor), "a column that is not protected may be written as it likes"
    give(visitor, "quasi-identifier", "insensitive", "quasi-identifier", "sensitive")
    assert keys(visitor) == ["form seen", "mark NA", "mark -", "tells year seen"]
    give(visitor, "identifier", "insensitive", "quasi-identifier", "sensitive")
    assert keys(visitor) == ["mark NA", "mark -"]


def test_answers_become_the_policy_with_their_reasons(visitor: Visitor):
    visitor.load("visits.csv", DATES.encode())
    give(visitor, "quasi-identifier", "insensitive", "quasi-identifier", "sensitive")
    assert say(visitor, "form seen", "MM/DD/YYYY") == 200
    assert say(visitor, "mark NA", "yes") == 200
    assert say(visitor, "mark -", "no") == 200
    assert say(visitor, "tells year seen", "identifier") == 200
    assert keys(visitor) == []
    visitor.run(k="3")
    text = visitor.file(1, "policy.toml").text
    asked = tomllib.loads(text)
    assert asked["missing_values"] == ["NA"]
    assert asked["columns"]["seen"]["hierarchy"] == {"dates": ["month", "year"], "form": "MM/DD/YYYY"}
    assert asked["columns"]["year"] == {"role": "identifier"}
    assert "[columns.seen]\n# answered: written MM/DD/YYYY\n" in text
    assert "[columns.year]\n# answered: it tells what another column hides; drop\n" in text


@pytest.mark.parametrize(
    ("key", "answer"),
    [("form seen", "YYYY"), ("form age", "years"), ("mark ZZ", "yes"), ("", ""), ("mark NA", "perhaps")],
)
def test_an_answer_to_no_question_is_refused(visitor: Visitor, key: str, answer: str):
    visitor.load("visits.csv", DATES.encode())
    give(visitor, "quasi-identifier", "insensitive", "quasi-identifier", "sensitive")
    before = keys(visitor)
    assert say(visitor, key, answer) == 400
    assert keys(visitor) == before


def test_one_answer_may_be_for_all_that_ask_the_same(visitor: Visitor):
    rows = "\n".join(",".join(str((i * p) % q) for p, q in ((7, 101), (11, 103), (13, 107))) for i in range(150))
    visitor.load("wide.csv", f"xa,xb,xc\n{rows}\n".encode())
    unclear = [key for key in keys(visitor) if key.startswith("role ")]
    assert len(unclear) >= 2
    assert say(visitor, unclear[0], "identifier", others="yes") == 200
    assert {visitor.desk.roles[key[5:]] for key in unclear} == {"identifier"}


def test_people_are_counted_where_the_owner_says_so(visitor: Visitor):
    """An identifier that repeats may say whose row it is."""
    table = "patient,age\n" + "".join(f"P{1000 + i // 3},{20 + i % 30}\n" for i in range(120))
    visitor.load("visits.csv", table.encode())
    give(visitor, "identifier", "quasi-identifier")
    assert keys(visitor) == ["person patient"]
    assert say(visitor, "person patient", "yes") == 200
    assert visitor.desk.person == "patient"
    assert keys(visitor) == []


def test_unknown_readings_use_what_both_agree_on(visitor: Visitor):
    visitor.load("visits.csv", DATES.encode())
    give(visitor, "quasi-identifier", "identifier", "quasi-identifier", "sensitive")
    assert say(visitor, "form seen", "years") == 200
    assert visitor.desk.spec("seen").to_toml() == {"dates": ["year"]}


def test_numbers_with_a_comma_are_asked_about(visitor: Visitor):
    table = "income,job\n" + "".join(f'"{1 + i % 9},{100 + i * 7 % 900}",{"ab"[i % 2]}\n' for i in range(60))
    visitor.load("incomes.csv", table.encode())
    give(visitor, "quasi-identifier", "quasi-identifier")
    assert keys(visitor) == ["form income"]
    assert say(visitor, "form income", "1,234.5") == 200
    assert visitor.desk.spec("income").to_toml()["form"] == "1,234.5"


def test_a_sensitive_column_that_says_what_a_protected_one_says_is_asked_about(visitor: Visitor):
    """A new user protected 'dem' and released 'party', which is the same, and was told so only with the result."""
    table = "party,dem,age\n" + "".join(f"{'DR'[i * i % 3 % 2]},{i * i % 3 % 2},{20 + i % 30}\n" for i in range(120))
    visitor.load("votes.csv", table.encode())
    give(visitor, "sensitive", "quasi-identifier", "quasi-identifier")
    [asked] = visitor.desk.questions()
    assert (
        asked.text == "'party' is sensitive and released as it is, but it says the same as 'dem', which is protected."
    )
    assert say(visitor, asked.key, "quasi-identifier") == 200
    assert visitor.desk.roles["party"] == "quasi-identifier"
    assert keys(visitor) == []
