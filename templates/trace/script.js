(function () {
  "use strict";
  // Rows by their line: rows of the primal by the line they execute, rows of the adjoint by the lines they belong to.
  var byLine = {}, byOf = {};
  function add(table, key, row) { (table[key] = table[key] || []).push(row); }
  document.querySelectorAll(".left .t").forEach(function (row) { add(byLine, row.dataset.line, row); });
  document.querySelectorAll(".right .t").forEach(function (row) {
    add(byLine, "a " + row.dataset.line, row);
    (row.dataset.of || "").split(" ").forEach(function (line) { if (line) add(byOf, line, row); });
  });
  var lit = [], selected = null;
  function mark(rows, name) {
    (rows || []).forEach(function (row) { row.classList.add(name); lit.push([row, name]); });
  }
  function light(row) {
    lit.forEach(function (pair) { pair[0].classList.remove(pair[1]); });
    lit = [];
    if (!row) return;
    if (row.closest(".left")) {
      mark(byLine[row.dataset.line], "lit-own");
      (byOf[row.dataset.line] || []).forEach(function (other) {
        mark([other], other.classList.contains("reverse") ? "lit-reverse" : "lit-forward");
      });
    } else {
      mark(byLine["a " + row.dataset.line], "lit-own");
      (row.dataset.of || "").split(" ").forEach(function (line) { mark(byLine[line], "lit-forward"); });
    }
  }
  function follow() {  // brings the first row that is lit on the other side into its pane
    if (!window.matchMedia("(min-width: 861px)").matches || !selected) return;
    var own = selected.closest(".side");
    var other = lit.filter(function (pair) { return pair[0].closest(".side") !== own; })[0];
    if (!other) return;
    var pane = other[0].closest(".side"), at = other[0].getBoundingClientRect(), box = pane.getBoundingClientRect();
    if (at.top < box.top + 70 || at.bottom > box.bottom - 20) pane.scrollTop += at.top - box.top - box.height / 3;
  }
  function select(row) {
    if (selected) selected.classList.remove("selected");
    selected = row;
    if (row) row.classList.add("selected");
    light(row);
    follow();
  }
  document.addEventListener("mouseover", function (event) {
    var row = event.target.closest && event.target.closest(".t");
    light(row || selected);
  });
  document.addEventListener("click", function (event) {
    if (event.target.closest("a, summary")) return;
    var row = event.target.closest(".t");
    if (row) select(row === selected ? null : row);
  });
  document.addEventListener("focusin", function (event) {
    var row = event.target.closest && event.target.closest(".t");
    if (row) select(row);
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") select(null);
  });
  function arrive() {
    var row = location.hash && document.getElementById(location.hash.slice(1));
    if (row && row.classList.contains("t")) {
      for (var fold = row.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
      select(row);
    }
  }
  window.addEventListener("hashchange", arrive);
  arrive();
})();
