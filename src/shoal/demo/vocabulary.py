"""What the invented patients are made of. Weights are whole numbers, so that every machine draws the same patients."""

from __future__ import annotations

from typing import NamedTuple

GIVEN = (
    "Al", "Be", "Cor", "Da", "El", "Fi", "Gre", "Hal", "Il", "Jo", "Ka", "Lu", "Mi", "No", "Ol", "Pe", "Ru", "Sa",
    "Ti", "Ul", "Va", "Wi", "Ya", "Zo",
)  # fmt: skip
GIVEN_END = ("dra", "lin", "mo", "nara", "ren", "sie", "tavo", "vi", "wen", "xo", "bel", "dis")
FAMILY = (
    "Ander", "Bolt", "Cam", "Dorn", "Est", "Fal", "Gar", "Hoch", "Isk", "Jul", "Korr", "Lam", "Mon", "Nev", "Orl",
    "Pra", "Ros", "Sel",
)  # fmt: skip
FAMILY_END = (
    "ano", "bek", "court", "dale", "ez", "field", "grove", "horn", "ini", "kamp", "lund", "mire", "nov", "ovic",
    "stad", "tani",
)  # fmt: skip


class Job(NamedTuple):
    name: str
    field: str
    sector: str
    weight: int
    women: int
    """Out of ten."""
    town: int
    """How many times likelier in town, in tenths."""


JOBS = (
    Job("nurse", "care", "services", 90, 8, 10),
    Job("physician", "care", "services", 30, 5, 18),
    Job("care assistant", "care", "services", 70, 9, 9),
    Job("pharmacist", "care", "services", 12, 7, 14),
    Job("midwife", "care", "services", 4, 10, 10),
    Job("teacher", "education", "services", 85, 7, 10),
    Job("kindergarten teacher", "education", "services", 40, 9, 10),
    Job("lecturer", "education", "services", 12, 4, 30),
    Job("shop assistant", "trade", "services", 110, 7, 11),
    Job("cashier", "trade", "services", 45, 8, 11),
    Job("wholesaler", "trade", "services", 14, 3, 9),
    Job("cook", "hospitality", "services", 48, 4, 13),
    Job("waiter", "hospitality", "services", 55, 6, 16),
    Job("hotel manager", "hospitality", "services", 6, 5, 14),
    Job("police officer", "security", "services", 22, 3, 10),
    Job("firefighter", "security", "services", 9, 1, 8),
    Job("guard", "security", "services", 18, 2, 15),
    Job("clerk", "office", "offices", 130, 6, 13),
    Job("accountant", "office", "offices", 45, 6, 14),
    Job("secretary", "office", "offices", 50, 9, 12),
    Job("bank adviser", "finance", "offices", 22, 5, 16),
    Job("insurance agent", "finance", "offices", 16, 4, 12),
    Job("actuary", "finance", "offices", 2, 4, 40),
    Job("programmer", "technology", "offices", 58, 2, 25),
    Job("systems engineer", "technology", "offices", 26, 2, 20),
    Job("data analyst", "technology", "offices", 12, 4, 35),
    Job("lawyer", "law and culture", "offices", 16, 5, 25),
    Job("judge", "law and culture", "offices", 2, 5, 20),
    Job("journalist", "law and culture", "offices", 7, 5, 30),
    Job("musician", "law and culture", "offices", 5, 4, 25),
    Job("electrician", "building", "trades and industry", 42, 0, 8),
    Job("bricklayer", "building", "trades and industry", 38, 0, 7),
    Job("carpenter", "building", "trades and industry", 30, 1, 6),
    Job("plumber", "building", "trades and industry", 22, 0, 8),
    Job("machinist", "manufacture", "trades and industry", 46, 1, 6),
    Job("assembler", "manufacture", "trades and industry", 50, 4, 6),
    Job("welder", "manufacture", "trades and industry", 18, 1, 5),
    Job("chemical worker", "manufacture", "trades and industry", 11, 3, 5),
    Job("lorry driver", "transport", "trades and industry", 48, 1, 6),
    Job("bus driver", "transport", "trades and industry", 16, 2, 14),
    Job("warehouse worker", "transport", "trades and industry", 60, 3, 9),
    Job("pilot", "transport", "trades and industry", 2, 1, 20),
    Job("farmer", "land and sea", "trades and industry", 34, 3, 1),
    Job("forester", "land and sea", "trades and industry", 6, 1, 1),
    Job("fisher", "land and sea", "trades and industry", 7, 1, 2),
    Job("vineyard worker", "land and sea", "trades and industry", 9, 4, 1),
    Job("child", "not in work", "not in work", 0, 5, 10),
    Job("pupil", "not in work", "not in work", 0, 5, 10),
    Job("student", "not in work", "not in work", 0, 5, 10),
    Job("homemaker", "not in work", "not in work", 60, 9, 8),
    Job("unemployed", "not in work", "not in work", 70, 5, 12),
    Job("retired", "not in work", "not in work", 25, 5, 9),
)

HOME = "Portugal"
NATIONS = {
    ("Southern Europe", "Europe"): {"Portugal": 9000, "Spain": 150, "Italy": 60, "Greece": 8, "Malta": 1, "Croatia": 6},
    ("Western Europe", "Europe"): {
        "France": 90,
        "Germany": 60,
        "Belgium": 20,
        "Netherlands": 34,
        "Luxembourg": 3,
        "Switzerland": 12,
    },
    ("Northern Europe", "Europe"): {
        "United Kingdom": 110,
        "Ireland": 18,
        "Sweden": 14,
        "Norway": 5,
        "Finland": 6,
        "Iceland": 1,
    },
    ("Eastern Europe", "Europe"): {
        "Romania": 90,
        "Ukraine": 85,
        "Moldova": 22,
        "Poland": 14,
        "Bulgaria": 12,
        "Russia": 16,
    },
    ("South America", "Americas"): {"Brazil": 420, "Venezuela": 30, "Argentina": 8, "Colombia": 9, "Uruguay": 1},
    ("North and Central America", "Americas"): {"United States": 26, "Canada": 14, "Mexico": 4, "Cuba": 5},
    ("Western Africa", "Africa"): {"Cape Verde": 120, "Guinea-Bissau": 70, "Senegal": 14, "Nigeria": 12, "Ghana": 3},
    ("Rest of Africa", "Africa"): {
        "Angola": 140,
        "Mozambique": 26,
        "São Tomé and Príncipe": 36,
        "Morocco": 16,
        "South Africa": 7,
    },
    ("South Asia", "Asia and Oceania"): {"India": 110, "Nepal": 80, "Bangladesh": 52, "Pakistan": 36, "Sri Lanka": 2},
    ("Rest of Asia and Oceania", "Asia and Oceania"): {
        "China": 60,
        "Philippines": 9,
        "Japan": 3,
        "Iran": 5,
        "Timor-Leste": 6,
        "Australia": 3,
    },
}


class Diagnosis(NamedTuple):
    name: str
    chapter: str
    by_age: tuple[int, int, int, int, int]
    """Weight for ages under 5, under 18, under 45, under 68, and above."""
    women: int
    men: int
    winter: int = 1
    """Times likelier from November to March."""


DIAGNOSES = (
    Diagnosis("influenza", "infection", (60, 40, 25, 20, 40), 1, 1, 5),
    Diagnosis("pneumonia", "respiratory", (50, 15, 12, 35, 110), 1, 1, 3),
    Diagnosis("bronchiolitis", "respiratory", (140, 2, 0, 0, 0), 1, 1, 4),
    Diagnosis("asthma", "respiratory", (30, 45, 22, 18, 14), 1, 1),
    Diagnosis("chronic obstructive lung disease", "respiratory", (0, 0, 1, 16, 28), 2, 3, 2),
    Diagnosis("gastroenteritis", "infection", (90, 40, 22, 16, 24), 1, 1),
    Diagnosis("tuberculosis", "infection", (1, 1, 5, 5, 4), 1, 2),
    Diagnosis("HIV disease", "infection", (0, 1, 9, 8, 1), 1, 3),
    Diagnosis("hepatitis C", "infection", (0, 0, 6, 12, 3), 1, 2),
    Diagnosis("sepsis", "infection", (12, 4, 6, 20, 60), 1, 1),
    Diagnosis("heart attack", "circulation", (0, 0, 6, 70, 90), 1, 2),
    Diagnosis("heart failure", "circulation", (1, 1, 4, 45, 160), 1, 1),
    Diagnosis("atrial fibrillation", "circulation", (0, 0, 4, 35, 80), 1, 1),
    Diagnosis("stroke", "circulation", (1, 1, 6, 45, 120), 1, 1),
    Diagnosis("hypertension", "circulation", (0, 1, 8, 34, 40), 1, 1),
    Diagnosis("varicose veins", "circulation", (0, 0, 12, 24, 10), 2, 1),
    Diagnosis("breast cancer", "cancer", (0, 0, 14, 50, 36), 1, 0),
    Diagnosis("prostate cancer", "cancer", (0, 0, 0, 34, 50), 0, 1),
    Diagnosis("lung cancer", "cancer", (0, 0, 3, 36, 40), 1, 2),
    Diagnosis("bowel cancer", "cancer", (0, 0, 4, 34, 54), 1, 1),
    Diagnosis("leukaemia", "cancer", (8, 7, 4, 8, 12), 1, 1),
    Diagnosis("melanoma", "cancer", (0, 0, 6, 10, 12), 1, 1),
    Diagnosis("type 1 diabetes", "metabolism", (6, 22, 10, 5, 2), 1, 1),
    Diagnosis("type 2 diabetes", "metabolism", (0, 1, 12, 60, 70), 1, 1),
    Diagnosis("obesity", "metabolism", (0, 4, 24, 22, 4), 2, 1),
    Diagnosis("cystic fibrosis", "metabolism", (3, 3, 2, 0, 0), 1, 1),
    Diagnosis("thyroid disorder", "metabolism", (0, 2, 16, 20, 10), 4, 1),
    Diagnosis("depression", "mind", (0, 14, 60, 48, 22), 2, 1),
    Diagnosis("schizophrenia", "mind", (0, 2, 22, 14, 3), 1, 1),
    Diagnosis("alcohol dependence", "mind", (0, 2, 34, 42, 8), 1, 3),
    Diagnosis("eating disorder", "mind", (0, 4, 3, 0, 0), 9, 1),
    Diagnosis("dementia", "mind", (0, 0, 0, 8, 90), 1, 1),
    Diagnosis("epilepsy", "nerves", (14, 16, 14, 12, 16), 1, 1),
    Diagnosis("migraine", "nerves", (0, 8, 16, 10, 2), 3, 1),
    Diagnosis("multiple sclerosis", "nerves", (0, 1, 10, 6, 1), 3, 1),
    Diagnosis("Parkinson's disease", "nerves", (0, 0, 0, 10, 36), 1, 1),
    Diagnosis("appendicitis", "digestion", (6, 50, 40, 14, 6), 1, 1),
    Diagnosis("gallstones", "digestion", (0, 3, 36, 50, 40), 2, 1),
    Diagnosis("inguinal hernia", "digestion", (3, 2, 5, 9, 8), 1, 6),
    Diagnosis("Crohn's disease", "digestion", (0, 8, 14, 6, 2), 1, 1),
    Diagnosis("liver cirrhosis", "digestion", (0, 0, 6, 34, 18), 1, 2),
    Diagnosis("kidney stones", "urinary", (0, 2, 30, 30, 14), 1, 2),
    Diagnosis("kidney failure", "urinary", (1, 1, 5, 22, 54), 1, 1),
    Diagnosis("urinary infection", "urinary", (20, 10, 18, 18, 60), 3, 1),
    Diagnosis("childbirth", "pregnancy", (0, 3, 230, 0, 0), 1, 0),
    Diagnosis("miscarriage", "pregnancy", (0, 1, 30, 0, 0), 1, 0),
    Diagnosis("hip fracture", "injury", (0, 1, 3, 16, 110), 2, 1, 2),
    Diagnosis("wrist fracture", "injury", (6, 50, 22, 24, 26), 1, 1),
    Diagnosis("concussion", "injury", (30, 40, 22, 10, 14), 1, 2),
    Diagnosis("burn", "injury", (16, 6, 10, 6, 4), 1, 1),
    Diagnosis("poisoning", "injury", (18, 12, 14, 6, 4), 1, 1),
    Diagnosis("arthrosis of the knee", "joints", (0, 0, 4, 70, 100), 2, 1),
    Diagnosis("slipped disc", "joints", (0, 1, 40, 50, 18), 1, 1),
    Diagnosis("rheumatoid arthritis", "joints", (0, 3, 8, 18, 16), 3, 1),
)
