"""The studio's fixtures, for the attacks on it."""

from tests.studio.conftest import nothing_keeps_running, stranger, studio, visitor

__all__ = ["nothing_keeps_running", "stranger", "studio", "visitor"]
