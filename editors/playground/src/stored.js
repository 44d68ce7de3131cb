// Values that a browser keeps. Without storage, they are forgotten.
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
