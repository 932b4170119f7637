(function () {
  "use strict";
  var table = document.querySelector("table.sessions");
  if (!table) return;
  var body = table.tBodies[0];
  var rows = Array.prototype.slice.call(body.rows);
  var tools = document.querySelector(".tools");
  var find = document.getElementById("find");
  var missed = document.getElementById("missed");
  var shown = document.getElementById("shown");
  tools.hidden = false;

  function filter() {
    var words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    var count = 0;
    rows.forEach(function (row) {
      var text = row.cells[0].textContent.toLowerCase();
      var fits = words.every(function (w) { return text.indexOf(w) >= 0; });
      row.hidden = !fits || (missed.checked && !row.querySelector(".bad"));
      if (!row.hidden) count += 1;
    });
    shown.textContent = count + " of " + rows.length + " shown";
  }
  find.addEventListener("input", filter);
  missed.addEventListener("change", filter);

  function value(cell, column) {
    return column === 0 ? cell.textContent.toLowerCase() : column === 1 ? cell.dataset.v : Number(cell.dataset.v);
  }

  Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
    var button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.textContent = "";
    head.appendChild(button);
    button.addEventListener("click", function () {
      var down = head.getAttribute("aria-sort") !== "descending";
      Array.prototype.forEach.call(table.tHead.rows[0].cells, function (other) { other.removeAttribute("aria-sort"); });
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      rows.sort(function (a, b) {
        var x = value(a.cells[column], column), y = value(b.cells[column], column);
        var order = x < y ? -1 : x > y ? 1 : 0;
        return down ? -order : order;
      });
      rows.forEach(function (row) { body.appendChild(row); });
    });
  });
  filter();
})();
