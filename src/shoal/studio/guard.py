"""Who may talk to the studio: this machine's own browser, with the token that the command printed, from no other page.

Four checks, each of which stops most outsiders: the socket listens on loopback alone; the Host must be ours (no rebinding of names);
a request that another page caused is refused (Origin, Sec-Fetch-Site, a SameSite cookie); and nobody gets in without the token, which
is exchanged for a cookie that no script can read.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
LARGEST_FORM = 32 * 2**20
"""In bytes; uploads of tables are streamed to the disk and are not limited by it."""


@dataclass(frozen=True)
class Locks:
    """The studio's address and its secrets."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    pass_: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    @property
    def address(self) -> str:
        """What the command prints and opens."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    @property
    def cookie(self) -> str:
        """Cookies are shared between ports, so the name says which one."""
        return f"shoal-{self.port}"

    @property
    def hosts(self) -> tuple[str, ...]:
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    def refusal(self, method: str, headers: Headers) -> str | None:
        """Why a request comes from somewhere else; None if it does not."""
        host = headers.get("host", "")
        if host not in self.hosts:
            return "This studio answers to its own address only."
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin is not None and origin != f"http://{host}":
            return "Another page sent this request. The studio takes none from elsewhere."
        if site not in (None, "same-origin", "none"):
            return "Another page sent this request. The studio takes none from elsewhere."
        if method not in ("GET", "HEAD") and origin is None:
            return "This request does not say which page sent it."
        return None

    def has_pass(self, headers: Headers) -> bool:
        given = cookie_parser(headers.get("cookie", "")).get(self.cookie, "")
        return hmac.compare_digest(given.encode(), self.pass_.encode())

    def has_token(self, query: bytes) -> bool:
        given = parse_qs(query.decode("latin-1")).get("token", [""])[0]
        return hmac.compare_digest(given.encode(), self.token.encode())


class Guard:
    """The checks in front of the pages."""

    def __init__(self, app: ASGIApp, locks: Locks) -> None:
        self.app = app
        self.locks = locks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer = self.answer(scope)
        sending = _with_headers(send)
        if answer is not None:
            await answer(scope, receive, sending)
            return
        await self.app(scope, _limited(scope, receive), sending)

    def answer(self, scope: Scope) -> Response | None:
        """The answer to an outsider, or to somebody who comes with the token; None for somebody who has the cookie already."""
        headers = Headers(scope=scope)
        refusal = self.locks.refusal(scope["method"], headers)
        if refusal is not None:
            return PlainTextResponse(refusal, status_code=403)
        if self.locks.has_pass(headers):
            is_door = scope["path"] == "/" and b"token=" in scope["query_string"]
            return RedirectResponse("/", status_code=303) if is_door else None
        if scope["method"] == "GET" and scope["path"] == "/" and self.locks.has_token(scope["query_string"]):
            welcome = RedirectResponse("/", status_code=303)
            welcome.set_cookie(self.locks.cookie, self.locks.pass_, httponly=True, samesite="strict", path="/")
            return welcome
        return PlainTextResponse("Open the studio by the address that 'shoal studio' printed: it carries a token.", status_code=401)


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


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending
