// Throughput against area: ours with their seeds, fronts, the limit, others' cores and papers.
(function () {
  "use strict";
  const rows = window.HF_ROWS.filter((row) => row.gbps !== null);
  const others = window.HF_OTHERS;
  const limit = window.HF_LIMIT;
  const byId = (name) => document.getElementById(name);
  const kinds = window.HF_KINDS.filter((kind) => rows.some((row) => row.kind === kind));
  const shapes = ["circle", "triangle-up", "diamond", "square", "triangle-left", "wedge", "triangle-down",
    "triangle-right"];

  function fill(select, values, first) {
    select.replaceChildren(...values.map((value) => new Option(value, value)));
    if (values.includes(first)) select.value = first;
  }
  const count = (name) => {
    const found = new Map();
    for (const row of rows) found.set(row[name], (found.get(row[name]) || 0) + 1);
    return [...found.keys()].sort((a, b) => found.get(b) - found.get(a));
  };
  fill(byId("target"), count("target"), "ecp5-85k");
  window.hfFunctions(byId("function"));
  for (const kind of kinds) {
    const label = document.createElement("label");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.name = kind;
    box.checked = kind !== "system" && kind !== "soc";
    label.append(box, ` ${kind}`);
    byId("kinds").append(label, " ");
  }

  function front(points) {
    return points
      .filter((one) => !points.some((other) =>
        other.x <= one.x && other.gbps >= one.gbps && (other.x < one.x || other.gbps > one.gbps)))
      .sort((a, b) => a.x - b.x);
  }

  function chosen() {
    const target = byId("target").value;
    const wanted = byId("function").value;
    const family = (window.HF_FUNCTIONS.find(([, names]) => names.includes(wanted)) || [""])[0];
    const area = byId("area").value;
    const on = new Set([...byId("kinds").querySelectorAll("input:checked")].map((box) => box.name));
    const ours = rows
      .filter((row) => row.target === target && on.has(row.kind))
      .filter((row) => !wanted || row.functions.includes(wanted))
      .map((row) => ({
        x: row[area], speed_of: row.speed_of, gbps: row.gbps, low: row.low, high: row.high, design: row.design,
        name: `${row.design}/${row.variant}`, kind: row.kind, what: row.what,
        seeds: row.fmax_text, one_seed: row.one_seed, device: row.device, maturity: row.maturity,
        tools: Object.entries(row.origin.tools).map(([k, v]) => `${k} ${v}`).join(", "),
        source: `RTL ${row.origin.source.slice(0, 12)}, ${row.origin.clocks}`,
        url: `designs/${row.design}.html`,
      }));
    const theirs = others
      .filter((one) => (one.group.startsWith("peers") ? byId("peers") : byId("papers")).checked)
      .filter((one) => one.target === null || one.target === target)
      .filter((one) => !family || one.family === family)
      .map((one) => ({ ...one, x: one[area], one_seed: one.seeds === 1 }))
      .filter((one) => one.x);
    return { target, family, area, ours, theirs };
  }

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  function spec({ target, family, area, ours, theirs }) {
    const text = colour("--text");
    const grey = colour("--grey");
    const head = byId("area").selectedOptions[0].textContent;
    const all = [...ours.map((one) => one.x), ...theirs.map((one) => one.x)];
    const speeds = [...ours, ...theirs].flatMap((one) => [one.gbps, one.low || one.gbps]);
    const lines = byId("limit").checked && target === limit.target && area === "luts" &&
      (family === limit.family || !family);
    const steps = lines ? limit.steps.filter((step) => step.rounds <= 8) : [];
    const scale = (values) => ({
      type: "log", nice: false,
      domain: [0.8 * Math.min(...values), 1.3 * Math.max(...values)],
    });
    const place = {
      x: { field: "x", type: "quantitative", title: head,
           scale: scale([...all, ...steps.map((step) => step.luts)]),
           axis: { format: "~s", grid: false } },
      y: { field: "gbps", type: "quantitative", title: "Gb/s",
           scale: scale([...speeds, ...steps.map((step) => step.gbps)]),
           axis: { format: "~g", grid: false } },
    };
    const tip = (names) => names.map(([field, title, type]) => ({ field, title, type: type || "nominal" }));
    const used = kinds.filter((kind) => ours.some((one) => one.kind === kind));
    const byDesign = {
      field: "design", type: "nominal", title: "Design",
      scale: { scheme: "category20", domain: [...new Set(ours.map((one) => one.design))].sort() },
    };
    const groups = {
      "peers, measured here": text, "peers, claimed": grey, "papers, own rows": "#d9480f", "papers, cited rows": "#d6a77a",
    };
    for (const one of theirs) one.colour = groups[one.group];
    const outline = { field: "colour", type: "nominal", scale: null };
    const hollow = (otherwise) => ({ condition: { test: "datum.one_seed", value: 0 }, value: otherwise });
    const whiskers = (values, encoding) => ({
      data: { values: values.filter((one) => one.low && !one.one_seed) },
      mark: { type: "rule", strokeWidth: 1.5 },
      encoding: { x: place.x, y: { ...place.y, field: "low" }, y2: { field: "high" }, ...encoding },
    });
    const layer = [];
    if (byId("front").checked) {
      const group = (one) => `${one.kind} ${one.speed_of}`;
      for (const name of new Set(ours.map(group))) {
        const best = front(ours.filter((one) => group(one) === name));
        layer.push({
          data: { values: best },
          mark: { type: "line", interpolate: "step-after", strokeWidth: 1, color: grey },
          encoding: place,
        });
      }
    }
    if (lines) {
      const values = steps.map((step) => ({ x: step.luts, gbps: step.gbps, rounds: step.rounds }));
      layer.push({
        data: { values },
        mark: { type: "line", color: text, strokeDash: [5, 3] },
        encoding: place,
      }, {
        data: { values: values.slice(-1) },
        mark: { type: "text", align: "right", dx: -12, dy: -6, color: text, text: "limit" },
        encoding: place,
      });
    }
    if (byId("whiskers").checked) {
      layer.push(
        whiskers(ours, { color: byDesign }),
        whiskers(theirs, { stroke: outline }),
      );
    }
    layer.push({
      data: { values: theirs, name: "theirs" },
      mark: { type: "point", size: 60, shape: "cross", filled: true, strokeWidth: 1 },
      encoding: {
        ...place,
        fill: { field: "group", type: "nominal", title: "Others",
                scale: { domain: Object.keys(groups), range: Object.values(groups) },
                legend: theirs.length ? { symbolType: "cross" } : null },
        stroke: outline,
        fillOpacity: hollow(0.8),
        tooltip: tip([["name", "Core"], ["group", "Figures of"], ["x", head, "quantitative"],
          ["gbps", "Gb/s", "quantitative"], ["device", "Device"], ["lut", "LUT is"],
          ["what", "What"], ["source", "Source"]]),
      },
    }, {
      data: { values: ours, name: "ours" },
      mark: { type: "point", size: 80, filled: true, strokeWidth: 1.5, cursor: "pointer" },
      encoding: {
        ...place,
        color: byDesign,
        stroke: { ...byDesign, legend: null },
        fillOpacity: hollow(0.85),
        shape: { field: "kind", type: "nominal", title: "Kind", scale: { domain: used, range: used.map((kind) => shapes[kinds.indexOf(kind)]) } },
        href: { field: "url" },
        tooltip: tip([["name", "Core"], ["what", "What"], ["x", head, "quantitative"],
          ["gbps", "Gb/s", "quantitative"], ["speed_of", "Gb/s of"], ["seeds", "MHz over seeds"], ["device", "Device"],
          ["maturity", "Maturity"], ["tools", "Tools"], ["source", "Provenance"]]),
      },
    });
    if (byId("names").checked) {
      layer.push({
        data: { values: ours },
        mark: { type: "text", align: "left", dx: 8, fontSize: 10 },
        encoding: { ...place, text: { field: "name" }, color: byDesign },
      });
    }
    const phone = window.matchMedia("(max-width: 40rem)").matches;
    return {
      width: "container",
      height: phone ? 380 : Math.max(360, window.innerHeight - 330),
      layer,
      resolve: { scale: { fill: "independent", stroke: "independent" } },
      config: {
        background: "transparent",
        view: { stroke: null },
        axis: { labelColor: text, titleColor: text, domainColor: grey, tickColor: grey },
        legend: { labelColor: text, titleColor: text, labelLimit: 260, symbolBaseFillColor: text,
                  orient: phone ? "bottom" : "right", columns: phone ? 2 : 1 },
      },
    };
  }

  let drawn = 0;
  async function draw() {
    const turn = ++drawn;
    const data = chosen();
    byId("count").textContent = `${data.ours.length} of ours, ${data.theirs.length} others`;
    const box = byId("plot");
    if (data.ours.length + data.theirs.length === 0) {
      box.textContent = "Nothing to show";
      return;
    }
    const theme = document.documentElement.dataset.theme;
    const made = await window.vegaEmbed(box, spec(data), {
      actions: { export: true, source: false, compiled: false, editor: false },
      tooltip: { theme },
      downloadFileName: "hashfabric",
    });
    if (turn === drawn) window.hfView = made.view;
  }
  byId("choices").addEventListener("change", draw);
  document.addEventListener("hf-theme", draw);
  draw();
})();
