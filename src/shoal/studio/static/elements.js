// Elements of the page, found by their id or a selector, and known to be of the kind that is needed. Every other script uses these.
"use strict";

/**
 * The element that has this id. A page and its scripts are of one edition, so it is an error if there is none.
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
function byId(id, kind) {
  const here = document.getElementById(id);
  if (!(here instanceof kind)) throw new Error(`This page has no ${kind.name} named ${id}.`);
  return here;
}

/**
 * Everything of this kind that fits, in the order of the page.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @param {ParentNode} below
 * @returns {T[]}
 */
function all(selector, kind, below = document) {
  const here = [];
  for (const one of below.querySelectorAll(selector)) if (one instanceof kind) here.push(one);
  return here;
}

/**
 * The first of these, if there is one.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @param {ParentNode} below
 * @returns {T | undefined}
 */
function first(selector, kind, below = document) {
  return all(selector, kind, below)[0];
}

/**
 * What an event happened in: the nearest element around its target that fits.
 * @template {Element} T
 * @param {Event} event
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T | undefined}
 */
function around(event, selector, kind) {
  const here = event.target instanceof Element ? event.target.closest(selector) : null;
  return here instanceof kind ? here : undefined;
}
