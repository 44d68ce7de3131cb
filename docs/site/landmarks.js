// What the theme's own script leaves out, for those who use keys or hear a page.
new MutationObserver(() => {
  // an unnamed landmark on each code block: of a page of twenty, a screen reader would list them all
  for (const buttons of document.querySelectorAll("nav.md-code__nav:not([role])")) buttons.setAttribute("role", "none");
  // a table that is wider than a phone is scrolled by keys, too
  for (const around of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) {
    if (around.scrollWidth > around.clientWidth) around.tabIndex = 0;
  }
}).observe(document.body, { childList: true, subtree: true });
