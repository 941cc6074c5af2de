// Draws the diagrams of a page, and again when light changes to dark.
(function () {
  "use strict";
  const sources = new Map();
  for (const block of document.querySelectorAll("pre.mermaid")) {
    sources.set(block, block.textContent);
  }

  async function draw() {
    const dark = document.documentElement.dataset.theme === "dark";
    window.mermaid.initialize({
      startOnLoad: false,
      securityLevel: "strict",
      theme: dark ? "dark" : "neutral",
    });
    const shown = [];
    for (const [block, source] of sources) {
      const hidden = block.closest("details:not([open])");
      if (hidden) continue; // Nothing is measured in a closed part.
      block.removeAttribute("data-processed");
      block.textContent = source;
      shown.push(block);
    }
    await window.mermaid.run({ nodes: shown });
  }

  let queue = draw();
  const again = () => { queue = queue.then(draw); };
  document.addEventListener("hf-theme", again);
  for (const part of document.querySelectorAll("details")) {
    if (part.querySelector("pre.mermaid")) part.addEventListener("toggle", again);
  }
})();
