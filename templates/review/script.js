(function () {
  "use strict";
  document.documentElement.classList.add("scripted");  // it marks the selected line, which moves without the address
  // The partners of each line, by id: those of an emitted line are in the page, the primal's follow from them.
  var partners = {};
  function add(one, other, role) { (partners[one] = partners[one] || []).push([other, role]); }
  document.querySelectorAll("[data-with]").forEach(function (line) {
    line.dataset.with.split(" ").forEach(function (word) {
      var cut = word.lastIndexOf(":"), other = word.slice(0, cut), role = word.slice(cut + 1);
      add(line.id, other, role);
      add(other, line.id, role);
    });
  });

  var lit = [], selected = null, panes = document.querySelector(".panes"), peek = document.getElementById("peek");
  var wide = window.matchMedia("(min-width: 861px)");
  function shown(id) { return document.getElementById(id); }
  function light(id) {
    lit.forEach(function (line) { line.classList.remove("forward", "reverse"); });
    lit = [];
    (partners[id] || []).forEach(function (pair) {
      var line = shown(pair[0]);
      if (line) { line.classList.add(pair[1]); lit.push(line); }
    });
  }
  function side(line) { return line.closest(".side"); }
  function open(line) {
    var fold = line.closest(".fold > details");
    if (fold) fold.open = true;
  }
  function into(line) {  // scrolls the pane of a line, and nothing else
    var pane = side(line);
    if (!pane || pane.scrollHeight <= pane.clientHeight) return;
    var at = line.getBoundingClientRect(), box = pane.getBoundingClientRect();
    if (at.top < box.top + 40 || at.bottom > box.bottom - 20)
      pane.scrollTop += at.top - box.top - box.height / 3;
  }
  function first(id) {
    var found = (partners[id] || []).slice();
    var adjoint = found.filter(function (pair) { return pair[1] === "reverse" && pair[0][0] === "a"; });
    var lines = (adjoint.length ? adjoint : found).map(function (pair) { return shown(pair[0]); });
    return lines.find(function (line) { return line && line.classList.contains("quote"); }) || lines[0] || null;
  }
  function tell(line) {  // on a narrow page, where the partners are far away
    peek.textContent = "";
    var found = (partners[line.id] || []).slice(0, 8);
    peek.hidden = !found.length;
    if (!found.length) return;
    var head = document.createElement("p");
    head.textContent = line.id[0] === "a" ? "in the primal" : "in the adjoint";
    peek.appendChild(head);
    found.forEach(function (pair) {
      var other = shown(pair[0]), link = document.createElement("a");
      if (!other) return;
      link.href = "#" + pair[0];
      [other.querySelector(".n"), other.querySelector("code")].forEach(function (part) {
        var span = document.createElement("span");
        span.textContent = part.textContent.trim();
        link.appendChild(span);
      });
      peek.appendChild(link);
    });
  }
  function tab(line) {
    panes.querySelectorAll('.n[tabindex="0"]').forEach(function (n) { n.tabIndex = -1; });
    line.querySelector(".n").tabIndex = 0;
  }
  function select(line, focus, keep) {
    if (selected) { selected.classList.remove("selected"); selected.querySelector(".n").removeAttribute("aria-current"); }
    selected = line;
    line.classList.add("selected");
    var number = line.querySelector(".n");
    number.setAttribute("aria-current", "true");
    tab(line);
    open(line);
    light(line.id);
    if (!keep) history.replaceState(null, "", "#" + line.id);
    into(line);
    if (focus) number.focus({ preventScroll: wide.matches });
    var other = first(line.id);
    if (other && wide.matches) { open(other); into(other); }
    tell(line);
  }
  function asked(focus) {
    var line = location.hash && shown(decodeURIComponent(location.hash.slice(1)));
    if (line && line.classList.contains("l")) {
      select(line, focus, true);
      if (wide.matches) panes.scrollIntoView({ block: "nearest" });
    }
  }
  function near(line, step) {
    var all = Array.prototype.filter.call(side(line).querySelectorAll(".l"), function (l) { return l.offsetParent; });
    return all[all.indexOf(line) + step];
  }

  panes.querySelectorAll(".n").forEach(function (n) { n.tabIndex = -1; });
  panes.querySelectorAll(".side").forEach(function (one) {
    var line = one.querySelector(".l");
    if (line) line.querySelector(".n").tabIndex = 0;
  });
  panes.addEventListener("mouseover", function (event) {
    var line = event.target.closest(".l");
    if (line) light(line.id);
  });
  panes.addEventListener("mouseleave", function () { light(selected ? selected.id : ""); });
  panes.addEventListener("click", function (event) {
    if (event.target.closest("summary, .note, .refs") || String(window.getSelection())) return;
    var line = event.target.closest(".l");
    if (line) { event.preventDefault(); select(line, true); }
  });
  panes.addEventListener("keydown", function (event) {
    var number = event.target.closest(".n");
    if (!number || event.ctrlKey || event.metaKey || event.altKey) return;
    var line = number.closest(".l"), to = null;
    if (event.key === "ArrowDown" || event.key === "j") to = near(line, 1);
    else if (event.key === "ArrowUp" || event.key === "k") to = near(line, -1);
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft") to = first(line.id);
    else if (event.key === "Enter" || event.key === " ") {
      var notes = line.querySelector("details");
      if (notes) notes.open = !notes.open;
      event.preventDefault();
      select(line, true);
      return;
    } else return;
    event.preventDefault();
    if (to) select(to, true);
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") peek.hidden = true;
  });
  window.addEventListener("hashchange", function () { asked(true); });
  asked(false);
})();
