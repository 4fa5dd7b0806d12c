/** Signatures of a poll's server. */
import { hexToBytes } from '@noble/hashes/utils.js';

/** Whether a server's key has signed these hashes behind a tag; undefined where the browser cannot tell. */
export async function isSigned(
  server: string,
  tag: string,
  hashes: readonly string[],
  signature: string,
): Promise<boolean | undefined> {
  const subtle = (crypto as Partial<Crypto>).subtle;
  if (!subtle) return undefined;
  const parts = [new TextEncoder().encode(`${tag}\0`), ...hashes.map((hex) => new Uint8Array(hexToBytes(hex)))];
  const text = new Uint8Array(await new Blob(parts).arrayBuffer());
  try {
    const raw = new Uint8Array(hexToBytes(server));
    const key = await subtle.importKey('raw', raw, { name: 'Ed25519' }, false, ['verify']);
    return await subtle.verify({ name: 'Ed25519' }, key, new Uint8Array(hexToBytes(signature)), text);
  } catch {
    return undefined;
  }
}
