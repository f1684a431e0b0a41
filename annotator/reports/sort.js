"use strict";
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, at) => head.firstChild.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") !== "descending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const numbers = head.classList.contains("n");
    const value = (row) => {
      const cell = row.cells[at];
      return numbers ? parseFloat(cell.dataset.v ?? "NaN") : cell.textContent;
    };
    const rows = [...body.rows].map((row) => [value(row), row]);
    rows.sort(([a], [b]) => {
      if (!numbers) return down ? b.localeCompare(a) : a.localeCompare(b);
      if (isNaN(a) || isNaN(b)) return isNaN(a) - isNaN(b);
      return down ? b - a : a - b;
    });
    body.append(...rows.map(([, row]) => row));
  }));
}
