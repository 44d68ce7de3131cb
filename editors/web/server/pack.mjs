// Pack files with brotli, which Node unpacks by itself: each FILE becomes FILE.br. Usage: node pack.mjs QUALITY FILE…
//
// At the best quality, 11, a minute of computing for all of the server; at 9, four seconds, and a seventh more bytes.
import { readFile, rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);
const [quality, ...files] = process.argv.slice(2);

async function pack(file) {
  const bytes = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: Number(quality),
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  await writeFile(`${file}.br`, await compress(bytes, { params }));
  await rm(file);
}

await Promise.all(files.map(pack));
