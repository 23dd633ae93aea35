"""The pages of runs: started, watched, stopped, named, compared, deleted; and their files."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from shoal.errors import ShoalError
from shoal.studio.comparing import compare
from shoal.studio.desk import Absent, Stale
from shoal.studio.pages import Pages, fields, go, is_live, table_of
from shoal.studio.runs import ABOUT_FILES, FILES, OWNERS, Run
from shoal.studio.settings import read_settings

LONGEST_NAME = 60
PATIENCE = 0.1
"""Seconds that a page waits for its report before it says that it waits: a click is answered at once."""


class Running:
    """Runs of the table on the desk."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.desk = pages.desk

    def _run(self, request: Request) -> Run:
        return self.desk.run(request.path_params["table"], request.path_params["number"])

    async def start(self, request: Request) -> Response:
        """Begin a run with what the form says, or say why not."""
        form = await fields(request)
        try:
            settings = read_settings(form)
            if form.get("only") == "keep":
                with self.desk.holding(table_of(request)):
                    self.desk.settings = settings
                return JSONResponse({}) if is_live(request) else go("/")
            run = await run_in_threadpool(self.desk.start, table_of(request), settings)
        except Stale:
            raise
        except ShoalError as wrong:
            if is_live(request):
                return JSONResponse({"error": str(wrong)}, status_code=400)
            return self.pages.show("failed.html", error=str(wrong), status=400)
        return JSONResponse({"go": "/#results"}) if is_live(request) else go(run.address)

    async def find(self, request: Request) -> Response:
        """A run by its number alone: leads to the page of that run of the table on the desk."""
        return go(self.desk.run(self.desk.key, request.path_params["number"]).address)

    async def page(self, request: Request) -> Response:
        run = self._run(request)
        if run.job.state == "done" and run.drawing is not None and not await run_in_threadpool(run.is_drawn, PATIENCE):
            return self.pages.waiting(run.drawing, run.address, f"{run.address}/drawn")
        report = await run_in_threadpool(run.report) if run.job.state == "done" else ""
        self.desk.need(run.key)
        published = [name for name in FILES if name not in OWNERS]
        about: dict[str, Any] = {
            "run": run,
            "report": report,
            "published": published,
            "owners": OWNERS,
            "about_files": ABOUT_FILES,
            "order": run.order_tells(),
        }
        return self.pages.show("run.html", error=run.job.error, **about)

    async def progress(self, request: Request) -> Response:
        return JSONResponse(self._run(request).state())

    async def drawn(self, request: Request) -> Response:
        """Whether the report is still being drawn."""
        return JSONResponse({"working": not self._run(request).is_drawn()})

    async def stop(self, request: Request) -> Response:
        run = self._run(request)
        run.ear.stop.set()
        return JSONResponse({}) if is_live(request) else go(run.address)

    async def rename(self, request: Request) -> Response:
        run = self._run(request)
        run.name = (await fields(request)).get("name", "").strip()[:LONGEST_NAME]
        await run_in_threadpool(self.desk.changed)
        return go(run.address)

    async def choose(self, request: Request) -> Response:
        """Show this run's release in the workspace."""
        run = self._run(request)
        self.desk.shown = run.number
        return JSONResponse({"go": "/#results"}) if is_live(request) else go("/#results")

    async def ask_to_delete(self, request: Request) -> Response:
        return self.pages.show("delete.html", run=self._run(request))

    async def delete(self, request: Request) -> Response:
        run = self._run(request)
        await run_in_threadpool(self.desk.delete, run.key, run.number)
        await run_in_threadpool(self.desk.changed)
        return go("/")

    async def download(self, request: Request) -> Response:
        name, run = request.path_params["name"], self._run(request)
        if name not in FILES or request.path_params["fingerprint"] != run.fingerprint:
            raise Absent("There is no such file of this run.")
        safe = request.query_params.get("safe") == "1"
        path = await run_in_threadpool(run.file, name, safe)
        return FileResponse(path, media_type=FILES[name], filename=name)

    async def compare(self, request: Request) -> Response:
        if "a" in request.query_params or "b" in request.query_params:
            self.desk.need(table_of(request))
        done = [run for run in self.desk.runs if run.job.state == "done"]
        chosen = []
        for key in ("a", "b"):
            text = request.query_params.get(key, "")
            chosen += [run for run in done if str(run.number) == text]
        if len(chosen) < 2:
            chosen = done[-2:]
        made = await run_in_threadpool(compare, *chosen) if len(chosen) == 2 else None
        return self.pages.show("compare.html", done=done, chosen=chosen, made=made)
