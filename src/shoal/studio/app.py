"""The studio's pages. Each function passes what the browser sent to the desk (the state of the work), and shows the result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from importlib.resources import files
from typing import Any

import jinja2
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from shoal import algorithms, measures, registry
from shoal.errors import DataError, ShoalError
from shoal.policy import MISSING
from shoal.privacy.asking import criteria
from shoal.report import assessment
from shoal.report.style import COLOURS, PARTS
from shoal.studio import arranging, disk, uploads
from shoal.studio.comparing import compare
from shoal.studio.desk import Absent, Desk, Settings, Stale
from shoal.studio.guard import Guard, Locks
from shoal.studio.runs import FILES, OWNERS, Run
from shoal.studio.work import AnyJob, told

Handler = Callable[[Request], Awaitable[Response]]

STEPS = (("/", "Load"), ("/columns", "Columns"), ("/risk", "Risk"), ("/settings", "Run"), ("/runs", "Results"), ("/compare", "Compare"))
ROLES = {
    "": "no role: released as it is",
    "quasi-identifier": "quasi-identifier: outsiders may know it",
    "sensitive": "sensitive: kept; groups can be asked to vary in it",
    "identifier": "identifier: dropped",
    "person": "person: whose row it is; k counts people, and it is dropped",
    "insensitive": "insensitive: released as it is, on purpose",
}
STATIC = {"studio.css": "text/css", "studio.js": "text/javascript", "tree.js": "text/javascript", "icon.svg": "image/svg+xml"}


class Studio:
    """The pages around one desk."""

    def __init__(self, desk: Desk, close: Callable[[], None]) -> None:
        self.desk = desk
        self.close = close
        loader = jinja2.PackageLoader("shoal.studio")
        self.templates = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined)
        self.templates.filters["thousands"] = lambda n: f"{n:,}"

    def show(self, template: str, at: str, *, error: str = "", status: int = 200, **about: Any) -> Response:
        """A page, with what went wrong at its top."""
        text = self.templates.get_template(template).render(steps=STEPS, at=at, desk=self.desk, error=error, **about)
        return HTMLResponse(text, status_code=status)

    def waiting(self, job: AnyJob, at: str) -> Response:
        """A page that comes back when the work is done."""
        return self.show("waiting.html", at, job=job)

    async def start(self, request: Request, error: str = "", status: int = 200) -> Response:
        folder = request.query_params.get("folder", "")
        try:
            listing = await run_in_threadpool(disk.listing, self.desk.root, folder)
        except ShoalError as wrong:
            error, status = error or str(wrong), 400
            listing = await run_in_threadpool(disk.listing, self.desk.root, "")
        job = self.desk.loading
        if not error and job is not None and job.state == "failed":
            error = job.error
        return self.show("start.html", "/", error=error, status=status, listing=listing)

    async def upload(self, request: Request) -> Response:
        try:
            path = await uploads.receive(request.stream(), request.headers.get("content-type", ""), self.desk.folder)
        except ShoalError as wrong:
            return await self.start(request, str(wrong), 400)
        self.desk.load(path, path.name)
        return _go("/columns")

    async def pick(self, request: Request) -> Response:
        form = await request.form()
        try:
            path = disk.inside(self.desk.root, str(form.get("path", "")))
            if not path.is_file():
                raise DataError("That is not a file.")
        except ShoalError as wrong:
            return await self.start(request, str(wrong), 400)
        self.desk.load(path, path.name)
        return _go("/columns")

    async def columns(self, request: Request, error: str = "", status: int = 200) -> Response:
        job = self.desk.loading
        if job is None or job.state == "failed":
            return _go("/")
        if job.state == "working":
            return self.waiting(job, "/columns")
        return self.show("columns.html", "/columns", error=error, status=status, roles=ROLES, notes=self.desk.table.notes)

    async def save_columns(self, request: Request) -> Response:
        if self.desk.loaded is None:
            return _go("/")
        form = await request.form()
        self.desk.need(_table(request))  # from here on no other request is handled
        names = self.desk.table.columns
        given = {name: str(form.get(f"role-{i}", "")) for i, name in enumerate(names)}
        if any(role not in ROLES for role in given.values()):
            return await self.columns(request, "There is no such role.", 400)
        use = str(form.get("use", ""))
        if use == "all":
            given = {name: role or self.desk.suggested_role(name) for name, role in given.items()}
        elif use.isdigit() and int(use) < len(names):
            given[names[int(use)]] = self.desk.suggested_role(names[int(use)])
        try:
            self.desk.give_roles(given)
            self.desk.give_marks(str(form.get("marks", "")))
        except ShoalError as wrong:
            return await self.columns(request, str(wrong), 400)
        if use:
            return _go(f"/columns#column-{use}" if use.isdigit() else "/columns")
        if not self.desk.named("quasi-identifier"):
            said = "Choose at least one quasi-identifier: a column that outsiders may know of somebody."
            return await self.columns(request, said, 400)
        return _go("/risk")

    async def risk(self, request: Request) -> Response:
        if self.desk.loaded is None:
            return _go("/columns")
        try:
            job = self.desk.risk()
        except ShoalError as wrong:
            return await self.columns(request, str(wrong), 400)
        if job.state == "working":
            return self.waiting(job, "/risk")
        body = assessment.body(job.result) if job.result is not None else ""
        return self.show("risk.html", "/risk", error=job.error, body=body)

    async def settings(self, request: Request, error: str = "", status: int = 200) -> Response:
        if self.desk.loaded is None:
            return _go("/columns")
        if not self.desk.named("quasi-identifier"):
            return await self.columns(request, "Choose the quasi-identifiers first.", 400)
        return self.show(
            "settings.html", "/settings", error=error, status=status,
            measures=_catalog(measures.CATALOG), algorithms=_catalog(algorithms.CATALOG), missing=MISSING, criteria=criteria(),
        )  # fmt: skip

    async def start_run(self, request: Request) -> Response:
        if self.desk.loaded is None:
            return _go("/")
        form = {key: str(value) for key, value in (await request.form()).items()}
        try:
            settings = read_settings(form, self.desk.settings)
            run = await run_in_threadpool(self.desk.start, _table(request), settings)
        except Stale:
            raise
        except ShoalError as wrong:
            return await self.settings(request, str(wrong), 400)
        return _go(run.address)

    async def runs(self, request: Request) -> Response:
        return self.show("runs.html", "/runs")

    def _run(self, request: Request) -> Run:
        return self.desk.run(request.path_params["table"], request.path_params["number"])

    async def find_run(self, request: Request) -> Response:
        """A run by its number alone: leads to the page of that run of the table on the desk."""
        return _go(self.desk.run(self.desk.key, request.path_params["number"]).address)

    async def run(self, request: Request) -> Response:
        run = self._run(request)
        report = await run_in_threadpool(run.report) if run.job.state == "done" else ""
        self.desk.need(run.key)
        published = [name for name in FILES if name not in OWNERS]
        return self.show(
            "run.html", "/runs", error=run.job.error, run=run, report=report, published=published, owners=OWNERS, order=run.order_tells()
        )

    async def progress(self, request: Request) -> Response:
        return JSONResponse(self._run(request).state())

    async def stop(self, request: Request) -> Response:
        run = self._run(request)
        run.ear.stop.set()
        return _go(run.address)

    async def download(self, request: Request) -> Response:
        name, run = request.path_params["name"], self._run(request)
        if name not in FILES or request.path_params["fingerprint"] != run.fingerprint:
            raise Absent("There is no such file of this run.")
        safe = request.query_params.get("safe") == "1"
        path = await run_in_threadpool(run.file, name, safe)
        return FileResponse(path, media_type=FILES[name], filename=name)

    async def compare(self, request: Request) -> Response:
        if "a" in request.query_params or "b" in request.query_params:
            self.desk.need(_table(request))
        done = [run for run in self.desk.runs if run.job.state == "done"]
        chosen = []
        for key in ("a", "b"):
            text = request.query_params.get(key, "")
            chosen += [run for run in done if str(run.number) == text]
        if len(chosen) < 2:
            chosen = done[-2:]
        made = await run_in_threadpool(compare, *chosen) if len(chosen) == 2 else None
        return self.show("compare.html", "/compare", done=done, chosen=chosen, made=made)

    async def status(self, request: Request) -> Response:
        return JSONResponse({"working": self.desk.is_working})

    async def leave(self, request: Request) -> Response:
        self.close()
        return self.show("closed.html", "")

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name == "look.css":
            return Response(COLOURS + PARTS, media_type="text/css")
        if name not in STATIC:
            raise HTTPException(404)
        return Response(files("shoal.studio").joinpath("static", name).read_bytes(), media_type=STATIC[name])

    def of_table(self, handler: Handler) -> Handler:
        """The handler, for pages of the table on the desk only: a request from an old page never changes another table."""

        async def checked(request: Request) -> Response:
            try:
                self.desk.need(_table(request))
            except Stale as wrong:
                if request.headers.get("content-type", "").startswith("application/json"):
                    return JSONResponse({"error": str(wrong)}, status_code=409)
                raise
            return await handler(request)

        return checked

    async def failed(self, request: Request, wrong: Exception) -> Response:
        """Where something went wrong that no page expected."""
        if isinstance(wrong, HTTPException):
            said, status = ("There is no such page." if wrong.status_code == 404 else wrong.detail), wrong.status_code
        else:
            kinds: dict[type[Exception], int] = {Stale: 409, Absent: 404}
            said, status = told(wrong), kinds.get(type(wrong), 400 if isinstance(wrong, ShoalError) else 500)
        return self.show("failed.html", "", error=said, status=status)


def read_settings(form: dict[str, str], before: Settings) -> Settings:
    """What the form says; a field that should hold a number and does not is named in the message."""
    numbers: dict[str, Any] = {}
    for key, kind, what in (("k", int, "k"), ("withhold", float, "The share of rows to withhold"), ("seed", int, "The seed")):
        text = form.get(key, "").strip()
        try:
            numbers[key] = kind(text) if text else getattr(Settings(), key)
        except ValueError:
            raise DataError(f"{what} must be a {'whole ' if kind is int else ''}number.") from None
    numbers["withhold"] /= 100
    words = ("measure", "algorithm", "missing", "time_limit", "near_enough")
    texts = {key: form.get(key, getattr(before, key)) for key in words}
    require = {c.name: text for c in criteria() if (text := form.get(f"require {c.name}", "").strip())}
    return replace(before, **numbers, **texts, require=require, deletion=form.get("deletion", ""), keep_order=form.get("keep_order", ""))


def _catalog(catalog: dict[str, str]) -> list[tuple[str, str]]:
    """Names with a line about each."""
    found = []
    for name in registry.names(catalog):
        thing = registry.find(catalog, name)
        found.append((name, getattr(thing, "guarantee_text", "") or getattr(thing, "formula", "") or ""))
    return found


def _table(request: Request) -> str:
    """The key of the table that a page speaks of."""
    return request.query_params.get("table", "")


def _go(where: str) -> Response:
    return RedirectResponse(where, status_code=303)


def is_change(method: str, path: str) -> bool:
    """Whether a request changes what is asked about the table on the desk: its address must then name that table."""
    return method == "POST" and path.startswith(("/columns", "/hierarchies", "/runs"))


def make_app(desk: Desk, locks: Locks, close: Callable[[], None] = lambda: None) -> ASGIApp:
    """The pages, behind the checks of ``guard``."""
    s = Studio(desk, close)
    arrange = arranging.Arranging(s.desk, s.show)
    column, run = "/hierarchies/{index:int}", "/tables/{table}/runs/{number:int}"
    routes: list[tuple[str, str, Handler]] = [
        ("GET", "/", s.start), ("POST", "/load/upload", s.upload), ("POST", "/load/disk", s.pick),
        ("GET", "/columns", s.columns), ("POST", "/columns", s.save_columns), ("GET", "/risk", s.risk),
        ("GET", column, arrange.page), ("POST", column, arrange.choose), ("POST", column + "/file", arrange.file),
        ("POST", column + "/weight", arrange.weigh),
        ("GET", column + "/tree", arrange.tree), ("POST", column + "/tree", arrange.edit),
        ("GET", "/settings", s.settings), ("POST", "/runs", s.start_run), ("GET", "/runs", s.runs),
        ("GET", "/runs/{number:int}", s.find_run), ("GET", run, s.run), ("GET", run + "/progress", s.progress),
        ("POST", run + "/stop", s.stop), ("GET", run + "/{fingerprint}/{name}", s.download),
        ("GET", "/compare", s.compare), ("GET", "/status", s.status), ("POST", "/close", s.leave), ("GET", "/static/{name}", s.static),
    ]  # fmt: skip
    app = Starlette(
        routes=[
            Route(path, s.of_table(handler) if is_change(method, path) else handler, methods=[method]) for method, path, handler in routes
        ],
        exception_handlers={HTTPException: s.failed, ShoalError: s.failed, Exception: s.failed},
    )
    return Guard(app, locks)
