// The table of results: filters, columns, CSV, and how a row was measured.
(function () {
  "use strict";
  const rows = window.HF_ROWS;
  const columns = window.HF_COLUMNS;
  const byId = (name) => document.getElementById(name);
  const phone = window.matchMedia("(max-width: 40rem)").matches;
  const first = [
    "design", "variant", "target", "kind", "gbps", "fmax_mhz", "luts", "luts_core", "ffs", "brams",
    "mbps_per_lut", "slots", "clocks_per_block",
  ];
  const usual = new Set(first.filter((name) => !phone || !["variant", "kind"].includes(name)));
  const place = (name) => (first.includes(name) ? first.indexOf(name) : first.length);
  columns.sort((a, b) => place(a.name) - place(b.name));
  const always = ["design", "variant", "target", "kind", "seeds", "lut", "speed_of"];
  const clock = new Set(["fmax_mhz", "gbps", "mbps_per_lut", "mbps_per_cell"]);
  const asked = new URLSearchParams(window.location.search);

  function number(value, digits) {
    const small = digits > 0 && value !== 0 && Math.abs(value) < 10 ** -digits * 10;
    return small
      ? value.toPrecision(2)
      : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  }

  function cell(column) {
    return (shown) => {
      const value = shown.getValue();
      const row = shown.getData();
      if (value === null || value === undefined || value === "") return "";
      if (column.name === "design") {
        const link = document.createElement("a");
        link.href = `designs/${encodeURIComponent(value)}.html`;
        link.textContent = value;
        if (!phone) return link;
        const both = document.createElement("span");
        const variant = document.createElement("small");
        variant.textContent = row.variant;
        both.append(link, document.createElement("br"), variant);
        return both;
      }
      if (column.digits === null) return document.createTextNode(value);
      return number(value, column.digits) + (row.one_seed && clock.has(column.name) ? "¹" : "");
    };
  }

  const table = new window.Tabulator("#table", {
    data: rows,
    layout: "fitDataTable",
    height: phone ? "70vh" : "calc(100vh - 15rem)",
    placeholder: "No row fits",
    initialSort: [initial()],
    columns: columns.map((column) => ({
      title: column.head,
      field: column.name,
      visible: usual.has(column.name),
      sorter: column.digits === null ? "string" : "number",
      sorterParams: { alignEmptyValues: "bottom" },
      headerSortStartingDir: column.better === "more" ? "desc" : "asc",
      hozAlign: column.digits === null ? "left" : "right",
      headerHozAlign: column.digits === null ? "left" : "right",
      download: always.includes(column.name) || undefined,
      frozen: column.name === "design" && !phone,
      formatter: cell(column),
    })),
  });

  function initial() {
    const wanted = asked.get("sort") || "-gbps";
    const down = wanted.startsWith("-");
    return { column: down ? wanted.slice(1) : wanted, dir: down ? "desc" : "asc" };
  }

  for (const name of ["target", "kind"]) {
    const values = [...new Set(rows.map((row) => row[name]))].filter(Boolean).sort();
    byId(name).append(...values.map((value) => new Option(value, value)));
  }
  window.hfFunctions(byId("function"));
  const usualFunction = byId("function").value;
  const fields = ["words", "function", "target", "kind", "min_gbps", "max_luts"];
  for (const name of fields) {
    if (asked.has(name)) byId(name).value = asked.get(name);
    byId(name).addEventListener("input", filter);
    byId(name).addEventListener("change", filter);
  }

  function fits(row) {
    const least = parseFloat(byId("min_gbps").value);
    const most = parseFloat(byId("max_luts").value);
    const words = byId("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = `${row.design}/${row.variant} ${row.what} ${row.device} ${row.target} ${row.maturity}`;
    const wanted = byId("function").value;
    return (
      ["target", "kind"].every((n) => !byId(n).value || row[n] === byId(n).value) &&
      (!wanted || row.functions.includes(wanted)) &&
      (Number.isNaN(least) || (row.gbps !== null && row.gbps >= least)) &&
      (Number.isNaN(most) || row.luts <= most) &&
      words.every((word) => text.toLowerCase().includes(word))
    );
  }

  function address() {
    const query = new URLSearchParams();
    for (const name of fields) {
      const value = byId(name).value;
      if (name === "function" ? value !== usualFunction : value) query.set(name, value);
    }
    const [order] = table.getSorters();
    const sort = order ? (order.dir === "desc" ? "-" : "") + order.field : "";
    if (sort && sort !== "-gbps") query.set("sort", sort);
    try {
      window.history.replaceState(null, "", query.size ? `?${query}` : window.location.pathname);
    } catch (error) {
      // A page from a disk may not change its address.
    }
  }

  function filter() {
    table.setFilter(fits);
    address();
  }
  table.on("dataFiltered", (_, found) => {
    const stated = [...new Set(found.map((one) => one.getData().speed_of))].filter(Boolean);
    const other = stated.length > 1 || (stated.length && stated[0] !== byId("function").value);
    byId("count").textContent = `${found.length} of ${rows.length} rows` +
      (other ? `; Gb/s is of ${stated.join(", ")}` : "");
  });
  table.on("tableBuilt", () => {
    filter();
    table.on("dataSorted", address);
  });
  byId("reset").addEventListener("click", () => setTimeout(() => {
    for (const box of boxes()) show(box);
    filter();
  }));
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("csv").addEventListener("click", () => table.download("csv", "hashfabric.csv"));

  const boxes = () => byId("columns").querySelectorAll("input");
  const show = (box) => table[box.checked ? "showColumn" : "hideColumn"](box.name);
  for (const column of columns) {
    const label = document.createElement("label");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.defaultChecked = usual.has(column.name);
    box.name = column.name;
    box.addEventListener("change", () => show(box));
    label.append(box, ` ${column.head}`);
    byId("columns").append(label);
  }

  document.addEventListener("click", (event) => {
    const menu = document.querySelector("details.menu");
    if (!event.target.closest("details.menu")) menu.open = false;
  });

  const dialog = byId("detail");
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });

  function part(kind, text) {
    const made = document.createElement(kind);
    made.textContent = text;
    return made;
  }

  function pairs(entries) {
    const list = document.createElement("dl");
    for (const [name, value] of entries) {
      if (value !== "" && value !== null) list.append(part("dt", name), part("dd", String(value)));
    }
    return list;
  }

  table.on("rowClick", (event, shown) => {
    if (event.target.closest("a")) return;
    const row = shown.getData();
    const origin = row.origin;
    const seeds = Object.entries(origin.seeds).map(
      ([seed, mhz]) => `${seed}: ${mhz === null ? origin.unrouted[seed] || "not routed" : `${mhz} MHz`}`,
    );
    dialog.querySelector("div").replaceChildren(
      part("h2", `${row.design}/${row.variant} on ${row.target}`),
      part("p", row.what),
      pairs([
        ["Device", row.device],
        ["Clock", row.fmax_text ? `${row.fmax_text} MHz` : "synthesis only"],
        ["Seeds", seeds.join("; ")],
        ["Gb/s", row.gbps === null || row.one_seed ? row.gbps : `${row.gbps} (${row.low} to ${row.high})`],
        ["Speed of", row.speed_of],
        ["Required clock", origin.constraint_mhz === null ? "" : `${origin.constraint_mhz} MHz`],
        ["Clocks a block by", origin.clocks],
        ["Maturity", row.maturity],
        ["Cells", Object.entries(origin.detail).map(([k, v]) => `${k} ${v}`).join(", ")],
        ["Tools", Object.entries(origin.tools).map(([k, v]) => `${k} ${v}`).join(", ")],
        ["Hash of the RTL", origin.source],
      ]),
      part("h3", "Commands"),
      ...Object.entries(origin.commands).map(([job, text]) => part("pre", `${job}: ${text}`)),
    );
    dialog.showModal();
  });
  window.hfTable = table;
})();
