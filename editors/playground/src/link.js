// The shown text, in the hash of the page's address: compressed, as base64 for URLs.
const VERSION = 1;
// no browser takes an address of more than 2 MB
const LONGEST = 1_500_000;

// Returns null for what is too long for an address.
export async function pack(state) {
  const bytes = new TextEncoder().encode(JSON.stringify({ version: VERSION, ...state }));
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  if (packed.length > LONGEST) return null;
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// Returns { state }, or { problem } for a hash that is not a such link; null for none.
export async function unpack(hash) {
  const packed = hash.replace(/^#/, "");
  if (!packed) return null;
  try {
    const text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const state = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
    if (typeof state.text !== "string") throw new TypeError("no text");
    const newer = (state.version ?? VERSION) > VERSION;
    return { state, problem: newer ? "This link was made by a newer playground: not all of it may be shown." : "" };
  } catch {
    return { problem: "This link is damaged, perhaps cut off: it cannot be opened." };
  }
}

async function through(bytes, stream) {
  const out = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(out).arrayBuffer());
}
