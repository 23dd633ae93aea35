"""``shoal studio``: the local web page."""

from __future__ import annotations

import click


@click.command(short_help="Open the local web page.")
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Where to listen (default: any free port).")
@click.option("--no-browser", is_flag=True, help="Print the link and open no browser.")
@click.option("--folder", metavar="DIR", help="Where files may be picked from (default: this folder).")
def studio(file: str | None, port: int, no_browser: bool, folder: str | None) -> None:
    """Load, look, choose, run and compare on a web page that only this machine can open."""
    from shoal.studio.server import serve

    serve(lambda text: click.echo(text), port=port, open_browser=not no_browser, file=file, folder=folder)
