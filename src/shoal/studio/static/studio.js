// The workspace: parts of the page are drawn by the studio and put in place here. Pages work without this; they are then loaded whole.
"use strict";

const work = first(".work", HTMLElement);
const HOME = document.documentElement.dataset.home ?? ""; // under which all addresses of this studio are
const TABLE = ["view", "sort", "falling", "search", "page"]; // what of the address says which rows are seen

/**
 * Each part of the answer replaces the part of the page that has its name; focus and opened details stay.
 * @param {string} html
 */
function place(html) {
  const made = document.createElement("template");
  made.innerHTML = html; // drawn by the studio, every text in it escaped
  const had = document.activeElement;
  let at = "";
  for (const part of [...made.content.children]) {
    const old = document.getElementById(part.id);
    if (!old) continue;
    if (old.contains(had)) at = part.id;
    swap(old, part);
  }
  if (document.getElementById("k")) mark(byId("k", HTMLInputElement).value);
  if (at) stay(had?.id ?? "", byId(at, HTMLElement));
  begin();
}

/**
 * The focus is where it was; where that is gone, it is at the title of the part, and never lost.
 * @type {(id: string, part: HTMLElement) => void}
 */
function stay(id, part) {
  const title = first("h2, h3", HTMLElement, part);
  for (const here of [id && document.getElementById(id), title, byId("main", HTMLElement)]) {
    if (!here) continue;
    if (here === title) title.tabIndex = -1;
    here.focus({ preventScroll: true });
    if (document.activeElement === here) return;
  }
}

/** @type {(old: Element, part: Element) => void} */
function swap(old, part) {
  const open = all("details", HTMLDetailsElement, old).map((details) => details.open);
  all("details", HTMLDetailsElement, part).forEach((details, i) => (details.open = open[i] ?? details.open));
  if (part.id === "ask") keep(old, part);
  const left = old.querySelector(".grid")?.scrollLeft || 0;
  old.replaceWith(part);
  if (left) part.querySelector(".grid")?.scrollTo({ left });
}

/**
 * What was typed into the form of promises is not lost when the form is drawn anew.
 * @param {Element} old
 * @param {Element} made
 */
function keep(old, made) {
  for (const field of all("input", HTMLInputElement, old)) {
    const same = first(`[id="${CSS.escape(field.id)}"]`, HTMLInputElement, made);
    if (!same) continue;
    if (field.type === "checkbox") same.checked = field.checked;
    else same.value = field.value;
  }
  for (const field of all("select", HTMLSelectElement, old)) {
    const same = first(`[id="${CSS.escape(field.id)}"]`, HTMLSelectElement, made);
    if (same) same.value = field.value;
  }
}

/**
 * The address says which rows are seen, so that a reload shows the same.
 * @param {string} address
 */
function remember(address) {
  const from = new URL(address, location.href).searchParams;
  const here = new URL(location.href);
  for (const name of TABLE) {
    const value = from.get(name);
    if (value) here.searchParams.set(name, value);
    else here.searchParams.delete(name);
  }
  history.replaceState(null, "", here);
}

/** @type {(address: string) => string} */
const withRows = (address) => {
  const url = new URL(address, location.href);
  const here = new URL(location.href).searchParams;
  for (const name of [...TABLE, "column"]) {
    const value = here.get(name);
    if (value && !url.searchParams.has(name)) url.searchParams.set(name, value);
  }
  return url.pathname + url.search;
};

// One after the other, in the order of the clicks.
let before = Promise.resolve();
/** @type {(address: string, how: RequestInit, isRows?: boolean) => Promise<void>} */
function act(address, how, isRows = false) {
  before = before.then(() => send(address, how, isRows));
  return before;
}

/** @type {(address: string, how: RequestInit, isRows: boolean) => Promise<void>} */
async function send(address, how, isRows) {
  work?.setAttribute("aria-busy", "true");
  try {
    /** @type {Parts} */
    const told = await ask(withRows(address), how);
    say("");
    if (isRows) remember(address);
    if (told.go) {
      await panes("results,table,ask");
      lead(byId("results", HTMLElement));
    }
    if (told.html) place(told.html);
  } catch (wrong) {
    say(wrong);
  }
  work?.removeAttribute("aria-busy");
}

/**
 * To what was asked for, if it is out of sight.
 * @param {HTMLElement} part
 */
function lead(part) {
  const { top } = part.getBoundingClientRect();
  if (top < 0 || top > innerHeight - 150) part.scrollIntoView();
}

/** @param {string} names */
async function panes(names) {
  try {
    /** @type {{ html: string }} */
    const told = await askAgain(withRows(`${HOME}/panes?table=${work?.dataset.table}&names=${names}`));
    place(told.html);
  } catch (wrong) {
    say(wrong);
  }
}

/**
 * What a form would send, as the browser itself would.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
function fieldsOf(form, submitter = null) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form, submitter)) if (typeof value === "string") fields.append(name, value);
  return fields;
}

/** @param {SubmitEvent} event */
function submitted(event) {
  const form = around(event, "[data-live]", HTMLFormElement);
  if (!form) return;
  event.preventDefault();
  const fields = fieldsOf(form, event.submitter);
  const address = form.getAttribute("action") ?? "";
  if (form.method === "get") act(`${address}?${fields}`, {}, true);
  else act(address, { method: "POST", body: fields });
}

/** @param {Event} event */
function changed(event) {
  const field = around(event, "input, select", HTMLInputElement) ?? around(event, "input, select", HTMLSelectElement);
  if (field?.matches("[data-submit]")) field.form?.requestSubmit();
  if (field?.form?.id === "ask-form") keepAsked(field.form);
}

/**
 * A link that changes a part of the page. Says whether this was one.
 * @param {MouseEvent} event
 */
function followed(event) {
  const link = around(event, "a", HTMLAnchorElement);
  if (!link) return false;
  const { close: closes } = link.dataset;
  const isLive = link.matches("[data-live]") && !event.ctrlKey && !event.metaKey;
  const isOff = link.getAttribute("aria-disabled") === "true";
  if (!isOff && !closes && !isLive) return false;
  event.preventDefault();
  if (isOff) return true;
  if (closes) shut(closes);
  else load(link.getAttribute("href") ?? "");
  return true;
}

/** @param {string} address */
async function load(address) {
  await act(address, {}, address.startsWith(`${HOME}/table`));
  if (address.startsWith(`${HOME}/columns/`)) openColumn(address);
}

/** @param {MouseEvent} event */
function clicked(event) {
  if (followed(event) || taken(event)) return;
  const fill = around(event, "[data-fill]", HTMLElement)?.dataset;
  const row = around(event, "[data-rows^='/'] tbody tr", Element);
  if (fill) demand(fill.fill ?? "", fill.value ?? "");
  else if (row && !getSelection()?.toString()) {
    event.preventDefault();
    show(first("[data-row]", Element, row));
  }
}

/** @param {string} address */
function openColumn(address) {
  const here = new URL(location.href);
  here.searchParams.set("column", address.slice(HOME.length).split("/")[2].split("?")[0]);
  history.replaceState(null, "", here);
  byId("column", HTMLElement).scrollIntoView({ block: "nearest" });
  const title = first("#column h2", HTMLElement);
  title?.setAttribute("tabindex", "-1");
  title?.focus({ preventScroll: true });
}

/**
 * Close a column or a row; the focus goes to what opened it.
 * @param {string} id
 */
function shut(id) {
  const box = byId(id, HTMLElement);
  const here = new URL(location.href);
  const opener = id === "column" ? `#column-${here.searchParams.get("column")} a` : ".cells tr.chosen [data-row]";
  box.replaceChildren();
  first(opener, HTMLElement)?.focus();
  if (id !== "column") return;
  box.hidden = true;
  here.searchParams.delete("column");
  history.replaceState(null, "", here);
}

/** @param {Element | undefined} link */
async function show(link) {
  const address = link?.getAttribute("href");
  if (!link || !address) return;
  const row = byId("row", HTMLElement);
  try {
    /** @type {{ html: string }} */
    const told = await ask(address);
    row.innerHTML = told.html;
    for (const other of document.querySelectorAll(".cells tr.chosen")) other.classList.remove("chosen");
    link.closest("tr")?.classList.add("chosen");
    row.scrollIntoView({ block: "nearest" });
  } catch (wrong) {
    say(wrong);
  }
}

/**
 * Fill in a promise that a result shows to be missing, and lead to it.
 * @param {string} id
 * @param {string} value
 */
function demand(id, value) {
  const field = byId(id, HTMLInputElement);
  field.closest("details")?.setAttribute("open", "");
  field.value = value;
  field.focus();
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** @type {Set<string>} */
const watched = new Set();
/** @param {string} address */
async function watch(address) {
  watched.add(address);
  for (;;) {
    /** @type {Run} */
    const run = await askAgain(address);
    if (run.state !== "working") break;
    const box = first(`[data-run="${address}"]`, HTMLElement);
    if (box) progress(box, run);
    await later(400);
  }
  watched.delete(address);
  if (work) panes("results,table");
  else location.reload();
}

/**
 * How far a run is.
 * @param {HTMLElement} box
 * @param {Run} run
 */
function progress(box, run) {
  for (const part of all("[data-at]", HTMLElement, box)) {
    const name = part.dataset.at;
    const text = name === "stage" ? run.stage : name === "near" ? run.near : name === "seconds" ? run.seconds.toFixed(0) : null;
    if (text !== null && part.textContent !== text) part.textContent = text;
    if (name === "figure") part.innerHTML = run.figure; // drawn by the studio, every text in it escaped
    if (!(part instanceof HTMLProgressElement)) continue;
    if (run.done === null) part.removeAttribute("value");
    else part.value = run.done;
  }
}

/** @param {string} address */
async function wait(address) {
  for (let isWorking = true; isWorking; ) {
    await later(300);
    /** @type {{ working: boolean }} */
    const told = await askAgain(address);
    isWorking = told.working;
  }
  location.reload();
}

function begin() {
  for (const { dataset } of all("[data-run]", HTMLElement)) if (dataset.run && !watched.has(dataset.run)) watch(dataset.run).catch(say);
  follow();
}

work?.addEventListener("submit", submitted);
work?.addEventListener("change", changed);
work?.addEventListener("click", clicked);
work?.addEventListener("keydown", walked);
work?.addEventListener("input", (event) => {
  const field = around(event, "#k, #k-slide", HTMLInputElement);
  if (field) pick(field.value);
});

document.getElementById("error")?.focus();
const waiting = first("[data-wait]", HTMLElement)?.dataset.wait;
if (waiting) wait(waiting).catch(say);
begin();

for (const form of all("form[enctype]", HTMLFormElement))
  form.addEventListener("submit", () => {
    const button = first("button", HTMLButtonElement, form);
    if (!button) return;
    button.disabled = true;
    button.textContent = "Loading …";
  });
