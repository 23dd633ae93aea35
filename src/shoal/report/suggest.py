"""Which roles columns may have: taken from ``shoal.columns``."""

from shoal.columns.roles import ASK, Suggestion, overview, suggest_role, suggest_roles

__all__ = ["ASK", "Suggestion", "overview", "suggest_role", "suggest_roles"]
