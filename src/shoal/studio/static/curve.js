// k: chosen by a slider, as a number, or on the curve of what each k would cost.
"use strict";

/**
 * k: a slider, a number and points of the curve are the same choice.
 * @param {string} k
 */
function pick(k) {
  byId("k", HTMLInputElement).value = k;
  byId("k-slide", HTMLInputElement).value = k;
  mark(k);
}

/**
 * The k that is chosen, if it is a point of the curve; Tab leads to it, or else to the first.
 * @param {string} k
 */
function mark(k) {
  const points = all("#curve [role=radio]", SVGElement);
  const here = points.find((point) => point.dataset.k === k);
  for (const point of points) {
    point.setAttribute("aria-checked", String(point === here));
    point.setAttribute("tabindex", point === (here || points[0]) ? "0" : "-1");
  }
  for (const row of all("#curve tr[data-k]", HTMLElement)) row.classList.toggle("chosen", row.dataset.k === k);
}

/**
 * A point of the curve is taken: kept like a number that was typed, and run if that was asked for.
 * @param {string} k
 * @param {boolean} isRun
 */
function take(k, isRun) {
  pick(k);
  const form = byId("ask-form", HTMLFormElement);
  if (isRun) form.requestSubmit();
  else keepAsked(form);
}

/**
 * A click on a point of the curve, or on a button of its table. Says whether this was one.
 * @param {MouseEvent} event
 */
function taken(event) {
  const run = around(event, "[data-run-k]", Element)?.getAttribute("data-run-k");
  const k = run || around(event, "[data-k]", Element)?.getAttribute("data-k");
  if (k) take(k, Boolean(run));
  return Boolean(k);
}

/** @param {KeyboardEvent} event */
function walked(event) {
  const point = around(event, "#curve [role=radio]", SVGElement);
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!point || (!step && event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  const points = all("#curve [role=radio]", SVGElement);
  const next = step ? points[(points.indexOf(point) + step + points.length) % points.length] : point;
  next.focus();
  take(next.dataset.k ?? "", event.key === "Enter");
}

/**
 * What is typed is kept at once, so that a reload or a crash loses nothing; the curve follows it.
 * @param {HTMLFormElement} form
 */
async function keepAsked(form) {
  const fields = fieldsOf(form);
  fields.set("only", "keep");
  await act(form.getAttribute("action") ?? "", { method: "POST", body: fields });
  follow();
}

/** @type {WeakMap<Element, string>} */
const drawnIn = new WeakMap();
/**
 * The curve as it is known now; whoever is at one of its points stays there.
 * @param {string} html
 */
function redraw(html) {
  const box = byId("curve", HTMLElement);
  const had = box.contains(document.activeElement) && document.activeElement?.id;
  if (drawnIn.get(box) !== html) box.innerHTML = html;
  drawnIn.set(box, html);
  mark(byId("k", HTMLInputElement).value);
  if (had) document.getElementById(had)?.focus({ preventScroll: true });
}

let curveAsked = "";
async function follow() {
  const address = document.getElementById("curve")?.dataset.curve;
  if (!address || curveAsked === address) return;
  curveAsked = address;
  try {
    for (let isWorking = true; isWorking; await later(1000)) {
      if (document.querySelector("#questions:not([hidden])")) break;
      /** @type {Curve} */
      const told = await askAgain(address);
      redraw(told.html);
      isWorking = told.working;
    }
  } catch {
    // the curve only helps to choose; what matters is said elsewhere
  }
  curveAsked = "";
}
