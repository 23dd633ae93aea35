// What pages ask of the studio, and how they say what went wrong.
"use strict";

const LOST = "The studio does not answer. If it was closed or has crashed, start it again in its terminal: what you decided is kept, and offered there.";
class Lost extends Error {}

/**
 * What the studio answers: parts of the page that are drawn anew, and what else an address tells.
 * @typedef {{ html?: string, go?: boolean }} Parts
 * @typedef {{ html: string, working: boolean }} Curve
 * @typedef {{ state: string, stage: string, near: string, seconds: number, done: number | null, figure: string }} Run
 */

/**
 * @template T
 * @param {string} address
 * @param {RequestInit} how
 * @returns {Promise<T>}
 */
async function ask(address, how = {}) {
  const sent = fetch(address, { ...how, headers: { "x-panes": "1" } });
  const answer = await sent.catch(() => {
    throw new Lost(LOST);
  });
  const isData = (answer.headers.get("content-type") || "").startsWith("application/json");
  const told = isData ? await answer.json() : { html: await answer.text() };
  if (!answer.ok) throw new Error(told.error || `The studio does not answer (${answer.status}).`);
  return told;
}

/**
 * The same, for questions that are asked again and again: one that is lost on the way is asked again, so that no page waits for ever.
 * @template T
 * @param {string} address
 * @returns {Promise<T>}
 */
async function askAgain(address) {
  for (let isLost = false; ; await later(1000)) {
    try {
      /** @type {T} */
      const told = await ask(address);
      if (isLost) say("");
      return told;
    } catch (wrong) {
      if (!(wrong instanceof Lost)) throw wrong;
      if (!isLost) say(wrong);
      isLost = true;
    }
  }
}

/** @type {(milliseconds: number) => Promise<void>} */
const later = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * What went wrong is said at the top, where the user and the screen reader look first.
 * @param {unknown} wrong
 */
function say(wrong) {
  const text = wrong instanceof Error ? wrong.message : String(wrong);
  const top = first("#said", HTMLElement);
  if (!top) return;
  top.replaceChildren();
  if (!text) return;
  const box = document.createElement("div");
  box.className = "wrong";
  if (!top.hasAttribute("role")) box.setAttribute("role", "alert");
  box.tabIndex = -1;
  box.textContent = text;
  top.append(box);
  box.focus();
}

/**
 * What a part of the page asks of the studio, and the answer; why not, if it cannot be.
 * @template T
 * @param {string} address
 * @param {object} request
 * @returns {Promise<T | { error: string }>}
 */
async function post(address, request) {
  const how = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(request) };
  const answer = await fetch(address, how).catch(() => null);
  return answer ? answer.json() : { error: LOST };
}
