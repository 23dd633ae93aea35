"""The workspace: columns, questions, the table and what is asked, on one page.

Its parts are *panes*, each of which can be drawn by itself.
"""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from shoal import algorithms, registry
from shoal.errors import ShoalError
from shoal.privacy.asking import criteria
from shoal.report import assessment
from shoal.studio import autosave, curve, points, projects
from shoal.studio.explain import group_of
from shoal.studio.pages import Pages, fields, go, is_live, table_of
from shoal.studio.pictures import large, spark
from shoal.studio.questions import ABOUT_ROLES, ROLES
from shoal.studio.runs import ABOUT_FILES
from shoal.studio.settings import fields_of
from shoal.studio.sight import VIEWS, Look
from shoal.studio.summary import summary

PANES = ("questions", "columns", "ask", "column", "table", "results")
DECIDED = ("questions", "columns", "ask")
"""The panes that change when something is decided about a column."""


class Workspace:
    """The one page on which a person works."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.desk = pages.desk

    async def page(self, request: Request, error: str = "", status: int = 200) -> Response:
        """The workspace; the page to open a table where there is none."""
        job = self.desk.loading
        if job is None or job.state == "failed":
            return go("/open")
        if job.state == "working":
            return self.pages.waiting(job, "/")
        if self.desk.waiting is not None:
            await run_in_threadpool(self._open_project)
        said, self.desk.said = self.desk.said, ""
        about = await run_in_threadpool(self._about, request, PANES)
        return self.pages.show("workspace.html", error=error, status=status, said=said, **about)

    def _open_project(self) -> None:
        """Put the project that waited for this table on the desk."""
        with self.desk.holding(self.desk.key):
            project, self.desk.waiting = self.desk.waiting, None
            if project is not None:
                projects.put_on(self.desk, project)
        self.desk.changed()
        name, self.desk.waiting_file = self.desk.waiting_file, ""
        if name:
            autosave.discard(name)

    async def panes(self, request: Request) -> Response:
        """Some panes, as they are now."""
        self.desk.need(table_of(request))
        names = tuple(name for name in PANES if name in request.query_params.get("names", "").split(","))
        return await self.answered(request, names)

    async def answered(self, request: Request, names: tuple[str, ...]) -> Response:
        """What a change of the desk is answered with: the panes for a script, the whole page for a browser without."""
        if not is_live(request):
            return go("/")
        about = await run_in_threadpool(self._about, request, names)
        return HTMLResponse("".join(self.pages.text(f"{name}.html", **about) for name in names))

    async def refused(self, request: Request, wrong: ShoalError) -> Response:
        """Why a change was not made."""
        if is_live(request):
            return JSONResponse({"error": str(wrong)}, status_code=400)
        return await self.page(request, str(wrong), 400)

    def _about(self, request: Request, names: tuple[str, ...]) -> dict[str, Any]:
        """What the panes are filled with."""
        desk, about = (
            self.desk,
            {
                "roles": ROLES,
                "about_roles": ABOUT_ROLES,
                "views": VIEWS,
                "about_files": ABOUT_FILES,
                "key": self.desk.key,
            },
        )
        if {"questions", "columns", "ask"} & set(names):
            about |= {"questions": desk.questions(), "undecided": desk.undecided()}
        if "columns" in names:
            about["sparks"] = self._pictures()
        if "ask" in names:
            about |= {
                "fields": fields_of(desk.settings),
                "algorithms": catalog(algorithms.CATALOG),
                "criteria": criteria(),
                **self._curve(),
            }
        if "column" in names:
            about["column"] = self._column(request)
        if "table" in names:
            run = desk.shown_run()
            about |= {
                "page": desk.sight.page(asked_of(request, run is not None), run.release if run else None),
                "run": run,
            }
        if "results" in names:
            run = desk.shown_run()
            about |= {
                "run": run,
                "summary": summary(run) if run else None,
                "running": [r for r in desk.runs if r.job.state == "working"],
            }
        return about

    def _pictures(self) -> dict[str, str]:
        """A small picture of each column."""
        return (
            {name: spark(spread) for name, spread in self.desk.loaded.spreads.items()}
            if self.desk.loaded is not None
            else {}
        )

    def _column(self, request: Request) -> dict[str, Any] | None:
        """What the pane of a column says; None where none is open."""
        index = request.path_params.get("index", request.query_params.get("column", ""))
        if not str(index).isdigit() or self.desk.loaded is None or int(index) >= len(self.desk.loaded.columns):
            return None
        s = self.desk.loaded.columns[int(index)]
        spread = self.desk.loaded.spreads.get(s.column)
        picture = large(f"Values of {s.column}", spread) if spread is not None and not self.desk.hide_cells else ""
        return {"index": int(index), "about": s, "picture": picture, "role": self.desk.roles.get(s.column, "")}

    async def column(self, request: Request) -> Response:
        if self.desk.loaded is None or request.path_params["index"] >= len(self.desk.loaded.columns):
            raise HTTPException(404)
        if not is_live(request):
            return go(f"/?column={request.path_params['index']}#column")
        return await self.answered(request, ("column",))

    async def save_column(self, request: Request) -> Response:
        """A role for one column."""
        if self.desk.loaded is None or request.path_params["index"] >= len(self.desk.loaded.columns):
            raise HTTPException(404)
        form = await fields(request)
        name, role = self.desk.table.columns[request.path_params["index"]], form.get("role", "")
        try:
            if role and role not in ROLES:
                raise ShoalError("There is no such role.")
            with self.desk.holding(table_of(request)):
                self.desk.give_role(name, role)
        except ShoalError as wrong:
            return await self.refused(request, wrong)
        return await self.answered(request, DECIDED)

    async def save_columns(self, request: Request) -> Response:
        """Roles for several columns, or all suggestions at once."""
        form = await fields(request)
        names = self.desk.table.columns
        given = dict(self.desk.roles)
        given |= {
            names[int(key[5:])]: role
            for key, role in form.items()
            if key.startswith("role-") and key[5:].isdigit() and int(key[5:]) < len(names)
        }
        try:
            if any(role and role not in ROLES for role in given.values()):
                raise ShoalError("There is no such role.")
            if form.get("use") == "all":
                given = {name: given.get(name) or self.desk.suggested_role(name) for name in names}
            with self.desk.holding(table_of(request)):
                self.desk.give_roles({name: given[name] for name in names if name in given})
                if "marks" in form:
                    self.desk.give_marks(form["marks"])
        except ShoalError as wrong:
            return await self.refused(request, wrong)
        return await self.answered(request, DECIDED)

    async def answer(self, request: Request) -> Response:
        form = await fields(request)
        try:
            with self.desk.holding(table_of(request)):
                self.desk.answer(form.get("key", ""), form.get("answer", ""), bool(form.get("others")))
        except ShoalError as wrong:
            return await self.refused(request, wrong)
        return await self.answered(request, DECIDED)

    async def marks(self, request: Request) -> Response:
        form = await fields(request)
        with self.desk.holding(table_of(request)):
            self.desk.give_marks(form.get("marks", ""))
        return await self.answered(request, (*DECIDED, "column"))

    async def hide(self, request: Request) -> Response:
        """Show the cells, or hide them."""
        form = await fields(request)
        self.desk.hide_cells = form.get("hide") == "yes"
        return await self.answered(request, ("table", "column"))

    async def table(self, request: Request) -> Response:
        self.desk.need(table_of(request))
        return await self.answered(request, ("table",))

    async def row(self, request: Request) -> Response:
        """The group of a row."""
        self.desk.need(table_of(request))
        run, row = self.desk.shown_run(), request.path_params["row"]
        if run is None or row >= self.desk.table.n_rows:
            raise HTTPException(404)
        group = await run_in_threadpool(group_of, run.release, row)
        text = self.pages.text("row.html", group=group, row=row, run=run)
        return HTMLResponse(text) if is_live(request) else self.pages.show("row_page.html", body=text)

    async def curve(self, request: Request) -> Response:
        """What each k costs, as far as it is known; asking for it begins to compute it."""
        self.desk.need(table_of(request))
        return JSONResponse(await run_in_threadpool(self._followed))

    def _followed(self) -> dict[str, Any]:
        """The curve, and whether more of it will come. Nothing of it where something is still to be answered."""
        try:
            policy = self.desk.policy()
            self.desk.ready()
            with self.desk.holding(self.desk.key):
                self.desk.curves.follow(self.desk.table, policy)
        except ShoalError:
            return {"working": False, "html": ""}
        return {"working": self.desk.curves.is_working, "html": self.pages.text("curve.html", **self._curve())}

    def _curve(self) -> dict[str, Any]:
        """What the curve is drawn from."""
        made = self.desk.curves
        return {
            "curves": made,
            "ks": curve.KS,
            "figure": points.figure(list(made.points), self.desk.settings.said["k"]),
        }

    async def risk(self, request: Request) -> Response:
        """What the table gives away as it is."""
        if self.desk.loaded is None:
            return go("/")
        try:
            job = self.desk.risk()
        except ShoalError as wrong:
            return await self.page(request, str(wrong), 400)
        if job.state == "working":
            return self.pages.waiting(job, "/risk")
        body = assessment.body(job.result) if job.result is not None else ""
        return self.pages.show("risk.html", error=job.error, body=body)


def asked_of(request: Request, has_release: bool) -> Look:
    """What of the table the address asks for; side by side, once there is a release."""
    given = request.query_params
    view = given.get("view", "")
    page = given.get("page", "1")
    if view not in VIEWS or not has_release:
        view = "both" if has_release else "before"
    return Look(
        view,
        given.get("sort", ""),
        given.get("falling", "") == "1",
        given.get("search", "")[:200],
        int(page) if page.isdigit() else 1,
    )


def catalog(names: dict[str, str]) -> list[tuple[str, str]]:
    """Names with a line about each."""
    found = []
    for name in registry.names(names):
        thing = registry.find(names, name)
        found.append((name, getattr(thing, "guarantee_text", "") or getattr(thing, "formula", "") or ""))
    return found
