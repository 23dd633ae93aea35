"""How a page looks: light and dark, on a phone and on paper. Inline, so that the page is one file."""

CSS = """
:root{color-scheme:light dark;--fg:#1d2b33;--bg:#fbfcfc;--soft:#51626c;--line:#d5dde1;--a:#0b6e82;--b:#b8732c;--good:#1c6b3c;--bad:#a02b2b;--card:#fff}
@media(prefers-color-scheme:dark){:root{--fg:#e6edf0;--bg:#12191d;--soft:#a3b3bb;--line:#33434c;--a:#5ac3d8;--b:#e0a566;--good:#7ad39b;--bad:#f0918f;--card:#1a2429}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.2rem;max-width:62rem;font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;color:var(--fg);background:var(--bg)}
h1{font-size:1.6rem;line-height:1.25;margin:.2rem 0}h2{font-size:1.2rem;margin:2rem 0 .4rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}
h3{font-size:1rem;margin:1.2rem 0 .3rem}
p,li{max-width:46rem}.soft,figcaption,caption{color:var(--soft)}.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.8rem;padding:0;margin:1rem 0;list-style:none}
.tiles li{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.7rem .9rem}.tiles strong{display:block;font-size:1.35rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}
caption{text-align:left;padding:.3rem 0}th,td{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td.n,th.n{text-align:right}figure{margin:.6rem 0 1rem}figcaption{font-size:.88rem}svg{width:100%;max-width:40rem;height:auto;display:block}
svg text{fill:var(--fg);font:12px system-ui,sans-serif}rect.a,circle.a{fill:var(--a)}rect.b,circle.b{fill:var(--b)}
path.line{fill:none;stroke-width:2}path.a{stroke:var(--a)}path.b{stroke:var(--b)}line.grid{stroke:var(--line)}
pre{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.8rem;overflow-x:auto;font-size:.85rem}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:1rem}
@media print{body{max-width:none;background:#fff;color:#000}h2{break-after:avoid}figure,table,.tiles li{break-inside:avoid}}
"""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What the page may load: nothing."""


def page(title: str, body: str, data: str) -> str:
    """A whole page in one file, its numbers inside as data."""
    from html import escape

    safe = data.replace("<", "\\u003c")
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>{escape(title)}</title><style>{CSS}</style></head>'
        f'<body><main>{body}</main><script type="application/json" id="numbers">{safe}</script></body></html>\n'
    )
