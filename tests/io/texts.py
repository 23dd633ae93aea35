"""A text with letters that encodings differ in, put into a file."""

from __future__ import annotations

TEXT = "name,city\nJosé,Köln\n"
ROWS = [("José", "Köln")]


def put(folder, name, data):
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path
