"""A table as its owner uploads it."""

from __future__ import annotations


def people(n: int = 60, header: str = "age,zip,job,ill") -> bytes:
    rows = [
        f"{20 + i % 23},{81000 + i % 7},{['nurse', 'cook', 'clerk'][i % 3]},{['flu', 'cold', 'ache'][i % 3]}"
        for i in range(n)
    ]
    return "\n".join([header, *rows, ""]).encode()
