// The theme puts an unnamed landmark on each code block: of a page of twenty, a screen reader would list them all.
new MutationObserver(() => {
  for (const buttons of document.querySelectorAll("nav.md-code__nav:not([role])")) buttons.setAttribute("role", "group");
}).observe(document.body, { childList: true, subtree: true });
