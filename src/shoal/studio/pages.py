"""What the pages need of the studio: a desk, templates and a way to answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shoal.studio.desk import Desk
from shoal.studio.work import AnyJob


class Pages(Protocol):
    """The studio as its pages see it."""

    desk: Desk
    close: Callable[[], None]

    def text(self, template: str, **about: Any) -> str: ...
    def show(self, template: str, *, error: str = "", status: int = 200, **about: Any) -> Response: ...
    def waiting(self, job: AnyJob, at: str, asked: str = "/status") -> Response: ...


def table_of(request: Request) -> str:
    """The key of the table that the request's page is of."""
    return str(request.query_params.get("table", ""))


def is_live(request: Request) -> bool:
    """Whether a script asks, which shows a part of a page or a message, and not a person who needs a whole page."""
    return "x-panes" in request.headers or request.headers.get("content-type", "").startswith("application/json")


def go(address: str) -> Response:
    """Lead the browser to another page."""
    return RedirectResponse(address, status_code=303)


async def fields(request: Request) -> dict[str, str]:
    """The texts of a form."""
    return {key: str(value) for key, value in (await request.form()).items()}
