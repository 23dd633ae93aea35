"""Delimited text read one character at a time."""

from __future__ import annotations


def records(text: str, delimiter: str) -> list[tuple[int, list[str | None]]]:
    """The line on which each record begins and its fields; None for an empty field without quotes. Expects well-formed text."""
    out: list[tuple[int, list[str | None]]] = []
    fields: list[str | None] = []
    cell, quoted, inside, line, begun, i = "", False, False, 1, 1, 0
    while i <= len(text):
        c = text[i] if i < len(text) else "end"
        if inside:
            line += c == "\n" or (c == "\r" and text[i + 1 : i + 2] != "\n")
            if c == '"' and text[i + 1 : i + 2] == '"':
                cell, i = cell + c, i + 1
            elif c == '"':
                inside = False
            else:
                cell += c
        elif c == '"' and not cell and not quoted:
            inside = quoted = True
        elif c in (delimiter, "\n", "\r", "end"):
            if c == "end" and not fields and not cell and not quoted:
                break
            fields.append(cell if cell or quoted else None)
            cell, quoted = "", False
            if c != delimiter:
                i += c == "\r" and text[i + 1 : i + 2] == "\n"
                out.append((begun, fields))
                line += 1
                fields, begun = [], line
        else:
            cell += c
        i += 1
    return out
