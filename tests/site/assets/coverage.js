// The filter over the table of the coverage page: parts of the name or the note, and a status.
const matches = (row, typed, status) =>
  (!status || row.status === status) && typed.toLowerCase().split(/\s+/).every((word) => row.text.includes(word));

document.addEventListener("DOMContentLoaded", () => {
  const place = document.getElementById("filter");
  if (!place) return;
  const rows = [...document.querySelectorAll(".md-content table tbody tr")].map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
    status: element.cells[1].textContent.trim(),
  }));
  const input = Object.assign(document.createElement("input"), { type: "search", placeholder: "nn.Conv, Ascend, ..." });
  input.setAttribute("aria-label", "Parts of a name or a note");
  const select = document.createElement("select");
  select.setAttribute("aria-label", "Status");
  select.add(new Option("every status", ""));
  for (const status of [...new Set(rows.map((row) => row.status))].sort()) select.add(new Option(status));
  const count = document.createElement("span");
  const show = () => {
    for (const row of rows) row.element.hidden = !matches(row, input.value, select.value);
    count.textContent = `${rows.filter((row) => !row.element.hidden).length} of ${rows.length} names`;
  };
  input.addEventListener("input", show);
  select.addEventListener("change", show);
  place.append(input, select, count);
  input.value = new URLSearchParams(location.search).get("name") || "";
  show();
});
