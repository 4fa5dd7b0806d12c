/** For tests: the vectors of conformance/, and what they are made of. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { kinds } from '../index.js';
import type { Json } from '../canonical.js';
import type { Mechanism } from '../mechanisms/mechanism.js';
import { readMechanism } from '../parameters.js';
import { Refusal } from '../refusal.js';

const folder = new URL('../../../conformance/', import.meta.url);

/** A file of vectors. */
export function vectors(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}

/** Bytes of a seed: block i is SHA-256 of the seed, a slash and i. */
export function stream(seed: string, length: number): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, i) =>
    createHash('sha256').update(`${seed}/${i}`).digest(),
  );
  return Uint8Array.from(Buffer.concat(blocks).subarray(0, length));
}

export function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}

/** The code of the refusal; null if there is none. */
export function refusalOf(act: () => unknown): string | null {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return null;
}

const made = new Map<string, Mechanism>();

/** The mechanism of a digest, made once. */
export function mechanismOf(mechanisms: Readonly<Record<string, Json>>, digest: string): Mechanism {
  const found = made.get(digest) ?? readMechanism(mechanisms[digest], kinds);
  made.set(digest, found);
  return found;
}
