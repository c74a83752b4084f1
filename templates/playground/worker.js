// Python in a thread of its own, so that typing never waits for it.
"use strict";
const PLACE = "/packages", KEPT = "s2sad-playground";
let answer = null, python = null, kept = "";

async function bytes(address) {
  const found = await fetch(address);
  if (!found.ok) throw new Error(`${address}: ${found.status} ${found.statusText}`);
  return found.arrayBuffer();
}

// Compiled modules are kept by the browser, where it lets a page keep anything: the next visit starts sooner.
async function store() {
  try {
    return await caches.open(KEPT);
  } catch {
    return null;
  }
}
async function restore(name) {
  const found = await (await store())?.match(name);
  if (found) python.unpackArchive(await found.arrayBuffer(), "zip", { extractDir: PLACE });
  return Boolean(found);
}
async function keep() {
  const name = kept, cache = await store();
  kept = "";
  if (!cache) return;
  const proxy = python.runPython(`from s2sad.playground import bytecode; bytecode.packed("${PLACE}")`);
  const data = proxy.toJs();
  proxy.destroy();
  for (const old of await cache.keys()) await cache.delete(old);
  await cache.put(name, new Response(data)).catch(() => {});
}

async function load(config) {
  const began = performance.now();
  const tell = (text) => postMessage({ kind: "stage", text });
  tell("Loading Python …");
  const packed = Promise.all(config.wheels.map((wheel) => bytes(new URL(wheel, config.base))));
  packed.catch(() => {});  // reported below, where it is waited for
  const base = new URL(config.pyodide, config.base).href;
  const { loadPyodide } = await import(`${base}pyodide.mjs`);
  python = await loadPyodide({ indexURL: base });
  tell("Loading s2sad …");
  for (const wheel of await packed) python.unpackArchive(wheel, "wheel", { extractDir: PLACE });
  const name = new URL(`bytecode?${config.sources}`, config.base).href;
  const isWarm = await restore(name).catch(() => false);
  kept = isWarm ? "" : name;
  python.runPython(`
import os, sys
sys.path.insert(0, "${PLACE}")
sys.dont_write_bytecode = ${isWarm ? "True" : "False"}
os.makedirs("/kernels")
os.chdir("/kernels")
`);
  answer = python.runPython("from s2sad.playground.answers import answer; answer");
  postMessage({ kind: "ready", seconds: (performance.now() - began) / 1000, python: python.version, isWarm });
}

onmessage = async ({ data }) => {
  if (data.kind === "load") {
    try {
      await load(data.config);
    } catch (error) {
      postMessage({ kind: "unloaded", text: String(error && error.message || error) });
    }
    return;
  }
  const began = performance.now();
  try {
    const found = JSON.parse(answer(JSON.stringify(data.asked)));
    postMessage({ kind: "answer", edit: data.edit, found, seconds: (performance.now() - began) / 1000 });
    if (kept && found.status === 0) keep();
  } catch (error) {  // Python itself has ended, as when a stack overflows
    postMessage({ kind: "died", edit: data.edit, text: String(error && error.message || error) });
  }
};
