// The filter over the table of the coverage page: a part of the name or the note, and a status.
document.addEventListener("DOMContentLoaded", () => {
  const place = document.getElementById("filter");
  if (!place) return;
  const rows = [...document.querySelectorAll(".md-content table tbody tr")].map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
    status: row.cells[1].textContent.trim(),
  }));
  const input = Object.assign(document.createElement("input"), { type: "search", placeholder: "nn.Conv, Ascend, ..." });
  input.setAttribute("aria-label", "Part of a name or a note");
  const select = document.createElement("select");
  select.setAttribute("aria-label", "Status");
  for (const status of ["every status", ...new Set(rows.map((one) => one.status))].sort((a, b) => (a > b) - (b > a)))
    select.add(new Option(status, status === "every status" ? "" : status));
  select.value = "";
  const count = document.createElement("span");
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const one of rows) {
      one.row.hidden = !words.every((word) => one.text.includes(word)) || (select.value && one.status !== select.value);
      shown += !one.row.hidden;
    }
    count.textContent = `${shown} of ${rows.length} names`;
  };
  input.addEventListener("input", show);
  select.addEventListener("change", show);
  place.append(input, select, count);
  input.value = new URLSearchParams(location.search).get("name") || "";
  show();
});
