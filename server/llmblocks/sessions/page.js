const calls = [...document.querySelectorAll("details[data-number]")];
const bad = calls.filter((call) => /failed|rejected|skipped|never/.test(call.className));
const search = document.querySelector("input");
const said = document.querySelector("output");
const next = document.getElementById("next");
const texts = new Map();

function text(call) {
  if (!texts.has(call)) texts.set(call, call.textContent.toLowerCase());
  return texts.get(call);
}

function show() {
  const wanted = search.value.trim().toLowerCase();
  let found = 0;
  for (const call of calls) {
    const has = !wanted || text(call).includes(wanted);
    call.hidden = !has;
    found += has;
  }
  // a wave or a response without a call that is shown has nothing to say
  for (const part of document.querySelectorAll("article, .wave")) {
    part.hidden = wanted && !part.querySelector("details[data-number]:not([hidden])");
    if (part.className === "wave") part.previousElementSibling.hidden = part.hidden;
  }
  said.textContent = wanted ? `${found} ${found === 1 ? "call" : "calls"}` : "";
}

function all(open) {
  for (const call of calls) if (!call.hidden) call.open = open;
}

function go(call) {
  if (search.value) {
    search.value = "";
    show();
  }
  for (let at = call; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  call.firstElementChild.focus({ preventScroll: true });
  call.firstElementChild.scrollIntoView({ block: "start" });
}

search.addEventListener("input", show);
document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
document.getElementById("open").addEventListener("click", () => all(true));
document.getElementById("close").addEventListener("click", () => all(false));
let last = -1;
next.disabled = bad.length === 0;
next.addEventListener("click", () => {
  last = (last + 1) % bad.length;
  go(bad[last]);
});
for (const node of document.querySelectorAll(".graph [data-call]")) {
  node.addEventListener("click", () => go(document.getElementById(`call-${node.dataset.call}`)));
}
addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== search) {
    event.preventDefault();
    search.focus();
  }
});
addEventListener("beforeprint", () => {
  all(true);
});
