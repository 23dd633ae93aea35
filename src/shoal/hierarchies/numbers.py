"""Texts as numbers and dates: the names by which the hierarchies' neighbours know them."""

from shoal.columns.dates import FORMS, date_forms, parse_dates
from shoal.columns.numbers import Floats, Longs, is_number, parse_numbers

__all__ = ["FORMS", "Floats", "Longs", "date_forms", "is_number", "parse_dates", "parse_numbers"]
