// A hierarchy as a tree: nodes are visited, chosen, renamed, grouped, moved and split, by mouse or by keyboard.
// The studio keeps the tree; this page draws what it is told and asks for changes.
"use strict";

/**
 * @typedef {{ level: number, labels: number, lost: number }} Price
 * @typedef {{ node: number, label: string, about: string, is_leaf: boolean }} Child
 * @typedef {Child & { children: Child[], n_more: number }} Group
 * @typedef {object} Tree
 * @property {Record<number, Group>} nodes
 * @property {{ node: number, label: string }[]} targets
 * @property {Price[]} prices
 * @property {boolean} can_undo
 * @property {boolean} can_redo
 */

const treePage = first("#tree-page", HTMLElement);
if (treePage) arrange(treePage, treePage.dataset.tree ?? "");

/**
 * What the whole column would lose on each level, shown by the tree and by the ruler while one edits.
 * @param {Price[]} prices
 */
function showPrices(prices) {
  const said = prices.map((p) => `${p.level ? `level ${p.level}` : "as it is"}: ${p.labels} ${p.labels === 1 ? "label" : "labels"}, ${Math.round(100 * p.lost)} % lost`);
  byId("prices", HTMLElement).textContent = `If the whole column were on one level – ${said.join("; ")}.`;
}

/**
 * @param {HTMLElement} part - of the page
 * @param {string} address
 */
function arrange(part, address) {
  const tree = byId("tree", HTMLElement);
  const said = byId("tree-said", HTMLElement);
  const wrong = byId("tree-wrong", HTMLElement);
  const dialog = byId("tree-ask", HTMLDialogElement);
  const opened = new Map([[0, 100]]); // group → how many of its children are shown
  /** @type {Set<number>} */
  const chosen = new Set();
  /** @type {Tree} */
  let drawn = { nodes: {}, targets: [], prices: [], can_undo: false, can_redo: false };
  let at = 0; // the node that has the focus

  // One change after the other, in the order of the clicks.
  let turn = Promise.resolve(false);
  /** @type {(request: Change) => Promise<boolean>} */
  const send = (request) => (turn = turn.then(() => sent(request)).catch(() => false));

  /**
   * One change; whether it was made.
   * @typedef {{ change: string, nodes?: number[], label?: string, target?: number }} Change
   * @param {Change} request
   */
  async function sent(request) {
    /** @type {Tree | { error: string }} */
    const told = await post(address, { ...request, open: [...opened] });
    wrong.textContent = "error" in told ? told.error : "";
    if ("error" in told) return false;
    drawn = told;
    for (const node of [...chosen]) if (!find(node)) chosen.delete(node);
    draw();
    if (request.change !== "look") document.dispatchEvent(new CustomEvent("hierarchy", { detail: "tree" }));
    return true;
  }

  /**
   * @param {number} node
   * @returns {Child | undefined}
   */
  function find(node) {
    return drawn.nodes[node] ?? Object.values(drawn.nodes).flatMap((group) => group.children).find((child) => child.node === node);
  }

  function draw() {
    const had = tree.contains(document.activeElement);
    tree.replaceChildren(item(drawn.nodes[0], 1));
    if (!tree.querySelector(`[data-node="${at}"]`)) at = 0;
    focusable(at, had);
    tell();
    for (const button of buttons) {
      if (button.dataset.change === "undo") button.disabled = !drawn.can_undo;
      if (button.dataset.change === "redo") button.disabled = !drawn.can_redo;
    }
    showPrices(drawn.prices);
  }

  /** @type {(text: string, kind?: string) => HTMLElement} */
  function span(text, kind = "") {
    const made = document.createElement("span");
    made.className = kind;
    made.textContent = text;
    return made;
  }

  /** @type {(node: Child, level: number) => HTMLElement} */
  function item(node, level) {
    const li = document.createElement("li");
    li.setAttribute("role", "treeitem");
    li.setAttribute("aria-level", String(level));
    li.setAttribute("aria-selected", String(chosen.has(node.node)));
    li.dataset.node = String(node.node);
    li.tabIndex = -1;
    const line = document.createElement("div");
    line.className = "line";
    line.draggable = node.node !== 0;
    line.append(span(node.label), span(", ", "away"), span(node.about, "soft")); // the comma is heard, not seen
    li.append(line);
    if (!node.is_leaf) {
      const isOpen = opened.has(node.node) && drawn.nodes[node.node];
      li.setAttribute("aria-expanded", String(Boolean(isOpen)));
      if (isOpen) li.append(below(drawn.nodes[node.node], level + 1));
    }
    return li;
  }

  /** @type {(group: Group, level: number) => HTMLElement} */
  function below(group, level) {
    const ul = document.createElement("ul");
    ul.setAttribute("role", "group");
    for (const child of group.children) ul.append(item(child, level));
    if (group.n_more) {
      const rest = document.createElement("li");
      rest.setAttribute("role", "treeitem");
      rest.setAttribute("aria-level", String(level));
      rest.dataset.more = String(group.node);
      rest.tabIndex = -1;
      const line = document.createElement("div");
      line.className = "line soft";
      line.textContent = `… ${group.n_more} more`;
      rest.append(line);
      ul.append(rest);
    }
    return ul;
  }

  const items = () => all("[role=treeitem]", HTMLElement, tree);

  /** @type {(node: number, isTaken: boolean) => void} */
  function focusable(node, isTaken) {
    for (const one of items()) one.tabIndex = -1;
    const here = first(`[data-node="${node}"]`, HTMLElement, tree) ?? items()[0];
    here.tabIndex = 0;
    if (isTaken) here.focus();
  }

  /** @param {HTMLElement | undefined} li */
  function walk(li) {
    if (!li) return;
    for (const one of items()) one.tabIndex = -1;
    li.tabIndex = 0;
    li.focus();
    if (li.dataset.node) at = Number(li.dataset.node);
  }

  /** @type {(li: HTMLElement | undefined, isRange: boolean) => void} */
  function step(li, isRange) {
    if (isRange && !anchor) anchor = at;
    walk(li);
    if (isRange && li?.dataset.node) range(Number(li.dataset.node));
  }

  function tell() {
    const names = [...chosen].map((node) => find(node)?.label).filter((label) => label !== undefined);
    said.textContent = names.length ? `${names.length} chosen: ${names.slice(0, 5).join(", ")}${names.length > 5 ? " …" : ""}` : "Nothing is chosen.";
  }

  /** @type {(node: number, alone: boolean) => void} */
  function choose(node, alone) {
    if (node === 0) return;
    anchor = node;
    if (alone) for (const other of [...chosen]) if (other !== node) chosen.delete(other);
    if (chosen.has(node)) chosen.delete(node);
    else chosen.add(node);
    for (const li of items()) if (li.dataset.node) li.setAttribute("aria-selected", String(chosen.has(Number(li.dataset.node))));
    tell();
  }

  let anchor = 0;
  /**
   * From the node that was chosen last to this one, as they stand on the page.
   * @param {number} node
   */
  function range(node) {
    const order = items().filter((li) => li.dataset.node && li.dataset.node !== "0").map((li) => Number(li.dataset.node));
    const [from, to] = [order.indexOf(anchor), order.indexOf(node)].sort((a, b) => a - b);
    if (from < 0) return choose(node, true);
    chosen.clear();
    for (const one of order.slice(from, to + 1)) chosen.add(one);
    for (const li of items()) if (li.dataset.node) li.setAttribute("aria-selected", String(chosen.has(Number(li.dataset.node))));
    return tell();
  }

  /** @type {(node: number, isOpen: boolean) => Promise<void>} */
  async function open(node, isOpen) {
    if (isOpen) opened.set(node, opened.get(node) || 100);
    else opened.delete(node);
    if (node === 0 && !isOpen) opened.set(0, 100);
    await send({ change: "look" });
  }

  /** @param {number} group */
  async function more(group) {
    opened.set(group, (opened.get(group) || 100) + 100);
    await send({ change: "look" });
  }

  function targets() {
    const select = byId("tree-target", HTMLSelectElement);
    select.replaceChildren(...drawn.targets.map(({ node, label }) => new Option(label, String(node))));
  }

  /**
   * @param {string} title
   * @param {"label" | "target"} what
   * @returns {Promise<string | null>}
   */
  function askFor(title, what) {
    byId("tree-ask-title", HTMLElement).textContent = title;
    for (const name of ["label", "target"]) {
      byId(`tree-${name}`, HTMLElement).hidden = what !== name;
      byId(`tree-${name}-name`, HTMLElement).hidden = what !== name;
    }
    const field = what === "label" ? byId("tree-label", HTMLInputElement) : byId("tree-target", HTMLSelectElement);
    dialog.returnValue = "no";
    dialog.showModal();
    field.focus();
    return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue === "yes" ? field.value : null), { once: true }));
  }

  const subjects = () => (chosen.size ? [...chosen] : at ? [at] : []);

  /**
   * A change with what the user says to it; none where the user thinks better of it.
   * @type {(what: string, nodes: number[]) => Promise<Change | null>}
   */
  async function asked(what, nodes) {
    if (what === "rename" || what === "group") {
      byId("tree-label", HTMLInputElement).value = what === "rename" ? (find(nodes[0])?.label ?? "") : "";
      const label = await askFor(what === "rename" ? "Rename the group" : `Group ${nodes.length} together`, "label");
      return label === null ? null : { change: what, nodes, label };
    }
    if (what !== "move") return { change: what, nodes };
    targets();
    const into = await askFor(`Move ${nodes.length}`, "target");
    if (into === null) return null;
    const target = Number(into);
    opened.set(target, opened.get(target) || 100);
    return { change: what, nodes, target };
  }

  /** @param {string} what */
  async function change(what) {
    const nodes = subjects();
    if (what === "undo" || what === "redo") return send({ change: what });
    if (!nodes.length) {
      wrong.textContent = "Choose values or groups of the tree first.";
      return false;
    }
    const request = await asked(what, nodes);
    if (!request) return false;
    const done = await send(request);
    if (done && !["rename", "up", "down"].includes(what)) {
      chosen.clear();
      draw();
    }
    focusable(at, true);
    return done;
  }

  const buttons = all("[data-change]", HTMLButtonElement, part);
  for (const button of buttons) button.addEventListener("click", () => change(button.dataset.change ?? ""));

  tree.addEventListener("click", (event) => {
    const li = around(event, "[role=treeitem]", HTMLElement);
    if (!li) return;
    if (li.dataset.more) {
      more(Number(li.dataset.more));
      return;
    }
    const node = Number(li.dataset.node);
    walk(li);
    const isMark = event.offsetX < 20 && event.target instanceof Element && event.target.classList.contains("line");
    if (li.hasAttribute("aria-expanded") && (isMark || node === 0)) open(node, li.getAttribute("aria-expanded") !== "true");
    else if (event.shiftKey) range(node);
    else choose(node, !(event.ctrlKey || event.metaKey));
  });
  tree.addEventListener("dblclick", (event) => {
    const li = around(event, "[role=treeitem][aria-expanded]", HTMLElement);
    if (li) open(Number(li.dataset.node), li.getAttribute("aria-expanded") !== "true");
  });

  tree.addEventListener("focusin", (event) => {
    const li = around(event, "[data-node]", HTMLElement);
    if (li) at = Number(li.dataset.node);
  });

  tree.addEventListener("keydown", (event) => {
    const li = around(event, "[role=treeitem]", HTMLElement);
    if (!li || event.ctrlKey || event.metaKey) return;
    if (event.altKey) {
      const by = { ArrowUp: "up", ArrowDown: "down" }[event.key];
      if (!by) return;
      event.preventDefault();
      send({ change: by, nodes: [Number(li.dataset.node)] });
      return;
    }
    const all = items();
    const here = all.indexOf(li);
    const node = Number(li.dataset.node);
    const expanded = li.getAttribute("aria-expanded");
    /** @type {Record<string, () => unknown>} */
    const keys = {
      ArrowDown: () => step(all[here + 1], event.shiftKey),
      ArrowUp: () => step(all[here - 1], event.shiftKey),
      Home: () => walk(all[0]),
      End: () => walk(all[all.length - 1]),
      ArrowRight: () => (expanded === "false" ? open(node, true) : expanded === "true" ? walk(all[here + 1]) : null),
      ArrowLeft: () => (expanded === "true" && node !== 0 ? open(node, false) : walk(above(li))),
      " ": () => (li.dataset.more ? more(Number(li.dataset.more)) : choose(node, false)),
      Enter: () => (li.dataset.more ? more(Number(li.dataset.more)) : expanded ? open(node, expanded === "false") : choose(node, false)),
      F2: () => change("rename"),
      Delete: () => change("dissolve"),
      g: () => change("group"),
      m: () => change("move"),
      e: () => change("merge"),
      z: () => change("undo"),
      y: () => change("redo"),
    };
    const answer = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!answer) return;
    event.preventDefault();
    answer();
  });

  /** @type {(li: HTMLElement) => HTMLElement | undefined} */
  const above = (li) => items().find((one) => one === li.parentElement?.closest("[role=treeitem]"));

  dragInto(
    tree,
    (node) => (chosen.has(node) ? [...chosen] : [node]),
    async (nodes, target) => {
      chosen.clear();
      opened.set(target, opened.get(target) || 100);
      await send({ change: "move", nodes, target });
    },
  );

  document.addEventListener("hierarchy", (event) => {
    if (event instanceof CustomEvent && event.detail === "ruler") send({ change: "look" });
  });
  send({ change: "look" });
}
