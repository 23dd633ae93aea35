"""Text in whatever encoding, as UTF-8."""

from __future__ import annotations

import codecs

from shoal.errors import DataError, some
from shoal.io.text.windows import FileText

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
CONTENTS = (
    (b"PK\x03\x04", "a zip archive or an Excel workbook: unpack it, or rename a workbook to end in .xlsx"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook: rename it to end in .xls"),
    (b"PAR1", "a Parquet file: rename it to end in .parquet"),
    (b"ARROW1", "an Arrow file: rename it to end in .arrow"),
    (b"%PDF", "a PDF document: get the table as CSV or Parquet"),
    (b"SQLite format 3", "an SQLite database: export the table as CSV"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd: unpack it"),
    (b"BZh", "packed with bzip2: unpack it"),
    (b"\xfd7zXZ", "packed with xz: unpack it"),
)
PIECE = 1 << 22
ANOTHER = "Give another encoding, or save the file anew as UTF-8."
CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\x1b"))


def decode(data: bytes, encoding: str, name: str) -> bytes:
    """A text in some encoding, in UTF-8."""
    try:
        codec = codecs.lookup(encoding)
        return codec.decode(data)[0].removeprefix("\ufeff").encode()
    except LookupError:
        raise DataError(f"There is no encoding called '{encoding}'. Common ones: utf-8, utf-16, cp1252, latin-1.") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        where = f"'{name}' is not text in {encoding}: line {line} has bytes that do not belong there."
        raise DataError(f"{where} {_other_encoding(data, encoding, error.start)}") from None
    except UnicodeError:
        raise DataError(f"'{name}' is not text in {encoding}. {ANOTHER}") from None


def _other_encoding(data: bytes, encoding: str, at: int) -> str:
    """What to do about bytes that do not belong there: where letters before them do, no encoding reads the whole file."""
    if codecs.lookup(encoding).name == "utf-8" and any(byte > 127 for byte in data[:at].removeprefix(codecs.BOM_UTF8)):
        return "Letters before it are in UTF-8, so the file mixes encodings and none reads all of it: have it exported anew, or mend such lines."
    return ANOTHER


def _lines_with_nul(data: FileText) -> list[int]:
    """The lines that have one."""
    lines: list[int] = []
    line, at = 1, 0
    while (found := data.find(b"\0", at)) >= 0:
        line += sum(bytes(data[i : min(i + PIECE, found)]).count(b"\n") for i in range(at, found, PIECE))
        lines.append(line)
        end = data.find(b"\n", found)
        if end < 0:
            break
        line, at = line + 1, end + 1
    return lines


def refuse_binary(data: FileText, name: str) -> None:
    """Raise if this is no text at all."""
    for magic, what in CONTENTS:
        if data[: len(magic)] == magic:
            raise DataError(f"'{name}' is not text but {what}.")
    head = data[:4096]
    for parity, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if head[parity::2].count(0) > 0.3 * max(len(head) // 2, 1) > 0 and head[1 - parity :: 2].count(0) < 0.05 * len(head):
            raise DataError(f"'{name}' looks like UTF-16 without its byte-order mark. Give its encoding: {encoding}.")
    if data.find(b"\0") >= 0:
        lines = _lines_with_nul(data)
        word = "line" if len(lines) == 1 else "lines"
        raise DataError(f"'{name}' has NUL bytes ({word} {some(lines)}): it is a binary or a damaged file. Export the table as CSV again.")
    if len(head) - len(head.translate(None, CONTROL)) > 0.05 * len(head):
        raise DataError(f"'{name}' is not text. Export the table as CSV or Parquet.")
