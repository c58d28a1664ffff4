// Links with a problem: compressed in the fragment, which browsers send to no server.

/** Largest size of an unpacked link, in bytes. */
const BYTES_MAX = 8 << 20;
const MARK = "#p=";

async function through(bytes, transform, max = Number.POSITIVE_INFINITY) {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    size += value.byteLength;
    if (size > max) {
      await reader.cancel();
      throw new Error("the link holds too much");
    }
    parts.push(value);
  }
}

/**
 * The fragment of a shared problem.
 * @param {any} shared
 */
export async function fragment(shared) {
  const text = new TextEncoder().encode(JSON.stringify(shared));
  const packed = new Uint8Array(await through(text, new CompressionStream("deflate-raw")));
  let letters = "";
  for (const byte of packed) letters += String.fromCharCode(byte);
  return MARK + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * The shared problem of a fragment; undefined for other fragments.
 * @param {string} hash
 * @returns {Promise<any>}
 */
export async function shared(hash) {
  if (!hash.startsWith(MARK)) return undefined;
  const letters = atob(hash.slice(MARK.length).replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const text = await through(packed, new DecompressionStream("deflate-raw"), BYTES_MAX);
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
}
