(function () {
  "use strict";
  const config = JSON.parse(document.getElementById("config").textContent);
  const $ = (id) => document.getElementById(id);
  const text = $("text"), form = $("options"), file = $("file"), status = $("status");
  const OWN = "kernel.cu", MOST = 1 << 20, SLOW = 4000;
  const state = {
    worker: null, ready: false, gone: "", edit: 0, sent: 0, shown: 0, good: 0, wanted: false, began: 0,
    found: null, adjoint: null, died: 0, review: "", reviewed: 0, beside: {}, tab: "adjoint", loaded: "",
  };

  // ---- the worker -----------------------------------------------------------------------

  function start() {
    state.ready = false;
    state.sent = 0;
    state.gone = "";
    // from a blob, a worker is under this page's policy: it can't send anything either
    const code = `import ${JSON.stringify(new URL(config.worker, document.baseURI).href)};`;
    const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    state.worker = new Worker(address, { type: "module" });
    state.worker.onmessage = (event) => heard[event.data.kind](event.data);
    state.worker.onerror = (event) => heard.unloaded({ text: event.message || "the worker can't be loaded" });
    state.worker.postMessage({ kind: "load", config: { ...config, base: document.baseURI } });
    tell();
  }
  function ended(why) {  // the edit that Python was at gets no answer
    state.died = state.sent;
    show(state.sent, { status: 70, messages: why, places: [], codes: {}, kernels: [] }, 0);
    state.worker.terminate();
    start();
  }
  const heard = {
    stage(said) { state.loaded = said.text; tell(); },
    ready(said) {
      state.ready = true;
      $("versions").textContent = `, Pyodide ${said.python}, loaded in ${said.seconds.toFixed(1)} s`;
      document.body.dataset.loaded = said.seconds.toFixed(2);
      ask();
    },
    unloaded(said) {
      state.gone = `Python can't be loaded: ${said.text}. Pyodide comes from ${config.pyodide}: without a network, ` +
        "start s2sad playground with --pyodide DIR, a folder that has it.";
      tell();
    },
    answer(said) {
      state.sent = 0;
      show(said.edit, said.found, said.seconds);
      if (said.edit !== state.edit || state.wanted) ask();
    },
    died(said) {
      ended(`Python in the browser ended at this edit: ${said.text.split("\n")[0]}\n` +
        "a browser has less room for deep nesting than the command line; edit the kernel to go on\n");
    },
  };
  function ask() {
    if (!state.ready || state.sent || state.died === state.edit) return tell();
    state.sent = state.edit;
    state.wanted = false;
    state.began = performance.now();
    state.worker.postMessage({ kind: "ask", edit: state.edit, asked: question() });
    setTimeout(tell, SLOW + 50);
    tell();
  }
  function question() {
    const options = {};
    let more = "";
    for (const field of form.elements) {
      if (field.name === "more") more = field.value;
      else if (field.name) options[field.name] = field.value;
    }
    const beside = {};
    for (const [name, inner] of Object.entries(state.beside)) if (text.value.includes(`"${name}"`)) Object.assign(beside, state.beside);
    return { file: file.value, text: text.value, options, more, beside, review: state.tab === "review" };
  }

  // ---- what is shown -----------------------------------------------------------------------

  function tell() {
    const isLate = state.sent && performance.now() - state.began > SLOW;
    $("stop").hidden = !isLate;
    let said;
    if (state.gone) said = state.gone;
    else if (!state.ready) said = state.loaded || "Loading …";
    else if (state.sent || state.shown !== state.edit) said = `Edit ${state.edit}: working …`;
    else if (!state.found) said = "";
    else if (state.found.status === 0) said = `Edit ${state.shown}: adjoint in ${state.seconds.toFixed(2)} s`;
    else said = `Edit ${state.shown}: ${state.found.status === 3 ? "wrong options" : state.found.status === 2 ? "refused" : "failed"}`;
    if (status.textContent !== said) status.textContent = said;
    status.classList.toggle("bad", Boolean(state.gone) || (state.shown === state.edit && state.found !== null && state.found.status !== 0));
    document.body.dataset.edit = state.edit;
    document.body.dataset.settled = state.edit && state.shown === state.edit && !state.wanted ? "yes" : "no";
    const old = state.good && state.good !== state.edit;
    const isRefused = state.found && state.shown === state.edit && state.found.status !== 0;
    $("stale").hidden = !(isRefused || (old && state.shown !== state.edit && state.gone));
    $("stale").textContent = state.good ? `Edit ${state.edit} has no adjoint; below is that of edit ${state.good}.`
      : `Edit ${state.edit} has no adjoint: the messages say why.`;
    for (const panel of document.querySelectorAll("[role=tabpanel]")) {
      const isOther = panel.dataset.drawn !== undefined && panel.dataset.drawn !== String(state.good);
      panel.classList.toggle("old", Boolean(old) || isOther);
    }
  }
  function show(edit, found, seconds) {
    state.shown = edit;
    state.found = found;
    state.seconds = seconds;
    document.body.dataset.seconds = seconds.toFixed(3);
    told(found);
    mark(edit === state.edit ? found.places : []);
    fill($("kernels"), (found.kernels || []).map((name) => { const o = document.createElement("option"); o.value = name; return o; }));
    if (found.command) $("command").textContent = found.command;
    $("copy").disabled = $("save").disabled = found.status !== 0;  // never those of another edit
    if (found.status !== 0) {
      form.elements.of.placeholder = "outputs";
      form.elements.wrt.placeholder = "inputs";
    } else {
      state.good = edit;
      state.adjoint = { name: found.name, text: found.adjoint };
      $("check").textContent = found.check;
      form.elements.of.placeholder = found.of;
      form.elements.wrt.placeholder = found.wrt;
      fill($("adjoint"), emitted(found.runs));
      $("panel-plan").innerHTML = found.plan;
      if (found.review) { state.review = found.review; state.reviewed = edit; }
      review();
    }
    tell();
  }
  function fill(element, children) { element.replaceChildren(...children); }
  function span(kind, said) {
    if (!kind) return document.createTextNode(said);
    const one = document.createElement("span");
    one.className = kind;
    one.textContent = said;
    return one;
  }
  function emitted(lines) {
    const nodes = [];
    const last = lines.length - 1;
    lines.forEach((runs, number) => {
      if (number === last && !runs.length) return;
      const line = document.createElement("span");
      line.className = "line";
      line.dataset.line = number;
      line.append(...runs.map(([kind, said]) => span(kind, said)), "\n");
      nodes.push(line);
    });
    return nodes;
  }
  function review() {
    const panel = $("panel-review");
    if (state.tab !== "review" || !state.review || panel.dataset.edit === String(state.reviewed)) return;
    const edit = panel.dataset.edit = String(state.reviewed);
    const address = URL.createObjectURL(new Blob([state.review], { type: "text/html" }));
    const frame = document.createElement("iframe");
    frame.title = "Review of the adjoint";
    frame.setAttribute("sandbox", "allow-scripts");
    frame.src = text.selectionStart ? `${address}#p${caretLine()}` : address;
    frame.addEventListener("load", () => {
      for (const other of [...panel.children]) if (other !== frame) other.remove();
      URL.revokeObjectURL(address);
      panel.dataset.drawn = edit;
      tell();
    }, { once: true });
    panel.append(frame);
  }

  // ---- partners: which line of the kernel a line of the adjoint belongs to, and the other way ---

  function light(number) {  // the lines of the kernel that a line of the adjoint belongs to
    const found = state.found && state.good === state.edit && number !== null ? state.found.partners[number] || {} : {};
    fill($("bands"), Object.entries(found).map(([line, role]) => {
      const band = document.createElement("span");
      band.className = `band ${role}`;
      band.dataset.line = line;
      band.style.top = `${(Number(line) - 1) * lineHeight()}px`;
      return band;
    }));
  }
  function lightBack(number) {  // and the other way; the first one is brought into view
    const shown = state.found && state.good === state.edit ? state.found.partners : [];
    for (const line of $("adjoint").children) {
      const role = number && (shown[line.dataset.line] || {})[number];
      line.classList.toggle("forward", role === "forward");
      line.classList.toggle("reverse", role === "reverse");
    }
  }
  function caretLine() { return text.value.slice(0, text.selectionStart).split("\n").length; }
  function follow() {
    lightBack(caretLine());
    const found = $("adjoint").querySelector(".reverse") || $("adjoint").querySelector(".forward");
    const panel = $("panel-adjoint");
    if (!found || panel.hidden || panel.scrollHeight <= panel.clientHeight) return;
    const at = found.offsetTop - panel.offsetTop;
    if (at < panel.scrollTop || at > panel.scrollTop + panel.clientHeight - 40) panel.scrollTop = at - panel.clientHeight / 3;
  }
  $("adjoint").addEventListener("mouseover", (event) => {
    const line = event.target.closest(".line");
    if (line) light(Number(line.dataset.line));
  });
  $("adjoint").addEventListener("mouseleave", () => light(null));
  text.addEventListener("mousemove", (event) => {
    const top = parseFloat(getComputedStyle(text).paddingTop);
    lightBack(Math.floor((event.offsetY + text.scrollTop - top) / lineHeight()) + 1);
  });
  text.addEventListener("mouseleave", () => lightBack(document.activeElement === text ? caretLine() : 0));
  text.addEventListener("click", follow);
  text.addEventListener("keyup", (event) => { if (event.key.startsWith("Arrow")) follow(); });

  // ---- messages ------------------------------------------------------------------------------

  const PLACE = /((?:-->|:::) .*:(\d+):(\d+))|((?:error|warning|note)\[([\w-]+)\])/g;
  function told(found) {
    const nodes = [], said = found.messages;
    let at = 0;
    for (const match of said.matchAll(PLACE)) {
      const code = match[5];
      if (code && !found.codes[code]) continue;
      nodes.push(said.slice(at, match.index));
      const link = document.createElement("button");
      link.type = "button";
      link.className = code ? `is-${match[4].split("[")[0]}` : "is-place";
      link.textContent = match[0];
      if (code) link.addEventListener("click", () => help(found.codes[code]));
      else link.addEventListener("click", () => go(Number(match[2]), Number(match[3])));
      nodes.push(link);
      at = match.index + match[0].length;
    }
    nodes.push(said.slice(at));
    fill($("messages"), nodes);
    $("messages").parentElement.classList.toggle("none", !said);
    $("help").hidden = true;
  }
  function help(said) {
    $("helped").textContent = said;
    $("help").hidden = false;
    $("unhelp").focus();
  }
  $("unhelp").addEventListener("click", () => { $("help").hidden = true; $("messages").focus(); });

  // Python counts characters, the page counts units of UTF-16.
  function offset(lines, line, column) {
    let at = 0;
    for (let n = 0; n < line - 1 && n < lines.length; ++n) at += lines[n].length + 1;
    return at + Array.from(lines[line - 1] || "").slice(0, column - 1).join("").length;
  }
  function go(line, column) {
    const lines = text.value.split("\n"), at = offset(lines, line, column);
    text.focus();
    text.setSelectionRange(at, at);
    text.scrollTop = Math.max(0, (line - 4) * lineHeight());
  }
  function lineHeight() { return parseFloat(getComputedStyle(text).lineHeight); }
  function mark(places) {
    const lines = text.value.split("\n"), spans = [];
    const named = new Map();
    for (const place of places) {
      if (place.file !== file.value || !place.line) continue;
      if (place.level !== "note") {
        const begin = offset(lines, place.line, place.column), end = offset(lines, place.end_line, place.end_column);
        spans.push([begin, Math.max(end, begin + 1), place.level]);
      }
      if (named.get(place.line) !== "error") named.set(place.line, place.level);
    }
    spans.sort((a, b) => a[0] - b[0]);
    const nodes = [];
    let at = 0;
    for (const [begin, end, level] of spans) {
      if (begin < at) continue;
      nodes.push(text.value.slice(at, begin));
      const one = document.createElement("mark");
      one.className = level;
      one.textContent = text.value.slice(begin, end) || " ";
      nodes.push(one);
      at = end;
    }
    nodes.push(text.value.slice(at) + "\n");
    fill($("marks"), nodes);
    fill($("gutter"), lines.map((_, n) => {
      const number = span(`number ${named.get(n + 1) || ""}`, `${n + 1}\n`);
      return number;
    }));
    scrolled();
  }
  function scrolled() {
    $("marks").style.transform = `translate(${-text.scrollLeft}px, ${-text.scrollTop}px)`;
    $("bands").style.transform = `translateY(${-text.scrollTop}px)`;
    $("gutter").scrollTop = text.scrollTop;
  }
  text.addEventListener("scroll", scrolled);

  // ---- editing --------------------------------------------------------------------------------

  function edited() {
    ++state.edit;
    mark([]);
    light(null);
    lightBack(0);
    tell();
    ask();
  }
  let due = 0;
  function input() {  // one edit, however many events make it up
    document.body.dataset.settled = "no";
    clearTimeout(due);
    due = setTimeout(edited);
  }
  for (const one of [text, file, form]) one.addEventListener("input", input);
  text.addEventListener("input", () => {  // no longer the example, and its first line may no longer be true
    $("example").value = "";
    $("about").textContent = "";
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
    const before = text.value.slice(0, text.selectionStart);  // a new line begins where the last one did
    const indent = /[ \t]*$/.exec(before.slice(before.lastIndexOf("\n") + 1).match(/^[ \t]*/)[0])[0];
    if (indent && document.execCommand("insertText", false, `\n${indent}`)) event.preventDefault();
  });
  function open(kernel) {
    text.value = kernel.text;
    file.value = kernel.file || OWN;
    state.beside = kernel.beside || {};
    for (const field of form.elements) if (field.name) field.value = (kernel.options || {})[field.name] || "";
    $("about").textContent = kernel.about || "";
    form.elements.of.placeholder = "outputs";
    form.elements.wrt.placeholder = "inputs";
    text.scrollTop = text.scrollLeft = 0;
    text.setSelectionRange(0, 0);
    edited();
  }
  $("example").addEventListener("change", () => {
    const name = $("example").value;
    if (name) open(config.examples[name]);
  });
  $("stop").addEventListener("click", () => { if (state.sent) ended("stopped; edit the kernel to go on\n"); });

  // ---- tabs -------------------------------------------------------------------------------------

  const tabs = [...document.querySelectorAll("[role=tab]")];
  function choose(tab) {
    state.tab = tab.id.slice(4);
    for (const one of tabs) {
      const on = one === tab;
      one.setAttribute("aria-selected", String(on));
      one.tabIndex = on ? 0 : -1;
      $(one.getAttribute("aria-controls")).hidden = !on;
    }
    if (state.tab === "review" && state.good && state.reviewed !== state.edit) { state.wanted = true; ask(); }
    review();
  }
  for (const tab of tabs) tab.addEventListener("click", () => choose(tab));
  document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = tabs.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = tabs[(at + step + tabs.length) % tabs.length];
    next.focus();
    choose(next);
  });

  // ---- links, copies, files --------------------------------------------------------------------

  async function through(stream, data) {
    const reader = new Blob([data]).stream().pipeThrough(stream).getReader(), parts = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MOST) throw new Error("too long");
      parts.push(value);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }
  async function packed(kernel) {
    const data = await through(new CompressionStream("deflate-raw"), JSON.stringify(kernel));
    let binary = "";
    for (const byte of data) binary += String.fromCharCode(byte);
    return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }
  async function unpacked(word) {
    const binary = atob(word.replaceAll("-", "+").replaceAll("_", "/"));
    const data = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(binary, (c) => c.charCodeAt(0)));
    const found = JSON.parse(new TextDecoder().decode(data));
    const isText = (value) => typeof value === "string";
    const tables = [found.options || {}, found.beside || {}];
    if (!isText(found.text) || !isText(found.file) || !tables.every((t) => Object.values(t).every(isText))) throw new Error("not a kernel");
    return found;
  }
  function kernel() {
    const asked = question();
    const options = Object.fromEntries(Object.entries({ ...asked.options, more: asked.more }).filter(([, value]) => value));
    return { file: asked.file, text: asked.text, options, beside: asked.beside };
  }
  async function copy(said, button) {
    const name = button.textContent;
    try {
      await navigator.clipboard.writeText(said);
      button.textContent = "Copied";
    } catch {
      button.textContent = button.id === "link" ? "In the address bar" : "Can't copy";
    }
    setTimeout(() => { button.textContent = name; }, 1600);
  }
  $("link").addEventListener("click", async () => {
    history.replaceState(null, "", `#k=${await packed(kernel())}`);
    copy(location.href, $("link"));
  });
  $("copy").addEventListener("click", () => copy(state.adjoint.text, $("copy")));
  $("save").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([state.adjoint.text], { type: "text/plain" }));
    link.download = state.adjoint.name;
    link.click();
    URL.revokeObjectURL(link.href);
  });
  async function linked() {
    const word = /^#k=([\w-]+)$/.exec(location.hash);
    if (!word) return false;
    try {
      open(await unpacked(word[1]));
      $("example").value = "";
      return true;
    } catch {
      $("about").textContent = "This link doesn't hold a kernel.";
      return false;
    }
  }
  window.addEventListener("hashchange", linked);

  start();
  linked().then((isOpen) => {
    if (isOpen) return;
    const about = $("about").textContent;
    $("example").value = config.first;
    open(config.examples[config.first]);
    if (about) $("about").textContent = about;
  });
})();
