"""The pages on which a column's hierarchy is chosen, and arranged as a tree.

The owner arranges the very values of a column here, so their names and counts are shown.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from shoal import hierarchies
from shoal.errors import HierarchyError, ShoalError
from shoal.hierarchies.encoded import Spec
from shoal.hierarchies.files import text_of
from shoal.studio import uploads
from shoal.studio.desk import Desk, Stale
from shoal.studio.prices import level_prices
from shoal.studio.sketch import MOST_VALUES, ROOT, Sketch

T = TypeVar("T")
MOST_CHILDREN = 100
"""Shown of a group at once; more on demand."""
MOST_TARGETS = 500
KINDS = {
    "default": "the default for its kind of values",
    "suggested": "the suggestion for its values",
    "suppression": "suppression: the value, or *",
    "intervals": "intervals of these widths",
    "prefixes": "prefixes of these lengths",
    "dates": "dates by these units",
    "any_interval": "any interval, chosen freely",
    "any_subset": "any set of values, chosen freely",
}


class Arranging:
    """The pages around the desk's hierarchies."""

    def __init__(self, desk: Desk, show: Callable[..., Response]) -> None:
        self.desk = desk
        self.show = show
        self._suggested: dict[tuple[str, str, tuple[str, ...]], str] = {}

    def _column(self, request: Request) -> tuple[int, str]:
        index = request.path_params["index"]
        if self.desk.loaded is None or index >= len(self.desk.table.columns):
            raise HTTPException(404)
        return index, self.desk.table.columns[index]

    def _held(self, request: Request, act: Callable[..., T], *arguments: Any) -> T:
        """Do something to the table that the page is about, while no other table can replace it."""
        with self.desk.holding(request.query_params.get("table", "")):
            return act(*arguments)

    async def page(self, request: Request, error: str = "", status: int = 200) -> Response:
        index, name = self._column(request)
        about = await run_in_threadpool(self._about, name)
        return self.show("hierarchy.html", error=error, status=status, index=index, name=name, kinds=KINDS, **about)

    def _about(self, name: str) -> dict[str, Any]:
        """What the page says of the column.

        A column of very many values is left to the run: trying its hierarchy here would take long.
        """
        coded = self.desk.coded(name)
        about = {
            "n_values": coded.n_values,
            "most": MOST_VALUES,
            "suggestion": "",
            "unfit": "",
            "description": "",
            "can_arrange": False,
            "has_ruler": False,
        }
        if coded.n_values > MOST_VALUES:
            chosen = self.desk.specs.get(name)
            return {**about, "description": chosen.description if chosen else KINDS["default"]}
        about["suggestion"] = self._suggestion(name)
        try:
            made = self.desk.encoded(name)
        except ShoalError as wrong:
            return {**about, "unfit": str(wrong)}
        return {
            **about,
            "description": made.description,
            "can_arrange": made.free is None,
            "has_ruler": self.desk.ruler(name) is not None,
        }

    def _suggestion(self, name: str) -> str:
        """What is suggested for a column's values, in words; found once for the same values."""
        key = self.desk.key, name, self.desk.marks
        if key not in self._suggested:
            said, suggested = "", self.desk.default(name)
            with suppress(ShoalError):
                self.desk.encoded(name, suggested)  # refuses what could be misread
                said = suggested.description
            self._suggested = {
                **{known: words for known, words in self._suggested.items() if known[0] == self.desk.key},
                key: said,
            }
        return self._suggested[key]

    async def choose(self, request: Request) -> Response:
        index, name = self._column(request)
        form = {key: str(value) for key, value in (await request.form()).items()}
        try:
            await run_in_threadpool(
                self._held, request, self._choose, name, form.get("kind", ""), form.get("parameters", "")
            )
        except Stale:
            raise
        except ShoalError as wrong:
            return await self.page(request, str(wrong), 400)
        return RedirectResponse(f"/hierarchies/{index}", status_code=303)

    def _choose(self, name: str, kind: str, parameters: str) -> None:
        if kind == "suggested":
            self.desk.choose_suggested(name)
        else:
            self.desk.choose(name, None if kind == "default" else spec_of(kind, parameters))

    async def weigh(self, request: Request) -> Response:
        index, name = self._column(request)
        form = await request.form()
        try:
            self._held(request, self.desk.weigh, name, str(form.get("weight", "")))
        except Stale:
            raise
        except ShoalError as wrong:
            return await self.page(request, str(wrong), 400)
        return RedirectResponse(f"/hierarchies/{index}", status_code=303)

    async def file(self, request: Request) -> Response:
        index, name = self._column(request)
        try:
            path = await uploads.receive(request.stream(), request.headers.get("content-type", ""), self.desk.folder)
            try:
                await run_in_threadpool(self._held, request, self.desk.choose_file, name, path)
            except Stale:
                raise
            except ShoalError as wrong:
                return await self.page(request, str(wrong).replace(str(path), path.name), 400)
            finally:
                path.unlink(missing_ok=True)
        except Stale:
            raise
        except ShoalError as wrong:
            return await self.page(request, str(wrong), 400)
        return RedirectResponse(f"/hierarchies/{index}", status_code=303)

    async def tree(self, request: Request) -> Response:
        _, name = self._column(request)
        return JSONResponse(await run_in_threadpool(self._drawn, name, {}))

    async def edit(self, request: Request) -> Response:
        """One change to the tree; the answer is the tree after it, or why not."""
        _, name = self._column(request)
        try:
            asked = await request.json()
            if not isinstance(asked, dict):
                raise TypeError
            done = await run_in_threadpool(self._held, request, self._edit, name, asked)
        except (ShoalError, ValueError, TypeError, KeyError) as wrong:
            said = str(wrong) if isinstance(wrong, ShoalError) else "That change cannot be understood."
            return JSONResponse({"error": said}, status_code=400)
        return JSONResponse(done)

    def _edit(self, name: str, asked: dict[str, Any]) -> dict[str, Any]:
        sketch = self.desk.sketch(name)
        if asked.get("change") != "look":
            sketch.change(asked)
            self._keep(name, sketch)
        return self._drawn(name, {int(node): int(most) for node, most in asked.get("open", [])})

    def _keep(self, name: str, sketch: Sketch) -> None:
        """Keep the change, unless the hierarchy could then be misread."""
        try:
            self.desk.keep_sketch(name)
        except ShoalError:
            sketch.undo()
            sketch.forget_undone()
            raise

    def _drawn(self, name: str, opened: dict[int, int]) -> dict[str, Any]:
        sketch = self.desk.sketch(name)
        counts = self.desk.rows_below(name)
        wanted = {ROOT: MOST_CHILDREN, **opened}
        shown = {node: _drawn(sketch, node, most, counts) for node, most in wanted.items() if node in sketch.nodes}
        targets = [{"node": node, "label": sketch.nodes[node].label} for node in sketch.groups()[:MOST_TARGETS]]
        return {
            "nodes": shown,
            "targets": targets,
            "can_undo": sketch.can_undo,
            "can_redo": sketch.can_redo,
            "most": MOST_CHILDREN,
            "prices": self._prices(name),
        }

    def _prices(self, name: str) -> list[dict[str, Any]]:
        return level_prices(self.desk.encoded(name), self.desk.coded(name).counts(), self.desk.settings.said["measure"])

    async def ruler(self, request: Request) -> Response:
        """One change to the ruler; the answer is the ruler after it, or why not."""
        _, name = self._column(request)
        try:
            asked = await request.json()
            if not isinstance(asked, dict):
                raise TypeError
            done = await run_in_threadpool(self._held, request, self._rule, name, asked)
        except (ShoalError, ValueError, TypeError, KeyError, OverflowError) as wrong:
            said = str(wrong) if isinstance(wrong, ShoalError) else "That change cannot be understood."
            return JSONResponse({"error": said}, status_code=400)
        return JSONResponse(done)

    def _rule(self, name: str, asked: dict[str, Any]) -> dict[str, Any]:
        ruler = self.desk.ruler(name)
        if ruler is None:
            raise HierarchyError("The values of this column do not lie on a line.")
        ruler.change(asked)
        if asked.get("change") != "look":
            try:
                self.desk.keep_ruler(name)
            except ShoalError:
                ruler.take_back()
                raise
        return {**ruler.drawn(), "prices": self._prices(name)}

    async def export(self, request: Request) -> Response:
        """The hierarchy as a file in ARX's form."""
        index, name = self._column(request)
        rows = await run_in_threadpool(self._held, request, self.desk.hierarchy_rows, name)
        headers = {"content-disposition": f'attachment; filename="hierarchy-{index + 1}.csv"'}
        return Response(text_of(rows), media_type="text/csv", headers=headers)


def _drawn(sketch: Sketch, node: int, most: int, counts: dict[str, int]) -> dict[str, Any]:
    """A group and what is below it."""
    there = sketch.nodes[node]
    children = [_line(sketch, child, counts) for child in there.children[:most]]
    return {**_line(sketch, node, counts), "children": children, "n_more": max(len(there.children) - most, 0)}


def _line(sketch: Sketch, node: int, counts: dict[str, int]) -> dict[str, Any]:
    there = sketch.nodes[node]
    values = sketch.leaves_below(node)
    n_rows = sum(filter(None, map(counts.get, values)))
    rows = f"{n_rows:,} {'row' if n_rows == 1 else 'rows'}"
    about = rows if there.is_leaf else f"{len(values):,} {'value' if len(values) == 1 else 'values'}, {rows}"
    return {"node": node, "label": there.label, "about": about, "is_leaf": there.is_leaf, "parent": there.parent}


def spec_of(kind: str, parameters: str) -> Spec:
    """A hierarchy from the form: a kind, and numbers or units with commas."""
    parts = [part.strip() for part in parameters.split(",") if part.strip()]
    try:
        if kind == "intervals":
            return hierarchies.intervals(*(float(part) for part in parts))
        if kind == "prefixes":
            return hierarchies.prefixes(*(int(part) for part in parts))
    except ValueError:
        raise HierarchyError(f"{kind.capitalize()} take numbers with commas between them, such as 5, 10, 20.") from None
    if kind == "dates":
        return hierarchies.dates(*parts)
    makers: dict[str, Callable[[], Spec]] = {
        "suppression": hierarchies.suppression,
        "any_interval": hierarchies.any_interval,
        "any_subset": hierarchies.any_subset,
    }
    if kind not in makers:
        raise HierarchyError("There is no such kind of hierarchy.")
    return makers[kind]()
