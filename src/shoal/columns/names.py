"""What a column's name says: its words, and the roles and kinds that people mean by them.

The lists are of English words; those of other languages are files in ``languages/``, one per language, and are added to them. A word counts where
it begins a word of the name, unless it ends in a ``$``: then it must be the whole word.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])|[_\W]+")


@cache
def words(name: str) -> tuple[str, ...]:
    """The words of a name.

    >>> words("yrs.since.phd"), words("dateOfBirth"), words("USUBJID"), words("hla.a2")
    (('yrs', 'since', 'phd'), ('date', 'of', 'birth'), ('usubjid',), ('hla', 'a', '2'))
    """
    return tuple(w.lower() for w in _BREAK.split(plain(name)) if w)


def plain(name: str) -> str:
    """A name without accents.

    >>> plain("Straße"), plain("année"), plain("Größe")
    ('Strasse', 'annee', 'Grosse')
    """
    if name.isascii():
        return name
    parts = unicodedata.normalize("NFKD", name.replace("ß", "ss").replace("ø", "o").replace("ł", "l"))
    return "".join(c for c in parts if not unicodedata.combining(c))


LANGUAGES: tuple[dict[str, Any], ...] = tuple(
    tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted((Path(__file__).parent / "languages").glob("*.toml"))
)
"""The words of other languages, by the keys of the lists below."""


def _with(key: str, *own: str) -> tuple[str, ...]:
    """Our words, and those of other languages."""
    return tuple(dict.fromkeys((*own, *(word for language in LANGUAGES for word in language.get(key, ())))))


def _topics(key: str, *own: tuple[str, tuple[str, ...]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Topics with our words and those of other languages."""
    return tuple(
        (about, tuple(dict.fromkeys((*stems, *(w for l in LANGUAGES for w in l.get(key, {}).get(about, ())))))) for about, stems in own
    )


def has(name: str, *stems: str) -> bool:
    """Whether a word of the name begins with one of the stems."""
    return stem_of(name, stems) is not None


def stem_of(name: str, stems: tuple[str, ...]) -> str | None:
    """The stem that a word of the name begins with, or two words of it together; None if there is none."""
    said = words(name)
    joined = (*said, *("".join(pair) for pair in pairwise(said)), "".join(said))
    for stem in stems:
        if any(_is(word, stem) for word in joined):
            return stem.rstrip("$")
    return None


def _is(word: str, stem: str) -> bool:
    """A long stem may end the word as well: ``bigcity``."""
    if stem.endswith("$"):
        return word == stem[:-1]
    return word.startswith(stem) or (len(stem) >= 4 and word.endswith(stem))


PERSONAL_NAME = _with("personal_name", "name$", "names$", "surname", "forename", "firstname", "lastname", "fullname", "givenname", "familyname", "nickname", "middlename",
                 "maidenname", "patientname", "username", "nachname", "vorname", "prenom", "nombre", "apellido", "player$", "author$")  # fmt: skip
NAME_OF_A_THING = ("clinic", "hospital", "school", "company", "employer", "team", "product", "file", "county", "city", "state", "country", "region",
                   "course", "street", "station", "dataset", "movie", "film", "song", "brand", "drug", "event", "race$", "store", "hotel")  # fmt: skip
NUMBER_OF_A_PERSON = _with("number_of_a_person", "id$", "ids$", "idno", "idnr", "pid$", "uid$", "uuid", "guid", "ssn", "nhs", "cpr$", "iban", "mrn$", "usubjid", "subjid", "subjectid",
                      "patientid", "personid", "caseid", "respid", "respondent$", "rownames$", "rowname$", "index$", "key$", "identifier",
                      "passport", "licence", "licenseplate", "account", "serial", "recordno", "bib$", "badge", "ticket", "record$", "subject$", "patient$", "participant$", "client$", "customer$", "employee$", "pupil$", "caseno", "invoice", "voter")  # fmt: skip
CONTACT = _with(
    "contact",
    "email",
    "mail$",
    "phone",
    "mobile",
    "telephone",
    "fax$",
    "address",
    "street",
    "url$",
    "website",
    "homepage",
    "ip$",
    "handle$",
    "twitter",
)

ALWAYS = ("ssn", "socialsecurity", "iban", "passport", "email", "phone", "mobile", "telephone", "mrn$", "nino$", "uuid", "guid")
"""Names of what belongs to one person, however few values there are."""
MEASURED = (
    "age",
    "year",
    "yr",
    "week",
    "day",
    "hour",
    "height",
    "weight",
    "income",
    "wage",
    "salary",
    "price",
    "cost",
    "amount",
    "score",
    "time",
    "dur",
    "distance",
)
"""Names of quantities: that each row has its own says nothing of them."""
DAY = _with("birth", "date", "day", "dt", "dob", "birth", "bdate")
LATITUDE, LONGITUDE = ("lat$", "latitude", "ycoord"), ("lon$", "lng$", "long$", "longitude", "xcoord")
POSTAL = _with("postal", "zip", "postcode", "postalcode", "postal", "plz$", "postleitzahl", "cap$")
CLASSIFICATION = ("icd", "atc$", "naics", "sic$", "isco", "nace", "cpt$", "ortcode", "fips", "soc$")
YEAR = _with("year", "year$", "yr$", "jahr$", "annee", "ano$", "yob$", "y$", "yearofbirth", "birthyear")

QUANTITY = _with("quantity", "age", "year", "yr", "month$", "months", "week", "day$", "days", "hour", "hr", "minute", "second", "time", "dur", "count", "num", "n$", "no$", "number",
            "nb", "total", "sum$", "size", "height", "weight", "wt$", "ht$", "length", "width", "distance", "income", "wage", "salary", "price", "cost", "amount",
            "rate$", "percent", "pct", "score", "points", "index$", "exper", "tenure", "children", "kids", "sib", "parch", "famil", "household", "hh", "members", "persons", "people",
            "visit", "episodes", "times", "seniority", "dose", "bmi", "pressure", "temp", "thick", "cards", "checks", "cigs", "drinks", "grade$", "gained",
            "educ", "edu$", "schooling", "hs$", "college$", "winner", "top", "bottom", "highest", "lowest", "median", "mean", "avg", "average", "max", "min$", "prev")  # fmt: skip
NOMINAL = _with("nominal", "code", "type", "categ", "cat$", "class$", "group", "grp", "region", "district", "precinct", "zone", "ward", "area$", "race", "sex", "gender", "ethnic",
           "marital", "maritl", "married", "occupation", "occ$", "industry", "ind$", "status", "arm$", "trt", "treat", "state$", "county", "country", "site", "center", "centre",
           "hospital", "school$", "relig", "party", "religion", "nation", "method", "cause", "strat", "cluster", "station", "line$", "series$", "brand", "colour", "color", "sample$")  # fmt: skip

SENSITIVE = _topics(
    "sensitive",
    ("health", ("diagnos", "disease", "illness", "icd", "cancer", "tumo", "hiv", "aids$", "symptom", "syndrome", "health", "hlth", "medic", "drug", "dose", "therap",
                "surgery", "transplant", "outcome", "death", "dead", "died", "deceased", "surviv", "alive", "mortal", "cause$", "suicid", "blood", "bp$", "systolic", "diastolic", "chol", "bmi$",
                "glucose", "pulse", "smok", "cig", "alcohol", "drink", "drunk", "pregnan", "gestation", "premie", "lowbirth", "ulcer", "stage$", "biops", "lesion", "infect",
                "resist", "radiolog", "react", "reject", "hepat", "bili", "albumin", "creatin", "platelet", "copper", "trig", "ast$", "alk", "serum",
                "hemoglobin", "haemoglobin", "wbc", "rbc", "insulin", "asthma", "diabet", "hypert", "stroke", "depress", "anxiety", "mental", "iq$", "handicap", "limit$", "hosp", "doctor$",
                "visits$", "relapse", "remission", "recur", "adverse", "side", "pain", "baseline", "edema", "hla", "birthweight",
                "bweight", "lbw", "apgar", "comorbid", "vaccin", "positive", "thickness", "event$", "chronic", "copd", "chf$", "ckd$", "htn$", "arthr", "fever", "cough", "nausea", "throat", "pneumo", "sepsis", "allerg", "fractur", "wound", "bleed", "renal",
                "kidney", "liver", "cardi", "heart", "lung", "obes", "malari", "tubercul", "covid", "virus", "antibio", "steroid", "substance", "cocaine", "heroin", "opioid", "marij", "cannab", "alc$", "etoh",
                "tobacco", "addict", "abstin", "detox", "risk$", "hdl$", "ldl$", "crp$", "psa$", "tsh$", "hba", "sodium", "potass", "calcium", "spo", "fev$", "fvc$",
                "cesd", "phq", "gad$", "bdi$", "hads", "mmse", "moca$", "sf$", "mcs$", "pcs$", "eq$", "apache", "sofa$", "gcs$", "nihss", "rankin", "ecog", "karno", "pss$", "ptsd", "adhd", "stress", "lonel", "celltype", "histol", "metasta", "prognos")),
    ("money", ("income", "inc$", "hinc", "wage", "salary", "sal$", "earn", "pay$", "payment", "debt", "loan", "credit", "balance", "asset", "saving", "sav$", "consum", "wealth", "expens", "amount", "mortgage",
               "rent$", "bonus", "hike", "stock", "rating$", "bankrupt", "default$", "tax", "pension", "fees", "limit")),
    ("the law", ("crime", "criminal", "arrest", "offen", "convict", "prison", "jail", "sentence", "release", "charge", "felony", "recid", "victim", "weapon", "force$", "verdict", "checks", "records$")),
    ("opinions", ("vote", "voting", "party", "politic", "opinion", "attitude", "trust", "satisf", "involve", "happi", "happy", "abortion", "immig", "importance", "rating",
                  "eval", "agree", "approve", "therm", "feel", "like$", "worry", "worr", "averse", "belie", "prefer", "percei", "favor", "favour", "ideolog", "conserv", "liberal", "concern", "afraid", "fear$", "proud", "poverty", "statusquo")),
    ("private life", ("sexual", "orientation", "affair", "partner$", "contracept", "religiousness", "behavio", "attrition", "perform", "complain", "balance", "text", "sleep", "tv$", "physically", "strength")),
    ("performance", ("score", "test$", "gpa", "grade$", "exam", "marks", "result", "satv", "satm", "sat$", "act$", "iq", "quality", "knowledge", "cognit", "memory", "vocab", "spelling", "skill", "ability", "hsgpa", "math$", "maths", "algebra", "read$", "reading", "write$", "writing", "science$", "physics", "chemistry", "biology", "history$", "geography", "socst")),
)  # fmt: skip
KNOWN_TO_OTHERS = _topics(
    "known",
    ("where somebody lives or was", ("zip", "postcode", "postal", "plz", "city", "town", "village", "municip", "county", "region", "state", "province", "country", "cntry", "nation", "district",
                                     "precinct", "borough", "suburb", "quarter$", "canton", "department$", "neighb", "hood", "area", "urban", "rural", "south", "north", "east", "west", "midwest", "location", "place", "home", "lat$", "lon$", "long$", "latitude", "longitude",
                                     "tract", "block", "fips", "birthpl", "native", "citizen", "foreign", "immigrant", "smsa", "metro", "msa$", "population", "ward", "parish", "community", "site", "center", "centre", "station")),
    ("who somebody is", ("age", "agea", "dob", "birth", "born", "sex", "gender", "female", "male$", "woman", "women", "man$", "race", "ethnic", "hisp", "latino", "black", "white", "asian", "minority", "afam", "nonwhite", "nwhite", "caucas", "colour",
                         "color", "language", "lang$", "relig", "height", "weight", "hand", "eye", "hair", "skin", "sign$", "species", "disab", "person$", "mom", "mother", "father", "dad", "parent", "plural")),
    ("family", ("marital", "maritl", "marri", "marr$", "spouse", "single", "divorc", "widow", "wife", "husband", "wedding", "child", "kid", "famil", "household", "hhsize", "hh", "sib", "parch", "prev", "members", "depend", "partner")),
    ("work and schooling", ("job", "occup", "profession", "work", "employ", "selfemp", "empl", "unempl", "industry", "ind$", "sector", "union", "tenure", "rank", "title", "position", "posit", "department", "dept",
                            "team", "company", "companies", "employer", "school", "college", "univ", "educ", "edu$", "degree", "nodeg", "major$", "discipline", "division", "class$", "passenger", "pclass", "military",
                            "veteran", "exper", "seniority", "service", "hours", "weeks", "hrs", "overtime", "travel", "phd", "hs$", "student$", "role", "manager", "promotion", "insur", "series", "winner", "episode", "award", "bib", "number$")),
    ("when something happened", ("date", "day", "month", "year", "yr", "quarter", "qrtr", "time", "admi", "discharge", "arriv", "depart", "intrvw", "interview", "wait", "duration", "delay", "season", "hour", "minute", "since", "net$")),
    ("what somebody owns or drives", ("car$", "cars$", "vehicle", "house", "owner", "licen", "cards", "phone", "pet", "clinic", "patientclass", "drive")),
)  # fmt: skip
OUTCOME = (
    "surviv",
    "death",
    "dead",
    "died",
    "outcome",
    "result",
    "status",
    "event",
    "alive",
    "reject",
    "relapse",
    "improved",
    "released",
    "attrition",
    "churn",
    "target",
    "label",
    "response",
)
