"""The studio's pages put together: which address leads to which function, what a page looks like, and what is said
where something is wrong.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from functools import cache, partial
from importlib.resources import files
from typing import Any

import jinja2
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from shoal.errors import ShoalError
from shoal.report.style import COLOURS, PARTS
from shoal.studio import autosave
from shoal.studio.arranging import Arranging
from shoal.studio.desk import Absent, AtStake, Desk, Stale
from shoal.studio.guard import Guard
from shoal.studio.locks import Locks
from shoal.studio.opening import Opening
from shoal.studio.pages import is_live, table_of
from shoal.studio.points import percent
from shoal.studio.running import Running
from shoal.studio.saving import Saving
from shoal.studio.work import AnyJob, told
from shoal.studio.workspace import Workspace

Handler = Callable[[Request], Awaitable[Response]]

STATIC = {
    "look.css": "text/css",
    "studio.css": "text/css",
    "elements.js": "text/javascript",
    "asking.js": "text/javascript",
    "curve.js": "text/javascript",
    "studio.js": "text/javascript",
    "dragging.js": "text/javascript",
    "tree.js": "text/javascript",
    "ruler.js": "text/javascript",
    "icon.svg": "image/svg+xml",
}
KEEP = {"cache-control": "private, max-age=31536000, immutable"}
"""Of styles and scripts, whose address names their edition: a browser need not ask for them with every page. They hold
nothing of a table.
"""
UNKEPT = ("/cells",)
"""Changes of what is seen alone: there is nothing in them that must survive a crash."""
STATUS: dict[type[Exception], int] = {Stale: 409, Absent: 404, AtStake: 409}


class Studio:
    """What all pages share: the desk, the templates, and the ways to answer."""

    def __init__(self, desk: Desk, home: str, close: Callable[[], None]) -> None:
        self.desk = desk
        self.close = close
        loader = jinja2.PackageLoader("shoal.studio")
        self.templates = jinja2.Environment(
            loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        self.templates.filters["thousands"] = lambda n: f"{n:,}"
        self.templates.filters["percent"] = percent
        self.templates.globals["home"] = home
        self.templates.globals["static"] = lambda name: f"{home}/static/{name}?v={edition()}"

    def text(self, template: str, **about: Any) -> str:
        """A template, filled."""
        return self.templates.get_template(template).render(desk=self.desk, **about)

    def show(self, template: str, *, error: str = "", status: int = 200, **about: Any) -> Response:
        """A page, with what went wrong at its top."""
        return HTMLResponse(self.text(template, error=error, **about), status_code=status)

    def waiting(self, job: AnyJob, at: str, asked: str = "/status") -> Response:
        """A page that comes back when the work is done; ``asked`` says whether it is."""
        return self.show("waiting.html", job=job, at=at, asked=asked)

    async def status(self, request: Request) -> Response:
        return JSONResponse({"working": self.desk.is_working})

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in STATIC:
            raise HTTPException(404)
        kept = KEEP if request.query_params.get("v") == edition() else None
        return Response(_content(name), media_type=STATIC[name], headers=kept)

    def of_table(self, handler: Handler) -> Handler:
        """The handler, for pages of the table on the desk only: a request from an old page never changes another
        table.
        """

        async def checked(request: Request) -> Response:
            try:
                self.desk.need(table_of(request))
            except Stale as wrong:
                if is_live(request):
                    return JSONResponse({"error": str(wrong)}, status_code=409)
                raise
            answer = await handler(request)
            if answer.status_code < 400 and request.url.path not in UNKEPT:
                await run_in_threadpool(self.desk.changed)
            return answer

        return checked

    async def failed(self, request: Request, wrong: Exception) -> Response:
        """Where something went wrong that no page expected."""
        if isinstance(wrong, HTTPException):
            said, status = ("There is no such page." if wrong.status_code == 404 else wrong.detail), wrong.status_code
        else:
            said, status = told(wrong), STATUS.get(type(wrong), 400 if isinstance(wrong, ShoalError) else 500)
        if is_live(request):
            return JSONResponse({"error": said}, status_code=status)
        return self.show("failed.html", error=said, status=status)


def _content(name: str) -> bytes:
    """A style or a script."""
    return (
        (COLOURS + PARTS).encode()
        if name == "look.css"
        else files("shoal.studio").joinpath("static", name).read_bytes()
    )


@cache
def edition() -> str:
    """Of the styles and scripts: another where one of them changed."""
    return hashlib.sha256(b"".join(_content(name) for name in STATIC)).hexdigest()[:16]


def is_change(method: str, path: str) -> bool:
    """Whether a request changes the table on the desk, so that its page must be of that table."""
    own = ("/columns", "/hierarchies", "/runs", "/answers", "/marks", "/cells", "/past")
    return method == "POST" and path.startswith(own)


def make_app(desk: Desk, locks: Locks, close: Callable[[], None] = lambda: None) -> ASGIApp:
    """The studio behind its guard."""
    desk.changed = partial(autosave.keep, desk)
    s = Studio(desk, locks.home, close)
    opening, work, running, arrange = Opening(s), Workspace(s), Running(s), Arranging(desk, s.show)
    saving = Saving(s, opening)
    column, run = "/hierarchies/{index:int}", "/tables/{table}/runs/{number:int}"
    routes: list[tuple[str, str, Handler]] = [
        ("GET", "/", work.page), ("GET", "/open", opening.page), ("POST", "/load/upload", opening.upload),
        ("POST", "/load/disk", opening.pick),
        ("POST", "/close/table", opening.close_table), ("GET", "/close", opening.ask_to_leave),
        ("POST", "/close", opening.leave),
        ("GET", "/save", saving.page), ("POST", "/project", saving.save), ("GET", "/policy", saving.export),
        ("POST", "/load/upload/project", saving.upload), ("POST", "/project/unseal", saving.unseal),
        ("POST", "/project/resume", saving.resume),
        ("POST", "/project/none", saving.no_project), ("POST", "/past/{index:int}", saving.again),
        ("GET", "/panes", work.panes), ("GET", "/table", work.table), ("GET", "/rows/{row:int}", work.row),
        ("GET", "/curve", work.curve),
        ("POST", "/columns", work.save_columns), ("GET", "/columns/{index:int}", work.column),
        ("POST", "/columns/{index:int}", work.save_column),
        ("POST", "/answers", work.answer), ("POST", "/marks", work.marks), ("POST", "/cells", work.hide),
        ("GET", "/risk", work.risk),
        ("GET", column, arrange.page), ("POST", column, arrange.choose), ("POST", column + "/file", arrange.file),
        ("POST", column + "/weight", arrange.weigh),
        ("GET", column + "/tree", arrange.tree), ("POST", column + "/tree", arrange.edit),
        ("POST", column + "/ruler", arrange.ruler), ("GET", column + "/export", arrange.export),
        ("POST", "/runs", running.start), ("GET", "/runs/{number:int}", running.find),
        ("GET", run, running.page), ("GET", run + "/progress", running.progress),
        ("GET", run + "/drawn", running.drawn), ("POST", run + "/stop", running.stop),
        ("POST", run + "/name", running.rename), ("POST", run + "/show", running.choose),
        ("GET", run + "/delete", running.ask_to_delete),
        ("POST", run + "/delete", running.delete), ("GET", run + "/{fingerprint}/{name}", running.download),
        ("GET", "/compare", running.compare), ("GET", "/status", s.status), ("GET", "/static/{name}", s.static),
    ]  # fmt: skip
    app = Starlette(
        routes=[
            Route(path, s.of_table(handler) if is_change(method, path) else handler, methods=[method])
            for method, path, handler in routes
        ],
        exception_handlers={HTTPException: s.failed, ShoalError: s.failed, Exception: s.failed},
    )
    return Guard(app, locks)
