// A hierarchy as a tree: nodes are visited, chosen, renamed, grouped, moved and split, by mouse or by keyboard.
// The studio keeps the tree; this page draws what it is told and asks for changes.
"use strict";

const page = document.getElementById("tree-page");
if (page) arrange(page.dataset.tree);

// What the whole column would lose on each level, shown by the tree and by the ruler while one edits.
function showPrices(prices) {
  const said = prices.map((p) => `${p.level ? `level ${p.level}` : "as it is"}: ${p.labels} ${p.labels === 1 ? "label" : "labels"}, ${Math.round(100 * p.lost)} % lost`);
  document.getElementById("prices").textContent = `If the whole column were on one level – ${said.join("; ")}.`;
}

function arrange(address) {
  const tree = document.getElementById("tree");
  const said = document.getElementById("tree-said");
  const wrong = document.getElementById("tree-wrong");
  const dialog = document.getElementById("tree-ask");
  const opened = new Map([[0, 100]]); // group → how many of its children are shown
  const chosen = new Set();
  let drawn = null;
  let at = 0; // the node that has the focus

  // One change after the other, in the order of the clicks.
  let before = Promise.resolve();
  const send = (request) => (before = before.then(() => post(request)).catch(() => false));

  async function post(request) {
    const body = JSON.stringify({ ...request, open: [...opened] });
    const answer = await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body }).catch(() => null);
    const told = answer ? await answer.json() : { error: LOST };
    wrong.textContent = told.error || "";
    if (told.error) return false;
    drawn = told;
    for (const node of [...chosen]) if (!find(node)) chosen.delete(node);
    draw();
    if (request.change !== "look") document.dispatchEvent(new CustomEvent("hierarchy", { detail: "tree" }));
    return true;
  }

  function find(node) {
    if (drawn.nodes[node]) return drawn.nodes[node];
    for (const group of Object.values(drawn.nodes)) for (const child of group.children) if (child.node === node) return child;
    return null;
  }

  function draw() {
    const had = tree.contains(document.activeElement);
    tree.replaceChildren(item(drawn.nodes[0], 1));
    if (!tree.querySelector(`[data-node="${at}"]`)) at = 0;
    focusable(at, had);
    tell();
    page.querySelector('[data-change="undo"]').disabled = !drawn.can_undo;
    page.querySelector('[data-change="redo"]').disabled = !drawn.can_redo;
    showPrices(drawn.prices);
  }

  function item(node, level) {
    const li = document.createElement("li");
    li.setAttribute("role", "treeitem");
    li.setAttribute("aria-level", level);
    li.setAttribute("aria-selected", chosen.has(node.node));
    li.dataset.node = node.node;
    li.tabIndex = -1;
    const line = document.createElement("div");
    line.className = "line";
    line.draggable = node.node !== 0;
    const label = document.createElement("span");
    label.textContent = node.label;
    const about = document.createElement("span");
    about.className = "soft";
    about.textContent = node.about;
    line.append(label, about);
    li.setAttribute("aria-label", `${node.label}, ${node.about}`);
    li.append(line);
    if (!node.is_leaf) {
      const isOpen = opened.has(node.node) && drawn.nodes[node.node];
      li.setAttribute("aria-expanded", Boolean(isOpen));
      if (isOpen) li.append(below(drawn.nodes[node.node], level + 1));
    }
    return li;
  }

  function below(group, level) {
    const ul = document.createElement("ul");
    ul.setAttribute("role", "group");
    for (const child of group.children) ul.append(item(child, level));
    if (group.n_more) {
      const more = document.createElement("li");
      more.setAttribute("role", "treeitem");
      more.setAttribute("aria-level", level);
      more.dataset.more = group.node;
      more.tabIndex = -1;
      const line = document.createElement("div");
      line.className = "line soft";
      line.textContent = `… ${group.n_more} more`;
      more.append(line);
      ul.append(more);
    }
    return ul;
  }

  function items() {
    return [...tree.querySelectorAll("[role=treeitem]")];
  }

  function focusable(node, take) {
    for (const one of items()) one.tabIndex = -1;
    const here = tree.querySelector(`[data-node="${node}"]`) || tree.querySelector("[role=treeitem]");
    here.tabIndex = 0;
    if (take) here.focus();
  }

  function walk(li) {
    if (!li) return;
    for (const one of items()) one.tabIndex = -1;
    li.tabIndex = 0;
    li.focus();
    if (li.dataset.node) at = Number(li.dataset.node);
  }

  function step(li, isRange) {
    if (isRange && !anchor) anchor = at;
    walk(li);
    if (isRange && li?.dataset.node) range(Number(li.dataset.node));
  }

  function tell() {
    const names = [...chosen].map((node) => find(node)).filter(Boolean).map((node) => node.label);
    said.textContent = names.length ? `${names.length} chosen: ${names.slice(0, 5).join(", ")}${names.length > 5 ? " …" : ""}` : "Nothing is chosen.";
  }

  function choose(node, alone) {
    if (node === 0) return;
    anchor = node;
    if (alone) for (const other of [...chosen]) if (other !== node) chosen.delete(other);
    if (chosen.has(node)) chosen.delete(node);
    else chosen.add(node);
    for (const li of items()) if (li.dataset.node) li.setAttribute("aria-selected", chosen.has(Number(li.dataset.node)));
    tell();
  }

  // From the node that was chosen last to this one, as they stand on the page.
  let anchor = 0;
  function range(node) {
    const order = items().filter((li) => li.dataset.node && li.dataset.node !== "0").map((li) => Number(li.dataset.node));
    const [from, to] = [order.indexOf(anchor), order.indexOf(node)].sort((a, b) => a - b);
    if (from < 0) return choose(node, true);
    chosen.clear();
    for (const one of order.slice(from, to + 1)) chosen.add(one);
    for (const li of items()) if (li.dataset.node) li.setAttribute("aria-selected", chosen.has(Number(li.dataset.node)));
    return tell();
  }

  async function open(node, isOpen) {
    if (isOpen) opened.set(node, opened.get(node) || 100);
    else opened.delete(node);
    if (node === 0 && !isOpen) opened.set(0, 100);
    await send({ change: "look" });
  }

  async function more(group) {
    opened.set(group, (opened.get(group) || 100) + 100);
    await send({ change: "look" });
  }

  function targets() {
    const select = document.getElementById("tree-target");
    select.replaceChildren(...drawn.targets.map(({ node, label }) => new Option(label, node)));
  }

  function askFor(title, what) {
    document.getElementById("tree-ask-title").textContent = title;
    for (const [id, name] of [["tree-label", "label"], ["tree-target", "target"]]) {
      document.getElementById(id).hidden = what !== name;
      document.getElementById(`${id}-name`).hidden = what !== name;
    }
    const field = document.getElementById(what === "label" ? "tree-label" : "tree-target");
    dialog.returnValue = "no";
    dialog.showModal();
    field.focus();
    return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue === "yes" ? field.value : null), { once: true }));
  }

  const subjects = () => (chosen.size ? [...chosen] : at ? [at] : []);

  async function change(what) {
    const nodes = subjects();
    if (what === "undo" || what === "redo") return send({ change: what });
    if (!nodes.length) {
      wrong.textContent = "Choose values or groups of the tree first.";
      return false;
    }
    let request = { change: what, nodes };
    if (what === "rename" || what === "group") {
      const field = document.getElementById("tree-label");
      field.value = what === "rename" ? find(nodes[0]).label : "";
      const label = await askFor(what === "rename" ? "Rename the group" : `Group ${nodes.length} together`, "label");
      if (label === null) return false;
      request = { ...request, label };
    } else if (what === "move") {
      targets();
      const target = await askFor(`Move ${nodes.length}`, "target");
      if (target === null) return false;
      opened.set(Number(target), opened.get(Number(target)) || 100);
      request = { ...request, target: Number(target) };
    }
    const done = await send(request);
    if (done && !["rename", "up", "down"].includes(what)) {
      chosen.clear();
      draw();
    }
    focusable(at, true);
    return done;
  }

  for (const button of page.querySelectorAll("[data-change]")) button.addEventListener("click", () => change(button.dataset.change));

  tree.addEventListener("click", (event) => {
    const li = event.target.closest("[role=treeitem]");
    if (!li) return;
    if (li.dataset.more) return void more(Number(li.dataset.more));
    const node = Number(li.dataset.node);
    walk(li);
    const isMark = event.offsetX < 20 && event.target.classList.contains("line");
    if (li.hasAttribute("aria-expanded") && (isMark || node === 0)) open(node, li.getAttribute("aria-expanded") !== "true");
    else if (event.shiftKey) range(node);
    else choose(node, !(event.ctrlKey || event.metaKey));
  });
  tree.addEventListener("dblclick", (event) => {
    const li = event.target.closest("[role=treeitem][aria-expanded]");
    if (li) open(Number(li.dataset.node), li.getAttribute("aria-expanded") !== "true");
  });

  tree.addEventListener("focusin", (event) => {
    const li = event.target.closest("[data-node]");
    if (li) at = Number(li.dataset.node);
  });

  tree.addEventListener("keydown", (event) => {
    const li = event.target.closest("[role=treeitem]");
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
    const keys = {
      ArrowDown: () => step(all[here + 1], event.shiftKey),
      ArrowUp: () => step(all[here - 1], event.shiftKey),
      Home: () => walk(all[0]),
      End: () => walk(all[all.length - 1]),
      ArrowRight: () => (expanded === "false" ? open(node, true) : expanded === "true" ? walk(all[here + 1]) : null),
      ArrowLeft: () => (expanded === "true" && node !== 0 ? open(node, false) : walk(li.parentElement.closest("[role=treeitem]"))),
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
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });

  let dragged = [];
  tree.addEventListener("dragstart", (event) => {
    const li = event.target.closest("[data-node]");
    const node = Number(li.dataset.node);
    dragged = chosen.has(node) ? [...chosen] : [node];
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", "");
  });
  const over = (event) => (dragged.length ? event.target.closest("[data-node][aria-expanded]") : null);
  tree.addEventListener("dragover", (event) => {
    const li = over(event);
    for (const line of tree.querySelectorAll(".over")) line.classList.remove("over");
    if (!li) return;
    event.preventDefault();
    li.firstElementChild.classList.add("over");
  });
  tree.addEventListener("drop", async (event) => {
    const li = over(event);
    if (!li) return;
    event.preventDefault();
    const nodes = dragged;
    dragged = [];
    chosen.clear();
    opened.set(Number(li.dataset.node), opened.get(Number(li.dataset.node)) || 100);
    await send({ change: "move", nodes, target: Number(li.dataset.node) });
  });
  tree.addEventListener("dragend", () => {
    dragged = [];
    for (const line of tree.querySelectorAll(".over")) line.classList.remove("over");
  });

  document.addEventListener("hierarchy", (event) => event.detail === "ruler" && send({ change: "look" }));
  send({ change: "look" });
}
