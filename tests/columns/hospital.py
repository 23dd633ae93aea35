"""A table as hospitals have them: several stays of one patient, in German, with gaps and a remark that names people."""

from __future__ import annotations

import random

import polars as pl

FORENAMES = (
    "Jürgen", "Anna", "Käthe", "Björn", "Peter", "Lars", "Heike", "Sönke", "Uwe", "Inge", "Frauke", "Malte",
    "Wiebke", "Hauke", "Gesa", "Jonas",
)  # fmt: skip
SURNAMES = (
    "Müller", "Schmidt", "Groß", "Jäger", "Köhler", "Lüders", "Hansen", "Petersen", "Brandt", "Voß", "Krüger",
    "Thomsen", "Ehlers", "Nissen", "Claussen", "Paulsen",
)  # fmt: skip
PLACES = {
    "24103": "Kiel",
    "24105": "Kiel",
    "20095": "Hamburg",
    "23552": "Lübeck",
    "24937": "Flensburg",
    "25813": "Husum",
}


def stays(number: str = "PatNr", n_patients: int = 150, seed: int = 3) -> pl.DataFrame:
    """One to four stays of each patient; ``number`` is what the patients' number is called."""
    draw = random.Random(seed)
    rows = []
    for patient in range(n_patients):
        name = f"{draw.choice(FORENAMES)} {draw.choice(SURNAMES)}"
        born = f"{draw.randint(1, 28):02}.{draw.randint(1, 12):02}.{draw.randint(1930, 2015)}"
        code, sex = draw.choice(list(PLACES)), draw.choice("mw")
        for _ in range(draw.choice((1, 2, 2, 3, 4))):
            remark = draw.choice(
                ("stabil", "Angehörige informiert", f"Tochter von {name} rief an", "Allergie gegen Nüsse", "")
            )
            shown = code if draw.random() > 0.04 else draw.choice(("NA", "k.A."))
            rows.append(
                (name, str(40_000 + 7 * patient), born, f"{draw.randint(1, 28):02}.{draw.randint(1, 12):02}.2021",
                shown, PLACES[code],
                 sex if draw.random() > 0.02 else "k.A.", f"{draw.gauss(75, 12):.1f}".replace(".", ","),
                 draw.choice(("I10.9", "E11.9", "J44.1", "C50.9")), remark)
            )  # fmt: skip
    columns = (
        "Name",
        number,
        "Geburtsdatum",
        "Aufnahme",
        "PLZ",
        "Ort",
        "Geschlecht",
        "Gewicht",
        "Diagnose",
        "Bemerkung",
    )
    return pl.DataFrame(rows, schema=columns, orient="row").with_columns(pl.col("Bemerkung").replace("", None))
