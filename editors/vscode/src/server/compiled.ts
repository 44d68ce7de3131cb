import { createHash } from "node:crypto";
import { promises as fs } from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

/** For each Python, as cp312, the names and sizes of its files. Their bytes follow, one after the other. */
type Contents = Readonly<Record<string, readonly (readonly [name: string, size: number])[]>>;

const unpack = promisify(brotliDecompress);

/**
 * The folder with what is compiled for a Python, in the storage of the extension. Its first use unpacks it: the builds for
 * all Pythons are nearly the same, so that they are packed together. Several windows may do so at once.
 */
export async function compiledFor(python: string, packed: string, storage: string): Promise<string> {
  const bytes = await fs.readFile(packed);
  const top = path.join(storage, "compiled");
  const version = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  const folder = path.join(top, version, python);
  if (!(await exists(folder))) {
    const unpacked = await unpack(bytes);
    await fs.mkdir(path.join(top, version), { recursive: true });
    // complete, or not there at all
    const made = await fs.mkdtemp(`${folder}-`);
    try {
      await write(unpacked, python, made);
      await fs.rename(made, folder);
    } catch (error) {
      await fs.rm(made, { recursive: true, force: true });
      // another window may have been quicker
      if (!(await exists(folder))) {
        throw error;
      }
    }
    const others = (await fs.readdir(top)).filter((name) => name !== version);
    // Windows keeps what a server of another window has loaded
    await Promise.allSettled(others.map((name) => fs.rm(path.join(top, name), { recursive: true, force: true })));
  }
  return folder;
}

async function write(unpacked: Buffer, python: string, folder: string): Promise<void> {
  let offset = unpacked.indexOf("\n") + 1;
  const contents = JSON.parse(unpacked.toString("utf8", 0, offset)) as Contents;
  for (const [each, files] of Object.entries(contents)) {
    for (const [name, size] of files) {
      if (each === python) {
        await fs.mkdir(path.dirname(path.join(folder, name)), { recursive: true });
        await fs.writeFile(path.join(folder, name), unpacked.subarray(offset, offset + size));
      }
      offset += size;
    }
  }
}

function exists(folder: string): Promise<boolean> {
  return fs.access(folder).then(
    () => true,
    () => false,
  );
}
