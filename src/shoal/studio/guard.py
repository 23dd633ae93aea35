"""Who may talk to the studio: a browser of its owner, which came by a link, from no other page.

Four checks, each of which stops most outsiders: the socket listens on loopback alone; the Host must be ours (no
rebinding of names); a request that another page caused is refused (Origin, Sec-Fetch-Site, a SameSite cookie); and
nobody gets in without a link, whose token is exchanged, once, for a cookie that no script can read
(:mod:`shoal.studio.locks`).
"""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shoal.studio.locks import Locks

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
ONCE = (
    "Each link lets one browser in, once. If it was not you who used it, close the studio with Ctrl-C: somebody else "
    "did."
)
AGAIN = "Press Enter in the terminal of the studio for a fresh link; where it runs without a terminal, start it again."
GO_ON = '<p>In the browser that was let in, <a href="{}/">go on here</a>.</p>'
LARGEST_FORM = 32 * 2**20
"""In bytes; uploads of tables are streamed to the disk and are not limited by it."""


def refusal(locks: Locks, scope: Scope, headers: Headers) -> str | None:
    """Why a request comes from somewhere else; None if it does not."""
    host = headers.get("host", "")
    if host not in locks.hosts:
        return "This studio answers to its own address only."
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None and origin != f"http://{host}":
        return "Another page sent this request. The studio takes none from elsewhere."
    if site not in (None, "same-origin", "none") and token_of(locks, scope) is None:
        return "Another page sent this request. The studio takes none from elsewhere."
    if scope["method"] not in ("GET", "HEAD") and origin is None:
        return "This request does not say which page sent it."
    return None


def token_of(locks: Locks, scope: Scope) -> str | None:
    """The token of a link; None where a request is for something else.

    The private file that leads here is another page, so a link may come from one.
    """
    if scope["method"] != "GET" or scope["path"] != f"{locks.home}/":
        return None
    given = parse_qs(scope["query_string"].decode("latin-1"))
    return given["token"][0] if "token" in given else None


class Guard:
    """The checks in front of the pages."""

    def __init__(self, app: ASGIApp, locks: Locks) -> None:
        self.app = app
        self.locks = locks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        sending = _with_headers(send, self.locks.home)
        answer = self.answer(scope)
        if answer is not None:
            await answer(scope, receive, sending)
            return
        inner = {**scope, "path": scope["path"].removeprefix(self.locks.home) or "/"}
        await self.app(inner, _limited(inner, receive), sending)

    def answer(self, scope: Scope) -> Response | None:
        """The answer to an outsider, or to somebody who comes by a link; None for somebody who has the cookie
        already.
        """
        headers, home = Headers(scope=scope), self.locks.home
        refused = refusal(self.locks, scope, headers)
        if refused is not None:
            return PlainTextResponse(refused, status_code=403)
        given = cookie_parser(headers.get("cookie", "")).get(self.locks.cookie, "")
        is_inside = f"{scope['path']}/".startswith(f"{home}/") and self.locks.is_inside(given, headers["host"])
        token = token_of(self.locks, scope)
        if token is None:
            return (
                None
                if is_inside
                else PlainTextResponse(f"Nobody gets in here without a link. {AGAIN}", status_code=401)
            )
        if is_inside:
            return onward(home)
        welcome = self.locks.enter(token, headers["host"])
        if welcome is not None:
            answer = onward(home)
            answer.set_cookie(self.locks.cookie, welcome, httponly=True, samesite="strict", path=home)
            return answer
        if self.locks.has_ended(token):
            return _page(f"<h1>This link was used</h1><p>{ONCE}</p><p>{AGAIN}</p>{GO_ON.format(home)}", 410)
        return PlainTextResponse(f"That is no link of this studio. {AGAIN}", status_code=401)


def onward(home: str) -> Response:
    """A page that leads to the first one by itself: a browser that another page sent here would not show its new cookie
    to an address that we redirect it to.
    """
    return _page(
        f'<link rel="icon" href="{home}/static/icon.svg"><meta http-equiv="refresh" content="0;url={home}/"><p><a '
        f'href="{home}/">Go on</a></p>'
    )


def _page(body: str, status: int = 200) -> Response:
    return HTMLResponse(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>shoal studio</title>{body}</html>',
        status_code=status,
    )


def _limited(scope: Scope, receive: Receive) -> Receive:
    """The body as it arrives, cut off where it is far too large for a form."""
    if scope["path"].startswith("/load/upload"):
        return receive
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > LARGEST_FORM:
            raise HTTPException(413, "That is more than a form may hold.")
        return message

    return counted


def _with_headers(send: Send, home: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
            if headers.get("location", "").startswith("/"):
                headers["location"] = home + headers["location"]
        await send(message)

    return sending
