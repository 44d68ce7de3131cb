// Additions to the theme's script, for users of keyboards and screen readers.
function tend() {
  // an unnamed landmark on each code block: of a page of twenty, a screen reader would list them all
  for (const buttons of document.querySelectorAll("nav.md-code__nav:not([role])")) buttons.setAttribute("role", "none");
  // a table may be wider than a phone: keys scroll it, too
  for (const around of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) around.tabIndex = 0;
}
new MutationObserver(tend).observe(document.body, { childList: true, subtree: true });
addEventListener("load", tend);
tend();
