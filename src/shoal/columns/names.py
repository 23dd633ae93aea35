"""What a column's name says: its words, and the roles and kinds that people mean by them.

The words that tell a role are in ``languages/``, one file per language. The lists here are of English words that tell a
kind; those of other languages are added to them. A word counts where it begins a word of the name, unless it ends in a
``$``: then it must be the whole word.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

Topics = tuple[tuple[str, tuple[str, ...]], ...]
_BREAK = re.compile(
    r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])|[_\W]+"
)


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
    tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted((Path(__file__).parent / "languages").glob("*.toml"))
)
"""The words of each language, by the keys of the lists below."""


def _with(key: str, *own: str) -> tuple[str, ...]:
    """Our words, and those of other languages."""
    return tuple(dict.fromkeys((*own, *(word for language in LANGUAGES for word in language.get(key, ())))))


def _topics(key: str, within: str | None = None) -> Topics:
    """The topics of all languages, each with their words."""
    found: dict[str, dict[str, None]] = {}
    for language in LANGUAGES:
        for about, stems in (language.get(within, {}) if within else language).get(key, {}).items():
            found.setdefault(about, {}).update(dict.fromkeys(stems))
    return tuple((about, tuple(stems)) for about, stems in found.items())


def best(word: str, topics: Topics) -> tuple[int, str] | None:
    """The topic of the longest stem that a word begins or ends with, and the length of that stem."""
    stems, lengths, abouts = _listed(topics)
    found = stems.all(word)
    if not found:
        return None
    at = min(found, key=lambda at: (-lengths[at], at))
    return lengths[at], abouts[at]


def in_order(name: str) -> tuple[str, ...]:
    """The words of a name, those that say what the thing is first.

    The last word says it, or the last one before ``of``, ``at`` and the like. A span such as ``2yrs`` says when, and
    nothing of the thing.

    >>> in_order("age_at_diagnosis"), in_order("motherAge"), in_order("arrests_last_2yrs")
    (('age', 'diagnosis'), ('age', 'mother'), ('last', 'arrests'))
    """
    said, found, part = words(name), list[str](), list[str]()
    is_span = [before.isdigit() and word.startswith(SPAN) for before, word in pairwise(("", *said))]
    said = tuple(word for word, span in zip(said, is_span, strict=True) if not span and not word.isdigit())
    for word in (*said, OF[0]):
        if word in OF:
            found += reversed(part)
            part = []
        else:
            part.append(word)
    return tuple(found)


def has(name: str, *stems: str) -> bool:
    """Whether a word of the name begins with one of the stems."""
    return stem_of(name, stems) is not None


@cache
def stem_of(name: str, stems: tuple[str, ...]) -> str | None:
    """The stem that a word of the name begins with, or two words of it together; None if there is none."""
    said = words(name)
    joined = (*said, *("".join(pair) for pair in pairwise(said)), "".join(said))
    known = Stems.of(stems)
    first = min((at for word in joined for at in known.all(word)), default=None)
    return None if first is None else stems[first].rstrip("$")


def numbers_people(name: str) -> bool:
    """Whether a name speaks of a number of a person: by a word of its own, or by a person and a number.

    >>> [numbers_people(name) for name in ("PatNr", "kd_nr", "N° patient", "codigo_del_cliente")]
    [True, True, True, True]
    >>> [numbers_people(name) for name in ("num_patients", "Hausnr")]
    [False, False]
    """
    return has(name, *NUMBER_OF_A_PERSON) or is_person_and_number(name)


@cache
def is_person_and_number(name: str) -> bool:
    """Whether a name ends with a person and a number, ``PatNr``, or is a number and a person, ``id_paciente``: a plural
    there is a count.
    """
    said = tuple(word for word in words(name.replace("°", "o ").replace("#", " no ")) if not word.isdigit())
    ends = ("".join(said[i:]) for i in range(len(said)))
    return any(_PERSON_NUMBER.fullmatch(end) for end in ends) or _NUMBER_PERSON.fullmatch("".join(said)) is not None


class Stems:
    """Stems, found by the beginnings and ends of a word instead of one by one.

    ``name$`` is the whole word; a long stem may end the word as well: ``bigcity``.
    """

    def __init__(self, stems: tuple[str, ...]) -> None:
        self.whole: dict[str, list[int]] = {}
        self.begins: dict[str, list[int]] = {}
        self.ends: dict[str, list[int]] = {}
        for at, stem in enumerate(stems):
            if stem.endswith("$"):
                self.whole.setdefault(stem[:-1], []).append(at)
                continue
            self.begins.setdefault(stem, []).append(at)
            if len(stem) >= 4:
                self.ends.setdefault(stem, []).append(at)

    @staticmethod
    @cache
    def of(stems: tuple[str, ...]) -> Stems:
        return Stems(stems)

    def all(self, word: str) -> list[int]:
        """The places of the stems that a word has."""
        lengths = range(len(word) + 1)
        begun = [at for n in lengths for at in self.begins.get(word[:n], ())]
        return [*self.whole.get(word, ()), *begun, *(at for n in lengths for at in self.ends.get(word[n:], ()))]


@cache
def _listed(topics: Topics) -> tuple[Stems, list[int], list[str]]:
    """The stems of all topics, how long each is, and what each is about."""
    listed = [(stem, about) for about, stems in topics for stem in stems]
    return (
        Stems(tuple(stem for stem, _ in listed)),
        [len(stem.rstrip("$")) for stem, _ in listed],
        [about for _, about in listed],
    )


PERSONAL_NAME = _with("personal_name", "name$", "names$", "surname", "forename", "firstname", "lastname", "fullname",
                 "givenname", "familyname", "nickname", "middlename",
                 "maidenname", "patientname", "username", "nachname", "vorname", "prenom", "nombre", "apellido",
                 "player$", "author$")  # fmt: skip
NAME_OF_A_THING = ("clinic", "hospital", "school", "company", "employer", "team", "product", "file", "county", "city",
                   "state", "country", "region",
                   "course", "street", "station", "dataset", "movie", "film", "song", "brand", "drug", "event", "race$",
                   "store", "hotel")  # fmt: skip
NUMBER_OF_A_PERSON = _with("number_of_a_person", "id$", "ids$", "idno", "idnr", "pid$", "uid$", "uuid", "guid", "ssn",
                      "nhs", "cpr$", "iban", "mrn$", "usubjid", "subjid", "subjectid",
                      "patientid", "personid", "caseid", "respid", "respondent$", "rownames$", "rowname$", "index$",
                      "key$", "identifier",
                      "passport", "licence", "licenseplate", "account", "serial", "recordno", "bib$", "badge", "ticket",
                      "record$", "subject$", "patient$", "participant$", "client$", "customer$", "employee$", "pupil$",
                      "caseno", "invoice", "voter")  # fmt: skip
PERSON = _with("person_word", "patient", "pat", "pt", "person", "pers", "customer", "cust", "client", "member", "memb",
               "employee", "empl", "emp", "student", "stud", "pupil",
               "subject", "subj", "participant", "respondent", "resp", "insured", "policyholder", "case", "user",
               "voter", "donor", "tenant", "resident", "proband")  # fmt: skip
"""Words for somebody, as names of columns shorten them. With one of the next words they name a number of a person."""
NUMBER = _with("number_word", "id", "no", "nr", "num", "nbr", "number", "identifier", "key", "ref", "code")
_PERSON_NUMBER = re.compile(f"(?:{'|'.join(PERSON)})(?:en|n|s)?(?:{'|'.join(NUMBER)})")
_NUMBER_PERSON = re.compile(f"(?:{'|'.join(NUMBER)})(?:of|de|del|della|do|da|di|du|van|le|the)?(?:{'|'.join(PERSON)})")
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

ALWAYS = (
    "ssn", "socialsecurity", "iban", "passport", "email", "phone", "mobile", "telephone", "mrn$", "nino$", "uuid",
    "guid",
)  # fmt: skip
"""Names of what belongs to one person, however few values there are."""
ONE_PERSONS = (
    "ssn", "socialsecurity", "iban", "passport", "email", "mrn$", "nino$", "patient$", "patientid", "personid",
    "subjectid", "usubjid", "subjid",
)  # fmt: skip
"""Names of what is one person's: rows that share it are the same person's."""
MEASURED = (
    "age", "year", "yr", "week", "day", "hour", "height", "weight", "income", "wage", "salary", "price", "cost",
    "amount", "score", "time", "dur", "distance",
)  # fmt: skip
"""Names of quantities: that each row has its own says nothing of them."""
BIRTH = _with("birth", "dob", "birth", "bdate", "yob$")
DAY = ("date", "day", "dt", *BIRTH)
LATITUDE, LONGITUDE = ("lat$", "latitude", "ycoord"), ("lon$", "lng$", "long$", "longitude", "xcoord")
POSTAL = _with("postal", "zip", "postcode", "postalcode", "postal", "plz$", "postleitzahl", "cap$")
CLASSIFICATION = ("icd", "atc$", "naics", "sic$", "isco", "nace", "cpt$", "ortcode", "fips", "soc$")
YEAR = _with("year", "year$", "yr$", "jahr$", "annee", "ano$", "yob$", "y$", "yearofbirth", "birthyear")

QUANTITY = _with("quantity", "age", "year", "yr", "month$", "months", "week", "day$", "days", "hour", "hr", "minute",
            "second", "time", "dur", "count", "num", "n$", "no$", "number",
            "nb", "total", "sum$", "size", "height", "weight", "wt$", "ht$", "length", "width", "distance", "income",
            "wage", "salary", "price", "cost", "amount",
            "rate$", "percent", "pct", "score", "points", "index$", "exper", "tenure", "children", "kids", "sib",
            "parch", "famil", "household", "hh", "members", "persons", "people",
            "visit", "episodes", "times", "seniority", "dose", "bmi", "pressure", "temp", "thick", "cards", "checks",
            "cigs", "drinks", "grade$", "gained",
            "educ", "edu$", "schooling", "hs$", "college$", "winner", "top", "bottom", "highest", "lowest", "median",
            "mean", "avg", "average", "max", "min$", "prev")  # fmt: skip
NOMINAL = _with("nominal", "code", "type", "categ", "cat$", "class$", "group", "grp", "region", "district", "precinct",
           "zone", "ward", "area$", "race", "sex", "gender", "ethnic",
           "marital", "maritl", "married", "occupation", "occ$", "industry", "ind$", "status", "arm$", "trt", "treat",
           "state$", "county", "country", "site", "center", "centre",
           "hospital", "school$", "relig", "party", "religion", "nation", "method", "cause", "strat", "cluster",
           "station", "line$", "series$", "brand", "colour", "color", "sample$")  # fmt: skip

SENSITIVE = _topics("sensitive")
KNOWN_TO_OTHERS = _topics("known")
SENSITIVE_VALUES = _topics("sensitive", "values")
KNOWN_VALUES = _topics("known", "values")
FREE_TEXT = _with("free_text", "note$", "notes$", "remark", "comment", "freetext", "feedback", "narrative")
"""Words for what somebody wrote: whatever occurs to people, names as well."""
UNSAID = ("status", "event", "target", "label", "response", "grade$", "level$", "group", "info$", *FREE_TEXT)
"""Words that leave open what they are about: a status may be that of a marriage or of a tumour, a grade a year at
school or a mark.
"""
DEATH = ("death", "dead", "died$", "deceased", "dod$")
"""In a column of many numbers, these are moments or times, and a death is public."""
PLAINLY_KNOWN = ("age$", "sex$", "gender$", "race$", "ethnicity$", "zip$", "postcode$", "dob$", "birthdate$", "date$",
                 "city$", "town$", "county$", "country$", "region$",
                 "nationality$", "religion$", "occupation$", "job$", "marital$", "height$")  # fmt: skip
"""What outsiders know wherever it stands in a name: ``age_donor`` is an age like ``donor_age``."""
SPAN = ("yr", "year", "mth", "month", "week", "wk", "day", "hour", "hr", "min")
OF = ("of", "at", "since", "before", "after", "from", "to", "for", "in", "on", "until", "till", "with", "during")
"""The word before one of these says what a thing is: the age at death is an age."""
