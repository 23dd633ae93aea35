"""How a page looks: light and dark, on a phone and on paper. Inline, so that the page is one file."""

from html import escape

COLOURS = """
:root{color-scheme:light dark;--fg:#1d2b33;--bg:#fbfcfc;--soft:#4b5c66;--line:#d5dde1;--edge:#6b7d87;--a:#0b6e82;--b:#a9641f;--good:#1c6b3c;--bad:#a02b2b;--card:#fff;--on-a:#fff}
@media(prefers-color-scheme:dark){:root{--fg:#e6edf0;--bg:#12191d;--soft:#a9b8c0;--line:#33434c;--edge:#82949e;--a:#5ac3d8;--b:#e0a566;--good:#7ad39b;--bad:#f5a09e;--card:#1a2429;--on-a:#0d1518}}
"""

PARTS = """
h1{font-size:1.6rem;line-height:1.25;margin:.2rem 0;overflow-wrap:anywhere}h2{font-size:1.2rem;margin:2rem 0 .4rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}
h3{font-size:1rem;margin:1.2rem 0 .3rem;overflow-wrap:anywhere}
p,li{max-width:46rem;overflow-wrap:anywhere}.soft,figcaption,caption{color:var(--soft)}.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.8rem;padding:0;margin:1rem 0;list-style:none}
.tiles li{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.7rem .9rem}.tiles strong{display:block;font-size:1.35rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}
caption{text-align:left;padding:.3rem 0}th,td{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top}
tbody th{font-weight:400}td.n,th.n{text-align:right}figure{margin:.6rem 0 1rem;max-width:32rem}figcaption{font-size:.88rem}svg{width:100%;height:auto;display:block}
svg text{fill:var(--fg);font:12px system-ui,sans-serif}rect.a,circle.a{fill:var(--a)}rect.b,circle.b{fill:var(--b)}rect.c,circle.c{fill:var(--fg)}
path.line{fill:none;stroke-width:2}path.a{stroke:var(--a)}path.b{stroke:var(--b)}path.c{stroke:var(--fg)}line.grid{stroke:var(--line)}
pre{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.8rem;overflow-x:auto;font-size:.85rem}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(19rem,100%),1fr));gap:0 1.5rem}
@media print{:root{--fg:#000;--bg:#fff;--card:#fff;--soft:#333;--line:#bbb;--a:#0b6e82;--b:#a9641f;--good:#1c6b3c;--bad:#a02b2b}h2,h3{break-after:avoid}figure,table,.tiles li{break-inside:avoid}pre{white-space:pre-wrap}.scroll{overflow:visible}}
"""
"""What all pages share: those of the report and of the studio."""

BODY = """
*{box-sizing:border-box}
body{margin:0 auto;padding:1.2rem;max-width:72rem;font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--fg);background:var(--bg)}
.notice{margin:0 0 1rem;padding:.5rem .8rem;border:2px solid var(--bad);border-radius:.5rem;color:var(--bad);background:var(--card);font-weight:600;position:sticky;top:0;max-width:none}
@media print{body{max-width:none;padding:0}.notice{position:fixed;top:0;left:0;right:0}.notice+main{padding-top:3rem}}
"""

CSS = COLOURS + BODY + PARTS

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What the page may load: nothing."""


def page(title: str, body: str, data: str, notice: str = "") -> str:
    """A whole page in one file, its numbers inside as data. A notice stands at its top, and on paper on every sheet."""
    told = f'<header class="notice">{escape(notice)}</header>' if notice else ""
    safe = data.replace("<", "\\u003c")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>{escape(title)}</title><style>{CSS}</style></head>'
        f'<body>{told}<main>{body}</main><script type="application/json" id="numbers">{safe}</script></body></html>\n'
    )


def notebook(body: str) -> str:
    """A part of a notebook's page: the tiles side by side, and nothing else of the notebook changed."""
    tiles = ".shoal .tiles{display:flex;flex-wrap:wrap;gap:.8rem;padding:0;list-style:none}.shoal strong{display:block;font-size:1.3em}"
    tile = ".shoal .tiles li{border:1px solid #8899;border-radius:.5em;padding:.5em .8em}"
    return f'<style>{tiles}{tile}</style><div class="shoal">{body}</div>'
