// Elements in one call: element("button", { type: "button" }, "text", child).
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && typeof value !== "string") made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// Calls a function once nothing has asked for it for a while; `now` calls it at once if it is due.
export function debounced(wait, call) {
  let timer;
  let due = null;
  const later = (...given) => {
    clearTimeout(timer);
    due = given;
    timer = setTimeout(later.now, wait);
  };
  later.now = () => {
    clearTimeout(timer);
    const given = due;
    due = null;
    if (given) call(...given);
  };
  return later;
}
