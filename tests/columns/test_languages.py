"""Names of columns in German, French, Spanish, Italian, Portuguese and Dutch are understood like English ones; the
files hold what is read.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.columns import names

FILES = sorted((Path(names.__file__).parent / "languages").glob("*.toml"))
N = 60
NUMBERS = [str(20 + i % 40) for i in range(N)]
FEW = ["a", "b", "c"] * (N // 3)
DATES = [f"19{50 + i % 40}-0{1 + i % 9}-1{i % 9}" for i in range(N)]
MONEY = [str(1000 + 37 * i) for i in range(N)]
CODES = [f"{10000 + 83 * i}" for i in range(N)]
TEXTS = [f"w{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(N)]
WORDS = {
    "de": (
        "Alter",
        "Geschlecht",
        "Geburtsdatum",
        "PLZ",
        "Nachname",
        "Straße",
        "Einkommen",
        "Diagnose",
        "Familienstand",
    ),
    "fr": ("âge", "sexe", "date_naissance", "code_postal", "nom", "rue", "revenu", "diagnostic", "état_civil"),
    "es": (
        "edad",
        "sexo",
        "fecha_nacimiento",
        "código_postal",
        "apellido",
        "calle",
        "ingreso",
        "diagnóstico",
        "estado_civil",
    ),
    "it": ("età", "sesso", "data_nascita", "CAP", "cognome", "indirizzo", "reddito", "diagnosi", "stato_civile"),
    "pt": ("idade", "sexo", "data_nascimento", "CEP", "sobrenome", "endereço", "renda", "diagnóstico", "estado_civil"),
    "nl": (
        "leeftijd",
        "geslacht",
        "geboortedatum",
        "postcode",
        "achternaam",
        "straat",
        "inkomen",
        "diagnose",
        "burgerlijke_staat",
    ),
}


@pytest.mark.parametrize("language", WORDS)
def test_the_usual_words_of_each_language_are_understood(language):
    age, sex, birth, postal, surname, street, income, illness, marital = WORDS[language]
    cells = {
        age: NUMBERS,
        sex: FEW,
        birth: DATES,
        postal: CODES,
        surname: TEXTS,
        street: TEXTS[::-1],
        income: MONEY,
        illness: FEW[::-1],
        marital: FEW,
    }
    found = {s.column: s for s in shoal.suggest(pl.DataFrame(cells))}
    for column in (age, sex, birth, postal, marital):
        assert found[column].role == "quasi-identifier", (column, found[column])
    for column in (surname, street):
        assert found[column].role == "identifier", (column, found[column])
    for column in (income, illness):
        assert found[column].role == "sensitive", (column, found[column])
    assert found[postal].kind == "postal code"


@pytest.mark.parametrize("language", WORDS)
def test_a_day_of_birth_in_eight_digits_is_a_date(language):
    """Eight digits may be any number; it is the name that says that they are a date."""
    birth = WORDS[language][2]
    digits = [day.replace("-", "") for day in DATES]
    found = {s.column: s.kind for s in shoal.suggest(pl.DataFrame({birth: digits, "x": digits}))}
    assert found[birth] == "date"
    assert found["x"] != "date"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_has_only_keys_and_topics_that_are_used(path):
    """A typing error in a key would make a list that nobody reads."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    lists = {
        "personal_name",
        "number_of_a_person",
        "contact",
        "birth",
        "postal",
        "year",
        "quantity",
        "nominal",
        "person_word",
        "number_word",
        "free_text",
    }
    assert set(content) <= lists | {"sensitive", "known", "values"}
    spoken = content.pop("values", {})
    assert set(spoken) <= {"sensitive", "known"}
    for key in spoken:
        assert set(spoken[key]) <= set(content[key])
        assert all(value == value.strip().lower() for words in spoken[key].values() for value in words)
    assert set(content["sensitive"]) <= {about for about, _ in names.SENSITIVE}
    assert set(content["known"]) <= {about for about, _ in names.KNOWN_TO_OTHERS}
    every = [
        w
        for key, value in content.items()
        for w in (value if isinstance(value, list) else [x for y in value.values() for x in y])
    ]
    assert all(word == names.plain(word).lower() and word.rstrip("$").isalnum() for word in every)
