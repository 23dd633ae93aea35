"""Forenames for the tests of columns: some that everybody knows, some that are rare."""

PEOPLE = [
    "Linda",
    "Peter",
    "Maria",
    "Xanthe",
    "Bogdan",
    "Sarah",
    "Tom",
    "Anna",
    "Zsofia",
    "Ken",
    "Ruth",
    "Ivo",
    "Mark",
    "Jane",
    "Otto",
    "Lucy",
]
