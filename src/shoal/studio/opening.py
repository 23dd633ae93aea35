"""The pages on which a table is opened and closed. Nothing is discarded without a question."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from shoal.errors import DataError, ShoalError
from shoal.studio import autosave, disk, projects, uploads
from shoal.studio.desk import AtStake
from shoal.studio.pages import Pages, fields, go

MOST_OFFERED = 5
"""Of what crashed studios left, so much is offered at once."""


class Opening:
    """Loading, and closing."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.desk = pages.desk

    async def page(self, request: Request, error: str = "", status: int = 200) -> Response:
        """Where a table is chosen."""
        folder = request.query_params.get("folder", "")
        try:
            listing = await run_in_threadpool(disk.listing, self.desk.root, folder)
        except ShoalError as wrong:
            error, status = error or str(wrong), 400
            listing = await run_in_threadpool(disk.listing, self.desk.root, "")
        if not error and self.desk.has_failed and self.desk.loading is not None:
            error = self.desk.loading.error
        kept = [
            one
            for one in await run_in_threadpool(autosave.left_behind, MOST_OFFERED)
            if one.name != self.desk.waiting_file
        ]
        about = {
            "listing": listing,
            "stake": self.stake(),
            "kept": kept,
            "n_older": max(autosave.n_left() - MOST_OFFERED, 0),
        }
        return self.pages.show("start.html", error=error, status=status, **about)

    def stake(self) -> str:
        """What would be lost if the table were closed now, in words; nothing if there is nothing, or if it is saved."""
        desk = self.desk
        if desk.loaded is None or (desk.saved and desk.saved == projects.digest(projects.project_of(desk))):
            return ""
        lost = []
        if desk.runs:
            lost.append(f"{len(desk.runs)} {'run' if len(desk.runs) == 1 else 'runs'}")
        if desk.roles or desk.specs or desk.answers:
            lost.append("what you decided about its columns")
        return " and ".join(lost)

    def need_free(self) -> None:
        """Raise if a table is open that would be lost."""
        if self.stake():
            raise AtStake(
                f"{self.desk.table.source} is still open, with {self.stake()}. Close it first: then nothing is lost "
                "without a question."
            )

    async def upload(self, request: Request) -> Response:
        async def receive() -> Path:
            path = await uploads.receive(request.stream(), request.headers.get("content-type", ""), self.desk.folder)
            self.need_free()  # another tab may have opened one meanwhile
            return path

        return await self._load(request, receive)

    async def pick(self, request: Request) -> Response:
        form = await fields(request)

        async def find() -> Path:
            path = disk.inside(self.desk.root, form.get("path", ""))
            if not path.is_file():
                raise DataError("That is not a file.")
            return path

        return await self._load(request, find)

    async def _load(self, request: Request, find: Callable[[], Awaitable[Path]]) -> Response:
        try:
            self.need_free()
            path = await find()
        except AtStake as wrong:
            return await self.page(request, str(wrong), 409)
        except ShoalError as wrong:
            return await self.page(request, str(wrong), 400)
        self.desk.load(path, path.name)
        return go("/")

    async def close_table(self, request: Request) -> Response:
        """Close the table on the desk; the form says which one, so that an old page closes no other."""
        self.desk.need(request.query_params.get("table", ""))
        self.desk.clear()
        self.desk.waiting, self.desk.waiting_file = None, ""
        autosave.forget()
        return go("/open")

    async def ask_to_leave(self, request: Request) -> Response:
        return self.pages.show("leave.html", stake=self.stake())

    async def leave(self, request: Request) -> Response:
        self.desk.is_left = True
        autosave.forget()
        self.pages.close()
        return self.pages.show("closed.html")
