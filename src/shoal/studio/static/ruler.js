// A hierarchy of numbers or dates as a ruler: lines are dragged, added, removed, made higher and lower. The studio keeps them; this page draws.
"use strict";

/**
 * @typedef {{ at: number, height: number, text: string }} Line
 * @typedef {{ from: number, to: number, label: string, rows: number }} Block
 * @typedef {object} Ruler
 * @property {number} low
 * @property {number} high
 * @property {string} low_text
 * @property {string} high_text
 * @property {number} step - how far an arrow key moves a line
 * @property {number[]} bins - rows in each part of the line
 * @property {Block[][]} levels
 * @property {Line[]} lines
 * @property {Price[]} prices
 * @property {boolean} can_undo
 * @property {boolean} can_redo
 */

const rulerPage = first("#ruler-page", HTMLElement);
if (rulerPage) rule(rulerPage, rulerPage.dataset.ruler ?? "");

/**
 * @param {HTMLElement} part - of the page
 * @param {string} address
 */
function rule(part, address) {
  const WIDTH = 900;
  const BARS = 70;
  const LEVEL = 22;
  const box = byId("ruler", HTMLElement);
  const wrong = byId("ruler-wrong", HTMLElement);
  /** @type {Ruler} */
  let drawn = { low: 0, high: 0, low_text: "", high_text: "", step: 0, bins: [], levels: [], lines: [], prices: [], can_undo: false, can_redo: false };
  /** @type {number | null} */
  let at = null; // the line that has the focus

  // One change after the other: a key that is held down moves the line to where it is by then.
  let turn = Promise.resolve();
  /** @type {(next: () => void | Promise<void>) => Promise<void>} */
  const queue = (next) => (turn = turn.then(next).catch(() => undefined));
  /** @type {(request: Change) => Promise<void>} */
  const send = (request) => queue(() => change(request));

  /**
   * @typedef {{ change: string, at?: number, to?: number, height?: number }} Change
   * @param {Change} request
   */
  async function change(request) {
    /** @type {Ruler | { error: string }} */
    const told = await post(address, request);
    wrong.textContent = "error" in told ? told.error : "";
    if ("error" in told) {
      draw(); // a line that was dragged goes back to its place
      return;
    }
    drawn = told;
    if (request.to !== undefined) at = nearest(request.to);
    else if (at !== null && !drawn.lines.some((one) => one.at === at)) at = nearest(at);
    draw();
    if (request.change !== "look") document.dispatchEvent(new CustomEvent("hierarchy", { detail: "ruler" }));
  }

  /** @type {(spot: number) => number} */
  const x = (spot) => (WIDTH * (spot - drawn.low)) / (drawn.high - drawn.low || 1);
  /** @type {(along: number) => number} */
  const spotAt = (along) => drawn.low + (along / WIDTH) * (drawn.high - drawn.low);

  /**
   * @template {keyof SVGElementTagNameMap} Name
   * @param {Name} name
   * @param {Record<string, string | number>} about
   * @param {string} text
   * @returns {SVGElementTagNameMap[Name]}
   */
  function svg(name, about, text = "") {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [what, value] of Object.entries(about)) made.setAttribute(what, String(value));
    if (text) made.textContent = text;
    return made;
  }

  function draw() {
    if (!drawn.lines.length) return; // not here yet
    const had = box.contains(document.activeElement);
    const height = BARS + LEVEL * drawn.levels.length + 20;
    const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "ruler", width: WIDTH, height });
    const most = Math.max(...drawn.bins, 1);
    const step = WIDTH / drawn.bins.length;
    drawn.bins.forEach((n, i) => picture.append(svg("rect", { x: i * step, y: BARS - (BARS * n) / most, width: Math.max(step - 1, 1), height: (BARS * n) / most, class: "a" })));
    drawn.levels.forEach((blocks, i) => blocks.forEach((block) => picture.append(...interval(block, BARS + LEVEL * i))));
    picture.append(svg("text", { x: 0, y: height - 4 }, drawn.low_text), svg("text", { x: WIDTH, y: height - 4, "text-anchor": "end" }, drawn.high_text));
    for (const line of drawn.lines) picture.append(handle(line, height));
    picture.addEventListener("dblclick", (event) => send({ change: "add", at: spotAt(pixel(event, picture)), height: 1 }));
    box.replaceChildren(picture);
    for (const button of buttons) {
      if (button.dataset.rule === "undo") button.disabled = !drawn.can_undo;
      if (button.dataset.rule === "redo") button.disabled = !drawn.can_redo;
    }
    showPrices(drawn.prices);
    if (had) focus();
  }

  /** @type {(block: Block, above: number) => SVGElement[]} */
  function interval(block, above) {
    const [left, width] = [x(block.from), x(block.to) - x(block.from)];
    const about = `${block.label}: ${block.rows} rows`;
    const rect = svg("rect", { x: left, y: above + 2, width: Math.max(width - 1, 1), height: LEVEL - 4, class: "block" });
    rect.append(svg("title", {}, about));
    const fits = width > 7 * about.length ? about : width > 7 * String(block.rows).length ? String(block.rows) : "";
    return fits ? [rect, svg("text", { x: left + width / 2, y: above + 15, "text-anchor": "middle" }, fits)] : [rect];
  }

  /** @type {(line: Line, height: number) => SVGElement} */
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

  /** @type {(event: MouseEvent, picture: Element) => number} */
  const pixel = (event, picture) => ((event.clientX - picture.getBoundingClientRect().left) * WIDTH) / picture.getBoundingClientRect().width;

  /** @type {(event: PointerEvent, group: SVGGElement, line: Line) => void} */
  function drag(event, group, line) {
    event.preventDefault();
    group.setPointerCapture(event.pointerId);
    group.focus();
    const picture = group.ownerSVGElement;
    if (!picture) return;
    let to = line.at;
    /** @type {(moved: PointerEvent) => void} */
    const glide = (moved) => {
      to = Math.min(Math.max(spotAt(pixel(moved, picture)), drawn.low), drawn.high);
      group.setAttribute("transform", `translate(${x(to) - x(line.at)} 0)`);
    };
    group.addEventListener("pointermove", glide);
    group.addEventListener("pointerup", () => {
      group.removeEventListener("pointermove", glide);
      if (to !== line.at) queue(() => move(line, to));
    }, { once: true });
  }

  /** @type {(line: Line, to: number) => Promise<void>} */
  async function move(line, to) {
    await change({ change: "move", at: line.at, to });
    focus();
  }

  /** @type {(to: number) => number} */
  const nearest = (to) => drawn.lines.reduce((best, one) => (Math.abs(one.at - to) < Math.abs(best - to) ? one.at : best), drawn.lines[0].at);

  function focus() {
    const here = first(`[data-at="${at}"]`, SVGElement, box) ?? first("[role=slider]", SVGElement, box);
    if (!here) return;
    for (const one of all("[role=slider]", SVGElement, box)) one.tabIndex = -1;
    here.tabIndex = 0;
    here.focus();
  }

  /** @type {(line: Line, by: number) => void} */
  function walk(line, by) {
    const order = drawn.lines.map((one) => one.at);
    at = order[Math.min(Math.max(order.indexOf(line.at) + by, 0), order.length - 1)];
    focus();
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    const far = drawn.step * (event.shiftKey ? 10 : 1);
    /** @type {Record<string, (line: Line) => void | Promise<void>>} */
    const keys = {
      ArrowRight: (line) => move(line, line.at + far),
      ArrowLeft: (line) => move(line, line.at - far),
      ArrowDown: (line) => walk(line, 1),
      ArrowUp: (line) => walk(line, -1),
      PageUp: (line) => change({ change: "raise", at: line.at }),
      PageDown: (line) => change({ change: "lower", at: line.at }),
      Delete: (line) => change({ change: "remove", at: line.at }),
      z: () => change({ change: "undo" }),
      y: () => change({ change: "redo" }),
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

  const buttons = all("[data-rule]", HTMLButtonElement, part);
  for (const button of buttons)
    button.addEventListener("click", () => {
      const what = button.dataset.rule ?? "";
      if (what === "add") return add();
      if (what === "undo" || what === "redo") return send({ change: what });
      return send({ change: what, at: at ?? drawn.lines[0].at });
    });

  document.addEventListener("hierarchy", (event) => {
    if (event instanceof CustomEvent && event.detail === "tree") send({ change: "look" });
  });
  send({ change: "look" });
}
