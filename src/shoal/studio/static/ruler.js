// A hierarchy of numbers or dates as a ruler: lines are dragged, added, removed, made higher and lower. The studio keeps them; this page draws.
"use strict";

const rulerPage = document.getElementById("ruler-page");
if (rulerPage) rule(rulerPage.dataset.ruler);

function rule(address) {
  const WIDTH = 900;
  const BARS = 70;
  const LEVEL = 22;
  const box = document.getElementById("ruler");
  const wrong = document.getElementById("ruler-wrong");
  let drawn = null;
  let at = null; // the line that has the focus

  // One change after the other: a key that is held down moves the line to where it is by then.
  let before = Promise.resolve();
  const send = (request) => queue(() => post(request));
  const queue = (act) => (before = before.then(act).catch(() => false));

  async function post(request) {
    const how = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(request) };
    const answer = await fetch(address, how).catch(() => null);
    const told = answer ? await answer.json() : { error: LOST };
    wrong.textContent = told.error || "";
    if (!told.error) {
      drawn = told;
      if (request.to !== undefined) at = nearest(request.to);
      else if (at !== null && !drawn.lines.some((one) => one.at === at)) at = nearest(at);
    }
    draw();
    if (request.change !== "look" && !told.error) document.dispatchEvent(new CustomEvent("hierarchy", { detail: "ruler" }));
  }

  const x = (place) => (WIDTH * (place - drawn.low)) / (drawn.high - drawn.low || 1);
  const place = (pixel) => drawn.low + (pixel / WIDTH) * (drawn.high - drawn.low);
  const svg = (name, about, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(about)) made.setAttribute(key, value);
    if (text) made.textContent = text;
    return made;
  };

  function draw() {
    if (!drawn) return;
    const had = box.contains(document.activeElement);
    const height = BARS + LEVEL * drawn.levels.length + 20;
    const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "ruler", width: WIDTH, height });
    const most = Math.max(...drawn.bins, 1);
    const step = WIDTH / drawn.bins.length;
    drawn.bins.forEach((n, i) => picture.append(svg("rect", { x: i * step, y: BARS - (BARS * n) / most, width: Math.max(step - 1, 1), height: (BARS * n) / most, class: "a" })));
    drawn.levels.forEach((blocks, i) => blocks.forEach((block) => picture.append(...interval(block, BARS + LEVEL * i))));
    picture.append(svg("text", { x: 0, y: height - 4 }, drawn.low_text), svg("text", { x: WIDTH, y: height - 4, "text-anchor": "end" }, drawn.high_text));
    for (const line of drawn.lines) picture.append(handle(line, height));
    picture.addEventListener("dblclick", (event) => send({ change: "add", at: place(pixel(event, picture)), height: 1 }));
    box.replaceChildren(picture);
    for (const name of ["undo", "redo"]) rulerPage.querySelector(`[data-rule="${name}"]`).disabled = !drawn[`can_${name}`];
    showPrices(drawn.prices);
    if (had) focus();
  }

  function interval(block, top) {
    const [left, width] = [x(block.from), x(block.to) - x(block.from)];
    const about = `${block.label}: ${block.rows} rows`;
    const rect = svg("rect", { x: left, y: top + 2, width: Math.max(width - 1, 1), height: LEVEL - 4, class: "block" });
    rect.append(svg("title", {}, about));
    const fits = width > 7 * about.length ? about : width > 7 * String(block.rows).length ? String(block.rows) : "";
    return fits ? [rect, svg("text", { x: left + width / 2, y: top + 15, "text-anchor": "middle" }, fits)] : [rect];
  }

  function handle(line, height) {
    const bottom = BARS + LEVEL * line.height;
    const group = svg("g", {
      role: "slider", tabindex: line.at === at || (at === null && line === drawn.lines[0]) ? 0 : -1, class: "line-handle",
      "aria-label": `Line at ${line.text}, cuts ${line.height} ${line.height === 1 ? "level" : "levels"}`,
      "aria-valuemin": drawn.low, "aria-valuemax": drawn.high, "aria-valuenow": line.at, "aria-valuetext": line.text, "data-at": line.at,
    });
    group.append(svg("line", { x1: x(line.at), x2: x(line.at), y1: 0, y2: Math.min(bottom, height) }), svg("circle", { cx: x(line.at), cy: 6, r: 6 }), svg("title", {}, line.text));
    group.addEventListener("focus", () => (at = line.at));
    group.addEventListener("keydown", key);
    group.addEventListener("pointerdown", (event) => drag(event, group, line));
    return group;
  }

  const pixel = (event, picture) => ((event.clientX - picture.getBoundingClientRect().left) * WIDTH) / picture.getBoundingClientRect().width;

  function drag(event, group, line) {
    event.preventDefault();
    group.setPointerCapture(event.pointerId);
    group.focus();
    let to = line.at;
    const follow = (moved) => {
      to = Math.min(Math.max(place(pixel(moved, group.ownerSVGElement)), drawn.low), drawn.high);
      group.setAttribute("transform", `translate(${x(to) - x(line.at)} 0)`);
    };
    group.addEventListener("pointermove", follow);
    group.addEventListener("pointerup", () => {
      group.removeEventListener("pointermove", follow);
      if (to !== line.at) queue(() => move(line, to));
    }, { once: true });
  }

  async function move(line, to) {
    await post({ change: "move", at: line.at, to });
    focus();
  }

  const nearest = (to) => drawn.lines.reduce((best, one) => (Math.abs(one.at - to) < Math.abs(best - to) ? one.at : best), drawn.lines[0].at);

  function focus() {
    const here = box.querySelector(`[data-at="${at}"]`) || box.querySelector("[role=slider]");
    if (!here) return;
    for (const one of box.querySelectorAll("[role=slider]")) one.setAttribute("tabindex", -1);
    here.setAttribute("tabindex", 0);
    here.focus();
  }

  function walk(line, by) {
    const order = drawn.lines.map((one) => one.at);
    at = order[Math.min(Math.max(order.indexOf(line.at) + by, 0), order.length - 1)];
    focus();
  }

  function key(event) {
    const far = drawn.step * (event.shiftKey ? 10 : 1);
    const keys = {
      ArrowRight: (line) => move(line, line.at + far),
      ArrowLeft: (line) => move(line, line.at - far),
      ArrowDown: (line) => walk(line, 1),
      ArrowUp: (line) => walk(line, -1),
      PageUp: (line) => post({ change: "raise", at: line.at }),
      PageDown: (line) => post({ change: "lower", at: line.at }),
      Delete: (line) => post({ change: "remove", at: line.at }),
      z: () => post({ change: "undo" }),
      y: () => post({ change: "redo" }),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    queue(() => keys[event.key](drawn.lines.find((one) => one.at === at) || drawn.lines[0]));
  }

  // A new line goes into the middle of the widest interval of the lowest level.
  function add() {
    const widest = drawn.levels[0].reduce((best, one) => (one.to - one.from > best.to - best.from ? one : best));
    return send({ change: "add", at: (widest.from + widest.to) / 2, height: 1 });
  }

  for (const button of rulerPage.querySelectorAll("[data-rule]"))
    button.addEventListener("click", () => {
      const what = button.dataset.rule;
      if (what === "add") return add();
      if (what === "undo" || what === "redo") return send({ change: what });
      return send({ change: what, at: at ?? drawn.lines[0].at });
    });

  document.addEventListener("hierarchy", (event) => event.detail === "tree" && send({ change: "look" }));
  send({ change: "look" });
}
