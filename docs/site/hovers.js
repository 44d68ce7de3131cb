// Explains a word of our code where the pointer or a key is, as an editor does. `coloured.py` writes the texts.
const about = Object.assign(document.createElement("div"), { className: "about", popover: "manual" });
about.setAttribute("role", "tooltip");

function show({ target }) {
  const word = target.closest?.("[data-about]");
  if (!word?.dataset.about) return about.isConnected && about.hidePopover();
  if (!about.isConnected) document.body.append(about);
  about.innerHTML = word.dataset.about;
  about.showPopover();
  const { left, bottom, top } = word.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = about;
  const below = bottom + offsetHeight + 8 < innerHeight;
  about.style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`;
  about.style.top = `${below ? bottom + 4 : top - offsetHeight - 4}px`;
}

for (const event of ["pointerover", "focusin"]) document.addEventListener(event, show);
addEventListener("keydown", ({ key }) => key === "Escape" && about.isConnected && about.hidePopover());
addEventListener("scroll", () => about.isConnected && about.hidePopover(), { passive: true, capture: true });
