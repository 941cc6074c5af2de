// The choice of a function, as in `hashfabric find --function`: SHA3-256 at first.
window.hfFunctions = (select) => {
  "use strict";
  for (const [family, names] of window.HF_FUNCTIONS) {
    const group = document.createElement("optgroup");
    group.label = family;
    for (const name of names) {
      const usual = name === "sha3-256";
      group.append(new Option(name, name, usual, usual));
    }
    select.append(group);
  }
};
