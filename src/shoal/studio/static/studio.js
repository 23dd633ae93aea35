// Waiting for work, and the curve of a run that is going on. Pages work without this; they must then be reloaded by hand.
"use strict";

async function ask(address) {
  const answer = await fetch(address, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

function later(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

async function wait(address) {
  for (;;) {
    await later(300);
    const { working } = await ask(address);
    if (!working) return location.reload();
  }
}

async function watch(address) {
  const at = (id) => document.getElementById(id);
  for (;;) {
    const run = await ask(address);
    if (run.state !== "working") return location.reload();
    if (at("stage").textContent !== run.stage) at("stage").textContent = run.stage;
    at("seconds").textContent = run.seconds.toFixed(0);
    if (at("near").textContent !== run.near) at("near").textContent = run.near;
    if (run.done === null) at("done").removeAttribute("value");
    else at("done").value = run.done;
    at("figure").innerHTML = run.figure; // drawn by the studio, every text in it escaped
    await later(400);
  }
}

const wrong = document.getElementById("error");
if (wrong) wrong.focus(); // what went wrong is where the user, and the screen reader, look first

const waiting = document.querySelector("[data-wait]");
if (waiting) wait(waiting.dataset.wait);
const running = document.querySelector("[data-run]");
if (running) watch(running.dataset.run);

const upload = document.getElementById("upload");
if (upload)
  upload.addEventListener("submit", () => {
    const button = upload.querySelector("button");
    button.disabled = true;
    button.textContent = "Loading …";
  });
