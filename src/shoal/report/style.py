"""How a page looks: light and dark, on a phone and on paper. Inline, so that the page is one file."""

from html import escape

COLOURS = """
:root{color-scheme:light dark;--fg:#1d2b33;--bg:#fbfcfc;--soft:#4b5c66;--line:#d5dde1;--edge:#6b7d87;--a:#0b6e82;\
--b:#a9641f;--good:#1c6b3c;--bad:#a02b2b;--card:#fff;--on-a:#fff}
@media(prefers-color-scheme:dark){:root{--fg:#e6edf0;--bg:#12191d;--soft:#a9b8c0;--line:#33434c;--edge:#82949e;\
--a:#5ac3d8;--b:#e0a566;--good:#7ad39b;--bad:#f5a09e;--card:#1a2429;--on-a:#0d1518}}
"""

PARTS = """
h1{font-size:1.6rem;line-height:1.25;margin:.2rem 0;overflow-wrap:anywhere}h2{font-size:1.2rem;margin:2rem 0 .4rem;\
border-bottom:1px solid var(--line);padding-bottom:.2rem}
h3{font-size:1rem;margin:1.2rem 0 .3rem;overflow-wrap:anywhere}
p,li{max-width:46rem;overflow-wrap:anywhere}.soft,figcaption,caption{color:var(--soft)}.good{color:var(--good);\
font-weight:600}.bad{color:var(--bad);font-weight:600}.strong{font-weight:600}
.alerts{list-style:none;padding:0}.alerts li{border-left:.3rem solid var(--bad);padding:.35rem .8rem;margin:.5rem 0;\
background:var(--card);max-width:none}
.first{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(26rem,100%),1fr));gap:0 2.5rem}.first \
h2{margin-top:1.2rem}
.identity{display:flex;flex-wrap:wrap;gap:.2rem 1.6rem;margin:.4rem 0 .8rem}.identity dt{font-size:.82rem;\
color:var(--soft)}.identity dd{margin:0;overflow-wrap:anywhere}
.contents ol{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;padding:.5rem .8rem;margin:.6rem 0;list-style:none;\
background:var(--card);border:1px solid var(--line);border-radius:.5rem;font-size:.92rem}
a{color:var(--a)}.terms{max-width:46rem}.terms dt{font-weight:600;margin-top:.5rem}.terms dd{margin:0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.8rem;padding:0;margin:1rem 0;\
list-style:none}
.tiles li{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.7rem .9rem}.tiles \
strong{display:block;font-size:1.35rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92rem}
caption{text-align:left;padding:.3rem 0}th,td{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid \
var(--line);vertical-align:top}
tbody th{font-weight:400}td.n,th.n{text-align:right}figure{margin:.6rem 0 1rem;max-width:26rem}\
figcaption{font-size:.92rem}svg{width:100%;height:auto;display:block}
.bars{max-width:32rem}.bars table{width:100%}.bars th,.bars td{border:0;padding:.1rem .6rem .1rem 0}.bars \
th{overflow-wrap:anywhere;min-width:5rem}.bars td.bar{width:38%;min-width:3rem;vertical-align:middle;padding-right:0}\
.bars td.bar svg{height:1rem}
.wide{max-width:52rem}.wide th{width:28%;min-width:5rem;font-weight:600}.wide td.stack{padding:.25rem 0 .5rem}.stack>\
svg{height:1.1rem}.keys{display:flex;flex-wrap:wrap;gap:0 1rem;list-style:none;padding:0;margin:.15rem 0 0;\
font-size:.88rem}.chip{display:inline-block;width:.75rem;height:.75rem;margin-right:.3rem}
svg text{fill:var(--fg);font:12px system-ui,sans-serif}rect.a,circle.a,rect.exact{fill:var(--a)}\
rect.b,circle.b{fill:var(--b)}rect.c,circle.c{fill:var(--fg)}
rect.g1{fill:var(--a);fill-opacity:.66}rect.g2{fill:var(--a);fill-opacity:.46}rect.g3{fill:var(--a);fill-opacity:.3}\
rect.g4{fill:var(--a);fill-opacity:.17}rect.hidden{fill:none;stroke:var(--edge);vector-effect:non-scaling-stroke}
path.line{fill:none;stroke-width:2}path.a{stroke:var(--a)}path.b{stroke:var(--b)}path.c{stroke:var(--fg)}\
line.grid,line.tick{stroke:var(--line)}line.tick{stroke:var(--edge)}
pre{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.8rem;overflow-x:auto;\
font-size:.85rem}
@media(min-width:40rem){.bars td.n{white-space:nowrap}}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(19rem,100%),1fr));gap:0 1.5rem;align-items:start}
@media print{@page{size:A4;margin:16mm}:root{--fg:#000;--bg:#fff;--card:#fff;--soft:#333;--line:#bbb;--edge:#666;\
--a:#0b6e82;--b:#a9641f;--good:#1c6b3c;--bad:#a02b2b}h2,h3,caption{break-after:avoid}h2{margin-top:1rem}p{margin:.5em \
0}.first{grid-template-columns:1fr 1fr;gap:0 1.5rem}.pair{display:block}figure:not(.bars),tr,.tiles \
li,li{break-inside:avoid}pre{white-space:pre-wrap;overflow-wrap:anywhere}.scroll{overflow:visible}a{color:inherit}\
rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""
"""What all pages share: those of the report and of the studio."""

BODY = """
*{box-sizing:border-box}
body{margin:0 auto;padding:1.2rem;max-width:72rem;font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;\
color:var(--fg);background:var(--bg)}
.notice{margin:0 0 1rem;padding:.5rem .8rem;border:2px solid var(--bad);border-radius:.5rem;color:var(--bad);\
background:var(--card);font-weight:600;position:sticky;top:0;max-width:none}
@media print{html{font-size:9.5pt}body{max-width:none;padding:0;font-size:1rem;line-height:1.4}.notice{position:fixed;\
top:0;left:0;right:0}.notice+main{padding-top:3rem;-webkit-box-decoration-break:clone;box-decoration-break:clone}}
"""

CSS = COLOURS + BODY + PARTS

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What the page may load: nothing."""


def page(title: str, body: str, data: str, notice: str = "") -> str:
    """A whole page in one file, its numbers inside as data. A notice stands at its top, and on paper on every sheet."""
    told = f'<header class="notice">{escape(notice)}</header>' if notice else ""
    safe = data.replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" '
        'content="width=device-width,initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" '
        f'content="{POLICY}"><title>{escape(title)}</title><style>{CSS}</style></head>'
        f'<body>{told}<main>{body}</main><script type="application/json" id="numbers">{safe}</script></body></html>\n'
    )


NOTEBOOK = """
--a:#0b7d94;--b:#b8732c;--fg:currentcolor;--edge:#8899;--line:#8895;--soft:inherit;--card:transparent;--good:inherit;\
--bad:#c2413a;max-width:60rem;
"""
"""Colours that can be seen on a light and on a dark notebook: the text has the notebook's own."""


def notebook(body: str) -> str:
    """A part of a notebook's page; the rules hold inside it alone, and nothing else of the notebook is changed."""
    rules = PARTS[: PARTS.index("@media print")]
    return f'<style>.shoal{{{NOTEBOOK}{rules}.bad{{color:inherit}}}}</style><div class="shoal">{body}</div>'
