// What a browser keeps. Where it keeps nothing, there is nothing to remember.
export function read(storage, key) {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

export function write(storage, key, value) {
  try {
    storage.setItem(key, value);
  } catch {
    // it is full, or closed to this page
  }
}
