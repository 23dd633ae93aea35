// Nodes of a tree, dragged onto one of its groups.
"use strict";

/**
 * @param {HTMLElement} tree
 * @param {(node: number) => number[]} along - the nodes that go with one that is dragged
 * @param {(nodes: number[], target: number) => void} drop
 */
function dragInto(tree, along, drop) {
  /** @type {number[]} */
  let dragged = [];
  /** @type {(event: DragEvent) => HTMLElement | undefined} */
  const over = (event) => (dragged.length ? around(event, "[data-node][aria-expanded]", HTMLElement) : undefined);
  const clear = () => {
    for (const line of tree.querySelectorAll(".over")) line.classList.remove("over");
  };

  tree.addEventListener("dragstart", (event) => {
    const li = around(event, "[data-node]", HTMLElement);
    if (!li || !event.dataTransfer) return;
    dragged = along(Number(li.dataset.node));
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", "");
  });
  tree.addEventListener("dragover", (event) => {
    const li = over(event);
    clear();
    if (!li) return;
    event.preventDefault();
    li.firstElementChild?.classList.add("over");
  });
  tree.addEventListener("drop", (event) => {
    const li = over(event);
    if (!li) return;
    event.preventDefault();
    const nodes = dragged;
    dragged = [];
    drop(nodes, Number(li.dataset.node));
  });
  tree.addEventListener("dragend", () => {
    dragged = [];
    clear();
  });
}
