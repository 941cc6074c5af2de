// Before the page is drawn: light or dark, by the reader's choice, else the system's.
(function () {
  "use strict";
  let chosen = null;
  try {
    chosen = localStorage.getItem("hf-theme");
  } catch (error) {
    // Storage is off: the system's.
  }
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = chosen || (dark ? "dark" : "light");
})();
