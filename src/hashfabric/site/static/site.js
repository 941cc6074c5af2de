// What every page has: the theme's button, buttons that copy, the search.
(function () {
  "use strict";
  const root = document.body.dataset.root;

  document.getElementById("theme").addEventListener("click", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem("hf-theme", next);
    } catch (error) {
      // Storage is off: until the next page.
    }
    document.dispatchEvent(new CustomEvent("hf-theme"));
  });

  for (const block of document.querySelectorAll("article pre.code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "copy";
    button.dataset.copy = block.textContent.trimEnd();
    const frame = document.createElement("div");
    frame.className = "block";
    block.replaceWith(frame);
    frame.append(block, button);
  }
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "copied";
    } catch (error) {
      button.textContent = "select it";
    }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });

  // On a phone the list of pages is closed at first.
  if (window.matchMedia("(max-width: 60rem)").matches) {
    for (const shelf of document.querySelectorAll("details.shelf")) shelf.open = false;
  }

  const box = document.getElementById("search");
  const list = document.getElementById("found");
  let index = null;

  function load(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${root}/assets/${name}`;
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });
  }

  async function ready() {
    if (index === null) {
      index = Promise.all([load("minisearch.js"), load("search-data.js")]).then(() => {
        const made = new window.MiniSearch({
          fields: ["title", "heading", "text"],
          storeFields: ["title", "heading", "url", "text"],
          searchOptions: {
            boost: { title: 4, heading: 3 },
            prefix: (term) => term.length > 2,
            fuzzy: (term) => (term.length > 5 ? 0.15 : false),
            combineWith: "AND",
          },
        });
        made.addAll(window.HF_SEARCH);
        return made;
      });
    }
    return index;
  }

  function excerpt(text, terms) {
    const at = Math.max(0, text.toLowerCase().indexOf(terms[0] || "") - 40);
    return (at > 0 ? "…" : "") + text.slice(at, at + 130) + (text.length > at + 130 ? "…" : "");
  }

  async function search() {
    const words = box.value.trim();
    if (words.length < 2) {
      list.hidden = true;
      return;
    }
    const made = await ready();
    const found = made.search(words).slice(0, 12);
    list.replaceChildren();
    for (const one of found) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = `${root}/${one.url}`;
      const head = document.createElement("strong");
      head.textContent = one.heading ? `${one.title}: ${one.heading}` : one.title;
      const text = document.createElement("span");
      text.textContent = excerpt(one.text, one.terms);
      link.append(head, text);
      item.append(link);
      list.append(item);
    }
    if (found.length === 0) {
      const item = document.createElement("li");
      item.className = "none";
      item.textContent = "Nothing found";
      list.append(item);
    }
    list.hidden = false;
  }

  box.addEventListener("focus", () => { ready(); });
  box.addEventListener("input", search);
  box.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    if (event.key === "Escape") {
      list.hidden = true;
    } else if (event.key === "Enter" && links.length) {
      event.preventDefault();
      links[0].click();
    } else if (event.key === "ArrowDown" && links.length) {
      event.preventDefault();
      links[0].focus();
    }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("header")) list.hidden = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !event.target.closest("input, select, textarea")) {
      event.preventDefault();
      box.focus();
    }
  });
})();
