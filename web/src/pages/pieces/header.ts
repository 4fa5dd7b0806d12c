/** The first line of a board, which may be as long as all others together: it names every code. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonical, isObject, type JsonObject } from '../../canonical.js';
import { isHex } from '../../poll.js';

const HASHED = 1 << 20; // bytes at a time

export interface Header {
  readonly members: JsonObject;
  /** The board's digest: that of the header without its signature. */
  readonly digest: string;
  readonly signature: string;
}

/** Read a header in its one form, member by member; undefined for anything else. */
export async function readHeader(line: string, pause: () => Promise<unknown>): Promise<Header | undefined> {
  const members = parsed(line);
  if (!members || members.hushvote !== 'board' || !isHex(members.signature, 128)) return undefined;
  const hash = sha256.create();
  let at = 0;
  for (const name of Object.keys(members).sort()) {
    await pause();
    const text = `${at === 0 ? '{' : ','}${JSON.stringify(name)}:${canonical(members[name])}`;
    if (!line.startsWith(text, at)) return undefined;
    at += text.length;
    if (name === 'signature') continue; // never the first, so the others stay joined as they are
    const bytes = utf8ToBytes(text);
    for (let from = 0; from < bytes.length; from += HASHED) {
      await pause();
      hash.update(bytes.subarray(from, from + HASHED));
    }
  }
  if (line.slice(at) !== '}') return undefined;
  return { members, digest: bytesToHex(hash.update(utf8ToBytes('}')).digest()), signature: members.signature };
}

function parsed(line: string): JsonObject | undefined {
  try {
    const found = JSON.parse(line) as unknown;
    return isObject(found) ? found : undefined;
  } catch {
    return undefined;
  }
}
