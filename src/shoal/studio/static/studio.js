// The workspace: parts of the page are drawn by the studio and put in place here. Pages work without this; they are then loaded whole.
"use strict";

const work = document.querySelector(".work");
const HOME = document.documentElement.dataset.home; // under which all addresses of this studio are
const TABLE = ["view", "sort", "falling", "search", "page"]; // what of the address says which rows are seen

const LOST = "The studio does not answer. If it was closed or has crashed, start it again in its terminal: what you decided is kept, and offered there.";
class Lost extends Error {}

async function ask(address, how = {}) {
  const sent = fetch(address, { ...how, headers: { "x-panes": "1", ...how.headers } });
  const answer = await sent.catch(() => {
    throw new Lost(LOST);
  });
  const isData = (answer.headers.get("content-type") || "").startsWith("application/json");
  const told = isData ? await answer.json() : { html: await answer.text() };
  if (!answer.ok) throw new Error(told.error || `The studio does not answer (${answer.status}).`);
  return told;
}

// The same, for questions that are asked again and again: one that is lost on the way is asked again, so that no page waits for ever.
async function askAgain(address) {
  for (let isLost = false; ; await later(1000)) {
    try {
      const told = await ask(address);
      if (isLost) say("");
      return told;
    } catch (wrong) {
      if (!(wrong instanceof Lost)) throw wrong;
      if (!isLost) say(wrong.message);
      isLost = true;
    }
  }
}

const later = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// What went wrong is said at the top, where the user and the screen reader look first.
function say(text) {
  const place = document.getElementById("said");
  if (!place) return;
  place.replaceChildren();
  if (!text) return;
  const box = document.createElement("div");
  box.className = "wrong";
  if (!place.hasAttribute("role")) box.setAttribute("role", "alert");
  box.tabIndex = -1;
  box.textContent = text;
  place.append(box);
  box.focus();
}

// Each part of the answer replaces the part of the page that has its name; focus and opened details stay.
function place(html) {
  const made = document.createElement("template");
  made.innerHTML = html; // drawn by the studio, every text in it escaped
  const had = document.activeElement && document.activeElement.id;
  for (const part of [...made.content.children]) {
    const old = document.getElementById(part.id);
    if (!old) continue;
    const open = [...old.querySelectorAll("details")].map((details) => details.open);
    part.querySelectorAll("details").forEach((details, i) => (details.open = open[i] ?? details.open));
    if (part.id === "ask") keep(old, part);
    const left = old.querySelector(".grid")?.scrollLeft || 0;
    old.replaceWith(part);
    if (left) part.querySelector(".grid")?.scrollTo({ left });
  }
  if (document.getElementById("k")) mark(document.getElementById("k").value);
  const again = had && document.getElementById(had);
  if (again && document.activeElement !== again) again.focus({ preventScroll: true });
  begin();
}

// What was typed into the form of promises is not lost when the form is drawn anew.
function keep(old, made) {
  for (const field of old.querySelectorAll("input, select")) {
    const same = made.querySelector(`[id="${CSS.escape(field.id)}"]`);
    if (!same) continue;
    if (field.type === "checkbox") same.checked = field.checked;
    else same.value = field.value;
  }
}

// The address says which rows are seen, so that a reload shows the same.
function remember(address) {
  const from = new URL(address, location.href).searchParams;
  const here = new URL(location.href);
  for (const name of TABLE) {
    if (from.get(name)) here.searchParams.set(name, from.get(name));
    else here.searchParams.delete(name);
  }
  history.replaceState(null, "", here);
}

const withRows = (address) => {
  const url = new URL(address, location.href);
  const here = new URL(location.href).searchParams;
  for (const name of [...TABLE, "column"]) if (!url.searchParams.has(name) && here.get(name)) url.searchParams.set(name, here.get(name));
  return url.pathname + url.search;
};

// One after the other, in the order of the clicks.
let before = Promise.resolve();
function act(address, how, isRows) {
  before = before.then(() => send(address, how, isRows));
  return before;
}

async function send(address, how, isRows) {
  work.setAttribute("aria-busy", "true");
  try {
    const told = await ask(withRows(address), how);
    say("");
    if (isRows) remember(address);
    if (told.go) {
      await panes("results,table,ask");
      lead(document.getElementById("results"));
    }
    if (told.html) place(told.html);
  } catch (wrong) {
    say(wrong.message);
  }
  work.removeAttribute("aria-busy");
}

// To what was asked for, if it is out of sight.
function lead(part) {
  const { top } = part.getBoundingClientRect();
  if (top < 0 || top > innerHeight - 150) part.scrollIntoView();
}

async function panes(names) {
  try {
    place((await askAgain(withRows(`${HOME}/panes?table=${work.dataset.table}&names=${names}`))).html);
  } catch (wrong) {
    say(wrong.message);
  }
}

if (work) {
  work.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-live]")) return;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    if (form.method === "get") act(`${form.getAttribute("action")}?${fields}`, {}, true);
    else act(form.getAttribute("action"), { method: "POST", body: fields });
  });
  work.addEventListener("change", (event) => {
    if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
    if (event.target.form?.id === "ask-form") keepAsked(event.target.form);
  });
  work.addEventListener("click", async (event) => {
    const link = event.target.closest("a");
    if (link?.getAttribute("aria-disabled") === "true") return event.preventDefault();
    if (link?.matches("[data-close]")) {
      event.preventDefault();
      return close(link.dataset.close);
    }
    if (link?.matches("[data-live]") && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      const address = link.getAttribute("href");
      await act(address, {}, address.startsWith(`${HOME}/table`));
      if (address.startsWith(`${HOME}/columns/`)) openColumn(address);
      return undefined;
    }
    const run = event.target.closest("[data-run-k]");
    if (run) return take(run.dataset.runK, true);
    const k = event.target.closest("[data-k]");
    if (k) return take(k.dataset.k);
    const fill = event.target.closest("[data-fill]");
    if (fill) return demand(fill.dataset.fill, fill.dataset.value);
    const row = event.target.closest("[data-rows^='/'] tbody tr");
    if (row && !getSelection().toString()) {
      event.preventDefault();
      return show(row.querySelector("[data-row]"));
    }
    return undefined;
  });
}

function openColumn(address) {
  const here = new URL(location.href);
  here.searchParams.set("column", address.slice(HOME.length).split("/")[2].split("?")[0]);
  history.replaceState(null, "", here);
  document.getElementById("column").scrollIntoView({ block: "nearest" });
  document.querySelector("#column h2")?.setAttribute("tabindex", "-1");
  document.querySelector("#column h2")?.focus({ preventScroll: true });
}

function close(id) {
  const box = document.getElementById(id);
  box.replaceChildren();
  if (id !== "column") return;
  box.hidden = true;
  const here = new URL(location.href);
  const link = document.querySelector(`#column-${here.searchParams.get("column")} a`);
  here.searchParams.delete("column");
  history.replaceState(null, "", here);
  link?.focus();
}

async function show(link) {
  if (!link) return;
  try {
    document.getElementById("row").innerHTML = (await ask(link.getAttribute("href"))).html;
    for (const row of document.querySelectorAll(".cells tr.chosen")) row.classList.remove("chosen");
    link.closest("tr").classList.add("chosen");
    document.getElementById("row").scrollIntoView({ block: "nearest" });
  } catch (wrong) {
    say(wrong.message);
  }
}

// Fill in a promise that a result shows to be missing, and lead to it.
function demand(id, value) {
  const field = document.getElementById(id);
  field.closest("details").open = true;
  field.value = value;
  field.focus();
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

// k: a slider, a number and points of the curve are the same choice.
function choose(k) {
  document.getElementById("k").value = k;
  document.getElementById("k-slide").value = k;
  mark(k);
}

// The k that is chosen, if it is a point of the curve; Tab leads to it, or else to the first.
function mark(k) {
  const points = [...document.querySelectorAll("#curve [role=radio]")];
  const here = points.find((point) => point.dataset.k === String(k));
  for (const point of points) {
    point.setAttribute("aria-checked", point === here);
    point.setAttribute("tabindex", point === (here || points[0]) ? 0 : -1);
  }
  for (const row of document.querySelectorAll("#curve tr[data-k]")) row.classList.toggle("chosen", row.dataset.k === String(k));
}

// A point of the curve is taken: kept like a number that was typed, and run if that was asked for.
function take(k, isRun) {
  choose(k);
  const form = document.getElementById("ask-form");
  if (isRun) form.requestSubmit();
  else keepAsked(form);
}

if (work) {
  work.addEventListener("input", (event) => {
    if (event.target.id === "k-slide" || event.target.id === "k") choose(event.target.value);
  });
  work.addEventListener("keydown", (event) => {
    const point = event.target.closest?.("#curve [role=radio]");
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!point || (!step && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    const points = [...point.parentNode.querySelectorAll("[role=radio]")];
    const next = step ? points[(points.indexOf(point) + step + points.length) % points.length] : point;
    next.focus();
    take(next.dataset.k, event.key === "Enter");
  });
}

// What is typed is kept at once, so that a reload or a crash loses nothing; the curve follows it.
async function keepAsked(form) {
  const fields = new URLSearchParams(new FormData(form));
  fields.set("only", "keep");
  await act(form.getAttribute("action"), { method: "POST", body: fields });
  follow();
}

// The curve as it is known now; whoever is at one of its points stays there.
function draw(html) {
  const box = document.getElementById("curve");
  const had = box.contains(document.activeElement) && document.activeElement.id;
  if (box.drawn !== html) box.innerHTML = box.drawn = html;
  mark(document.getElementById("k").value);
  if (had) document.getElementById(had)?.focus({ preventScroll: true });
}

let curveAsked = "";
async function follow() {
  const address = document.getElementById("curve")?.dataset.curve;
  if (!address || curveAsked === address) return;
  curveAsked = address;
  try {
    for (let told = { working: true }; told.working; await later(1000)) {
      if (document.querySelector("#questions:not([hidden])")) break;
      told = await askAgain(address);
      draw(told.html);
    }
  } catch {
    // the curve only helps to choose; what matters is said elsewhere
  }
  curveAsked = "";
}

const watched = new Set();
async function watch(box) {
  const at = (name) => box.querySelector(`[data-at="${name}"]`);
  const address = box.dataset.run;
  watched.add(address);
  for (;;) {
    const run = await askAgain(address);
    if (run.state !== "working") break;
    for (const name of ["stage", "near"]) if (at(name).textContent !== run[name]) at(name).textContent = run[name];
    at("seconds").textContent = run.seconds.toFixed(0);
    if (run.done === null) at("done").removeAttribute("value");
    else at("done").value = run.done;
    at("figure").innerHTML = run.figure; // drawn by the studio, every text in it escaped
    await later(400);
    if (!box.isConnected) box = document.querySelector(`[data-run="${address}"]`) || box;
  }
  watched.delete(address);
  if (work) panes("results,table");
  else location.reload();
}

async function wait(address) {
  for (;;) {
    await later(300);
    const { working } = await askAgain(address);
    if (!working) return location.reload();
  }
}

function begin() {
  for (const box of document.querySelectorAll("[data-run]")) if (!watched.has(box.dataset.run)) watch(box).catch((wrong) => say(wrong.message));
  follow();
}

document.getElementById("error")?.focus();
const waiting = document.querySelector("[data-wait]");
if (waiting) wait(waiting.dataset.wait).catch((wrong) => say(wrong.message));
begin();

for (const form of document.querySelectorAll("form[enctype]"))
  form.addEventListener("submit", () => {
    const button = form.querySelector("button");
    button.disabled = true;
    button.textContent = "Loading …";
  });
