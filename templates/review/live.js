(function () {
  "use strict";
  // A served page: options draw it anew, and so does a file that is saved. What was open or in view stays so.
  var form = document.querySelector("form.options"), state = document.getElementById("state");
  var key = "s2sad-review";
  function keep() {
    var sides = Array.prototype.map.call(document.querySelectorAll(".side"), function (one) { return one.scrollTop; });
    var open = Array.prototype.map.call(document.querySelectorAll(".l > details[open]"), function (one) { return one.parentNode.id; });
    sessionStorage.setItem(key, JSON.stringify({ at: [window.scrollX, window.scrollY], sides: sides, open: open }));
  }
  function restore() {
    var kept = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    if (!kept) return;
    kept = JSON.parse(kept);
    kept.open.forEach(function (id) {
      var notes = document.querySelector("#" + CSS.escape(id) + " > details");
      if (notes) notes.open = true;
    });
    document.querySelectorAll(".side").forEach(function (one, i) { one.scrollTop = kept.sides[i] || 0; });
    window.scrollTo({ left: kept.at[0], top: kept.at[1], behavior: "instant" });
  }
  function draw() {
    var chosen = new URLSearchParams(), hash = location.hash;
    new FormData(form).forEach(function (value, name) { if (value) chosen.append(name, value); });
    state.textContent = "drawing …";
    keep();
    location.href = "/?" + chosen.toString() + hash;
  }
  form.classList.add("live");
  form.addEventListener("change", draw);
  form.addEventListener("submit", function (event) { event.preventDefault(); draw(); });
  restore();

  var events = new EventSource("/events?" + new URLSearchParams({ stamp: form.dataset.stamp, query: form.dataset.query }));
  var said = state.textContent;
  events.onmessage = function () { events.close(); keep(); location.reload(); };
  events.onerror = function () { state.textContent = "s2sad has ended; this page stays as it is"; };
  events.onopen = function () { state.textContent = said; };
  // who chooses or follows a link isn't held up by a file that is saved meanwhile
  window.addEventListener("beforeunload", function () { events.close(); });
})();
