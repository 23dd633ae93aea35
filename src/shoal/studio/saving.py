"""The pages on which a project is saved and opened, and a policy is opened and exported."""

from __future__ import annotations

from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from shoal.errors import DataError, ShoalError
from shoal.studio import autosave, loading, projects, uploads
from shoal.studio.desk import Stale
from shoal.studio.opening import Opening
from shoal.studio.pages import Pages, fields, go, table_of
from shoal.studio.runs import with_reasons
from shoal.studio.work import Job

ENDING = ".shoal"


class Saving:
    """Projects and policies."""

    def __init__(self, pages: Pages, opening: Opening) -> None:
        self.pages, self.opening = pages, opening
        self.desk = pages.desk

    async def page(self, request: Request, error: str = "", status: int = 200) -> Response:
        if self.desk.loaded is None:
            return go("/open")
        return self.pages.show("save.html", error=error, status=status)

    async def save(self, request: Request) -> Response:
        """The project as a file; with the table, if asked for, and then sealed."""
        form = await fields(request)
        try:
            content = await run_in_threadpool(
                self._saved,
                table_of(request),
                form.get("passphrase", ""),
                form.get("again", ""),
                bool(form.get("data")),
            )
        except Stale:
            raise
        except ShoalError as wrong:
            return await self.page(request, str(wrong), 400)
        name = f"{uploads.safe_name(Path(self.desk.table.source).stem)}{ENDING}"
        return _file(content, name, "application/json")

    def _saved(self, key: str, passphrase: str, again: str, with_data: bool) -> bytes:
        with self.desk.holding(key):
            made = projects.project_of(self.desk)
            self.desk.saved = projects.digest(made)
            if not with_data:
                return projects.text(made)
            if passphrase != again:
                raise DataError("The two passphrases differ. Nothing was saved.")
            return projects.text(projects.with_table(made, self.desk.table, passphrase))

    async def export(self, request: Request) -> Response:
        """The policy that the desk asks for now."""
        with self.desk.holding(table_of(request)):
            text = with_reasons(self.desk.policy().toml(), self.desk.reasons())
        return _file(text.encode(), "policy.toml", "application/toml")

    async def upload(self, request: Request) -> Response:
        """A project or a policy that was sent."""
        try:
            path = await uploads.receive(request.stream(), request.headers.get("content-type", ""), self.desk.folder)
            content = path.read_bytes()
            path.unlink(missing_ok=True)
            if path.suffix.lower() == ".toml":
                return await self._policy(request, content)
            self.opening.need_free()
            self.desk.waiting, self.desk.waiting_file = projects.read(content), ""
        except Stale:
            raise
        except ShoalError as wrong:
            return await self.opening.page(request, str(wrong), 400)
        return go("/open")

    async def _policy(self, request: Request, content: bytes) -> Response:
        self.desk.need(table_of(request))
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise DataError("This is not a policy: it is no text.") from None
        policy = await run_in_threadpool(projects.policy_from, text, self.desk.folder)
        with self.desk.holding(table_of(request)):
            self.desk.take_policy(policy)
        await run_in_threadpool(self.desk.changed)
        return go("/")

    async def unseal(self, request: Request) -> Response:
        """The table of the project that waits for it."""
        waiting, passphrase = self.desk.waiting, (await fields(request)).get("passphrase", "")
        if waiting is None or "sealed_table" not in waiting:
            return go("/open")
        try:
            self.opening.need_free()
            table = await run_in_threadpool(projects.table_in, waiting, passphrase)
        except ShoalError as wrong:
            return await self.opening.page(request, str(wrong), 400)
        sha256 = str(waiting["table"]["sha256"])
        self.desk.begin(Job(f"Opening {table.source}", lambda: loading.look_at(table, sha256)))
        return go("/")

    async def resume(self, request: Request) -> Response:
        """Go on where a studio ended that did not close; or discard what it left."""
        form = await fields(request)
        found = next((one for one in autosave.left_behind() if one.name == form.get("name")), None)
        if found is None:
            return go("/open")
        if form.get("act") == "discard":
            autosave.discard(found.name)
            return go("/open")
        try:
            self.opening.need_free()
        except ShoalError as wrong:
            return await self.opening.page(request, str(wrong), 409)
        self.desk.waiting, self.desk.waiting_file = found.project, found.name
        path = Path(found.path) if found.path else None
        if path is not None and path.is_file():
            self.desk.load(path, path.name)
            return go("/")
        return go("/open")

    async def no_project(self, request: Request) -> Response:
        """Open no project after all. What a crashed studio kept is offered again."""
        self.desk.waiting, self.desk.waiting_file = None, ""
        return go("/open")

    async def again(self, request: Request) -> Response:
        """Repeat a run of the project."""
        index, known = request.path_params["index"], list(self.desk.past)
        if index >= len(known):
            raise DataError("There is no such run in this project.")
        past = known[index]
        policy = await run_in_threadpool(projects.policy_from, past.policy, self.desk.folder)
        with self.desk.holding(table_of(request)):
            run = self.desk.begin_run(policy, name=past.name, again=past.fingerprint)
        return go(run.address)


def _file(content: bytes, name: str, kind: str) -> Response:
    quoted = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{quoted}"'})
